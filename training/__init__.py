"""Trains the cross-encoder that ships with the product. `python -m training --help` lists the steps."""
