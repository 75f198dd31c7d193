"""Search without chat."""
