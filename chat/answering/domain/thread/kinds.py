"""What a question asks of its thread: to go on, an example, why, the same of another topic, or nothing."""

import re
from enum import StrEnum

from chat.answering.domain.query.planning import is_fragment, person_to_introduce, points_back, term_to_define
from chat.answering.domain.thread.people import people_in
from corpus.domain.text.folding import fold

BRIEF_WORDS = 2  # a question with so few words of its own that names nothing may leave out what it is about
COMPLEMENTED = 2  # with more words of its own, a question says of what it asks the reason or the difference

_PLEASE = (
    r"(?:please|thanks|ok(?:ay)?|yes|and|so|but|well|can you|could you|would you|will you|i (?:d|would) like(?: to)?)"
)
_IT = r"(?:it|that|this|them|him|her|the (?:story|topic|subject|lecture|talk)|what (?:you|he|she) (?:just )?said)"
_CONTINUING = re.compile(
    rf"(?:{_PLEASE} )*(?:"
    rf"(?:tell|give|show|say|read|hear|explain)(?: me)?(?: (?:some|a (?:bit|little)))? more(?: (?:details?|context))?"
    rf"(?: (?:about|on|of) {_IT})?|"
    rf"(?:some )?more(?: details?)?|(?:go|carry|read) on|continue(?: reading)?|keep going|elaborate(?: on {_IT})?|"
    r"then|then what|what then|what(?:s| is| s| comes| came| happens| happened| does (?:he|she) say)? "
    r"(?:next|then|after (?:that|this)|afterwards)|"
    rf"after (?:that|this)|next(?: one)?|what else(?: (?:does|did) (?:he|she|it|they) say(?: about {_IT})?)?|"
    r"anything (?:else|more)|(?:how|what) (?:does|did|is) (?:it|the story) (?:go on|continue|end)|"
    r"(?:(?:what (?:is|s|does)|read|show)(?: me)? )?(?:the )?next (?:verse|paragraph|passage|sentence)(?: say| please)?"
    rf")(?: {_PLEASE})*"
)
_EXAMPLE = re.compile(
    rf"(?:{_PLEASE} )*(?:(?:give|show|tell)(?: me)? |(?:can|could|may) i have )?(?:(?:is|are) there )?"
    r"(?:(?:an?|any|some|one|another|for) )?(?:examples?|instance|illustrations?)(?: of (?:it|that|this|them))?"
    rf"(?: {_PLEASE})*|such as|like what|what(?: is|s| would be) an example(?: of (?:it|that|this))?"
)
# A question follows each of these two: what leads over to another topic, and what only asks for more.
_OTHER = r"(?:(?:an?|one|on an?) )?(?:(?:quite|completely|totally|entirely) )?(?:different|new|another|unrelated)"
_CHANGE = re.compile(
    r"^\W*(?:(?:ok(?:ay)?|thanks|thank you|and|so|now|well|right|alright|good|great|but|then)\b[\s,.!;:–—-]*)*"
    rf"(?:{_OTHER} (?:thing|topic|question|subject|matter|note)|(?:for )?something (?:else|different|new)|"
    r"(?:(?:let['’]?s|to) )?chang(?:e|ing) (?:of )?(?:the )?(?:topic|subject)|(?:leave|forget|enough of) (?:that|it)|"
    r"never ?mind(?: that)?|moving on)(?: now| then| please)*\s*[,.:;!–—-]+\s*(?=\w.*\w)",
    re.I,
)
_LEAD = re.compile(r"^(?P<lead>[^,.:;!?]+)[,.:;!?]+\s+(?P<rest>\S+(?:\s+\S+){2,})$", re.S)
_BARE = re.compile(
    r"(?:(?:and|but|so|yes|ok) )*(?P<asks>why(?: not)?|how(?: so| come| exactly)?|when(?: exactly)?|where(?: exactly)?|"
    r"who|what for|for what reason|in (?:what|which) way|since when)(?: (?:is|was) (?:that|this|it)(?: so)?)?"
    r"(?: (?:though|then|exactly))?"
)
_SWAP = re.compile(
    r"^\W*(?:and\s+|so\s+|but\s+|ok(?:ay)?[,\s]+)*(?:what\s+about|how\s+about|what\s+of)\s+(?P<topic>.+?)\W*$", re.I
)
_AND = re.compile(
    r"^\W*(?:and|or)\s+(?!(?:for\s+|in\s+|of\s+)?(?:what|who|whom|whose|why|how|when|where|which|if)\b)(?P<topic>.+?)\W*$",
    re.I,
)
_HE = re.compile(r"\b(?:he|him|his|himself|she|her|hers|herself)\b", re.I)
_SOMEONE = re.compile(
    r"\b(?:an?|every|any|each|some|no|the)\s+(?:\w+\s+){0,2}(?:man|woman|person|king|queen|student|teacher|child|boy|girl|"
    r"friend|mother|father|disciple|guru|master|saint|sage|devotee|yogi|soul|one|lady|lord|god)\b|"
    r"\b(?:someone|somebody|anyone|anybody|everyone|everybody|nobody|one|who|god|people)\b",
    re.I,
)
_PRONOUN = re.compile(rf"{_HE.pattern}|\b(?:it|its|they|them|their)\b", re.I)
# Nouns that ask "of what?", at the end of a question or before its last verb.
_RELATION = re.compile(
    r"\b(?:the|any|an?|other|another|first|second|third|last|next)\s+(?:difference|requirement|reason|result|moral|meaning|"
    r"purpose|point|cause|effect|step|benefit|advantage|alternative|solution|remedy|outcome|consequence|conclusion|lesson|"
    r"answer|goal|problem|catch|risk|price|exception|opposite|rest|half|part|kind|others?)s?"
    r"(?:\s+(?:he|she|they|is|are|was|were|then|again|here|there)\b[^?]*)?\W*$",
    re.I,
)
_OF_PART = re.compile(
    r"\bof (?:each|both|either|the (?:first|second|third|last|next|other|two))(?: (?:half|part|ones?|kinds?))?\W*$",
    re.I,
)
_CONTRACTED = re.compile(r"\b(?:what|who|how|where|when|there)['’]s\b", re.I)  # "is", which makes it a whole question
_LINK = re.compile(r"^\W*(?:and|but|so|or|then|also)(?!\w)", re.I)
_OPENING_THAT = re.compile(r"^\W*(?:(?:and|but|so)\s+)?(?:that|this|it)\s+(?:is|was|sounds|seems|looks|means)\b", re.I)
_CAPITAL = re.compile(r"(?<=[\w,] )[A-ZĀĪŪṚŚṢ]\w{2,}")


