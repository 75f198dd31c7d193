"""The big reader: a frozen all-mpnet-base-v2 encoder with a trained adapter."""
