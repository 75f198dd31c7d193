"""A whole answer is judged by the confidence that its readers are shown."""

from uuid import uuid4

from hypothesis import given, settings
from hypothesis import strategies as st

from chat.answering.answer_release import AnswerRelease, WritingTask
from chat.answering.answer_stream import AnswerStream
from chat.answering.current_turn import CurrentTurn, EventSink
from chat.answering.domain.answer import Claim
from chat.answering.domain.checking import Proof, VerifiedSentence
from chat.answering.domain.policy import Policies, Policy
from chat.answering.domain.question import Mode, Question
from chat.answering.domain.stream.assembler import DraftSentence
from chat.answering.domain.terms import ClaimTerm
from chat.answering.domain.viewer import Viewer
from tests.domain.written import passage

PASSAGES = (passage("The tree sends down roots."), passage("Each root becomes a trunk."))
supports = st.floats(0.65, 1.0)
verdicts = st.sampled_from(["supported", "partial"])
proofs = st.builds(lambda note, verdict, support: Proof(note, PASSAGES[note - 1], (0, 8), verdict, support),
                   st.integers(1, 2), verdicts, supports)  # fmt: skip


@st.composite
def sentences(draw):
    support = draw(supports)
    return VerifiedSentence(
        DraftSentence("It is so.", "", 0),
        "factual",
        "supported",
        support,
        tuple(draw(st.lists(proofs, min_size=1, max_size=3))),
        claims=(Claim("It is so.", "supported", support, ""),),
        terms=tuple(draw(st.lists(st.builds(ClaimTerm, st.just("name"), st.just("Tree"), st.booleans()), max_size=3))),
    )


def a_turn(mode):
    return CurrentTurn(uuid4(), uuid4(), Question("What grows?", Viewer(), mode), EventSink())


def waiting(turn, stream, sentences, **task):
    answer = AnswerRelease(turn, stream, WritingTask("What grows?", **task))
    answer.waiting = list(sentences)
    return answer


@given(st.lists(sentences(), max_size=4))
async def test_a_written_answer_foretells_the_confidence_it_will_be_shown_with(passed):
    turn = a_turn(Mode.THINKING)
    stream = AnswerStream(turn)
    answer = waiting(turn, stream, passed, whole=True)
    foretold = answer.confidence
    await answer.release()
    assert stream.snapshot().validation()["confidence"] == foretold


@settings(deadline=None, max_examples=10)
@given(sentences())
async def test_a_blocked_answer_stays_blocked_where_something_else_is_shown_when_it_is_stopped(one):
    turn = a_turn(Mode.AUTO)
    stream = AnswerStream(turn)
    await waiting(turn, stream, [one]).release()
    blocked = waiting(turn, stream, [one], whole=True, policies=Policies(Policy.BLOCK, Policy.BLOCK))
    await blocked.keep_what_passed()
    assert len(stream.snapshot().sentences) == 1
