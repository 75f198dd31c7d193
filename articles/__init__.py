"""Topic pages compiled from the lectures, and HaluGate, which checks them. Never a source of answers."""
