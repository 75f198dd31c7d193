"""Turns stored chunks into a searchable index: embedding, duplicates, vectors, word statistics."""
