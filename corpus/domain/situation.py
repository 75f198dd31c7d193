"""The sentence in which a model situates a passage: its input, and the checks on its output.

The sentence is embedded and searched, but never shown or quoted. A rejected sentence leaves only the context line.
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
_CARRIES = 4  # letters of the shortest content word, as in leading_terms


@dataclass(frozen=True, slots=True)
class SituationRules:
    """Limits on the input, in characters, and on the sentence.

    30 words are about the 32 tokens of chunk overlap: text they push past the embedder's limit at the end of a full
    chunk is repeated at the start of the next.
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
    """The input of a model that situates a passage: its source, the passage and the text around it."""

    source: str
    passage: str
    before: str = ""
    after: str = ""

    @classmethod
    def of(cls, source: str, passage: str, before: str, after: str, rules: SituationRules = RULES) -> "SituationInput":
        """These texts without orders to a machine, cut to the limits of the rules."""
        tail = without_orders(before)[-rules.beside_chars :]
        head = without_orders(after)[: rules.beside_chars]
        return cls(
            without_orders(source)[: rules.source_chars], without_orders(passage)[: rules.passage_chars], tail, head
        )


def read_situation(said: str, shown: SituationInput, rules: SituationRules = RULES) -> str:
    """The first sentence of a model's output, or "" where it fails a check.

    Checks: length, no markup, no orders to a machine, no talk about itself, no repetition, no number that is not in the
    input, and at least one content word from it.
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
