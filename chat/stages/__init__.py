"""The stages of a turn. Each takes values and returns values; none imports another: chat/turn.py is their only map."""
