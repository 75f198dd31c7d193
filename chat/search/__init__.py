"""Search without an answer: the page and the look-ups behind it."""
