"""What keeps a gateway in service: readiness, reload, proofs, attestations, set-up."""
