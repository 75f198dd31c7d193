"""Translations of what is published, made by a model and reviewed by editors."""
