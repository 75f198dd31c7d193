import json
import math

import numpy as np
import pytest

from curation.domain.acceptance import on_reference_scale
from evaluation.calibration.phrasings import BELOW, QuestionPair, phrasing_points, read_neighbours, read_paraphrases


class Angles:
    """An embedder of numbers: the cosine of a text with "1" is the number in the text."""

    def embed_questions(self, texts):
        return np.array([(float(text), math.sqrt(1 - float(text) ** 2)) for text in texts])


def pairs(cosines, *, groups=10):
    """A pair for each cosine, alternating between the groups."""
    return [QuestionPair("1", str(cosine), f"group {number % groups}") for number, cosine in enumerate(cosines)]


def spread(low, high, number=1000):
    return np.linspace(low, high, number).tolist()


SAME, WRONG = pairs(spread(0.58, 0.98)), pairs(spread(0.1, 0.7))


def test_the_map_rises_through_its_operating_points():
    points, evidence = phrasing_points(Angles(), SAME, WRONG)
    assert points == tuple(sorted(points))
    assert (evidence["paraphrases"], evidence["wrong_pairs"]) == (1000, 1000)
    by_reference = {reference: cosine for cosine, reference in points}
    assert by_reference == {0.0: 0.13, 0.49: 0.67, 0.65: 0.68, 0.7: 0.694, 0.85: 0.6994, 1.0: 1.0}


def test_where_pairs_overlap_the_lower_reference_value_is_kept():
    points, _ = phrasing_points(Angles(), pairs(spread(0.2, 0.98)), WRONG)
    assert {reference for _, reference in points} == {*BELOW, 1.0} - {0.65}


def test_if_paraphrases_are_above_all_wrong_pairs_they_set_the_threshold_of_pins():
    points, evidence = phrasing_points(Angles(), pairs(spread(0.75, 0.98)), WRONG)
    assert {reference for _, reference in points} == {0.0, 0.49, 0.65, 1.0}
    assert evidence["at 0.85"]["cosine"] > 0.8
    assert evidence["at 0.85"]["wrong_above"] == 0.0


def test_another_space_maps_the_same_pairs_to_the_same_reference_values():
    higher = (pairs(spread(0.6, 1.0)), pairs(spread(0.12, 0.72)))
    base, other = (dict(map(reversed, phrasing_points(Angles(), *of)[0])) for of in ((SAME, WRONG), higher))
    assert base.keys() == other.keys()
    for reference in base.keys() - {1.0}:
        assert other[reference] == pytest.approx(base[reference] + 0.02, abs=2e-4)


def test_shares_above_each_threshold_are_in_the_evidence():
    _, evidence = phrasing_points(Angles(), SAME, WRONG)
    assert evidence["cross_validated"] == "5 folds by conversation and article"
    assert evidence["at 0.85"]["cosine"] == 0.699
    assert evidence["at 0.85"]["paraphrases_above"] == pytest.approx(0.7, abs=0.01)
    assert evidence["at 0.85"]["wrong_above"] == pytest.approx(0.001, abs=0.001)
    assert evidence["at 0.70"]["wrong_above"] == pytest.approx(0.01, abs=0.002)


def test_shares_are_cross_validated_by_article():
    """The questions of one article are very similar, so a scale fitted without it takes them for paraphrases."""
    alike = [QuestionPair("1", str(cosine), "another article") for cosine in spread(0.75, 0.8, 100)]
    points, evidence = phrasing_points(Angles(), SAME, [*WRONG, *alike])
    assert sum(on_reference_scale(float(pair.second), points) >= 0.85 for pair in alike) <= 2
    assert evidence["at 0.85"]["wrong_above"] == pytest.approx(100 / 1100, abs=0.01)


def test_fewer_conversations_than_folds_are_refused():
    with pytest.raises(ValueError, match="number of groups"):
        phrasing_points(Angles(), pairs(spread(0.8, 0.9, 10), groups=2), WRONG)


def lines(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_paraphrases_skip_short_turns_and_copies(tmp_path):
    asked, other = "Where do the Cardinals play now?", "Where do the Arizona Cardinals play?"
    rows = [("a<::>1", asked, other), ("a<::>2", asked, asked.upper()), ("b<::>1", "And the Bears then?", other)]
    path = lines(tmp_path / "rewrites.jsonl", [{"id": i, "last_turn": a, "rewrite": b} for i, a, b in rows])
    assert read_paraphrases(path) == [QuestionPair(asked, other, "a")]


def test_neighbours_share_a_passage_and_no_answer(tmp_path):
    asked = [
        ("When?", "oil#0", ["1973"], False),
        ("How much?", "oil#0", ["$12"], False),
        ("Cost?", "oil#0", ["$12"], False),
    ]
    asked += [("Why?", "oil#1", ["war"], False), ("Who?", "oil#1", [], True), ("Where?", "oil#1", ["Suez"], False)]
    names = ("question", "passage_id", "answers", "is_impossible")
    path = lines(
        tmp_path / "squad.jsonl", [{**dict(zip(names, values, strict=True)), "title": "oil"} for values in asked]
    )
    assert read_neighbours(path) == [QuestionPair("When?", "How much?", "oil"), QuestionPair("Why?", "Where?", "oil")]
