import pytest

from evaluation.citations.answers import MANNERS, CitedSentence, ask_golden, paraphrase_claims, write_claims
from evaluation.citations.run import judges_of
from evaluation.escape.material import Document, Material, passage_of
from lectorium.providers.planting.lines import key_of

TEXTS = (
    "The ferry at Lorne was built by Hugh Ballard in 1881. It was the home of two families.",
    "Bread was baked on the island by Ada Merrin in a stone oven. The oven belonged to the parish.",
)
GOLD, OTHER = (passage_of("lecture", f"talk:{number}", "Talk", text) for number, text in enumerate(TEXTS))
PARAPHRASE = "The ferry at Lorne was built by Hugh Ballard."
MATERIAL = Material(
    {
        "lectures": [Document("lectures", "Who built the ferry?", (GOLD,), (OTHER,))],
        "squad2": [Document("squad2", "And who did not?", (OTHER,), (GOLD,))],
    },
    {key_of(GOLD.text): [PARAPHRASE]},
)


def test_claims_come_with_their_source_and_other_notes():
    (claim,) = paraphrase_claims(MATERIAL, 1, 5)
    assert (claim.text, claim.source) == (PARAPHRASE, GOLD)
    assert set(claim.notes) == {GOLD, OTHER}
    assert list(paraphrase_claims(MATERIAL, 1, 0)) == []


@pytest.mark.parametrize("manner", MANNERS)
async def test_true_sentences_are_shown_with_their_source_whatever_the_writer_cites(manner):
    answers = await write_claims(list(paraphrase_claims(MATERIAL, 1, 5)), manner, 1, lambda: None)
    (sentence,) = answers.sentences
    assert (answers.written, sentence.text, sentence.evidence, sentence.right) == (1, PARAPHRASE, (GOLD.text,), (True,))


async def test_unsupported_sentences_count_as_written_but_are_not_shown():
    told = Material(MATERIAL.documents, {key_of(GOLD.text): ["Whales sang in Peru for forty nights."]})
    answers = await write_claims(list(paraphrase_claims(told, 1, 5)), "rightly", 1, lambda: None)
    assert (answers.written, answers.sentences) == (1, ())


def test_the_judges_are_fitted_on_the_claims():
    words, meaning = judges_of([*paraphrase_claims(MATERIAL, 1, 5)] * 2, 1)
    assert (words.name, words.accepts.total, words.accepts.value, words.rejects.value) == ("words", 1, 1.0, 1.0)
    assert meaning.accepts.total == 1


async def test_factual_sentences_are_kept_with_their_quotes(monkeypatch):
    async def ask(text, *, mode, history):
        sentences = [{"text": text, "kind": "factual", "citations": [2, 1]}, {"text": "And?", "kind": "framing"}]
        quotes = [{"n": 1, "quote": mode}, {"n": 2, "quote": history[0][1]}]
        return {"outcome": "grounded", "sentences": sentences, "citations": quotes}

    monkeypatch.setattr("evaluation.citations.answers.ask", ask)
    rows = [{"question": "Who built it?", "history": [{"role": "user", "content": "A ferry."}]}]
    answers = await ask_golden(rows, "instant", lambda: None)
    assert answers.sentences == (CitedSentence("Who built it?", ("A ferry.", "instant")),)
