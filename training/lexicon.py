"""Replacements for words: names of the same form from the same texts, and nouns or verbs of the same kind."""

import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterable

import torch

from training.base import load_base
from training.wordlists import OPPOSITES, PEERS, SYNONYMS

NAME = re.compile(
    r"\b[A-ZÀ-ÞŚĀ][\w'’.-]*[\wāīūśṣṇ](?:\s+(?:of|de|von|the|van|al|du|la)\s+(?=[A-Z])|\s+(?=[A-Z]))?"
    r"(?:[A-ZÀ-ÞŚĀ][\w'’.-]*\w(?:\s+(?=[A-Z]))?)*"
)
_NOUN = re.compile(
    r"\b(?:the|a|an|his|her|their|its|this|that|my|our)\s+([a-z]{3,})"
    r"(?=\s+(?:of|in|is|was|and|to|that|which|who|has)\b|[,.;:])"
)
_PAST = re.compile(r"\b([a-z]{3,}ed)\b")
_NOT_NAMES = set(
    "The A An In On At It He She They We You I This That These Those And But If When What Who Where Why How "
    "As So For From With His Her Their There Then Now Thus After Before Although While By To Of Or Not No All "
    "Some Many Most One Two Is Are Was Were Do Does Did Our My Your Its Which During Since Because Yet Every "
    "Each Let Even Such Here Again Also However Therefore Only Both".split()
)
_FUNCTION_WORDS = set(
    "and that which what who one other others same more most all some many any only very being not but with "
    "without from for this these those they them him her his its their than then when where there here also "
    "such own first last two three".split()
)


class Lexicon:
    def __init__(self, texts: Iterable[str]) -> None:
        names: Counter[str] = Counter()
        nouns: Counter[str] = Counter()
        past: Counter[str] = Counter()
        for text in texts:
            names.update(names_in(text))
            nouns.update(word for word in _NOUN.findall(text) if word not in _FUNCTION_WORDS)
            past.update(_PAST.findall(text))
        self.names: dict[int, list[str]] = defaultdict(list)
        for name, _ in names.most_common(20000):
            self.names[len(name.split())].append(name)
        self.kin = _neighbours([word for word, count in nouns.items() if count >= 3])
        self.kin |= _neighbours([word for word, count in past.items() if count >= 3])

    def other_name(self, name: str, near: Iterable[str], rng: random.Random) -> str:
        """Another name: mostly from `near` (the same text), else one of similar length from anywhere."""
        close = [other for other in near if not _share_word(other, name)]
        if close and rng.random() < 0.6:
            return rng.choice(close)
        pool = self.names.get(len(name.split())) or self.names[1]
        for _ in range(8):
            other = rng.choice(pool[: 4000 if rng.random() < 0.5 else len(pool)])
            if not _share_word(other, name):
                return other
        return "Alexander"


def names_in(text: str) -> list[str]:
    """The names in `text`: capitalised runs of words, except a sentence's first word alone."""
    found = []
    for match in NAME.finditer(text):
        name = match.group().strip()
        words = name.split()
        if words[0] in _NOT_NAMES:
            words = words[1:]
        first = match.start() == 0 or text[: match.start()].rstrip()[-1:] in {".", "!", "?", '"', "“", "—", ":", ""}
        if not words or (first and len(words) == 1 and text.count(words[0]) < 2 and words[0].lower() not in _PLACES):
            continue
        found.append(" ".join(words))
    return list(dict.fromkeys(found))


_PLACES = {word for line in PEERS for word in line}


def _share_word(a: str, b: str) -> bool:
    return bool(set(a.lower().split()) & set(b.lower().split()))


@torch.inference_mode()
def _neighbours(words: list[str], *, nearest: int = 14) -> dict[str, list[str]]:
    """For each single-token word, its nearest words that are neither inflections nor known synonyms."""
    network, tokenizer = load_base(dropout=0.0)
    vocabulary = tokenizer.get_vocab()
    kept = sorted(word for word in set(words) if word in vocabulary)
    if len(kept) < 50:
        return {}
    table = network.encoder.words().weight[[vocabulary[word] for word in kept]]
    table = torch.nn.functional.normalize(table - table.mean(0), dim=-1)
    likeness = table @ table.T
    kin = {}
    for i, word in enumerate(kept):
        order = likeness[i].topk(nearest + 8).indices.tolist()
        others = [kept[j] for j in order if j != i and 0.12 < float(likeness[i, j]) < 0.55]
        others = [other for other in others if other[:4] != word[:4] and SYNONYMS.get(word) != other]
        kin[word] = [other for other in others if OPPOSITES.get(word) != other][:nearest]
    return {word: others for word, others in kin.items() if len(others) >= 3}
