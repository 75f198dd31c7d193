"""A speech model that runs in the worker."""
