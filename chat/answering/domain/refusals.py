"""What a reader is told when there is no answer, by reason. Plain, and never an error."""

from collections.abc import Mapping
from types import MappingProxyType

from chat.answering.domain.evidence.evidence import Abstention, Evidence, Reason
from chat.answering.domain.messages import only_english
from chat.answering.domain.query.bad_input import bad_input
from chat.answering.domain.query.reply import DirectReply, ReplyKind
from chat.answering.domain.query.small_talk import SmallTalk, small_talk_of
from chat.answering.domain.query.vagueness import Vagueness, VagueQuestion, vague_question

MESSAGES: Mapping[Reason, str] = MappingProxyType(
    {
        Reason.OUTSIDE_CORPUS: "I found nothing in these sources about that, so I will not guess.",
        Reason.THIN_EVIDENCE: "The sources touch on this, but too thinly for an answer I could stand behind.",
        Reason.FALSE_PREMISE: "No passage speaks of everything your question names, so I will not guess.",
        Reason.UNANSWERABLE: "I found passages near your question, but none that answers it, so I will not guess.",
        Reason.EMPTY_OUTLINE: "I read the nearest passages, but none of them answers your question.",
        Reason.MODEL_ABSTAINED: "The passages I found do not say enough to answer this, so I will not guess.",
        Reason.CONFLICTING_SOURCES: "The sources say opposite things about this, so I will not choose between them.",
        Reason.UNSUPPORTED_CLAIMS: "I could not back an answer with what the sources say, so I have withheld it.",
    }
)
NEXT_STEPS: Mapping[Reason, str] = MappingProxyType(
    {
        Reason.OUTSIDE_CORPUS: "Try a subject these sources treat, or an address such as BG 2.47.",
        Reason.THIN_EVIDENCE: "Look at the nearest moments below, or ask about one part of the question.",
        Reason.FALSE_PREMISE: "Check its names and numbers, or ask about one of them.",
        Reason.UNANSWERABLE: "Look at the nearest moments below, or ask in other words.",
        Reason.EMPTY_OUTLINE: "Look at the nearest moments below, or ask in other words.",
        Reason.MODEL_ABSTAINED: "Look at the nearest moments below, or ask about one part of the question.",
        Reason.CONFLICTING_SOURCES: "Look at the nearest moments below, or ask what one of the sources says.",
        Reason.UNSUPPORTED_CLAIMS: "Look at the nearest moments below, or ask for the passage itself.",
    }
)
CLOSEST = "I am not sure this answers your question. The closest I found:"
LIKELY = "I am not sure, but this probably answers your question:"
UNNAMED = "No passage speaks of everything your question names. The closest I found:"
DISPUTED = "The sources disagree about this, so I will not choose between them. What each says:"
# After a question in a language that the embedder reads and no reader does.
UNREAD = (
    "I can search in this language, but I can judge answers only in English, and nothing I found is close enough to "
    "show. In English your question may find an answer."
)
# Reasons after which the closest passage may be shown. Text that the checks withheld is not replaced by a passage.
CLOSEST_AFTER = frozenset({Reason.UNANSWERABLE, Reason.THIN_EVIDENCE, Reason.EMPTY_OUTLINE, Reason.MODEL_ABSTAINED})
GREETING = (
    "Hello. Ask me anything about these lectures and texts, and I will answer in their own words, or say that I cannot."
)
NO_OPINION = (
    "I have nothing of my own to say about that. Ask me what these lectures and texts say, and I will show you where."
)
SMALL_TALK: Mapping[SmallTalk, str] = MappingProxyType(
    {
        SmallTalk.GREETING: GREETING,
        SmallTalk.THANKS: "You are welcome.",
        SmallTalk.GOODBYE: "Goodbye. Your questions are kept in this conversation.",
        SmallTalk.ABILITIES: "I answer questions about these lectures and texts in their own words, and show where "
        "each sentence stands. If they do not answer, I say so.",
        SmallTalk.MAKER: "I am Lectorium, open-source software that quotes lectures and texts. The people who run this "
        "site chose what is in it. I am not a person, and I know nothing beyond these sources.",
        SmallTalk.WELLBEING: "I am software, so I am always the same. What would you like to read about?",
        SmallTalk.OPINION: NO_OPINION,
    }
)
ASK_BACK = "I am not sure what you are asking about. Name the subject, the person or the passage you mean."
NO_REFERENT = "I cannot tell what “{phrase}” stands for here. Name the subject, the person or the passage you mean."
ABOUT_TOPIC = "What would you like to know about {phrase}?"
DID_YOU_MEAN = " Did you mean one of these?"
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


def closest_message(reason: str, *, is_likely: bool) -> str:
    """The notice above passages that are shown where a turn refuses for this reason.

    is_likely: by the gate they likely answer; a model that found no answer in them is believed instead.
    """
    if is_likely and reason == Reason.UNANSWERABLE.value:
        return LIKELY
    return {Reason.CONFLICTING_SOURCES.value: DISPUTED, Reason.FALSE_PREMISE.value: UNNAMED}.get(reason, CLOSEST)


def end_of_source(kind: str) -> str:
    """The reply to a reader who asks to go on where a source of this kind ends."""
    return END_OF_LECTURE if kind == "lecture" else END_OF_CHAPTER


def small_reply(text: str) -> DirectReply:
    """The reply to small talk."""
    kind = small_talk_of(text) or SmallTalk.OPINION
    return DirectReply(ReplyKind.SMALL_TALK, SMALL_TALK[kind], kind.value)


def ask_back(text: str) -> DirectReply:
    """Return the question back to a reader whose question cannot be looked up: what is missing, or why not."""
    if unreadable := bad_input(text):
        return unreadable
    vague = vague_question(text) or VagueQuestion(Vagueness.NOTHING)
    message = {Vagueness.REFERENT: NO_REFERENT, Vagueness.TOPIC: ABOUT_TOPIC}.get(vague.kind, ASK_BACK)
    said = message.format(phrase=vague.phrase) if vague.phrase else ASK_BACK
    about = vague.phrase if vague.kind is Vagueness.TOPIC or vague.phrase.startswith("the ") else ""
    return DirectReply(ReplyKind.ASK_BACK, said, vague.kind.value, about)


def asks_back(message: str) -> bool:
    """Is this what a reader whose question cannot be looked up is asked, in English?"""
    return message.startswith(tuple(form.partition("{")[0] for form in (ASK_BACK, NO_REFERENT, ABOUT_TOPIC)))


def unserved(language: str) -> DirectReply:
    """The reply to a question in a language that cannot be searched here, in that language."""
    message, told_in = only_english(language)
    return DirectReply(ReplyKind.LANGUAGE, message, detail=language, language=told_in)


def without_answer(evidence: Evidence, reason: Reason) -> Abstention:
    """Return the refusal of a turn whose evidence passed the gate but left nothing to show."""
    closest = evidence if evidence.is_close and reason in CLOSEST_AFTER else None
    return Abstention(
        reason,
        evidence.candidates,
        evidence.sentences,
        evidence.coverage,
        evidence.signals,
        closest=closest,
        subject=evidence.subject,
    )
