"""The sentence that says what limits a measurement is read off its own counts."""

from evaluation.domain.report_parts import limit_of, limits


def test_the_largest_group_is_named_with_its_share_of_what_went_wrong():
    said = limit_of("falsehoods seen", {"negation": 3, "changed number": 1})
    assert said.startswith("of the 4 falsehoods seen, most are of “negation”: 3/4 = 0.75")
    assert limits(said, "no true lines withheld").endswith("; no true lines withheld.")


def test_where_nothing_went_wrong_it_says_so():
    assert limit_of("falsehoods seen", {}) == "no falsehoods seen"
    assert limit_of("falsehoods seen", {"negation": 0}) == "no falsehoods seen"
