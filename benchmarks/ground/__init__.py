"""What benchmarks/grounding.py is made of: peers in their own environments, and the chance-match table."""
