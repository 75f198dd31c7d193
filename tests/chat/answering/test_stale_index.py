"""An answer whose source was changed while it was made says so."""

import asyncio

import pytest

from chat.answering import turn
from corpus.models import Chunk
from lectorium.asking import ask

QUESTION = "Who refused to bow to the newly made man?"


def test_an_answer_whose_source_changed_meanwhile_carries_a_warning(corpus, monkeypatch):
    discard = turn.discard_candidates

    def discard_then_change(*arguments):
        evidence = discard(*arguments)
        Chunk.objects.filter(address="first-steps:1").update(content_hash="other")
        return evidence

    monkeypatch.setattr(turn, "discard_candidates", discard_then_change)
    response = asyncio.run(ask(QUESTION))
    (warning,) = response["warnings"]
    assert warning["type"] == "STALE_INDEX"
    assert "first-steps:1" in warning["details"]["addresses"]


@pytest.mark.parametrize("mode", ["instant", "auto"])
def test_an_answer_from_unchanged_sources_carries_none(corpus, mode):
    response = asyncio.run(ask(QUESTION, mode=mode))
    assert response["outcome"] == "grounded"
    assert response["warnings"] == []
