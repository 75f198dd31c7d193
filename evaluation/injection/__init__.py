"""Planted instructions with their benign twins: what a model that obeys them, and a quotation, would show."""
