"""From a reader's words to a plan of searches."""
