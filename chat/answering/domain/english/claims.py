"""What a sentence claims: whether it claims anything, concludes it, and the single claims it joins together.

By rules, for English; a sentence that no rule parts is one claim. A part that lost its subject is given it back, so
that each can be judged alone (issue 7: coordination, relative clauses, lists of clauses, attributions). In doubt a
sentence stays whole.
"""

import re
from collections.abc import Collection

from chat.answering.domain.english.attribution import SAYING
from chat.answering.domain.english.clauses import (
    LEAST_WORDS,
    begins_with_verb,
    does_something,
    has_verb,
    is_attribution,
    is_clause,
    is_clause_after_that,
    is_clause_start,
    is_own_clause,
    is_plain,
    may_share_subject,
    reaches_over,
    subject_of,
)
from chat.answering.domain.words import Words

_FRAMING = re.compile(
    r"(?:here (?:is|are)|in short|to sum up|in summary|let us|let me|i hope|you (?:may|might|could) also)\b", re.I
)
# "So long as", "so great" and "thus spoke" draw no conclusion: after these a subject or a comma must follow.
_CONCLUDING = re.compile(
    r"(?:and\s+)?(?:(?:so|thus|hence|therefore|consequently|accordingly)(?:,|\s+(?=(?:he|she|it|they|we|you|i|there|this|"
    r"these|those|the|an?|his|her|its|their|our|one)\b))"
    r"|(?:from\s+(?:this|these|that|which)\s+)?it\s+follows\b|as\s+a\s+result,|by\s+implication,"
    r"|(?:taken\s+together,\s+)?(?:this|that|these|those|which|it)\s+(?:(?:may|might|would|seems?\s+to)\s+)?"
    r"(?:suggests?|impl(?:y|ies)|indicates?)\b"
    r"|(?:we|one|you)\s+(?:can|may|might)\s+(?:conclude|infer)\b|it\s+(?:can|may|might)\s+be\s+(?:concluded|inferred)\b)",
    re.I,
)
_LEADING = frozenset(
    """
    short sum summary let hope may might could also say says said tell tells teach teaches taught source sources passage
    passages lecture lectures talk talks text texts verse verses teacher teachers speaker author answer answers question
    note notes point points look looks see consider closer close follow follows following mean means shall would like
    know first next finally
    """.split()
)
_SEMICOLON = re.compile(r"\s*;\s+(?=\S)")
_JOINING = re.compile(r",?\s+(?:but|while|whereas|yet|although|and)\s+(?=\S)")
_LISTING = re.compile(r",\s+(?:and\s+)?(?=\S)")
_RELATIVE = re.compile(
    r"(?P<who>(?:(?:the|The|a|A)\s+)?(?:[\w’'-]+\s+){0,3}?[A-ZÀ-Þ][\w’'-]+),\s+(?:who|which)\s+(?P<says>[^,;]{8,160}),\s+"
)
_SAYING = re.compile(rf"[^,;:“”\"]{{1,80}}?\s(?:{'|'.join(sorted(SAYING))})\s+that\s+(?=\S)")
_ACCORDING = re.compile(r"[Aa]ccording\s+to\s+[^,;:“”\"]{2,80},\s+(?=\S)")
_AND_THAT = re.compile(r",?\s+(?:and|but)\s+that\s+(?=\S)")


def is_framing(text: str, words: Words, *, longest: int, asked: Collection[str] = ()) -> bool:
    """Does the sentence ask or lead over, and so claim nothing? Anything longer, named or numbered is a claim.

    So is whatever brings in a word that neither the reader's question (`asked`, folded) has nor leading over needs: "In
    short, the soul dies" claims something. words: those of the text. longest: in words.
    """
    if any(word.carries and word.folded not in _LEADING and word.folded not in asked for word in words):
        return False
    parts = text.split()
    if len(parts) > longest or any(character.isdigit() for character in text):
        return False
    if any(word[:1].isupper() and word.strip("“\"'") != "I" for word in parts[1:]):
        return False
    return text.rstrip("\"'”’)").endswith(("?", ":")) or bool(_FRAMING.match(text))


def draws_conclusion(text: str) -> bool:
    """Does the sentence say at its head that it concludes something? By English words."""
    return bool(_CONCLUDING.match(text.lstrip(" “\"'‘(")))


