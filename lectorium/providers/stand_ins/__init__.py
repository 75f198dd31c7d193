"""Models without weights for tests and demonstrations, and the guard that keeps tests to them."""
