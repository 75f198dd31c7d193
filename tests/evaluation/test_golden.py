from evaluation.golden import by_kind, score, shares
from evaluation.golden_run import goals

ANSWERABLE = {"section": "A", "kind": "multi", "gold": ["CW1:a:1", "CW1:b:2"], "gold_alternatives": [["CW1:c:3"]]}
PREMISE = {"section": "B", "category": "false_premise"}
VAGUE = {"section": "B", "category": "underspecified"}


def response(outcome, *addresses):
    return {"outcome": outcome, "citations": [{"address": address} for address in addresses]}


def test_an_answer_must_cite_every_paragraph_of_one_gold_list():
    assert score(ANSWERABLE, response("grounded", "CW1:a:1", "CW1:b:2", "CW1:x:9")).cites_gold
    assert score(ANSWERABLE, response("grounded", "CW1:c:3")).cites_gold
    assert not score(ANSWERABLE, response("grounded", "CW1:a:1")).cites_gold


def test_only_an_underspecified_question_may_be_asked_back():
    assert score(VAGUE, response("asked_back")).right_refusal
    assert not score(PREMISE, response("asked_back")).right_refusal
    assert score(PREMISE, response("refused")).right_refusal


def test_goals_exclude_closest_passages_from_refusals():
    scored = [
        score(ANSWERABLE, response("refused")),
        score(PREMISE, response("refused")),
        score(VAGUE, response("grounded", "x")),
    ]
    precision, recall = (goal.measured for goal in goals(scored))
    assert (precision.hits, precision.total) == (1, 2)
    assert (recall.hits, recall.total) == (1, 2)
    assert shares(scored)["closest"].hits == 0
    met = score(ANSWERABLE, response("closest_passage", "CW1:c:3"))
    assert (met.answered, met.closest, met.right_refusal) == (False, True, False)
    precision, _ = (goal.measured for goal in goals([*scored, met]))
    assert (precision.hits, precision.total) == (1, 2)
    known = shares([*scored, met])
    assert [known[name].hits for name in ("answered", "closest", "shown with gold")] == [0, 1, 1]
    assert list(by_kind(scored)) == ["multi", "false_premise", "underspecified"]
