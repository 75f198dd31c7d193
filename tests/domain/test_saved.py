import re
from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.answering.domain.refusals import CLOSEST
from chat.answering.domain.response import TurnResponse
from chat.conversations.domain.saved import (
    REPAIRS,
    STOPPED,
    STOPPED_EMPTY,
    VERDICTS,
    WORD_FOR_WORD,
    file_name,
    is_own,
    saved_turn,
)
from chat.conversations.domain.saved_markdown import markdown

WORDS = Path(__file__).resolve().parents[2] / "static" / "js" / "words.js"
WITHHELD = {"reason": "uncited", "verdict": "unsupported", "text": "not so"}
WARNED = {"type": "DEGRADED", "message": "Mind."}
CITED = {"n": 1, "quote": "q", "verdict": "partial", "url": "/lectures/1/#t=1,2", "start": 3725, "language": "de"}


def turn(*sentences, outcome="grounded", **response):
    whole = {"id": uuid4(), "question": "Who?", "outcome": outcome, "sentences": sentences, "citations": [CITED]}
    stored = TurnResponse.model_validate(whole | response)
    return saved_turn(stored, datetime(2026, 1, 1, tzinfo=UTC), "https://here{}".format)


def said(**changed):
    stored = {"text": "s", "kind": "factual", "verdict": "partial", "citations": [1], "quoted": False}
    return stored | {"support": 0.7, "paragraph": 0} | changed


def test_verdicts_and_what_checks_did_are_said_as_the_page_says_them():
    words = WORDS.read_text(encoding="utf-8")
    assert dict(re.findall(r'(\w+): \{ word: gettext\("([^"]+)"', words)) == VERDICTS
    assert all(f'{key}: gettext("{value}")' in words for key, value in REPAIRS.items())
    assert all(text in words for text in (STOPPED, STOPPED_EMPTY))
    assert WORD_FOR_WORD in words


@pytest.mark.parametrize(("quoted", "verdict"), [([True], "Quoted"), ([True, False], "Partly supported")])
def test_a_source_is_quoted_where_nothing_but_its_own_words_rest_on_it(quoted, verdict):
    [source] = turn(*(said(quoted=is_quoted) for is_quoted in quoted)).sources
    assert (source.verdict, source.facts, source.link) == (verdict, "1:02:05", "https://here/lectures/1/#t=1,2")


def test_a_sentence_is_marked_with_its_verdict_its_conflict_and_its_repair():
    [paragraph] = turn(said(conflicting=True, repair="moved"), said(kind="framing")).paragraphs
    first, framing = paragraph.sentences
    assert first.marks == ("Partly supported", "Conflicting sources", "source corrected by the check")
    assert framing.marks == ()


@pytest.mark.parametrize(
    ("proof", "word"),
    [("verified", "Verified"), ("checked", "Checked, in other words"), ("", "Checked, in other words")],
)
def test_a_supported_sentence_is_verified_only_where_its_proof_says_so(proof, word):
    shown = turn(said(verdict="supported", proof=proof), citations=[CITED | {"verdict": "supported"}])
    assert shown.paragraphs[0].sentences[0].marks == (word,)
    assert [source.verdict for source in shown.sources] == [word]


def test_a_source_is_verified_only_where_every_sentence_that_cites_it_is():
    both = [said(verdict="supported", proof=proof) for proof in ("verified", "checked")]
    [source] = turn(*both, citations=[CITED | {"verdict": "supported"}]).sources
    assert source.verdict == "Checked, in other words"


def test_a_run_of_quoted_sentences_says_so_once():
    [paragraph] = turn(*(said(quoted=is_quoted) for is_quoted in (True, True, False, True))).paragraphs
    marks = [sentence.marks for sentence in paragraph.sentences]
    assert marks == [("Quoted",), (), ("Partly supported",), ("Quoted",)]


def test_a_clip_says_once_where_it_is_from_and_which_sentence_answers():
    cited = [CITED | {"title": "The [Wind]", "speaker": "A. Speaker"}, CITED | {"n": 2}]
    clip = {"quoted": True, "clip": True, "verdict": "supported"}
    told = turn(said(**clip), said(**clip, lead=True, text="He *left*.", conflicting=True),
                said(**clip, citations=[2]), citations=cited)  # fmt: skip
    [paragraph] = told.paragraphs
    assert (paragraph.kind, paragraph.numbers) == ("clip", (1, 2))
    assert paragraph.origin == "Word for word from The [Wind], A. Speaker, 1:02:05"
    assert [(sentence.is_lead, sentence.numbers, sentence.marks) for sentence in paragraph.sentences] == [
        (False, (), ()), (True, (), ("Conflicting sources",)), (False, (), ()),
    ]  # fmt: skip
    text = markdown("T", [told])
    assert "> s **He \\*left\\*.** *(Conflicting sources)* s\\\n> *Word for word from The \\[Wind\\]" in text
    assert "* [1] [2]\n" in text


def test_a_closest_passage_follows_its_notice_and_without_it_the_message_stands():
    closest = turn(said(quoted=True, clip=True), outcome="closest_passage", message=CLOSEST)
    assert (closest.notice, closest.message, closest.is_refusal) == (CLOSEST, "", False)
    text = markdown("T", [closest])
    assert text.index("The closest I found") < text.index("> s")
    gone = turn(outcome="closest_passage", message="Nothing.", citations=[])
    assert (gone.notice, gone.message) == ("", "Nothing.")


def test_blocks_become_paragraphs_of_their_kind():
    blocks = ["## ", "2. ", "- ", "> ", ""]
    kinds = [
        (paragraph.kind, paragraph.number)
        for paragraph in turn(*(said(block=b, paragraph=n) for n, b in enumerate(blocks))).paragraphs
    ]
    assert kinds == [("heading", ""), ("item", "2."), ("item", ""), ("quotation", ""), ("", "")]


def test_what_was_stopped_says_so_and_what_was_removed_is_counted():
    stopped = turn(said(), outcome="interrupted", withheld=[WITHHELD], warnings=[WARNED])
    assert (stopped.notes, stopped.removed) == ((STOPPED, "Mind."), 1)
    assert turn(outcome="interrupted").notes == (STOPPED_EMPTY,)
    assert "not so" not in str(stopped)


def test_general_knowledge_has_no_source_even_where_it_was_given_one():
    general = turn(said(kind="outside"))
    assert (general.sources, general.paragraphs[0].sentences[0].numbers) == ((), ())
    assert general.disclaimer


@pytest.mark.parametrize(("url", "own"), [
    ("/works/1/?at=BG%202.13", True), ("", False), ("//evil.example", False), ("/\\evil.example", False),
    ("https://evil.example", False), ("javascript:hurt()", False), ("/a\nb", False),
])  # fmt: skip
def test_only_a_page_of_this_site_is_linked_to(url, own):
    assert is_own(url) is own


@given(st.text())
def test_a_file_name_holds_letters_marks_digits_and_hyphens(title):
    name = file_name(title, "md")
    assert re.fullmatch(r"lectorium-[^\s/\\:*?\"<>|.\x00-\x1f]+\.md", name)
    assert len(name.encode()) < 255


def test_a_file_is_named_after_its_conversation_in_any_script():
    assert file_name("Was sagt die गीता? / ..", "html") == "lectorium-was-sagt-die-गीता.html"
    assert file_name("?!", "md") == "lectorium-conversation.md"
