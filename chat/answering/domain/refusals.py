"""What a reader is told when there is no answer, by reason. Plain, and never an error."""

from collections.abc import Mapping
from types import MappingProxyType

from chat.answering.domain.evidence.evidence import Abstention, Evidence, Reason
from chat.answering.domain.query.planning import is_greeting

MESSAGES: Mapping[Reason, str] = MappingProxyType(
    {
        Reason.OUTSIDE_CORPUS: "I found nothing in these sources about that, so I will not guess.",
        Reason.THIN_EVIDENCE: "The sources touch on this, but too thinly for an answer I could stand behind.",
        Reason.UNANSWERABLE: "I found passages near your question, but none that answers it, so I will not guess.",
        Reason.EMPTY_OUTLINE: "I read the nearest passages, but none of them answers your question.",
        Reason.MODEL_ABSTAINED: "The passages I found do not say enough to answer this, so I will not guess.",
        Reason.UNSUPPORTED_CLAIMS: "I could not back an answer with what the sources say, so I have withheld it.",
    }
)
NEXT_STEPS: Mapping[Reason, str] = MappingProxyType(
    {
        Reason.OUTSIDE_CORPUS: "Try a subject these sources treat, or an address such as BG 2.47.",
        Reason.THIN_EVIDENCE: "Look at the nearest moments below, or ask about one part of the question.",
        Reason.UNANSWERABLE: "Look at the nearest moments below, or ask in other words.",
        Reason.EMPTY_OUTLINE: "Look at the nearest moments below, or ask in other words.",
        Reason.MODEL_ABSTAINED: "Look at the nearest moments below, or ask about one part of the question.",
        Reason.UNSUPPORTED_CLAIMS: "Look at the nearest moments below, or ask for the passage itself.",
    }
)
CLOSEST = "I am not sure this answers your question. The closest passage is:"
# Reasons after which the closest passage may be shown. Text that the checks withheld is not replaced by a passage.
CLOSEST_AFTER = frozenset({Reason.UNANSWERABLE, Reason.THIN_EVIDENCE, Reason.EMPTY_OUTLINE, Reason.MODEL_ABSTAINED})
GREETING = (
    "Hello. Ask me anything about these lectures and texts, and I will answer in their own words, or say that I cannot."
)
NO_OPINION = (
    "I have nothing of my own to say about that. Ask me what these lectures and texts say, and I will show you where."
)
ASK_BACK = "I am not sure what you are asking about. Name the subject, the person or the passage you mean."
END_OF_LECTURE = "That is where this part of the lecture ends."
END_OF_CHAPTER = "That is where this chapter ends."
FAILED = "Something went wrong on our side. Your question is kept; please ask it again."
UNCALIBRATED = (
    "This site cannot answer yet: its search was never calibrated, so it could not tell an answer from a near miss. "
    "Asking again will not help until its staff have seen to it; your question is kept."
)
DISCLAIMER = (
    "These sources say nothing about this. What follows is a model's general knowledge: nothing in it was checked, and "
    "nothing in it comes from the lectures or texts."
)
EMPTY_CORPUS = "There is nothing to search yet. Import a lecture first: manage.py import_lectures PATH."


def end_of_source(kind: str) -> str:
    """Return what a reader is told who asks to go on where a source of this kind ends."""
    return END_OF_LECTURE if kind == "lecture" else END_OF_CHAPTER


def small_talk(text: str) -> str:
    """Return what a reader is told who asked for nothing that a source could answer."""
    return GREETING if is_greeting(text) else NO_OPINION


def without_answer(evidence: Evidence, reason: Reason) -> Abstention:
    """Return the refusal of a turn whose evidence passed the gate but left nothing to show."""
    closest = evidence if evidence.is_close and reason in CLOSEST_AFTER else None
    return Abstention(
        reason, evidence.candidates, evidence.sentences, evidence.coverage, evidence.signals, closest=closest
    )
