"""Values of a turn that is answered without a search, and of a question that was corrected or translated."""

from dataclasses import dataclass
from enum import StrEnum


class ReplyKind(StrEnum):
    """small talk, asking back, or why the input cannot be searched. Also the `kind` of the notice that says it."""

    SMALL_TALK = "small_talk"
    ASK_BACK = "ask_back"
    BAD_INPUT = "bad_input"
    PASTED_TEXT = "pasted_text"
    LANGUAGE = "language"


@dataclass(frozen=True, slots=True)
class DirectReply:
    """What a reader is told in place of an answer.

    detail: of small talk its kind (SmallTalk), of an ask-back what is vague (Vagueness). about: the words for which
    readings are sought, "" for none. readings: what the reader may have meant, as questions. examples: other questions
    that these sources answer. language: of the message.
    """

    kind: ReplyKind
    message: str
    detail: str = ""
    about: str = ""
    readings: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()
    language: str = "en"

    @property
    def is_small_talk(self) -> bool:
        return self.kind in (ReplyKind.SMALL_TALK, ReplyKind.LANGUAGE)


@dataclass(frozen=True, slots=True)
class ReadAs:
    """A question as it is searched, if its spelling was corrected or it was translated.

    kind: "correction" or "translation". language: of the typed question.
    """

    kind: str
    typed: str
    text: str
    language: str = "en"
