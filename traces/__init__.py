"""Records of what was asked, decided and answered: their format, their chain, their readers."""
