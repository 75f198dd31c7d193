"""The question that a follow-up asks by itself, in plain English where its form is known.

Otherwise the reader's last question stands before it: two sentences that can be read, and that say what is meant.
"""

import re
from collections.abc import Sequence

from chat.answering.domain.query.planning import person_to_introduce, term_to_define
from chat.answering.domain.question import HistoryMessage
from chat.answering.domain.thread.kinds import FollowUpKind, bare_word, topic_joined
from chat.answering.domain.thread.people import person_meant
from corpus.domain.text.sentences import sentence_spans

CONTINUED = "What comes next after the answer to “{}”"
_CONTINUED = re.compile(r"^What comes next after the answer to “(?P<asked>.+)”$")
_EXAMPLE = re.compile(r"^What is an example of (?P<topic>.+)\?$")
_ASKED_BARE = re.compile(r", and (?:why|how|when|where|who|what for|since when)[\w ]*\?$")
_LINK = re.compile(r"^\W*(?:(?:and|so|but|ok(?:ay)?|then)\b[,\s]*)+", re.I)
_SUBJECT = re.compile(r"\b(?:he|she|him|himself|herself|his|hers|her)\b", re.I)
_POSSESSIVE = re.compile(
    r"(?:his|her)\s+(?!(?:and|or|to|in|at|on|for|with|from|by|that|when|do|later|then|now|again|afterwards|as|so|too)\b)\w",
    re.I,
)
_IT = re.compile(
    r"\bit\b|\b(?:this|that)\b(?=\W*$|\s+(?:is|was|means?|binds?|works?|helps?|comes?|happens?|matters?)\b)", re.I
)
# Behind such a word the pronoun may mean whoever the question itself speaks of ("the passenger when he looked").
_CLAUSE = re.compile(
    r"\b(?:the|that|this|an?)\s+[\w’'-]+\b.*\b(?:when|before|after|if|because|while|until|once)\s*$", re.I | re.S
)
_ORDINAL = r"(?:first|second|third|fourth|fifth|sixth|seventh|eighth|last|next|other)"
_ONLY_ORDINAL = re.compile(
    rf"^\W*(?:(?:and|so|but|then)\s+)?(?:what\s+about\s+|what\s+is\s+)?the\s+(?P<which>{_ORDINAL})(?:\s+one)?\W*$", re.I
)
_RELATIVE = re.compile(rf"\b(?:{_ORDINAL}|others|rest|same)\b", re.I)  # topics only beside the last one
_COUNTED = re.compile(rf"\b{_ORDINAL}\b(?=\s+\w)", re.I)
_ASKS_WHO = re.compile(r"^\W*(?:and\s+|so\s+)?(?:who|whom|whose)\b", re.I)
_ASKS = re.compile(
    r"\b(?:what|who|whom|whose|why|how|when|where|which|tell|is|are|was|were|do|does|did|has|have|had|can|could|will|would|"
    r"should|shall|may|might|must)\b",
    re.I,
)
_PREPOSITION = re.compile(r"^(?P<word>in|at|of|for|with|to|by|from|among|on)\s", re.I)
_OWN_SUBJECT = re.compile(
    r"\b(?:about|regarding|concerning)\s+(?P<topic>[^?.]+?)(?:\s+(?:in|at|from|when|that|who|which)\b[^?.]*)?\W*$", re.I
)
_ARTICLE = re.compile(r"^(?:an?|the)\s+", re.I)
_NAME = re.compile(r"(?<=\w )[A-ZĀĪŪṚŚṢ][\w’'-]+(?:\s+[A-ZĀĪŪṚŚṢ][\w’'-]+)*(?:\s+\d[\d.:–-]*)?")  # or an address


def standalone_question(text: str, kind: FollowUpKind, history: Sequence[HistoryMessage]) -> str:
    """Return the question by itself; as asked where it has its own topic, or the thread none."""
    last = last_question(history)
    if not last or kind in (FollowUpKind.OWN, FollowUpKind.BRIEF, FollowUpKind.LINKED):
        return text
    if swapped := _with_ordinal(text, last):
        return swapped
    if kind is FollowUpKind.CONTINUE:
        return CONTINUED.format(last)
    if kind is FollowUpKind.BARE:
        return f"{_without_mark(last)}, and {bare_word(text)}?" if _is_one_question(last) else f"{last} {text.strip()}"
    if kind is FollowUpKind.EXAMPLE:
        topic = topic_of(last)
        return f"What is an example of {topic}?" if topic else f"{last} What is an example of that?"
    spelled_out = (
        with_topic(last, topic_joined(text)) if kind is FollowUpKind.SWAP else _with_antecedent(text, last, history)
    )
    return spelled_out or behind_last_question(text, history)


