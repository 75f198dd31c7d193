"""Lies that change a true sentence: its number, negation, agent, scope or tense."""

import re
from collections.abc import Callable

from .lines import NEAR, DraftLine, LieMaterial, TrueSentence, cited, content, lower_first, nearness, sentences
from .words import (
    AFFIRMED,
    DENIALS,
    DENIED,
    MONTHS,
    NOWADAYS,
    NUMBERS,
    PRESENT,
    UNIVERSAL_AFTER,
    UNIVERSAL_BEFORE,
    VAGUE,
    WIDENED,
)

LATEST = 2020  # a later year would be implausible
Rule = Callable[[TrueSentence, LieMaterial], DraftLine | None]

_FIGURE = re.compile(r"(?<![\w.,:/–—$-])(?:\d{1,3}(?:,\d{3})+|\d+)(?![\w:/–—-]|[.,]\d)")
_SPELT = re.compile(rf"(?<![\w-])(?:{'|'.join((*NUMBERS, *MONTHS))})(?![\w-])")
_AUXILIARY = re.compile(
    rf"(?<!\bto )\b({'|'.join(DENIALS)})\b"
    r"(?!\s+(?:only|just|merely|also|always|all|often|not|no|never|said|sometimes|perhaps)\b)"
)
_NEGATED = re.compile(
    r"\b(?:not|no|never|none|nothing|nobody|nowhere|neither|nor|cannot|hardly|scarcely|without)\b|n['’]t", re.I
)
_SUPPOSED = re.compile(r"\b(?:if|unless|suppose|would|might|may|should|whether|perhaps|almost)\b|\?", re.I)
_BOUND = re.compile(r"\b(?:fewer|less|more|least|most|exceed\w*|upwards|all but)\b")
_NOT_AFTER = re.compile(
    r"\b(is|are|was|were|has|have|had|can|could|will|do|does|did) not (?!only|just|merely|all|every)"
)
NAME = r"[A-ZÀ-ÞŚŁ][\w'’.-]*\w(?: (?:(?:of|de|von|van|la|the) )?[A-ZÀ-ÞŚŁ][\w'’.-]*\w)*"
_VERB = (
    r"(?:is|was|were|are|has|had|have|can|will|became|began|won|made|took|came|found|gave|left|set|went|got|told|said|"
    rf"saw|met|built|[a-z]{{3,}}ed|{'|'.join((*PRESENT, *PRESENT.values()))})\b"
)
_BE = r"(?:is|was|were|are|has|had|have|can|will|[a-z]{3,}ed)\b"
_SUBJECT = re.compile(rf"^(?P<agent>(?:The )?{NAME}(?= {_VERB})|(?:The|A|An) [a-z]+(?= {_BE}))")
_BY = re.compile(rf"\bby (?P<agent>{NAME})(?=[,.;)]| (?:in|on|at|for|from|to|with|during)\b)")
_OPENERS = frozenset(
    """It He She They We You I This That These Those There In On At By As For From With When After Before If But And Or
    Some Many Most All Both Each One Two Three To No Only Then Now Here What Who Its His Her Their Our Such Other
    Whatever Similar Though According Besides During Because Since Although Nobody Someone Everything Nothing Whoever
    The While Until Upon Among Between Within Every Several People Anyone Not So Thus""".split()
)
# Nouns that often refer to a note's subject: "the show" in one note may be "the series" of another.
_GENERIC = frozenset(
    """film movie show series album song single band group team club company firm book novel magazine game school
    university college city town village party story work documentary record station player author speaker population
    term name system following disease plague pandemic epidemic death reserve scenery specific lake base study
    programme""".split()
)
_SET = re.compile(
    r"\b(?P<be>was|were) (?=(?:an?|the|one|located|home|part|responsible|his|her|its|their|in|"
    r"at|under|very|able|full)\b)"
)
_PAST = re.compile(
    rf"(?<!\b(?:is|be) )(?<!\b(?:was|are|had|has) )(?<!\b(?:were|been|have) )\b(?:{'|'.join(PRESENT)})\b"
)
_TIMELESS = re.compile(
    r"\b(?:was|were) (?:[\w'’]+ ){0,3}(?:first|second|third|last|only|form|type|kind|\w+est|sons?|daughter|brother|"
    r"sister|mother|father|child|founders?|result|reason|cause|winners?|recipients?|authors?|creators?|idea|story|"
    r"named?|one of)\b"
)
_SINGULAR = re.compile(
    r"(?:\b(?:he|she|it|who|which|the \w*[^s\W]|an? \w*[^s\W])|\b(?-i:[A-Z])\w*[^s\W]) $"
    r"(?<!\bthey )(?<!\bthese )(?<!\bwe )(?<!\byou )(?<!\bi )",
    re.I,
)
_UNIVERSAL = re.compile(
    r"\b(?:all|every\w*|always|never|nothing|nobody|no|none|only|alone|whole|universal|any\w*|infinite|whoever|each)\b",
    re.I,
)
_CURRENT = re.compile(r"\b(?:is|are|today|now|currently|still|present|nowadays)\b")


