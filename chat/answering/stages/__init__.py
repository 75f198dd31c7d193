"""The stages of a turn. Each takes values and returns values; none imports another. The map: chat/answering/turn.py."""
