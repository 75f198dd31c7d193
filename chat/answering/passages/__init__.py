"""What the stages read of passages: their sentences, and which of them say the same."""
