from decimal import Decimal

from audit.domain.inspection.costs import stage_costs
from audit.domain.inspection.drafts import drafts_of, outline_of
from audit.domain.inspection.found import kept_chunks, looks_of
from audit.domain.inspection.marked import excerpt, marked
from audit.domain.inspection.words import CUTS, DECISIONS, DROPS, GUARDS, LANES, OUTCOMES, STAGES
from chat.answering import current_turn
from chat.answering.domain.evidence.evidence import Reason
from chat.answering.domain.evidence.pool import LANES as POOL_LANES
from chat.answering.domain.response import OUTCOMES as RESPONSE_OUTCOMES
from chat.answering.domain.stream.tokens import DropReason
from evaluation.escape.report import GUARDS as MEASURED_GUARDS

PLAN = {"route": "single_topic", "wordings": [{"text": "What is duty?", "kind": "standalone"}], "words": ["duti"]}
KEPT = {"chunk": "a", "address": "first:1", "lanes": {"dense": 1}, "similarity": 0.71, "cut_by": None}
CUT = {"chunk": "b", "address": "first:2", "lanes": {"dense": 2, "lexical": 1}, "cut_by": "per_source"}
GATE = {"coverage": 0.81, "bar": 0.73, "decision": "answer", "signals": {"known_share": 1.0}, "closest": False}
LOOK = {"plan": PLAN, "lanes": {"dense": 5, "lexical": 3}, "candidates": [CUT, KEPT], "capped": [{}], "gate": GATE}


def test_every_name_that_a_turn_records_has_words():
    assert set(POOL_LANES) <= set(LANES)
    assert {reason.value for reason in Reason} | {"answer"} == set(DECISIONS)
    assert {reason.value for reason in DropReason} == set(DROPS)
    assert set(RESPONSE_OUTCOMES) == set(OUTCOMES)
    assert set(MEASURED_GUARDS) <= set(GUARDS)
    assert {*current_turn.STAGES, "total"} == set(STAGES)
    assert {"prefloor", "duplicate", "per_source", "top_k", "copy", "cap"} == set(CUTS)


def test_kept_candidates_come_first_and_the_others_say_why_they_were_cut():
    [look] = looks_of(LOOK)
    kept, cut = look.candidates
    assert (kept.chunk, kept.is_kept, kept.cut) == ("a", True, "")
    assert cut.cut == "its source already has its share"
    assert cut.found == (("by meaning", 2), ("by words", 1))
    assert kept.scores[0] == 0.71
    assert cut.scores == (None,) * len(cut.scores)
    assert kept_chunks([look]) == ["a"]


def test_a_lane_counts_its_hits_and_those_that_were_kept():
    [look] = looks_of(LOOK)
    assert [(lane.name, lane.hits, lane.kept) for lane in look.lanes] == [("by meaning", 5, 1), ("by words", 3, 0)]
    assert look.capped == 1


def test_the_gate_shows_the_chance_against_its_bar_before_the_signals():
    gate = looks_of(LOOK)[0].gate
    assert gate.answers
    chance, signal = gate.bars
    assert (chance.filled, chance.bar_at) == ("81.0", "73.0")
    assert (signal.name, signal.filled, signal.bar_at) == ("Words of the question that the corpus knows", "100.0", "")


def test_earlier_looks_come_first_and_a_turn_without_a_search_has_none():
    first = {**LOOK, "gate": {**GATE, "decision": "unanswerable"}}
    assert [look.gate.answers for look in looks_of({**LOOK, "looks": [first]})] == [False, True]
    assert looks_of({"served": []}) == []
    assert looks_of({"plan": PLAN})[0].gate is None


def test_the_cost_of_a_call_counts_in_the_stage_of_its_job():
    calls = [
        {"job": "synthesize", "outcome": "written", "tokens_in": 900, "tokens_out": 100, "cost": "0.0012"},
        {"job": "verify", "outcome": "written", "tokens_in": 10, "tokens_out": 5, "cost": "0.0003"},
        {"job": "suggest", "outcome": "written", "tokens_in": 1, "tokens_out": 1, "cost": "0"},
        {"job": "plan", "outcome": "builtin", "tokens_in": 0, "tokens_out": 0, "cost": "0"},
    ]
    rows = {row.name: row for row in stage_costs({"plan": 20, "synthesize": 800, "total": 1000}, calls)}
    assert list(rows) == ["Plan", "Write or quote", "Verify", "After the answer", "Whole turn"]
    assert (rows["Plan"].calls, rows["Plan"].share) == (0, "2.0")
    assert rows["Write or quote"].tokens == 1000
    assert rows["Whole turn"].cost == Decimal("0.0015")
    assert rows["After the answer"].milliseconds is None


def test_a_drafted_sentence_says_what_was_checked_and_why_it_was_left_out():
    sentence = {
        "text": "Iblis refused.", "verdict": "contradicted", "support": 0.1, "withheld": "unsupported_claims",
        "cited": [2], "proofs": [{"note": 1, "chunk": "a", "address": "first:1", "span": [3, 9], "support": 0.9}],
        "moved": {"from": [2], "to": [1]}, "terms": [{"text": "ātmā", "held": False}],
        "objections": [{"guard": "terms", "reason": "name", "about": "Ann"}],
    }  # fmt: skip
    draft = {"verifier": "overlap", "repairs": True, "sentences": [sentence],
             "dropped": [{"reason": "never_minted", "text": "[^9]"}]}  # fmt: skip
    [view] = drafts_of({"writing": [draft]})
    [row] = view.sentences
    assert view.title == "Repair 1"
    assert row.removed == "the source does not say it"
    assert row.objections == ("names and numbers: name (Ann)",)
    assert row.facts == ("cites [2]", "citation moved from [2] to [1]", "not in the evidence: ātmā")
    assert row.proofs[0].span == (3, 9)
    assert view.dropped == (("a citation of a source that the model was not given", "[^9]"),)


def test_an_outline_of_thin_evidence_says_what_it_decided():
    outline = outline_of({"outline": {"theses": [{"text": "", "notes": [2, 1]}], "decided": False}})
    assert outline.theses == (("as ranked", "[2] [1]"),)
    assert outline.said == "The evidence was thin, and the outline decided to refuse."
    assert outline_of({}) is None


def test_marks_are_joined_where_they_overlap_and_cut_to_the_text():
    assert marked("abcdef", [(4, 99), (1, 3), (2, 5)]) == [
        ("a", False), ("bc", True), ("de", True), ("f", True),
    ]  # fmt: skip
    assert marked("abc", [(9, 12)]) == [("abc", False)]


def test_an_excerpt_is_cut_between_words():
    text = "one two three four five six"
    assert excerpt(text, (8, 13), around=6) == [
        ("… ", False),
        ("two ", False),
        ("three", True),
        (" four", False),
        (" …", False),
    ]
    assert excerpt("short", (0, 5)) == [("short", True)]
