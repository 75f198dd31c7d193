"""Measures a weights folder on the test sets."""
