"""multilingual-e5-small, an embedder of about a hundred languages that an operator may install."""
