ANSWERED = frozenset({"grounded", "partially_grounded"})
