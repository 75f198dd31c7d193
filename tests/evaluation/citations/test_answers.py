"""Drafts of paraphrases through the product's own checks, with labels known from how they were written."""

import pytest

from evaluation.citations.answers import MANNERS, CitedSentence, asked, claims, written
from evaluation.citations.run import judges_of
from evaluation.escape.material import Document, Material, passage_of
from lectorium.providers.planting.lines import key_of

TEXTS = (
    "The ferry at Lorne was built by Hugh Ballard in 1881. It was the home of two families.",
    "Bread was baked on the island by Ada Merrin in a stone oven. The oven belonged to the parish.",
)
GOLD, OTHER = (passage_of("lecture", f"talk:{number}", "Talk", text) for number, text in enumerate(TEXTS))
TOLD = "The ferry at Lorne was built by Hugh Ballard."
MATERIAL = Material(
    {
        "lectures": [Document("lectures", "Who built the ferry?", (GOLD,), (OTHER,))],
        "squad2": [Document("squad2", "And who did not?", (OTHER,), (GOLD,))],
    },
    {key_of(GOLD.text): [TOLD]},
)


def test_claims_are_the_paraphrases_beside_their_own_passage_and_others():
    (claim,) = claims(MATERIAL, 1, 5)
    assert (claim.text, claim.source) == (TOLD, GOLD)
    assert set(claim.notes) == {GOLD, OTHER}
    assert list(claims(MATERIAL, 1, 0)) == []


@pytest.mark.parametrize("manner", MANNERS)
async def test_whatever_the_writer_cites_a_true_sentence_is_shown_citing_its_own_passage(manner):
    answers = await written(list(claims(MATERIAL, 1, 5)), manner, 1, lambda: None)
    (told,) = answers.told
    assert (answers.written, told.text, told.evidence, told.right) == (1, TOLD, (GOLD.text,), (True,))


async def test_what_no_note_holds_is_written_and_not_shown():
    told = Material(MATERIAL.documents, {key_of(GOLD.text): ["Whales sang in Peru for forty nights."]})
    answers = await written(list(claims(told, 1, 5)), "rightly", 1, lambda: None)
    assert (answers.written, answers.told) == (1, ())


def test_the_judges_are_fitted_on_the_claims():
    words, meaning = judges_of([*claims(MATERIAL, 1, 5)] * 2, 1)
    assert (words.name, words.accepts.total, words.accepts.value, words.rejects.value) == ("words", 1, 1.0, 1.0)
    assert meaning.accepts.total == 1


async def test_of_an_answer_each_factual_sentence_is_kept_with_the_quotes_under_it(monkeypatch):
    async def ask(text, *, mode, history):
        sentences = [{"text": text, "kind": "factual", "citations": [2, 1]}, {"text": "And?", "kind": "framing"}]
        quotes = [{"n": 1, "quote": mode}, {"n": 2, "quote": history[0][1]}]
        return {"outcome": "grounded", "sentences": sentences, "citations": quotes}

    monkeypatch.setattr("evaluation.citations.answers.ask", ask)
    rows = [{"question": "Who built it?", "history": [{"role": "user", "content": "A ferry."}]}]
    answers = await asked(rows, "instant", lambda: None)
    assert answers.told == (CitedSentence("Who built it?", ("A ferry.", "instant")),)