def atomic_claims(text: str) -> tuple[str, ...]:
    """Return the claims that a sentence joins, each a sentence of its own; the sentence itself where it is one.

    A claim has no word that the sentence has not. What somebody is said to say stays theirs in each claim. A
    restrictive clause stays where it is: of "The monk who taught there returned" one monk may have done either.
    """
    main, aside = _without_aside(text)
    parts = [part for clause in _clauses(main) for part in _reported(clause)]
    claims = [_sentence(part) for part in (*parts, *aside)]
    return tuple(claims) if len(claims) > 1 else (text,)


def _without_aside(text: str) -> tuple[str, tuple[str, ...]]:
    """Take "X, who did that, did this" apart into "X did this" and "X did that"."""
    found = _RELATIVE.search(text)
    if not found or _inside_quotation(text, found.start("says")) or not has_verb(found["says"].split()[:3]):
        return text, ()
    main = f"{text[: found.end('who')]} {text[found.end() :]}"
    return main, (f"{found['who'].strip()} {found['says']}",)


def _clauses(text: str) -> list[str]:
    """Return the clauses that semicolons, a list or joining words part, each under its subject."""
    for found in _SEMICOLON.finditer(text):
        if parted := _parted(text, found) or _halves(text, found):
            return [*_clauses(parted[0]), *_clauses(parted[1])]
    if listed := _listed(text):
        return listed
    for found in _JOINING.finditer(text):
        left, right, comma = text[: found.start()], text[found.end() :], found[0].startswith(",")
        if _ACCORDING.match(left) or reaches_over(left, right, comma=comma):
            continue
        if parted := _parted(text, found):
            return [parted[0], *_clauses(parted[1])]
    return [text]


def _parted(text: str, found: re.Match[str]) -> tuple[str, str] | None:
    """Return what stands on either side, where both are clauses; a subject that the right one leaves out is given."""
    left, right = text[: found.start()], text[found.end() :]
    if _inside_quotation(text, found.start()) or min(len(left.split()), len(right.split())) < LEAST_WORDS:
        return None
    if is_clause(left) and is_clause_start(right):
        return left, right
    if begins_with_verb(right) and may_share_subject(left, right):
        return left, f"{subject_of(left)} {right}"
    return None


def _halves(text: str, found: re.Match[str]) -> tuple[str, str] | None:
    """Return the halves that a semicolon parts, however the right one begins, where each has a verb of its own."""
    halves = text[: found.start()], text[found.end() :]
    whole = all(len(half.split()) >= LEAST_WORDS and is_clause(half) for half in halves)
    return halves if whole and not _inside_quotation(text, found.start()) else None


def _listed(text: str) -> list[str]:
    """Return the clauses of "A, B, and C", also where B and C leave out A's subject; none in any doubt."""
    joins = _LISTING.findall(text)
    if len(joins) < 2 or ["and" in join for join in joins] != [False] * (len(joins) - 1) + [True] or not is_plain(text):
        return []
    first, *rest = _LISTING.split(text)
    if not is_own_clause(first):
        return []
    if all(map(is_own_clause, rest)):
        return [first, *rest]
    if all(does_something(part) and may_share_subject(first, part) for part in rest):
        return [first, *(f"{subject_of(first)} {part}" for part in rest)]
    return []


def _reported(text: str) -> list[str]:
    """Return what somebody is said to say claim by claim, each under who says it."""
    according = _ACCORDING.match(text)
    found = according or _SAYING.match(text)
    if not found or not is_attribution(found[0]):
        return [text]
    said = text[found.end() :]
    parts = [said] if according else _AND_THAT.split(said)
    if not all(is_clause_after_that(part) for part in parts[1:]) or _holds_quotation(said):
        return [text]
    return [f"{found[0]}{clause}" for part in parts for clause in _clauses(part)]


def _holds_quotation(text: str) -> bool:
    return any(mark in text for mark in '“”"')


def _inside_quotation(text: str, place: int) -> bool:
    before = text[:place]
    return before.count("“") > before.count("”") or before.count('"') % 2 == 1


def _sentence(text: str) -> str:
    text = text.strip(" ,;")
    text = text[:1].upper() + text[1:]
    return text if text[-1:] in ".!?…”\"'’" else text + "."
