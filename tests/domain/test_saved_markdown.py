"""No text in a saved conversation has an effect as Markdown or HTML, and each is there as it was written."""

import html
import re
import unicodedata
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from chat.answering.domain.refusals import DISCLAIMER
from chat.conversations.domain.saved import SavedParagraph, SavedSentence, SavedSource, SavedTurn
from chat.conversations.domain.saved_markdown import escaped, markdown
from tests.e2e.hostile_words import HOSTILE

PARSER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
NOISE = "\\`*_{}[]<>&|~$#^=@:-+.!()\"'0123456789 \t\nwaHx/;"
TEXTS = st.text(max_size=60) | st.text(alphabet=NOISE, max_size=60)
WHEN = datetime(2026, 11, 23, 19, 11, tzinfo=UTC)


def as_said(text):
    """Return the text on one line."""
    line = "".join(" " if unicodedata.category(char) in ("Cc", "Zl", "Zp") else char for char in text)
    return re.sub(" +", " ", line).strip()


def shown(source):
    """Return the tags of the rendered Markdown, and what a reader reads of it on one line."""
    rendered = PARSER.render(source)
    tags = re.findall(r"<(?:[a-z]\w*|!)[^>]*>", rendered)
    return tags, as_said(html.unescape(re.sub(r"<[^>]*>", " ", rendered)))


PLACES = [("", []), ("## ", ["<h2>"]), ("> ", ["<blockquote>"]), ("- ", ["<ul>", "<li>"])]


@pytest.mark.parametrize(("before", "tags"), PLACES)
@given(text=TEXTS)
def test_an_escaped_text_is_shown_as_it_is_wherever_it_stands(before, tags, text):
    found, words = shown(f"{before}{escaped(text)}\n")
    assert set(found) <= {*tags, "<p>"}
    assert words == as_said(text)


@given(text=TEXTS)
def test_no_address_in_a_text_becomes_a_link_of_itself(text):
    for written in (text, f"https://{text}", f"www.{text}.com", f"a@{text}.com"):
        assert not re.search(r"(?<!\\)://|www\.|(?<!\\)@", escaped(written), re.IGNORECASE)


def a_turn(text, **changed):
    sentence = SavedSentence(text, (1,), ("Partly supported",), "")
    clip = (SavedSentence(text, (), (), ""), SavedSentence(text, (), (), "", is_lead=True))
    source = SavedSource(1, f"{text}\n{text}", text, text, "https://here/lectures/1/#t=1,2", "Verified", text)
    values = {
        "question": text, "asked_at": WHEN, "corpus": text, "is_refusal": True, "disclaimer": DISCLAIMER,
        "paragraphs": (
            SavedParagraph("item", "2.", (sentence,)), SavedParagraph("heading", "", (sentence,)),
            SavedParagraph("clip", "", clip, text, (1,)), SavedParagraph("clip", "", clip[::-1]),
        ),
        "notice": text, "framing": text, "message": text,
        "searched": text, "nearest": (source,), "sources": (source,), "notes": (text,), "removed": 2,
    }  # fmt: skip
    return SavedTurn(**(values | changed))


@given(text=TEXTS | st.just(HOSTILE))
def test_a_conversation_has_only_the_marks_it_is_given_whatever_is_said_in_it(text):
    given_marks = {"h1", "h2", "h3", "p", "strong", "em", "blockquote", "br", "ol", "li", "a"}
    tags, words = shown(markdown(text, [a_turn(text)]))
    assert {re.match(r"<(\w+)", tag)[1] for tag in tags} <= given_marks
    assert {tag for tag in tags if tag.startswith("<a")} == {'<a href="https://here/lectures/1/#t=1,2">'}
    assert words.count(as_said(text)) >= 15


def test_a_conversation_reads_as_question_sentences_and_numbered_sources():
    source = SavedSource(
        1, "One.\nTwo.", "First evening", "A. Speaker · 1:31", "https://here/l/#t=91,99", "Quoted", "en"
    )
    sentence = SavedSentence("Both are said.", (1,), (), "en")
    turn = a_turn(
        "x", is_refusal=False, question="What is said?", framing="",
        corpus="c0ffee", disclaimer="", notice="", message="", searched="", notes=(), nearest=(),
        paragraphs=(SavedParagraph("", "", (sentence,)),), sources=(source,), removed=1,
    )  # fmt: skip
    assert markdown("Said", [turn]) == (
        "# Said\n\n## What is said?\n\nAsked 2026-11-23 19:11 UTC\n\nBoth are said. [1]\n\n"
        "1 sentence removed by the checks.\n\n### Sources\n\n**[1]** Quoted · corpus version c0ffee\n\n"
        "> One.\\\n> Two.\n\nFirst evening · A. Speaker · 1:31\n\n<https://here/l/#t=91,99>\n"
    )


def test_an_address_ends_where_its_link_ends():
    source = SavedSource(1, "One.", "T", "", "https://here/works/1/?at=BG 2.13><b>", "Quoted", "en")
    assert "<https://here/works/1/?at=BG%202.13%3E%3Cb%3E>" in markdown("T", [a_turn("x", sources=(source,))])
