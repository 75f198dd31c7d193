"""Checks a question and its mode, wherever they come from."""

from chat.answering.domain.question import Mode


class BadMessage(ValueError):
    """The client said something that is not in the protocol; the message is for the reader.

    where: the field, parameter or header that is wrong, "" for the message as a whole.
    """

    def __init__(self, message: str, where: str = "") -> None:
        super().__init__(message)
        self.where = where


def check_question(text: object, max_chars: int, where: str = "question") -> str:
    """Return the question trimmed. Raises BadMessage where it is no text, empty, or longer than `max_chars`."""
    if not isinstance(text, str) or not text.strip():
        raise BadMessage("Type a question first.", where)
    question = text.replace("\x00", "").strip()
    if not question or not is_unicode(question):
        raise BadMessage("The question is not readable text; please type it again.", where)
    if len(question) > max_chars:
        raise BadMessage(
            f"The question has {len(question):,} characters; please keep it to {max_chars:,}, about one thing.",
            where,
        )
    return question


def check_mode(name: object) -> Mode:
    """Return the mode, auto where none is named. Raises BadMessage on an unknown one."""
    try:
        return Mode(Mode.AUTO if name in (None, "") else str(name))
    except ValueError as error:
        raise BadMessage(f"The mode must be one of {', '.join(Mode)}.", "mode") from error


def check_flag(value: object, where: str) -> bool:
    """Return a yes or no, no where there is none. Raises BadMessage."""
    if value is not None and not isinstance(value, bool):
        raise BadMessage(f'"{where}" must be true or false.', where)
    return bool(value)


def is_unicode(text: str) -> bool:
    """JSON may carry half of a surrogate pair, which no database stores."""
    return not any("\ud800" <= character <= "\udfff" for character in text)
