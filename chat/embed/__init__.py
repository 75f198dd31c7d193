"""The question box that other sites show in a frame."""
