from collections import Counter

from evaluation.natural import read_half
from evaluation.opposition import found_shares
from evaluation.retrieval.paraphrased import TRIALS, as_json, paraphrased_rows, paraphrased_section, paraphrases
from evaluation.retrieval.poison import PoisonResult


def test_twelve_wordings_are_planted_as_one_lecture_or_as_twelve_of_one_upload():
    rows = paraphrased_rows()
    asked = {row["question"] for half in ("dev", "fresh") for row in read_half(half)}
    assert all(len(set(row["texts"])) == 12 and row["question"] in asked for row in rows)
    assert Counter(row["half"] for row in rows) == {"dev": 4, "unseen": 6}
    assert paraphrases(rows[0], 0) == []
    for lectures in (1, 12):
        planted = paraphrases(rows[0], lectures)
        assert len({passage.source_id for passage in planted}) == lectures
        assert len({passage.chunk_id for passage in planted}) == 12
        assert {passage.imported_s for passage in planted} == {1.0}


def test_what_is_kept_and_shown_of_the_planted_is_counted_by_half(db):
    results = {trial: PoisonResult(True, 0, frozenset()) for trial in TRIALS}
    results["one lecture", ""] = PoisonResult(False, 2, frozenset({"planted:1"}), ("planted:2", "talk:1"))
    [hit] = [row for row in as_json([("unseen", results)]) if row["gold"] == 0 and row["of"]]
    assert (hit["half"], hit["planted"], hit["kept"], hit["shown"]) == ("unseen", "one lecture", 2, 2)
    assert "| unseen | one lecture | once | 0/1 = 0.00" in "\n".join(paraphrased_section([("unseen", results)]))


def test_pairs_are_counted_by_half_and_kind():
    rows = [{"half": "dev", "opposite": True}, {"half": "unseen", "opposite": False}]
    shares = found_shares(rows, [True, True])
    assert [(share.hits, share.total) for share in shares.values()] == [(1, 1), (0, 0), (0, 0), (1, 1)]
