"""Success rolls of GURPS: 3d, criticals, and the sum behind the number."""
