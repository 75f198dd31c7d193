"""The worked examples of the sources we learn from, through the real guards and the shipped verifier.

Each is a falsehood that an extraction model made of a true sentence (shared/seeds/002, "Grounding worked examples" and
the verifier's prompt); none may be called supported, in an answer or by `manage.py verify`.
"""

import pytest

from chat.answering.examination import examine_draft
from chat.answering.guarded_verifier import GuardedVerifier
from lectorium.providers.registry import verifier
from lectorium.providers.stand_ins.scripted import Reply, ScriptedChat
from tests.domain.written import passage

pytestmark = pytest.mark.model

VOLKSWAGEN = "I used to work at Volkswagen."
BANGALORE = "Let's schedule the meeting for next Tuesday. I'll be joining from my home office in Bangalore."
VICE_PRESIDENT = "I met with the VP today."
DEADLINE = "I think I should be done with the MVP by end of April, pretty confident."
EXAMPLES = [
    (VOLKSWAGEN, "The user works at Volkswagen."),
    (VOLKSWAGEN, "I work at Volkswagen."),
    (BANGALORE, "User works as a software developer at Google."),
    (BANGALORE, "The user works at Google in Bangalore."),
    (VICE_PRESIDENT, "Jordan is the VP."),
    (VICE_PRESIDENT, "The user met with Jordan, the VP, today."),
    (DEADLINE, "User will deliver the MVP by April 30 with 95% confidence."),
    (DEADLINE, "The user is 95 % confident that the MVP will be done by end of April."),
]


@pytest.mark.parametrize(("said", "claim"), EXAMPLES)
async def test_no_worked_example_is_called_supported_in_an_answer(said, claim):
    author = ScriptedChat(Reply.of(f"{claim} [^1]"))
    sentences = (await examine_draft("", [passage(said)], author))["sentences"]
    assert [
        sentence["verdict"] for sentence in sentences if sentence["shown"] and sentence["verdict"] == "supported"
    ] == []


def test_no_worked_example_is_called_supported_by_itself():
    judged = GuardedVerifier(verifier()).verify(EXAMPLES)
    assert [judgement.label for judgement in judged].count("supported") == 0
