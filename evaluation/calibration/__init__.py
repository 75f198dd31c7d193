"""Fits the coverage gate and the similarity scales on labelled questions."""
