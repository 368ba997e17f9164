"""Personal data is looked for in samples, off the path of questions; what is found is suggested, no more."""
