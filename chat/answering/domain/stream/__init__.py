"""Parsers of a model's stream: markup, citation markers, sentences."""
