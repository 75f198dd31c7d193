"""Trains the big reader and distils the small one on a GPU that is lent for minutes; training/gpu.md says how."""
