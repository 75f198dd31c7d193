"""Routing and planning by rules: which kind of question this is, and how to search for it.

Source of the labels: shared/seeds 000 and stages 0 and 1 of the pipeline. A planner model returns the same labels.
"""

import re

from chat.answering.domain.query.decompose import sub_questions

MAX_WORDINGS = 5  # shared/design/pipeline.md: two to five rephrasings and sub-questions
POINTING_WORDS = 6  # a question with this many lexemes names what its pronouns refer to
LINKED_WORDS = 8  # the same for a question that begins with "and", "what about" or the like
YEAR_DIGITS = 4  # a shorter number ("verse 5") is no topic by itself
TERM_WORDS = 3  # "What is the difference between…" asks for more than a definition

# Words that refer to an earlier message, such as "it" or "the second one", but not "Is there…" or "How can one…".
_POINTING = re.compile(
    r"\b(he|she|it|they|them|him|her|his|their|that|those|these|this|the (?:\w+ )?ones?|same(?! \w+s?\W*$)|next|then|"
    r"again|so(?=\W*$)|(?<!\w )which(?= (?:is|are|was|were) (?!the\b|an?\b))|"
    r"(?<!is )(?<!are )(?<!was )(?<!were )there)\b",
    re.I,
)
_LINK = re.compile(
    r"^\W*(and|but|so|or|then|also|what about|how about|what of|"
    r"und|aber|oder|y|pero|et|mais|en|maar|mas|и|но|а|और)(?!\w)",
    re.I,
)
# A question that begins with a link and has no auxiliary is a fragment: "And in the Bible?"
_AUXILIARY = re.compile(
    r"\b(am|is|are|was|were|do|does|did|has|have|had|can|could|will|would|shall|should|may|might|must)\b", re.I
)
# Words that are no topic by themselves. The caller stems them.
VAGUE_WORDS = """
    mean second first third last one detail better best worse next happen story king verse chapter lecture talk good bad
    many much page part explain say person man woman thing book point word tell show
"""
_INJECTION = re.compile(
    r"(ignore|disregard|forget) (all |any |the |your )*(previous|prior|above|earlier)|system prompt|developer mode|"
    r"hidden text|api key|password|from now on|</?\w+>|you are now|never cite|pretend (that )?the (corpus|sources?)",
    re.I,
)
_TERM = rf"(?:(?:a|an|the)\s+)?(?:[\w’'-]+\s+){{0,{TERM_WORDS - 1}}}[\w’'-]+"
_DEFINITION = re.compile(
    rf"^(?:what\s+(?:does|do)\s+(?:the\s+(?:word|term)\s+)?(?P<meant>{_TERM})\s+mean|"
    rf"(?:what\s+(?:is|are)|define|explain)\s+(?:the\s+meaning\s+of\s+)?(?P<named>{_TERM}))\W*$",
    re.I,
)
_INTRODUCTION = re.compile(rf"^who\s+(?:is|was|are|were)\s+(?P<name>{_TERM})\W*$", re.I)
# "Talk" counts as a noun in "the talks" and "the Boston talk", but not in "did the group talk".
_TALK = (
    r"(?:\b(?:an?|the|this|these|those|any|all|some|every|his|her|their|in|from|of|me|find|list|in\s+which)\s|['’]s\s|"
    r"^\W*(?:which\s+)?)talks?\b|\bthat\s+talk\b|"
    r"(?<!do )(?<!did )(?<!does )(?<!will )(?<!would )(?<!should )(?<!can )(?<!could )\bthe\s+\w+\s+talk\b"
)
_KINDS = {
    "verse": re.compile(r"\b(verses?|scriptures?|ślokas?|slokas?|shlokas?)\b", re.I),
    "lecture": re.compile(rf"(?<!who )\b(?:lectures?|recordings?)\b|{_TALK}", re.I),
    "library": re.compile(
        r"\b(?:in|from)\s+(?:the|your|our|this)\s+library\b(?!\s+of)|\blibrary\s+(?:passages?|texts?|books?)\b", re.I
    ),
}


def points_back(text: str, words: tuple[str, ...], own: tuple[str, ...]) -> bool:
    """Whether the question refers to an earlier message ("What does it mean?") or has no topic ("Why?").

    words: all its lexemes. own: those that are topic words (own_words).
    """
    link = _LINK.match(text)
    rest = text[link.end() :] if link else text
    return not own or (len(words) < (LINKED_WORDS if link else POINTING_WORDS) and bool(_POINTING.search(rest)))


def is_fragment(text: str, words: tuple[str, ...]) -> bool:
    """Whether the question continues an earlier one without a verb ("And in the Bible?", "What about bhakti?").

    Only English auxiliaries are recognised, so a short linked question in another language counts as a fragment.
    """
    return len(words) < LINKED_WORDS and bool(_LINK.match(text)) and not _AUXILIARY.search(text)


def own_words(words: tuple[str, ...], vague: frozenset[str]) -> tuple[str, ...]:
    """The topic words: lexemes that are neither vague nor a number shorter than a year. vague: VAGUE_WORDS stemmed."""
    return tuple(word for word in words if word not in vague and not (word.isdigit() and len(word) < YEAR_DIGITS))


def wordings(
    standalone: str, tale: str, asked: str, keywords: str, synonymous: tuple[str, ...] = ()
) -> tuple[tuple[str, str], ...]:
    """The (text, kind) pairs to search with: the standalone question, then the others in the order of their kinds."""
    typed = [(standalone, "standalone"), (tale, "tale"), (asked, "as_asked")]
    parts = [(part, "part") for part in sub_questions(standalone)]
    kinds: dict[str, str] = {}
    exchanged = [(text, "glossary") for text in synonymous]
    for text, kind in [*typed, *parts, *exchanged, (keywords, "keywords")]:
        if text.strip():
            kinds.setdefault(text, kind)
    return tuple(kinds.items())[:MAX_WORDINGS]


def term_to_define(text: str) -> str:
    """The term to define ("What is bhakti?", "What does dharma mean?"), or ""."""
    asked = _DEFINITION.match(text.strip())
    return (asked["meant"] or asked["named"] or "").strip() if asked else ""


def person_to_introduce(text: str) -> str:
    """The person asked about ("Who was Arjuna?"), or ""."""
    asked = _INTRODUCTION.match(text.strip())
    return asked["name"].strip() if asked else ""


def wanted_kinds(text: str) -> frozenset[str]:
    """The kinds of passage that the question names."""
    return frozenset(kind for kind, pattern in _KINDS.items() if pattern.search(text))


def flags(text: str) -> tuple[str, ...]:
    """Signals for the record. One also matters: after an injection the closest passage is not shown."""
    return ("injection",) if _INJECTION.search(text) else ()
