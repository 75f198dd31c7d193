"""Everything that measures the product: golden questions, escape test, citations, retrieval, calibration."""