class FollowUpKind(StrEnum):
    """What a question within a thread asks of what was said before.

    CONTINUE: what comes next in the source. EXAMPLE: an example of it. BARE: only "Why?" or the like. SWAP: the same of
    another topic. LEANS: it points at something said before. BRIEF: it may be whole, but says little ("How do I
    begin?"). LINKED: it is whole, but joins on ("So what is maya?").
    OWN: it has its own topic.
    """

    CONTINUE = "continue"
    EXAMPLE = "example"
    BARE = "bare"
    SWAP = "swap"
    LEANS = "leans"
    BRIEF = "brief"
    LINKED = "linked"
    OWN = "own"


def kind_of(text: str, words: tuple[str, ...], own: tuple[str, ...]) -> FollowUpKind:
    """Return the kind of a question that was asked within a thread. words, own: as in planning.points_back."""
    plain = fold(text)
    if _CONTINUING.fullmatch(plain):
        return FollowUpKind.CONTINUE
    if _EXAMPLE.fullmatch(plain):
        return FollowUpKind.EXAMPLE
    if _BARE.fullmatch(plain):
        return FollowUpKind.BARE
    if topic_asked(text):
        return FollowUpKind.SWAP
    leans = points_back(text, words, own) and not _has_antecedent(text)
    if is_fragment(text, words) and not _CONTRACTED.search(text):
        return FollowUpKind.LEANS if leans or not topic_joined(text) else FollowUpKind.SWAP
    if (
        leans
        or _OPENING_THAT.match(text)
        or _OF_PART.search(text)
        or names_nobody(text)
        or _lacks_complement(text, own)
    ):
        return FollowUpKind.LEANS
    if _is_brief(text, own):
        return FollowUpKind.BRIEF
    return FollowUpKind.LINKED if _LINK.match(text) else FollowUpKind.OWN


def without_change_of_topic(text: str) -> str:
    """Return the question behind words that leave the topic ("New question: …", "Leave that. …"), else ""."""
    found = _CHANGE.match(text)
    return text[found.end() :] if found else ""


def without_asking_for_more(text: str) -> str:
    """Return the question behind words that only ask to go on ("Tell me more about him, …", "And then? …"), or all."""
    found = _LEAD.match(text)
    return found["rest"] if found and _CONTINUING.fullmatch(fold(found["lead"])) else text


def topic_asked(text: str) -> str:
    """Return the topic of "What about X?", or "" where something else is asked."""
    found = _SWAP.match(text)
    return found["topic"] if found else ""


def topic_joined(text: str) -> str:
    """Return the topic of "What about X?" or of a fragment such as "And in Mecca?"."""
    found = _SWAP.match(text) or _AND.match(text)
    return found["topic"] if found else ""


def bare_word(text: str) -> str:
    """The question word of a bare question, such as "why" or "how"."""
    found = _BARE.fullmatch(fold(text))
    return found["asks"] if found else ""


def names_nobody(text: str) -> bool:
    """Does the question say "he" or "she" and nobody whom that could mean?"""
    pronoun = _HE.search(text)
    if pronoun is None or _SOMEONE.search(text[: pronoun.start()]):
        return False
    return not any(person.name[:1].isupper() for person in people_in(text))


def _has_antecedent(text: str) -> bool:
    """Is whom its pronoun could mean named before it ("Who was Arjuna, and what did he do?")?"""
    pronoun = _PRONOUN.search(text)
    if pronoun is None:
        return False
    before = text[: pronoun.start()]
    return bool(people_in(before) if _HE.fullmatch(pronoun[0]) else _CAPITAL.search(before))


def _lacks_complement(text: str, own: tuple[str, ...]) -> bool:
    """Does it leave out of what ("What is the difference?", "And the moral?")?"""
    return len(own) <= COMPLEMENTED and bool(_RELATION.search(text))


def _is_brief(text: str, own: tuple[str, ...]) -> bool:
    """Does it leave out what it is about ("How do I apply?")? A term to define or a name is a topic of its own."""
    named = _CAPITAL.search(text) or term_to_define(text) or person_to_introduce(text)
    return len(own) <= BRIEF_WORDS and not named and len(text.split()) > 1
