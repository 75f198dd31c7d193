"""A training job that runs for days in the background, survives being killed, and measures itself as it goes."""
