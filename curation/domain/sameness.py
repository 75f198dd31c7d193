"""Signs that two questions ask the same, or that they do not, by their words and by what the models say of them."""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

_AMOUNT = r"(?:how (?:many|much)|(?:number|amount) of)"
_DATE = r"(?:what|which) (?:year|date|day|century)"
# The kind of answer a question seeks. "What" and "which" may seek anything.
_SOUGHT = {
    name: re.compile(pattern, re.I)
    for name, pattern in {
        "number": rf"\b{_AMOUNT}\b",
        "person": r"\bwho(?:m|se)?\b",
        "time": rf"\b(?:when|{_DATE})\b",
        "place": r"\bwhere\b",
        "reason": r"\bwhy\b",
        "way": r"\bhow\b(?! (?:many|much)\b)",
    }.items()
}
# Words that reverse a question but hardly change its search terms or embedding.
_TURNS = re.compile(
    r"\b(?:no|not|nor|none|never|neither|without|except|only|before|after|first|last|next|previous|more|most|less|least|"
    r"fewer|fewest|other|another|cannot|against|despite|instead)\b|n['’]t\b",
    re.I,
)
# Phrases that only mark a question, and the "'s" of "what's".
_SAID = re.compile(rf"\b(?:{_AMOUNT}|{_DATE}|can you tell me|do you know|please)\b|['’]s\b", re.I)
_NUMBER = re.compile(r"\d+")
MOST_ODDS = 8.0  # log odds at which a judge's certainty is capped
Content = Callable[[str], Sequence[str]]


@dataclass(frozen=True, slots=True)
class MatchRule:
    """How questions are matched with one embedder and one judge of rewordings; `manage.py calibrate_pins` fits it.

    weights, bias: of a logistic model over `signs_of`. accept: the chance from which on a pin answers, by its number of
    wordings; see `bar`. judge_from: the cosine from which on the judge is asked; below, a pin is rejected. near: the
    chance, or without a judge the cosine, from which on a pin that does not answer is offered, and its passages are
    read with what the search finds. note_accept, note_said, note_strong: cosines from which on a note takes part, takes
    part where the question says one of its triggers, and may replace the search.
    """

    weights: Mapping[str, float]
    bias: float
    accept: Mapping[str, float]
    judge_from: float
    near: float
    note_accept: float
    note_said: float
    note_strong: float
    evidence: Mapping[str, object] = field(default_factory=dict)

    def chance(self, signs: Mapping[str, float]) -> float:
        """The chance, 0..1, that both ask the same."""
        return chance_of(self.log_odds(signs))

    def log_odds(self, signs: Mapping[str, float]) -> float:
        return self.bias + sum(weight * signs[name] for name, weight in self.weights.items())

    def verdict(self, chances: Sequence[float], *, objected: bool) -> tuple[float, float]:
        """The chance that a question asks the same as a pin, and the chance from which on the pin answers.

        By all its phrasings, or by the pin's question alone where that is nearer to being enough: so a phrasing that an
        editor adds does not make a pin miss what it met. chances, objected: as in `signs_of`.
        """
        found = [
            (self.chance(signs_of(read, objected=objected)), self.bar(len(read))) for read in (chances[:1], chances)
        ]
        return max(found, key=lambda pair: pair[0] - pair[1])

    def bar(self, wordings: int) -> float:
        """The chance from which on a pin of so many wordings answers: the higher of those fitted next to this number.

        1 where none was fitted: then only the words of a phrasing are enough.
        """
        fitted = sorted(map(int, self.accept))
        below = [count for count in fitted if count <= wordings]
        above = [count for count in fitted if count >= wordings]
        return max((self.accept[str(count)] for count in (*below[-1:], *above[:1])), default=1.0)


def chance_of(log_odds: float) -> float:
    return 1 / (1 + math.exp(-max(-60.0, min(60.0, log_odds))))


def signs_of(chances: Sequence[float], *, objected: bool) -> dict[str, float]:
    """Signs that a question asks what all phrasings ask. All but the last make it likelier the higher they are.

    chances: the judge's, 0..1, for the pin's question and then for its other phrasings; their log odds are the sign.
    objected: its words speak against it, see `objection_to`.
    """
    read = list(map(_log_odds, chances)) or [-MOST_ODDS]
    return {"same": read[0], "same_mean": sum(read) / len(read), "objected": float(objected)}


def _log_odds(chance: float) -> float:
    kept = min(1 - 1e-9, max(1e-9, chance))
    return max(-MOST_ODDS, min(MOST_ODDS, math.log(kept / (1 - kept))))


def has_same_words(question: str, phrasing: str, content: Content) -> bool:
    """Whether both seek the same kind of answer with the same content words in the same order."""
    words = _words(question, content)
    return bool(words) and words == _words(phrasing, content) and not _turned(question, phrasing)


def objection_to(question: str, closest: str, phrasings: Sequence[str], content: Content) -> str:
    """Why the question asks something else than a pin of these phrasings; "" where nothing speaks against it.

    closest: the phrasing that the question is most alike. Who changes one word of it mostly asks something else, and to
    an embedder both look alike.
    """
    words, known = _words(question, content), _words(closest, content)
    is_alike = 2 * len(set(words) & set(known)) >= max(1, min(len(set(words)), len(set(known))))
    if is_alike and (what := _turned(question, closest) or _change(words, known)):
        return f"It has much of “{closest}”, but {what}."
    if _numbers(question) - {number for phrasing in phrasings for number in _numbers(phrasing)}:
        return "It names another number."
    return ""


def _change(words: Sequence[str], known: Sequence[str]) -> str:
    """How the words of a question differ from those of a phrasing that they resemble."""
    new, left_out = set(words) - set(known), set(known) - set(words)
    if new and left_out:
        return "another word in place of one"
    if new and len(set(known)) > 1:
        return "more besides"
    if left_out and len(set(words)) > 1:
        return "leaves something out"
    same = not new and not left_out and len(set(words)) > 1
    return "its words in another order" if same and list(words) != list(known) else ""


def _turned(question: str, phrasing: str) -> str:
    if _turns(question) != _turns(phrasing):
        return "turns it around"
    return "seeks another kind of answer" if _sought(question) != _sought(phrasing) else ""


def says_trigger(question: str, trigger: str, content: Content) -> bool:
    """Whether the question has every content word of the trigger; where it has none, every word of it."""
    wanted = set(content(trigger))
    if wanted:
        return wanted <= set(content(question))
    plain = trigger.casefold().split()
    return bool(plain) and set(plain) <= set(re.findall(r"\w+", question.casefold()))


def _words(text: str, content: Content) -> list[str]:
    return list(content(_SAID.sub(" ", text)))


def _sought(text: str) -> frozenset[str]:
    return frozenset(name for name, pattern in _SOUGHT.items() if pattern.search(text))


def _turns(text: str) -> list[str]:
    return sorted(turn.casefold() for turn in _TURNS.findall(text))


def _numbers(text: str) -> frozenset[str]:
    return frozenset(_NUMBER.findall(text))
