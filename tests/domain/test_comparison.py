from audit.domain.comparison import RunChange, RunSentence, compare_evidence, compare_sentences, sentences_of


def said(*texts, verdict="supported"):
    return [RunSentence(text, verdict) for text in texts]


def changes(pairs):
    return [pair.change for pair in pairs]


def test_equal_sentences_stand_beside_each_other():
    [pair] = compare_sentences(said("All that is born dies."), said("all that is  born dies."))
    assert pair.change is RunChange.SAME
    assert not pair.verdict_changed


def test_another_verdict_of_the_same_sentence_is_a_change():
    [pair] = compare_sentences(said("It dies."), said("It dies.", verdict="partial"))
    assert (pair.change, pair.verdict_changed) == (RunChange.CHANGED, True)


def test_a_reworded_sentence_shows_the_words_that_differ():
    [pair] = compare_sentences(said("The soul is never born."), said("The soul was never born."))
    assert pair.change is RunChange.CHANGED
    assert [text for text, is_own in pair.before_pieces if is_own] == ["is "]
    assert [text for text, is_own in pair.after_pieces if is_own] == ["was "]
    assert "".join(text for text, _ in pair.after_pieces) == "The soul was never born."


def test_what_only_one_run_says_stands_alone_and_in_order():
    pairs = compare_sentences(
        said("One is here.", "Two kings met."), said("A preface, new.", "Two kings met.", "Done.")
    )
    assert changes(pairs) == [RunChange.REMOVED, RunChange.ADDED, RunChange.SAME, RunChange.ADDED]
    assert [pair.after.text for pair in pairs if pair.after] == ["A preface, new.", "Two kings met.", "Done."]


def test_two_runs_that_share_nothing_lose_no_sentence():
    pairs = compare_sentences(said("a b c", "d e f"), said("u v w", "x y z"))
    assert [pair.before.text for pair in pairs if pair.before] == ["a b c", "d e f"]
    assert [pair.after.text for pair in pairs if pair.after] == ["u v w", "x y z"]
    assert compare_sentences([], []) == []


def test_a_refusal_is_compared_by_its_message():
    assert sentences_of({"sentences": [], "message": "Nothing is said of it."}) == said(
        "Nothing is said of it.", verdict=""
    )
    assert sentences_of({}) == []


def test_evidence_is_compared_by_passage_and_rank():
    def trace(*chunks):
        cut = {"chunk": "cut", "address": "x:9", "cut_by": "top_k"}
        return {"candidates": [cut, *({"chunk": chunk, "address": f"x:{chunk}", "cut_by": None} for chunk in chunks)]}

    rows = compare_evidence(trace("a", "b", "c"), trace("a", "c", "d"))
    assert [(row.chunk, row.before, row.after, row.change.value) for row in rows] == [
        ("a", 1, 1, "same"), ("c", 3, 2, "changed"), ("d", None, 3, "added"), ("b", 2, None, "removed"),
    ]  # fmt: skip
    assert compare_evidence({}, {}) == []
