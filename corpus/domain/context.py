"""A chunk's context line, which is searched beside its text but never shown or quoted.

Source: Anthropic, "Contextual Retrieval" (2024); here the line is built from titles and leading terms.
"""

import functools
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from .text.folding import fold
from .text.stopwords import ASKING_WORDS, GENERAL_WORDS, STOPWORDS

TERMS = 5
_STOPS = (".", "?", "!")
_WORD = re.compile(r"[^\W\d_]{4,}")
_folded = functools.lru_cache(maxsize=20_000)(fold)  # words repeat from section to section
_NO_SUBJECT = STOPWORDS | ASKING_WORDS | GENERAL_WORDS


@dataclass(frozen=True, slots=True)
class ChunkSetting:
    """Facts about a chunk's place; "" or () where unknown. `day` is in words."""

    title: str
    speaker: str = ""
    day: str = ""
    place: str = ""
    series: str = ""
    section: str = ""
    terms: tuple[str, ...] = ()


def context_line(setting: ChunkSetting) -> str:
    """ "The secret of work. Swami V., 3 January 1896, New York. On karma, work and attachment."."""
    facts = ", ".join(fact for fact in (setting.speaker, setting.day, setting.place) if fact)
    subject = f"On {', '.join(setting.terms)}" if setting.terms else ""
    parts = map(str.strip, (setting.title, setting.series, facts, setting.section, subject))
    return " ".join(part if part.endswith(_STOPS) else f"{part}." for part in dict.fromkeys(parts) if part)


def leading_terms(texts: Iterable[str], least: int = 2) -> tuple[str, ...]:
    """The most frequent words of a section, at least `least` times each, without function words, as it spells them."""
    counts: Counter[str] = Counter()
    spelled: dict[str, str] = {}
    words = Counter(word for text in texts for word in _WORD.findall(text))
    for word, count in words.items():
        folded = _folded(word)
        if folded not in _NO_SUBJECT:
            counts[folded] += count
            spelled.setdefault(folded, word)
    return tuple(spelled[folded] for folded, count in counts.most_common(TERMS) if count >= least)
