from audit.domain.feedback import ANSWER, Target
from audit.feedback import feedback_give
from audit.models import Feedback
from chat.models import Conversation, Turn

CLAIM = Target(1, 1)
QUOTE = "Only Iblis refused to bow to the newly made man."


def a_turn(owner=None, outcome="grounded", question="Who refused?", **changed):
    """Store an ended turn with one written sentence and citation; a refusal has neither."""
    answered = outcome != "refused"
    place = {"kind": "lecture", "address": "first-steps:1", "title": "The First Steps", "start": 5.1, "end": 9.5}
    cited = {"n": 1, **place, "quote": QUOTE, "url": "/lectures/1/#t=5.1,9.5", "media": None, "verdict": "supported"}
    response = {
        "outcome": outcome,
        "question": question,
        "standalone_question": question,
        "answer": "Iblis would not bow. [1]" if answered else "Nothing here.",
        "sentences": [{"text": "Iblis would not bow.", "citations": [1], "verdict": "supported"}] if answered else [],
        "citations": [cited] if answered else [],
        "references": [{"n": 1, "chunk": "", "content_hash": "h", "char_start": 0, "char_end": 47}] if answered else [],
        "nearest": [],
        **changed,
    }
    conversation = Conversation.objects.create(owner=owner)
    return Turn.objects.create(conversation=conversation, question=question, outcome=outcome, response=response)


def give(turn, kind="not_said", target=CLAIM, note="", asker="ann"):
    """The row of new feedback on a turn."""
    target = ANSWER if kind != "not_said" else target
    feedback_give(
        conversation_id=turn.conversation_id, turn_id=turn.pk, asker=asker, kind=kind, target=target, note=note,
        response=turn.response,
    )  # fmt: skip
    return Feedback.objects.get(turn=turn, **target._asdict())
