"""From hits to evidence: the pool, what is kept of it, and whether it answers."""