def changed_number(truth: TrueSentence, material: LieMaterial) -> DraftLine | None:
    """Replace a number, year or month by one that is in no note."""
    if _NEGATED.search(truth.text) or _BOUND.search(truth.text):
        return None
    found = [*_FIGURE.finditer(truth.text), *_SPELT.finditer(truth.text)]
    found = [
        number for number in found if truth.text.count(number[0]) == 1 and not _is_vague(truth.text, number.start())
    ]
    if not found:
        return None
    chosen = material.chance.choice(found)
    other = _other_number(chosen[0], material)
    if other == chosen[0] or material.holds(other):
        return None
    return _changed(truth, "changed_number", chosen.start(), chosen.end(), other, false=other)


def _is_vague(text: str, start: int) -> bool:
    before = re.findall(r"[a-z]+", text[:start].lower())[-2:]
    return bool(VAGUE & set(before)) or text[:start].endswith(("–", "-", "c. "))


def _other_number(number: str, material: LieMaterial) -> str:
    chance = material.chance
    for group in (MONTHS, NUMBERS):
        if number in group:
            place = group.index(number)
            return chance.choice([near for near in group[max(0, place - 3) : place + 4] if near != number])
    value = int(number.replace(",", ""))
    if len(number) == 4 and 1000 <= value <= 2099:
        moved = chance.randint(3, 45)
        return str(value + moved if value + moved <= LATEST and chance.random() < 0.5 else value - moved)
    if value <= 31:
        return str(chance.choice([other for other in range(2, 32) if abs(other - value) >= 2]))
    moved = max(2, round(value * chance.choice([-0.4, -0.25, 0.2, 0.35, 0.6])) or 2)
    return f"{value + moved:,}" if "," in number else str(value + moved)


def negation(truth: TrueSentence, material: LieMaterial) -> DraftLine | None:
    """Negate a statement, or affirm a negated one; never in a supposition, where that may change nothing."""
    text, chance = truth.text, material.chance
    if _SUPPOSED.search(text):
        return None
    if _NEGATED.search(text):
        return _affirmed(truth)
    auxiliary = _AUXILIARY.search(text)
    if auxiliary and chance.random() < 0.85:
        denied = chance.choice(DENIALS[auxiliary[1]])
        return _changed(truth, "negation", auxiliary.start(), auxiliary.end(), denied, false=denied)
    if lower_first(text) == text:
        return None
    frame = chance.choice(DENIED)
    said = frame.format(lower_first(text))
    return _line(truth, "negation", said, false=frame.removesuffix(" {}"))


def _affirmed(truth: TrueSentence) -> DraftLine | None:
    text = truth.text
    if len(_NEGATED.findall(text)) != 1:
        return None
    if found := _NOT_AFTER.search(text):
        return _line(truth, "negation", text[: found.end(1)] + text[found.end() - 1 :])
    for denied, affirmed in AFFIRMED.items():
        if found := re.search(rf"\b{denied}\b", text):
            return _changed(truth, "negation", found.start(), found.end(), affirmed, false=affirmed)
    return None


def swapped_agent(truth: TrueSentence, material: LieMaterial) -> DraftLine | None:
    """Replace the agent by one from another note of which no note says this."""
    text = truth.text
    found = [
        agent for agent in (_SUBJECT.search(text), _BY.search(text)) if agent and _is_agent(agent["agent"], material)
    ]
    if not found:
        return None
    chosen = material.chance.choice(found)
    rest = text[: chosen.start("agent")] + text[chosen.end("agent") :]
    others = [agent for agent in _agents(material, but=truth.alias) if _may_stand_for(agent, chosen["agent"], text)]
    others = [agent for agent in others if not _is_said_of(agent, rest, material)]
    if not others:
        return None
    other = material.chance.choice(others)
    return _changed(truth, "swapped_agent", chosen.start("agent"), chosen.end("agent"), other, false=other)


