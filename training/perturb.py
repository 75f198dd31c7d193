"""Changes that make a true sentence false or unsupported. Every change is a plain function on a string."""

import random
import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

from training.lexicon import Lexicon, names_in
from training.restate import lower_first
from training.rows import GroundingLabel
from training.wordlists import DETAILS, OPPOSITES, PEERS, STRENGTHEN

_WORD = re.compile(r"[A-Za-zÀ-ÿĀ-ỹ'’-]+")
_NUMBER = re.compile(r"\b\d[\d,]*(?:\.\d+)?\b")
_PEERS = {word: line for line in PEERS for word in line}
_AUXILIARY = re.compile(
    r"\b(is|are|was|were|has|have|had|can|could|will|would|should|must|may|might|did|does|do)\b(?! not\b|n['’]t)",
    re.IGNORECASE,
)
_NOUN_PHRASE = re.compile(
    r"\b(?:the|a|his|her|their|its|our|my|your|every)\s+(?P<noun>[a-z]{3,})\b(?!\s+(?:of|one)\b)", re.IGNORECASE
)
_SYMMETRIC = re.compile(r"\b(?:and|or|nor|with|between|as|like|is|are|was|were)\b|[;:.]")
_OBJECT_OF = {"he": "him", "she": "her", "they": "them", "we": "us", "i": "me"}
_SUBJECT_OF = {"him": "he", "her": "she", "them": "they", "us": "we", "me": "I"}
_ACTS_ON = re.compile(
    r"\b(?P<actor>he|she|they|we|I)\s+(?P<verb>[a-z]+(?:ed|t|w|ve|de|ok|e|d))\s+(?P<acted>him|her(?=\s*[.,;]|\s+(?:to|that|in|with|from))|them|us|me)\b",
    re.IGNORECASE,
)
_NEGATION = re.compile(r"\b(?:not|never)\s+|n['’]t\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Change:
    """A changed text, the kind of change, and its label against evidence for the original.

    was, now: the replaced part and its replacement if the change is a single replacement; else "".
    """

    text: str
    kind: str
    label: GroundingLabel
    was: str = ""
    now: str = ""


Changer = Callable[[str, str, Lexicon, random.Random], Change | None]


def falsify(text: str, near: str, lexicon: Lexicon, rng: random.Random) -> Change | None:
    """A false or unsupported version of `text` by a random kind of change; None if no kind applies.

    near: the surrounding text, whose names and numbers make the hardest replacements.
    """
    kinds = list(FALSIFIERS)
    weights = [FALSIFIERS[changer] for changer in kinds]
    for _ in range(10):
        change = rng.choices(kinds, weights)[0](text, near, lexicon, rng)
        if change and change.text != text:
            return change
    return None


def swap_name(text: str, near: str, lexicon: Lexicon, rng: random.Random) -> Change | None:
    """Replace a name by another."""
    names = names_in(text)
    if not names:
        return None
    name = rng.choice(names)
    other = lexicon.other_name(name, [n for n in names_in(near) if n not in text], rng)
    return Change(_replace(text, name, other), "entity", "contradicted", name, other)


def exchange(text: str, near: str, lexicon: Lexicon, rng: random.Random) -> Change | None:
    """Exchange two names of the sentence: who did what to whom."""
    names = names_in(text)
    if len(names) < 2:
        return None
    a, b = rng.sample(names, 2)
    if a in b or b in a:
        return None
    swapped = _replace(_replace(_replace(text, a, "\0"), b, a), "\0", b)
    between = text[min(text.find(a), text.find(b)) : max(text.find(a), text.find(b))]
    if len(between.split()) < 3 or re.search(r"\b(and|or)\b", between):
        return None
    return Change(swapped, "roles", "not_supported")


def exchange_nouns(text: str, near: str, lexicon: Lexicon, rng: random.Random) -> Change | None:
    """Exchange two common nouns of a clause: the teacher and the pupil, the body and the mind."""
    pairs = [
        (a, b)
        for a, b in pairwise(_NOUN_PHRASE.finditer(text))
        if a.group("noun") != b.group("noun")
        and not _SYMMETRIC.search(text[a.end() : b.start()])
        and 1 <= len(text[a.end() : b.start()].split()) <= 7
    ]
    if not pairs:
        return None
    a, b = rng.choice(pairs)
    swapped = (
        f"{text[: a.start('noun')]}{b['noun']}{text[a.end('noun') : b.start('noun')]}{a['noun']}{text[b.end('noun') :]}"
    )
    return Change(swapped, "roles", "not_supported")


def exchange_pronouns(text: str, near: str, lexicon: Lexicon, rng: random.Random) -> Change | None:
    """Exchange subject and object pronouns: he told them, they told him."""
    match = _ACTS_ON.search(text)
    if not match:
        return None
    actor, acted = _OBJECT_OF[match["actor"].lower()], _SUBJECT_OF[match["acted"].lower()]
    if actor == match["acted"].lower():
        return None
    first = acted.capitalize() if match["actor"][0].isupper() and match["actor"] != "I" else acted
    return Change(
        f"{text[: match.start()]}{first} {match['verb']} {actor}{text[match.end() :]}", "roles", "not_supported"
    )


def change_number(text: str, near: str, lexicon: Lexicon, rng: random.Random) -> Change | None:
    """Change a number: to another of the text, by one digit, or by magnitude."""
    found = _NUMBER.findall(text)
    if not found:
        return None
    number = rng.choice(found)
    others = [n for n in _NUMBER.findall(near) if n not in text and len(n) == len(number)]
    if others and rng.random() < 0.5:
        other = rng.choice(others)
    else:
        place = rng.randrange(len(number))
        digit = rng.choice([d for d in "123456789" if d != number[place]])
        other = number[:place] + (digit if number[place].isdigit() else number[place]) + number[place + 1 :]
    return Change(_replace(text, number, other), "number", "contradicted", number, other)


def negate(text: str, near: str, lexicon: Lexicon, rng: random.Random) -> Change | None:
    """Add a "not" after an auxiliary, or remove one."""
    denied = _NEGATION.search(text)
    if denied:
        return Change(text[: denied.start()] + text[denied.end() :], "negation", "contradicted")
    found = list(_AUXILIARY.finditer(text))
    if not found:
        return None
    match = rng.choice(found[:2])
    word = rng.choice(["not", "not", "never"])
    return Change(f"{text[: match.end()]} {word}{text[match.end() :]}", "negation", "contradicted")


def oppose(text: str, near: str, lexicon: Lexicon, rng: random.Random) -> Change | None:
    """Replace a word by its opposite."""
    return _swap_word(text, {word: [other] for word, other in OPPOSITES.items()}, "opposite", "contradicted", rng)


def swap_peer(text: str, near: str, lexicon: Lexicon, rng: random.Random) -> Change | None:
    """Replace a word by another of its kind: pastor and rabbi, Monday and Friday, seven and nine."""
    return _swap_word(text, _PEERS, "peer", "contradicted", rng)


def swap_kin(text: str, near: str, lexicon: Lexicon, rng: random.Random) -> Change | None:
    """Replace a noun or verb by a similar one."""
    return _swap_word(text, lexicon.kin, "word", "not_supported", rng)


def strengthen(text: str, near: str, lexicon: Lexicon, rng: random.Random) -> Change | None:
    """Overstate: all for some, always for often, still for was."""
    change = _swap_word(text, {word: [other] for word, other in STRENGTHEN.items()}, "overstated", "not_mentioned", rng)
    if change or rng.random() < 0.6:
        return change
    match = _AUXILIARY.search(text)
    if not match:
        return None
    word = rng.choice(["always", "in every case", "only", "still"])
    return Change(f"{text[: match.end()]} {word}{text[match.end() :]}", "overstated", "not_mentioned")


def add_detail(text: str, near: str, lexicon: Lexicon, rng: random.Random) -> Change | None:
    """Add a detail that the text does not mention, or mentions elsewhere."""
    detail = rng.choice(DETAILS).format(
        year=rng.randint(1700, 2015), small=rng.choice(["three", "five", "seven", "12", "20"])
    )
    names = [name for name in names_in(near) if name not in text]
    if names and rng.random() < 0.3:
        detail = f"{rng.choice(['with', 'in', 'by', 'for', 'near'])} {rng.choice(names)}"
    if detail in near:
        return None
    if rng.random() < 0.2:
        return Change(f"{detail[0].upper()}{detail[1:]}, {lower_first(text)}", "detail", "not_mentioned")
    stem, mark = (text[:-1], text[-1]) if text[-1:] in ".!?" else (text, "")
    comma = rng.choice(["", "", ","])
    return Change(f"{stem}{comma} {detail}{mark}", "detail", "not_mentioned")


FALSIFIERS: dict[Changer, float] = {
    swap_name: 3.0,
    exchange: 1.8,
    exchange_nouns: 2.0,
    exchange_pronouns: 1.2,
    change_number: 2.0,
    negate: 1.6,
    oppose: 2.0,
    swap_peer: 2.0,
    swap_kin: 2.5,
    strengthen: 1.8,
    add_detail: 1.6,
}


def replace_everywhere(text: str, was: str, now: str) -> str:
    """Replace a word or name wherever it stands alone in `text`."""
    return re.sub(rf"(?<!\w){re.escape(was)}(?!\w)", lambda _: now, text)


def _replace(text: str, was: str, now: str) -> str:
    return re.sub(rf"(?<!\w){re.escape(was)}(?!\w)", lambda _: now, text, count=1)


def _swap_word(
    text: str, table: dict[str, list[str]], kind: str, label: GroundingLabel, rng: random.Random
) -> Change | None:
    found = [word for word in _WORD.findall(text) if word.lower() in table and len(word) > 1]
    if not found:
        return None
    word = rng.choice(found)
    other = rng.choice([o for o in table[word.lower()] if o != word.lower()] or [""])
    if not other:
        return None
    if word[0].isupper():
        other = other[0].upper() + other[1:]
    return Change(_replace(text, word, other), kind, label, word, other)
