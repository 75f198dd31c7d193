from hypothesis import given
from hypothesis import strategies as st

from corpus.domain.nearness import NearnessRules, looked_at

RULES = NearnessRules()


def test_a_search_looks_at_more_rows_as_the_corpus_doubles():
    assert [looked_at(rows, RULES) for rows in (0, 50_000, 50_001, 100_000, 200_000, 400_000, 10**9)] == [
        400, 400, 600, 600, 800, 1000, 1000,
    ]  # fmt: skip


@given(st.integers(0, 10**10), st.integers(0, 10**10))
def test_it_never_looks_at_fewer_in_a_larger_corpus_nor_at_more_than_the_server_takes(one, other):
    few, many = sorted((one, other))
    assert RULES.looked_at <= looked_at(few, RULES) <= looked_at(many, RULES) <= RULES.most
