"""Measures the product: golden questions, escape test, citations, retrieval, calibration."""
