"""Between the network and Django: origins, limits, lockout, request log."""
