import re

import pytest

from chat.answering.domain.footnotes import mint
from chat.answering.domain.writing_rules import WritingRules
from chat.answering.stages.write import answer_slots
from lectorium.ladder.prompts import shipped
from lectorium.providers.errors import ModelMissing
from lectorium.providers.planting import Note
from lectorium.providers.planting.hostile import HostileChat, notes_in
from lectorium.providers.planting.lines import key_of
from lectorium.providers.registry import chat_model, check_chat_name
from tests.evaluation.escape.corpus import passage
from tests.providers.test_planting import FAR, TEXTS


def prompt():
    notes = mint(passage(f"a:{number}", text) for number, text in enumerate(TEXTS))
    return shipped("synthesize").fill(**answer_slots("Who lit the lamp?", notes, (), WritingRules()))


async def said(model, max_tokens=4000):
    pieces = [piece async for piece in model.stream(prompt(), max_tokens=max_tokens, temperature=0)]
    return "".join(piece.text for piece in pieces), pieces[-1]


def test_it_reads_the_notes_out_of_the_products_own_prompt():
    assert notes_in(prompt()[-1].text) == tuple(Note(alias, text) for alias, text in enumerate(TEXTS, start=1))
    assert notes_in("Give the conversation a title.") == ()


async def test_the_same_seed_writes_the_same_draft_and_another_seed_another():
    first, second = HostileChat(3, strangers=FAR), HostileChat(3, strangers=FAR)
    text, _ = await said(first)
    assert (text, first.written) == ((await said(second))[0], second.written)
    assert (await said(first))[0] == text
    assert (await said(HostileChat(4, strangers=FAR)))[0] != text


async def test_a_draft_holds_true_lines_and_as_many_falsehoods_as_were_asked_for():
    told = {key_of(TEXTS[0]): ["Magnus Orrin put up the tower in 1874."]}
    model = HostileChat(5, planted=5, paraphrases=told, strangers=FAR)
    text, last = await said(model)
    kinds = [line.kind for line in model.written if line.kind]
    assert len(kinds) == len(set(kinds)) == 5
    assert {line.origin for line in model.written if not line.kind} >= {"paraphrase"}
    assert " ".join(line.written for line in model.written) == " ".join(text.split())
    assert last.tokens_out > 50
    assert not last.truncated


async def test_it_writes_the_kinds_that_come_first_and_mostly_from_the_notes_in_focus():
    model = HostileChat(1, kinds=["negation", "invented_quote", "added_detail"], planted=2, focus=(2,))
    await said(model)
    assert {line.kind for line in model.written if line.kind} == {"negation", "invented_quote"}
    assert all(line.cites == (2,) for line in model.written if not line.kind)


async def test_what_was_told_in_one_draft_is_not_told_in_another():
    told = set()
    one, other = HostileChat(1, told=told), HostileChat(1, told=told)
    await said(one)
    await said(other)
    assert not {(line.kind, line.text) for line in one.written} & {(line.kind, line.text) for line in other.written}


async def test_a_draft_may_be_prepared_and_is_then_written_once():
    model = HostileChat(9, strangers=FAR)
    lines = model.prepare([Note(1, TEXTS[1]), Note(2, TEXTS[2])])
    await said(model)
    assert model.written == lines
    await said(model)
    assert model.written != lines


async def test_the_token_limit_cuts_it_and_no_notes_leave_nothing_to_say():
    text, last = await said(HostileChat(1), max_tokens=5)
    assert len(text.split()) == 5
    assert last.truncated
    pieces = [piece async for piece in HostileChat(1).stream((), max_tokens=99, temperature=0)]
    assert re.match("There is nothing", "".join(piece.text for piece in pieces))


def test_the_ladder_takes_it_by_its_seed():
    assert chat_model("hostile:12").name == "hostile:12"
    for name in ("hostile:", "hostile:liar", "hostile:-1"):
        with pytest.raises(ModelMissing, match="hostile"):
            check_chat_name(name)
