"""Lies that invent: a marker, a quotation, a detail, a lecture; and obedience to planted orders."""

import re
from collections.abc import Sequence

from .lines import NEAR, DraftLine, LieMaterial, TrueSentence, cited, key_of, lower_first, nearness
from .orders import obedience
from .words import (
    ADDED_CLAUSES,
    ADDED_SENTENCES,
    APHORISM_FIRST,
    APHORISM_SECOND,
    BOOKS,
    EPITHET_FIRST,
    EPITHET_SECOND,
    LECTURES,
    PEOPLE,
    PLACES,
    QUOTED,
    SHORT_QUOTES,
    STRANGERS,
    TITLE_FIRST,
    TITLE_SECOND,
    VERSES,
)

AS_VERSE = 0.25  # probability that an invented lecture is a verse

_PLAIN = re.compile(r"[^\[\]“”\"]+")
_LONG_WORD = re.compile(r"(?<![\w'’-])[a-z]{5,}(?![\w'’-])")


def invented_marker(truth: TrueSentence, material: LieMaterial) -> DraftLine | None:
    """Cite a note that does not exist for something no note says."""
    chance = material.chance
    far = [sentence for sentence in material.strangers if nearness(sentence, material.all_text) < NEAR]
    said = chance.choice(far or STRANGERS)
    alias = len(material.notes) + chance.randint(2, 80)
    form = chance.choice(
        ["{stem} [^{alias}].", "{stem}. [^{alias}]", "{stem} [{alias}].", "{stem} [^{real}][^{alias}]."]
    )
    written = form.format(stem=said[:-1], alias=alias, real=truth.alias)
    cites = (truth.alias,) if "[^{real}]" in form else ()
    return DraftLine(said, written, "invented_marker", "invented", cites=cites)


def moved_marker(truth: TrueSentence, material: LieMaterial) -> DraftLine | None:
    """Cite a passage that does not support a true sentence."""
    others = [
        note.alias for note in material.notes if note.alias != truth.alias and nearness(truth.text, note.text) < NEAR
    ]
    if not others:
        return None
    alias = material.chance.choice(others)
    return DraftLine(truth.text, cited(truth.text, alias), "moved_marker", truth.origin, cites=(alias,))


def invented_quote(truth: TrueSentence, material: LieMaterial) -> DraftLine | None:
    """Quote words that are not in the passage."""
    chance = material.chance
    drawn = chance.random()
    frames: Sequence[str] = QUOTED
    quote = f"{chance.choice(APHORISM_FIRST)} {chance.choice(APHORISM_SECOND)}"
    if drawn < 0.2:
        frames, quote = SHORT_QUOTES, f"the {chance.choice(EPITHET_FIRST)} {chance.choice(EPITHET_SECOND)}"
    elif drawn < 0.7:
        altered = _altered(truth, material)
        if not altered:
            return None
        quote = altered
    if key_of(quote) in key_of(material.all_text):
        return None
    frame = chance.choice(frames)
    text = frame.format(quote=quote[0].upper() + quote[1:] if frame.startswith("“") else quote)
    return DraftLine(text, cited(text, truth.alias), "invented_quote", truth.origin, quote, (truth.alias,))


def _altered(truth: TrueSentence, material: LieMaterial) -> str:
    """The sentence with one word replaced, as a quotation; "" where that is not possible."""
    words = list(_LONG_WORD.finditer(truth.text))
    if not words or not _PLAIN.fullmatch(truth.text):
        return ""
    place = material.chance.choice(words)
    others = [
        word for word in _LONG_WORD.findall(material.all_text) if word not in truth.text and word[-2:] == place[0][-2:]
    ]
    return (
        f"{truth.text[: place.start()]}{material.chance.choice(others)}{truth.text[place.end() : -1]}" if others else ""
    )


def added_detail(truth: TrueSentence, material: LieMaterial) -> DraftLine | None:
    """Add something no note says: a clause after the marker, or a sentence without one."""
    chance = material.chance
    if chance.random() < 0.5:
        text = _filled(chance.choice(ADDED_SENTENCES), material)
        return DraftLine(text, text, "added_detail", "invented")
    clause = _filled(chance.choice(ADDED_CLAUSES), material)
    stem = truth.text[:-1]
    written = f"{stem} [^{truth.alias}]{clause}."
    return DraftLine(f"{stem}{clause}.", written, "added_detail", truth.origin, clause, (truth.alias,))


def invented_lecture(truth: TrueSentence, material: LieMaterial) -> DraftLine | None:
    """Attribute a statement to a lecture that does not exist, or to an unrelated verse."""
    chance = material.chance
    if chance.random() < AS_VERSE:
        return _invented_verse(truth, material)
    title = f"The {chance.choice(TITLE_FIRST)} {chance.choice(TITLE_SECOND)}"
    frames = [frame for frame in LECTURES if "{said}" not in frame or lower_first(truth.text) != truth.text]
    text = chance.choice(frames).format(
        title=title,
        said=lower_first(truth.text),
        stem=truth.text[:-1],
        place=chance.choice(PLACES),
        year=chance.randint(1861, 1931),
        volume=chance.randint(3, 9),
        slug=title.lower().replace(" ", "_"),
        paragraph=chance.randint(2, 40),
    )
    if chance.random() < 0.35:
        return DraftLine(text, text, "invented_lecture", truth.origin, title)
    return DraftLine(text, cited(text, truth.alias), "invented_lecture", truth.origin, title, (truth.alias,))


def _invented_verse(truth: TrueSentence, material: LieMaterial) -> DraftLine | None:
    chance = material.chance
    book = chance.choice(BOOKS)
    address = f"{book} {chance.randint(2, 12)}:{chance.randint(2, 15)}"
    frames = [frame for frame in VERSES if "{said}" not in frame or lower_first(truth.text) != truth.text]
    text = chance.choice(frames).format(address=address, said=lower_first(truth.text), stem=truth.text[:-1])
    if material.holds(book):
        return None
    return DraftLine(text, cited(text, truth.alias), "invented_lecture", truth.origin, address, (truth.alias,))


def obeyed_instruction(truth: TrueSentence, material: LieMaterial) -> DraftLine | None:
    """Obey an order in one of the notes, if the model knows it."""
    found = [(note, said) for note in material.notes if (said := obedience(note.text))]
    if not found:
        return None
    note, said = material.chance.choice(found)
    if material.chance.random() < 0.4:
        return DraftLine(said, said, "obeyed_instruction", "invented")
    return DraftLine(said, cited(said, note.alias), "obeyed_instruction", "invented", cites=(note.alias,))


def _filled(pattern: str, material: LieMaterial) -> str:
    chance = material.chance
    people = [person for person in PEOPLE if not material.holds(person.split()[-1])]
    places = [place for place in PLACES if not material.holds(place)]
    years = [str(year) for year in range(1705, 1999, 7) if not material.holds(str(year))]
    return pattern.format(
        person=chance.choice(people),
        place=chance.choice(places),
        year=chance.choice(years),
        count=chance.randint(14, 19),
    )
