"""One question to one recorded answer. `turn.py` is the map."""
