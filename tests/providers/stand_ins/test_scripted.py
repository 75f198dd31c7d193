import asyncio
import json
import time
from contextlib import aclosing

import pytest

from lectorium.providers import errors
from lectorium.providers.protocols import ChatMessage, Piece
from lectorium.providers.stand_ins.scripted import Reply, ScriptedChat

ASKED = (ChatMessage("user", "Why is that?"),)


async def pieces_of(model, max_tokens=100):
    return [piece async for piece in model.stream(ASKED, max_tokens=max_tokens, temperature=0)]


async def test_replies_come_in_turn_and_the_last_repeats():
    model = ScriptedChat("one two", "three")
    texts = ["".join(piece.text for piece in await pieces_of(model)) for _ in range(3)]
    assert texts == ["one two", "three", "three"]
    assert model.asked == [ASKED] * 3


async def test_a_reply_is_said_word_by_word_and_counted():
    assert await pieces_of(ScriptedChat("a  b\n\nc")) == [
        Piece("a "), Piece(" "), Piece("b\n"), Piece("\n"), Piece("c"), Piece("", 3, 5),
    ]  # fmt: skip


async def test_the_token_limit_cuts_it_and_says_so():
    assert await pieces_of(ScriptedChat("a b c"), max_tokens=2) == [Piece("a "), Piece("b "), Piece("", 3, 2, True)]


async def test_it_fails_as_the_script_says_after_what_it_said():
    heard = []

    async def listen():
        async for piece in ScriptedChat(Reply.of("a b", fault="cut_off")).stream(ASKED, max_tokens=9, temperature=0):
            heard.append(piece.text)

    with pytest.raises(errors.CutOff):
        await listen()
    assert heard == ["a ", "b"]


async def test_it_keeps_the_speed_it_is_given():
    started = time.monotonic()
    await pieces_of(ScriptedChat(Reply.of("a b c d e", tokens_a_second=50)))
    assert 0.1 <= time.monotonic() - started < 1


async def test_it_notices_that_nobody_listens_any_more():
    model = ScriptedChat(Reply.of("a b c", tokens_a_second=1))
    async with aclosing(model.stream(ASKED, max_tokens=9, temperature=0)) as pieces:
        await anext(pieces)
    listening = asyncio.create_task(pieces_of(model))
    while len(model.asked) < 2:  # noqa: ASYNC110
        await asyncio.sleep(0)
    listening.cancel()
    await asyncio.gather(listening, return_exceptions=True)
    assert model.closed_early == 2


async def test_a_script_may_lie_in_a_file(tmp_path):
    script = tmp_path / "script.json"
    script.write_text(json.dumps([{"text": "yes"}, {"fault": "rate_limited"}]), encoding="utf-8")
    model = ScriptedChat.from_file(script)
    assert (await pieces_of(model))[0] == Piece("yes")
    with pytest.raises(errors.RateLimited):
        await pieces_of(model)


@pytest.mark.parametrize("words", ["", "{", "[]", '[{"words": "x"}]', '[{"fault": "bored"}]', "[1]"])
def test_a_script_that_cannot_be_read_is_a_missing_model(tmp_path, words):
    script = tmp_path / "script.json"
    script.write_text(words, encoding="utf-8")
    with pytest.raises(errors.ModelMissing, match=r"script\.json"):
        ScriptedChat.from_file(script)
