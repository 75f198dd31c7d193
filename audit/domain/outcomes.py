"""Which outcomes of a turn count as an answer."""

ANSWERED = frozenset({"grounded", "partially_grounded"})
