"""What a turn says without an answer, or before one: small talk, asking back, spelling and translation."""
