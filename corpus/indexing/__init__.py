"""From stored chunks to a searchable index: embedding, duplicates, vectors, word statistics."""
