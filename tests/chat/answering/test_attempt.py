"""A whole answer is judged by the confidence that its readers are shown."""

from uuid import uuid4

from hypothesis import given, settings
from hypothesis import strategies as st

from chat.answering.attempt import Attempt
from chat.answering.domain.answer import Claim
from chat.answering.domain.checking import Proof, VerifiedSentence
from chat.answering.domain.policy import Policies, Policy
from chat.answering.domain.question import Mode, Question
from chat.answering.domain.stream.assembler import DraftSentence
from chat.answering.domain.terms import ClaimTerm
from chat.answering.domain.viewer import Viewer
from chat.answering.domain.writing_rules import WritingRules
from chat.answering.journal import Journal, discard_event
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


@settings(deadline=None, max_examples=50)
@given(st.lists(sentences(), max_size=4))
async def test_an_attempt_foretells_the_confidence_it_will_be_shown_with(passed):
    journal = Journal(uuid4(), uuid4(), Question("What grows?", Viewer(), Mode.THINKING), discard_event)
    attempt = Attempt(journal, (), True, WritingRules(), Policies(), pending=passed)
    foretold = attempt.confidence
    await attempt.release()
    assert journal.validation()["confidence"] == foretold


@settings(deadline=None, max_examples=10)
@given(sentences())
async def test_a_blocked_answer_stays_blocked_where_something_else_is_shown_when_it_is_stopped(one):
    journal = Journal(uuid4(), uuid4(), Question("What grows?", Viewer(), Mode.AUTO), discard_event)
    await Attempt(journal, (), False, WritingRules(), Policies(), pending=[one]).release()
    blocked = Attempt(journal, (), True, WritingRules(), Policies(Policy.BLOCK, Policy.BLOCK), pending=[one])
    await blocked.keep()
    assert len(journal.sentences) == 1
