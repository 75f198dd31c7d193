"""Facts, and the contradictions between them."""
