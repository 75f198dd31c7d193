"""Deterministic routing and planning: what kind of question this is, and how to search for it.

Source of the labels: shared/seeds 000 and the pipeline's stages 0 and 1. A model-backed planner gives the same.
"""

import re

from chat.answering.domain.query.decompose import sub_questions
from chat.answering.domain.question import HistoryMessage
from corpus.domain.text.folding import fold

MAX_WORDINGS = 5  # the pipeline's: two to five rephrasings and sub-questions
POINTING_WORDS = 6  # lexemes from which on a question that points at something names it itself
LINKED_WORDS = 8  # the same of a question that begins with a link, which is half a sentence below
YEAR_DIGITS = 4  # fewer count something ("verse 5"), and say nothing by themselves
TERM_WORDS = 3  # "What is the difference between…" asks for more than a definition

# As folding writes them: Hindi in Latin letters, no diacritics. A greeting in any other language is searched.
_GREETINGS = {
    "en": "hi|hello|hey|good (?:morning|afternoon|evening|day)|thanks|thank you(?: very much| so much)?|bye|goodbye",
    "de": "hallo|gruss gott|guten (?:tag|morgen|abend)|danke(?: schon)?|vielen dank|tschuss|auf wiedersehen",
    "es": "hola|buenos dias|buenas (?:tardes|noches)|(?:muchas )?gracias|adios",
    "fr": "bonjour|bonsoir|salut|merci(?: beaucoup)?|au revoir",
    "hi": "namaste|namaskara?|dhanyavada?|sukriya",
    "it": "ciao|salve|buon ?giorno|buonasera|grazie(?: mille)?|arrivederci",
    "nl": "hoi|goede(?:morgen|middag|navond)|dank je(?: wel)?|bedankt|tot ziens",
    "pt": "ola|oi|bom dia|boa (?:tarde|noite)|(?:muito )?obrigad[oa]",
    "ru": "привет|здравствуи(?:те)?|добрыи (?:день|вечер)|доброе утро|спасибо|до свидания",
}
_GREETED = "there|again|all|everyone|friends?|zusammen|a todos|a tous|a tutti|ji"
_GREETING = re.compile(rf"(?:(?:{'|'.join(_GREETINGS.values())})(?: (?:{_GREETED}))*(?: |$))+")
# Asked of whoever answers, who holds no opinions. "Do you believe…" may be a lecturer's own question, and is searched.
_LIKES = "like|love|hate|prefer|enjoy"
_OPINION = re.compile(
    r"(?:(?:and|but|so|then) )*(?:"
    r"what(?: is|s) your (?:own |personal )?(?:favou?rite|opinion|view|take|name)|"
    r"what are your (?:own |personal )?(?:favou?rites?|opinions?|views|thoughts|feelings)|"
    r"what do you (?:personally |yourself )?think (?:about|of)|how do you feel|"
    rf"do you (?:personally |yourself )?(?:{_LIKES})|(?:what|who|which(?: \w+)?) do you (?:{_LIKES})|would you rather|"
    r"(?:how are you(?: doing| today)*|who (?:are|made|built|created|trained) you|"
    r"are you (?:an? )?(?:ai|bot|robot|machine|human|alive|conscious|real))$)\b"
)
# A pronoun, "the second one", "next": words that point at something said before. "Is there…" and "How can one…" do not.
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
# Without one a linked question is half a sentence: "And in the Bible?"
_AUXILIARY = re.compile(
    r"\b(am|is|are|was|were|do|does|did|has|have|had|can|could|will|would|shall|should|may|might|must)\b", re.I
)
# They say nothing by themselves about what is sought. Compared as stems, which the caller makes of them.
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
# "Talk" is a noun only after what makes it one: "the talks", "the Boston talk", never "did the group talk".
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


def is_greeting(text: str) -> bool:
    """Is this a greeting or thanks, with nothing to look up?"""
    return bool(_GREETING.fullmatch(fold(text)))


def asks_for_opinion(text: str) -> bool:
    """Is this asked of whoever answers ("What is your favourite colour?"), with nothing that a source could tell?"""
    return bool(_OPINION.match(fold(text)))


def has_words(text: str) -> bool:
    """Does the text hold at least one letter or digit? Only emoji or punctuation do not make a question."""
    return any(character.isalnum() for character in text)


def points_back(text: str, words: tuple[str, ...], own: tuple[str, ...]) -> bool:
    """Does the question point at something said before ("What does it mean?"), or say nothing itself ("Why?")?

    words: all its lexemes. own: those that say what is sought (own_words).
    """
    link = _LINK.match(text)
    rest = text[link.end() :] if link else text
    return not own or (len(words) < (LINKED_WORDS if link else POINTING_WORDS) and bool(_POINTING.search(rest)))


def is_fragment(text: str, words: tuple[str, ...]) -> bool:
    """Is this linked to what was said before, and half a sentence ("And in the Bible?", "What about bhakti?")?

    Auxiliaries, as pointing words, are known in English: in another language any short linked question leans.
    """
    return len(words) < LINKED_WORDS and bool(_LINK.match(text)) and not _AUXILIARY.search(text)


def own_words(words: tuple[str, ...], vague: frozenset[str]) -> tuple[str, ...]:
    """Return the lexemes that say what is sought: neither vague nor a number shorter than a year.

    vague: VAGUE_WORDS as lexemes.
    """
    return tuple(word for word in words if word not in vague and not (word.isdigit() and len(word) < YEAR_DIGITS))


def is_underspecified(own: tuple[str, ...], history: tuple[HistoryMessage, ...]) -> bool:
    """Is there nothing to look for: no words that say what is sought, and no thread that would say more?"""
    return not own and not history


def wordings(
    standalone: str, asked: str, keywords: str, synonymous: tuple[str, ...] = ()
) -> tuple[tuple[str, str], ...]:
    """Return the (text, kind) pairs to search with.

    They are the question, as typed, its parts, the wordings that the glossary exchanged terms in, and bare keywords.
    """
    typed = [(standalone, "standalone"), (asked, "as_asked")]
    parts = [(part, "part") for part in sub_questions(standalone)]
    kinds: dict[str, str] = {}
    exchanged = [(text, "glossary") for text in synonymous]
    for text, kind in [*typed, *parts, *exchanged, (keywords, "keywords")]:
        if text.strip():
            kinds.setdefault(text, kind)
    return tuple(kinds.items())[:MAX_WORDINGS]


def term_to_define(text: str) -> str:
    """Return the term a question asks to have defined ("What is bhakti?", "What does dharma mean?"), or ""."""
    asked = _DEFINITION.match(text.strip())
    return (asked["meant"] or asked["named"] or "").strip() if asked else ""


def person_to_introduce(text: str) -> str:
    """Return whom a question asks about ("Who was Arjuna?"), or "" where it asks something else."""
    asked = _INTRODUCTION.match(text.strip())
    return asked["name"].strip() if asked else ""


def wanted_kinds(text: str) -> frozenset[str]:
    """Return the kinds of passage the question asks for by name."""
    return frozenset(kind for kind, pattern in _KINDS.items() if pattern.search(text))


def flags(text: str) -> tuple[str, ...]:
    """Return signals to record. Only the closest passage depends on one: an injection is refused instead."""
    return ("injection",) if _INJECTION.search(text) else ()
