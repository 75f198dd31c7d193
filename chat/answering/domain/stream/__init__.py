"""Parsers of a model's stream: markup, markers, sentences."""
