"""Readers' pages of lectures and works: lists, transcripts, recordings, addresses, titles, glossary."""
