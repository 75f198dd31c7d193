"""A chat model judges only by strict JSON that quotes the evidence; anything else is no support."""

import asyncio
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lectorium.providers import cancellation
from lectorium.providers.errors import Garbled, ServerFault
from lectorium.providers.llm_judge import MOST_AT_ONCE, LlmJudge, read_verdict
from lectorium.providers.protocols import ChatMessage, Piece

EVIDENCE = "The master bowed first. Only Iblis refused to bow."


class Says:
    """A chat model that gives one answer after another, in two pieces, and remembers what it was asked."""

    name = "scripted:judge"

    def __init__(self, *answers):
        self.answers = list(answers)
        self.asked = []

    async def stream(self, messages, *, max_tokens, temperature, schema=None, tool=None):
        self.asked.append(messages)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        yield Piece(answer[:7])
        yield Piece(answer[7:], tokens_in=10, tokens_out=5)


def asked(evidence, claim):
    return [ChatMessage("user", f"{evidence} / {claim}")]


def verdict(name="supported", support=0.9, quote="Only Iblis refused to bow."):
    return json.dumps({"verdict": name, "support": support, "quote": quote})


def test_a_supported_claim_has_the_span_of_the_quoted_words():
    judgement = LlmJudge(Says(verdict()), asked).verify([(EVIDENCE, "Iblis did not bow.")])[0]
    assert (judgement.label, judgement.support) == ("supported", 0.9)
    assert EVIDENCE[slice(*judgement.span)] == "Only Iblis refused to bow."


def test_a_quote_that_the_evidence_does_not_hold_is_no_support():
    assert read_verdict(verdict(quote="Satan stood apart."), EVIDENCE).support == 0.0


def test_a_partly_stated_claim_is_never_supported():
    judgement = read_verdict(verdict("partial", 0.95), EVIDENCE)
    assert judgement.label == "not_mentioned"
    assert 0 < judgement.support < 0.5


def test_a_contradicted_claim_has_little_support_and_its_evidence():
    judgement = read_verdict(verdict("contradicted", 0.1), EVIDENCE)
    assert (judgement.label, judgement.support, judgement.contradiction) == ("contradicted", 0.1, 1.0)


def test_an_answer_that_is_not_the_json_is_asked_for_once_more():
    model = Says("I think it is supported.", verdict())
    assert LlmJudge(model, asked).verify([(EVIDENCE, "x")])[0].label == "supported"
    assert model.asked == [asked(EVIDENCE, "x")] * 2


def test_a_judge_that_babbles_twice_gives_no_support():
    assert LlmJudge(Says("Sure!", "Yes!"), asked).verify([(EVIDENCE, "x")])[0].support == 0.0


def test_a_judge_that_cannot_be_reached_is_an_error_and_not_a_verdict():
    with pytest.raises(ServerFault):
        LlmJudge(Says(ServerFault("down")), asked).verify([(EVIDENCE, "x")])


@pytest.mark.parametrize(("pairs", "calls"), [(1, 1), (20, MOST_AT_ONCE)])
def test_who_stopped_waiting_is_judged_no_further_pair_and_asked_no_second_time(stop_signal, pairs, calls):
    class Stops(Says):
        async def stream(self, messages, **how):
            stop_signal.set()
            await asyncio.sleep(0)  # as long as all that may go at once have begun
            async for piece in super().stream(messages, **how):
                yield piece

    model = Stops(*["no verdict"] * 40)
    with pytest.raises(cancellation.StoppedError):
        LlmJudge(model, asked).verify([(EVIDENCE, "x")] * pairs)
    assert len(model.asked) <= calls


@pytest.mark.parametrize(
    "fields",
    [
        {"verdict": []}, {"verdict": {}}, {"verdict": None}, {"support": "0.9"}, {"support": True}, {"support": None},
        {"support": 10**400}, {"support": float("nan")}, {"support": -0.1}, {"quote": None}, {"quote": ["Only"]},
        {"note": "more than was asked for"},
    ],
)  # fmt: skip
def test_a_field_of_another_kind_is_garbled(fields):
    said = json.dumps({"verdict": "supported", "support": 0.9, "quote": "Only Iblis refused to bow.", **fields})
    with pytest.raises(Garbled):
        read_verdict(said, EVIDENCE)


@pytest.mark.parametrize("said", ["[" * 200_000, "9" * 5000, "null", "7", "[]", "{}", ""])
def test_an_answer_of_another_shape_is_asked_for_once_more(said):
    assert LlmJudge(Says(said, verdict()), asked).verify([(EVIDENCE, "x")])[0].label == "supported"


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20) | st.just("supported"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
verdicts = st.fixed_dictionaries(
    {
        "verdict": values | st.sampled_from(["supported", "partial", "not_mentioned", "contradicted"]),
        "support": values | st.floats(0, 1) | st.integers(-(10**400), 10**400),
        "quote": values | st.just("Only Iblis refused to bow."),
    },
    optional={"note": values},
)


@given(st.text(max_size=80) | (values | verdicts).map(json.dumps))
def test_whatever_is_said_is_garbled_or_the_judgement_of_what_the_schema_says(said):
    try:
        judgement = read_verdict(said, EVIDENCE)
    except Garbled:
        return
    fields = json.loads(said)
    assert fields.keys() == {"verdict", "support", "quote"}
    assert type(fields["support"]) in (int, float)
    assert 0 <= judgement.support <= 1
    assert judgement.span is None or EVIDENCE[slice(*judgement.span)] == fields["quote"]
