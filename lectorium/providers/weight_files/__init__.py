"""Files of weights: loaded, and checked for truncation and altered bytes."""