def _is_agent(agent: str, material: LieMaterial) -> bool:
    """Whether this is an agent: "The frog", a name of several words, or a name also used within a sentence."""
    first = agent.split()[0]
    if agent.split()[-1] in _GENERIC:
        return False
    if agent.startswith(("A ", "An ")):
        return True
    if first in _OPENERS - {"The"} or first in MONTHS or first.endswith("ly") or agent.endswith(("'s", "’s")):
        return False
    return " " in agent or bool(re.search(rf"[a-z,] {re.escape(agent)}\b", material.all_text))


def _agents(material: LieMaterial, but: int) -> list[str]:
    """Agents in the other notes; within one note, another name may mean the same agent."""
    said = [sentence for note in material.notes if note.alias != but for sentence in sentences(note.text)]
    subjects = [found["agent"] for sentence in said if (found := _SUBJECT.search(sentence))]
    acting = [found["agent"] for sentence in said if (found := _BY.search(sentence))]
    return sorted({agent for agent in subjects + acting if _is_agent(agent, material)})


def _may_stand_for(other: str, agent: str, text: str) -> bool:
    is_name = [name.removeprefix("The ").removeprefix("A ").removeprefix("An ")[0].isupper() for name in (other, agent)]
    return is_name[0] == is_name[1] and not content(other) & content(text) and other.casefold() not in text.casefold()


def _is_said_of(other: str, rest: str, material: LieMaterial) -> bool:
    about = [note.text for note in material.notes if other in note.text]
    if (
        nearness(rest, " ".join(sentence for text in about for sentence in sentences(text) if other in sentence))
        >= NEAR
    ):
        return True
    # A note that opens with the name is about it throughout, even where it uses pronouns.
    return any(text.startswith(other) and nearness(rest, text) >= NEAR for text in about)


def over_generalisation(truth: TrueSentence, material: LieMaterial) -> DraftLine | None:
    """Generalise from some or one to all, always or everywhere."""
    chance = material.chance
    if _SUPPOSED.search(truth.text) or _UNIVERSAL.search(truth.text):
        return None
    widened = [(found, wide) for hedged, wide in WIDENED if (found := re.search(hedged, truth.text))]
    if widened:
        found, wide = chance.choice(widened)
        return _changed(truth, "over_generalisation", found.start(), found.end(), wide, false=wide.strip())
    if chance.random() < 0.5 and lower_first(truth.text) != truth.text:
        frame = chance.choice(UNIVERSAL_BEFORE)
        said = frame.format(lower_first(truth.text))
        return _line(truth, "over_generalisation", said, false=frame.removesuffix(", {}"))
    tail = chance.choice(UNIVERSAL_AFTER)
    return _line(truth, "over_generalisation", f"{truth.text[:-1]}{tail}.", false=tail)


def present_for_past(truth: TrueSentence, material: LieMaterial) -> DraftLine | None:
    """Turn past into present, only where the sentence says nothing about today."""
    text, chance = truth.text, material.chance
    if _CURRENT.search(text) or _SUPPOSED.search(text) or text.startswith(("This ", "That ", "There ")):
        return None
    now = chance.choice(NOWADAYS)
    if (found := _SET.search(text)) and not _TIMELESS.search(text):
        present = f"{'is' if found['be'] == 'was' else 'are'} {now}"
        return _changed(truth, "present_for_past", found.start(), found.end() - 1, present, false=present)
    if (found := _PAST.search(text)) and _SINGULAR.search(text[: found.start()]) and text[found.end() :][:3] != " by":
        present = f"{PRESENT[found[0]]} {now}"
        return _changed(truth, "present_for_past", found.start(), found.end(), present, false=present)
    return None


def _changed(truth: TrueSentence, kind: str, start: int, end: int, now: str, *, false: str) -> DraftLine:
    return _line(truth, kind, truth.text[:start] + now + truth.text[end:], false=false)


def _line(truth: TrueSentence, kind: str, said: str, *, false: str = "") -> DraftLine:
    text = said[0].upper() + said[1:]
    return DraftLine(text, cited(text, truth.alias), kind, truth.origin, false, (truth.alias,))
