"""The sentence in which a model says where a passage stands: what it is shown for it, and what of its answer may stand.

The sentence is embedded and searched, and never shown or quoted; what cannot pass here is left out, and the passage
goes by its titles and leading terms.
"""

import re
from dataclasses import dataclass

from .instructions import addresses_a_machine, without_orders
from .text.folding import fold
from .text.sentences import sentence_spans
from .text.stopwords import STOPWORDS

_AROUND = " \t*_`\"'“”‘’«»"
_MARKUP = re.compile(r"[<>\[\]{}|`#*~\\^=]|://|\bwww\.", re.IGNORECASE)
_ABOUT_ITSELF = re.compile(
    r"(?:here\s+(?:is|are)|here's|sure|certainly|of\s+course|okay|ok|sorry|i|i'm|i'll|i've|as\s+an\s+ai)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"\w+")
_NUMBER = re.compile(r"\d+")
_CARRIES = 4  # letters of the shortest word that carries a subject, as in leading_terms


@dataclass(frozen=True, slots=True)
class SituationRules:
    """What a model is shown of a passage, in characters, and how long its sentence may be.

    30 words are about the 32 tokens that chunks overlap by: what they push past the embedder's limit at the end of a
    full chunk stands at the beginning of the next.
    """

    passage_chars: int = 4000
    beside_chars: int = 1200
    source_chars: int = 600
    fewest_words: int = 4
    most_words: int = 30
    most_chars: int = 240


RULES = SituationRules()


@dataclass(frozen=True, slots=True)
class SituationInput:
    """What a model is shown to situate a passage: its source in a line, the passage, and what stands around it."""

    source: str
    passage: str
    before: str = ""
    after: str = ""

    @classmethod
    def of(cls, source: str, passage: str, before: str, after: str, rules: SituationRules = RULES) -> "SituationInput":
        """Return these texts without orders to a machine, and no longer than the rules let them be."""
        tail = without_orders(before)[-rules.beside_chars :]
        head = without_orders(after)[: rules.beside_chars]
        return cls(
            without_orders(source)[: rules.source_chars], without_orders(passage)[: rules.passage_chars], tail, head
        )


def read_situation(said: str, shown: SituationInput, rules: SituationRules = RULES) -> str:
    """Return the first sentence of what a model said; "" where it is none that may stand.

    It must be of a length, hold no markup, give a machine no orders, not talk of itself, not repeat itself, name no
    number that was not shown, and share a word with what was.
    """
    line = " ".join(said.split()).strip(_AROUND)
    first = next((line[start:end].rstrip(_AROUND) for start, end in sentence_spans(line)), "")
    words = _WORD.findall(fold(first))
    is_sentence = rules.fewest_words <= len(words) <= rules.most_words and len(first) <= rules.most_chars
    is_babble = _MARKUP.search(first) or _ABOUT_ITSELF.match(first) or first.endswith(":")
    if not is_sentence or is_babble or 2 * len(set(words)) < len(words) or addresses_a_machine(first):
        return ""
    return first if _keeps_to(first, shown) else ""


def _keeps_to(sentence: str, shown: SituationInput) -> bool:
    text = " ".join((shown.source, shown.before, shown.passage, shown.after))
    known = set(_WORD.findall(fold(text)))
    carrying = {word for word in _WORD.findall(fold(sentence)) if len(word) >= _CARRIES} - STOPWORDS
    return bool(carrying & known) and set(_NUMBER.findall(sentence)) <= set(_NUMBER.findall(text))
