import json
from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.answering.domain.query.checks import BadMessage
from chat.answering.domain.question import Mode
from chat.live.protocol import AskMessage, ResumeMessage, StopMessage, parse_message

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=12), inner, max_size=4),
    max_leaves=12,
)
near_messages = st.fixed_dictionaries(
    {"type": st.sampled_from(["ask", "stop", "resume", "sing"])},
    optional=dict.fromkeys(("question", "mode", "conversation", "scope", "turn", "after", "locale"), json_values),
)


def parse(message):
    return parse_message(message if isinstance(message, str) else json.dumps(message), max_question=100)


def test_the_three_messages_are_understood():
    thread, turn = uuid4(), uuid4()
    asked = parse({"type": "ask", "question": " What is dharma? ", "mode": "instant", "conversation": str(thread)})
    assert asked == AskMessage("What is dharma?", Mode.INSTANT, "en", thread, None)
    assert parse({"type": "stop"}) == StopMessage()
    assert parse({"type": "stop", "turn": str(turn)}) == StopMessage(turn)
    assert parse({"type": "resume", "turn": str(turn), "after": 3}) == ResumeMessage(turn, 3)


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("{", "not JSON"),
        ("[" * 5000, "not JSON"),
        ({"type": "sing"}, "ask, stop or resume"),
        ({"type": "ask", "question": "  "}, "Type a question"),
        ({"type": "ask", "question": "x" * 101}, "101 characters"),
        ({"type": "ask", "question": "x", "mode": "loud"}, "instant, auto, thinking"),
        ({"type": "ask", "question": "x", "conversation": "1; DROP TABLE"}, "not a known id"),
        ({"type": "resume", "turn": str(uuid4()), "after": -1}, "0 or more"),
        ("x" * 70_000, "at most 64,000"),
        ({"type": "ask", "question": "\x00"}, "not readable"),
        ('{"type": "ask", "question": "half \\ud800 pair"}', "not readable"),
        ({"type": "ask", "question": "x", "scope": "a\x00b"}, "named by its key"),
        ({"type": "ask", "question": "x", "scope": ["a"]}, "collection's key"),
        ({"type": "ask", "question": "x", "scope": "work:\ud800"}, "must be text"),
        ({"type": "ask", "question": "x", "scope": "kind:song"}, "one of lecture, verse, library"),
        ({"type": "ask", "question": "x", "locale": "e\x00"}, "language code"),
    ],
)
def test_anything_else_is_answered_with_one_clear_sentence(message, said):
    with pytest.raises(BadMessage, match=said):
        parse(message)


@given(st.text() | json_values.map(json.dumps) | near_messages.map(json.dumps))
def test_no_message_breaks_the_parser(text):
    try:
        assert isinstance(parse(text), AskMessage | StopMessage | ResumeMessage)
    except BadMessage as refusal:
        said = str(refusal)
        assert said.endswith(".")