def behind_last_question(text: str, history: Sequence[HistoryMessage]) -> str:
    """Return the question behind the last one; of a chain of them its first, which named the topic, and its last."""
    last = last_question(history)
    chain = [last[start:end].strip() for start, end in sentence_spans(last)]
    return " ".join([*chain[:1], *chain[1:][-1:], _capitalized(text.strip())])


def last_question(history: Sequence[HistoryMessage]) -> str:
    """Return the reader's last question as it stands by itself.

    Of one that only went on, or asked for an example or a reason, that is the question before it.
    """
    asked = [message.content for message in history if message.role == "user"]
    last = asked[-1].strip() if asked else ""
    if found := _CONTINUED.match(last):
        return found["asked"]
    if found := _EXAMPLE.match(last):
        return f"What is {found['topic']}?"
    return _ASKED_BARE.sub("?", last)


def topic_of(question: str) -> str:
    """The topic that the form of a question names: a term to define, a person, or the words after "about"."""
    about = _OWN_SUBJECT.search(question)
    named = term_to_define(question) or person_to_introduce(question) or (about["topic"] if about else "")
    return _ARTICLE.sub("", named.strip())


def with_topic(question: str, topic: str) -> str:
    """Return the last question asked of another topic, or "" where it is not plain what that takes the place of."""
    if not topic or _RELATIVE.search(topic) or not _is_one_question(question):
        return ""
    if led := _PREPOSITION.match(topic):
        same = re.compile(rf"\b{led['word']}\s+(?:the\s+)?[\w’'-]+(?:\s+[A-Z][\w’'-]+)*(?=\W*$)", re.I)
        if same.search(question):
            return same.sub(lambda _: topic, question, count=1)
        return f"{_without_mark(question)} {topic}?"
    old = topic_of(question)
    if old:
        return _exchanged(question, old, topic)
    names = [found[0] for found in _NAME.finditer(question)]
    if topic[:1].isupper() and len(names) == 1:
        return _exchanged(question, names[0], topic)
    return ""


def _with_ordinal(text: str, last: str) -> str:
    """Return the last question for the second or the third of what it asks for, or "" where it counts nothing."""
    asked, counted = _ONLY_ORDINAL.match(text), _COUNTED.search(last)
    return f"{last[: counted.start()]}{asked['which'].lower()}{last[counted.end() :]}" if asked and counted else ""


def _exchanged(question: str, old: str, new: str) -> str:
    words = rf"(?<!\w){re.escape(old)}(?!\w)"  # "hat" is not within "what"
    bare = _ARTICLE.sub("", new) if re.search(rf"\b(?:an?|the)\s+{words}", question, re.I) else new
    return re.sub(words, lambda _: bare, question, count=1)


def _with_antecedent(text: str, last: str, history: Sequence[HistoryMessage]) -> str:
    """Return the question with the person or the term that its first pronoun means; "" where that is not known."""
    asked = _LINK.sub("", text.strip())
    if not _ASKS.search(asked):
        return ""  # half a question needs the other half
    if found := _SUBJECT.search(asked):
        person = "" if _CLAUSE.search(asked[: found.start()]) else person_meant(found[0], _said_before(last, history))
        owns = found[0].lower() in ("his", "hers") or bool(_POSSESSIVE.match(asked, found.start()))
        return _with(asked, found, f"{person}’s" if owns else person) if person else ""
    term = term_to_define(last)
    found = _IT.search(asked)
    return _with(asked, found, term) if term and found else ""


def _said_before(last: str, history: Sequence[HistoryMessage]) -> list[str]:
    """Return the texts that may say who is meant, the likeliest first: the last question, its answer, those before.

    A question for somebody names others: the answer goes before it.
    """
    answers = [message for message in history if message.role == "assistant"]
    asked = [message.content for message in history if message.role == "user"]
    pairs = [
        text
        for answer, question in zip(reversed(answers), reversed(asked), strict=False)
        for text in (answer.content, question)
    ]
    leading = [answers[-1].cited[0].quote] if answers and answers[-1].cited else []
    told = [*leading, *pairs[:1]]
    introduced = person_to_introduce(last)[:1].isupper()
    return [*told, last, *pairs[1:]] if _ASKS_WHO.match(last) and not introduced else [last, *told, *pairs[1:]]


def _with(asked: str, found: re.Match[str], named: str) -> str:
    return _capitalized(f"{asked[: found.start()]}{named}{asked[found.end() :]}")


def _capitalized(text: str) -> str:
    return text[:1].upper() + text[1:]


def _is_one_question(text: str) -> bool:
    return len(sentence_spans(text)) == 1 and text.rstrip().endswith("?")


def _without_mark(question: str) -> str:
    return question.rstrip().rstrip("?!. ")
