"""One process that computes for several: its server, its client, and what they say to each other."""
