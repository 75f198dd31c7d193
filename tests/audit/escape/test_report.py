import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.escape.outcome import Outcome
from audit.escape.report import GUARDS, LONGEST, WORST, as_json, section, worst
from lectorium.providers.planting import KINDS, Line


def outcome(
    kind="", *, seen=False, verdict="supported", guards=(), origin="verbatim", source="lectures", text="So it is."
):
    line = Line(text, text, kind, origin)
    return Outcome(source, line, seen, verdict if seen else "withheld", frozenset(guards), text if seen else "")


MIXED = [
    outcome("negation", guards=["verifier", "terms"]),
    outcome("negation", seen=True, verdict="partial", guards=["terms"]),
    outcome("added_detail", seen=True, source="squad2"),
    outcome("added_detail", guards=["verifier"], source="squad2"),
    outcome(seen=True),
    outcome(origin="merged", guards=["verifier"]),
    outcome(seen=True, origin="paraphrase", source="squad2"),
    outcome(seen=True, origin="paraphrase", source="squad2", guards=["terms"]),
]


def test_the_figures_are_those_of_the_outcomes():
    figures = as_json(MIXED)
    assert (figures["planted"], figures["true"]) == (4, 4)
    assert (figures["escape_rate"], figures["verified_rate"], figures["collateral"]) == (0.5, 0.25, 0.25)
    assert figures["by_kind"]["negation"]["escaped"]["hits"] == 1
    assert figures["by_kind"]["swapped_agent"]["planted"] == 0
    assert set(figures["by_kind"]) == set(KINDS)
    assert figures["by_source"]["squad2"]["verified"]["hits"] == 1
    assert set(figures["guards_alone"]) == set(GUARDS)
    objecting = {guard: one["hits"] for guard, one in figures["guards_alone"].items() if one["hits"] < 4}
    assert objecting == {"terms": 2, "verifier": 2}
    assert figures["independence_product"] == pytest.approx(0.25)
    assert figures["collateral_by_origin"]["merged"]["rate"] == 1.0
    assert figures["verdicts_of_escapes"] == {"partial": 1, "supported": 1}
    assert [one["verdict"] for one in figures["worst"]] == ["supported", "partial"]
    json.dumps(figures)


def test_the_section_names_every_goal_kind_and_guard_and_says_what_missed():
    text = section(MIXED, "overlap", 7, 12.3)
    assert text.startswith("## Escape test\n")
    assert "| joint escape rate | 0.02 | 2/4 = 50.0 %" in text
    assert text.count("| no |") == 2
    for word in ("negation", "added detail", "squad2", "| terms |", "| verifier |", "paraphrase by hand", "seed 7"):
        assert word in text
    assert "in what was planted: address, attribution, gauntlet, snippet, time, uncited and wording." in text
    assert "What limits it: of the 2 falsehoods seen, most are of “negation”: 1/2 = 0.50" in text
    assert "of the 1 true lines withheld, most are of “two sentences merged”: 1/1 = 1.00" in text
    assert "0.2500 would get through" in text


@given(st.lists(st.tuples(st.sampled_from(KINDS), st.sampled_from(["supported", "partial", "framing"])), max_size=40))
def test_the_worst_are_at_most_ten_short_and_the_strongest_words_first(escapes):
    found = worst(outcome(kind, seen=True, verdict=verdict, text="so " * 300) for kind, verdict in escapes)
    assert len(found) == min(WORST, len(escapes))
    gravity = [["supported", "partial", "framing"].index(one.verdict) for one in found]
    assert gravity == sorted(gravity)
    shown = as_json([outcome(kind, seen=True, verdict=verdict, text="so " * 300) for kind, verdict in escapes])["worst"]
    assert all(len(one["seen"]) <= LONGEST for one in shown)


def test_nothing_planted_is_a_report_too():
    assert as_json([])["escape_rate"] == 0.0
