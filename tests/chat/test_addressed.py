"""What a question asks for by its address: the very place, in its order, and said where it is not there."""

import pytest

from chat.asking import ask

pytestmark = pytest.mark.django_db(transaction=True)


def cited(response):
    return [(one["address"], one["quote"]) for one in response["citations"]]


async def test_the_paragraph_that_was_asked_for_is_quoted_not_the_first_of_its_chunk(corpus):
    response = await ask("What does first-steps:2 say?", mode="instant")
    assert cited(response) == [("first-steps:2", "The banyan tree sometimes lives for five thousand years.")]
    assert [sentence["text"] for sentence in response["sentences"]] == [quote for _, quote in cited(response)]


async def test_each_paragraph_of_a_chunk_that_was_asked_for_is_cited_as_itself(corpus):
    response = await ask("first-steps:1-2", mode="instant")
    assert [address for address, _ in cited(response)] == ["first-steps:1", "first-steps:2"]
