"""Splits an English sentence into its single claims, and finds sentences that claim nothing or conclude.

A clause that shares a subject gets a copy of it, so that each claim can be judged alone. In doubt the sentence stays
whole.
"""

import re
from collections.abc import Collection

from chat.answering.domain.english.attribution import SPEECH_WORDS
from chat.answering.domain.english.clauses import (
    LEAST_WORDS,
    begins_with_active_verb,
    begins_with_verb,
    can_share_subject,
    has_verb,
    is_attribution,
    is_clause,
    is_clause_after_that,
    is_clause_start,
    is_own_clause,
    is_plain,
    may_govern,
    subject_of,
)
from chat.answering.domain.words import Words

_FRAMING = re.compile(
    r"(?:here (?:is|are)|in short|to sum up|in summary|let us|let me|i hope|you (?:may|might|could) also)\b", re.I
)
# A subject or a comma must follow, because "so long as", "so great" and "thus spoke" conclude nothing.
_CONCLUDING = re.compile(
    r"(?:and\s+)?(?:(?:so|thus|hence|therefore|consequently|accordingly)(?:,|\s+(?=(?:he|she|it|they|we|you|i|there|this|"
    r"these|those|the|an?|his|her|its|their|our|one)\b))"
    r"|(?:from\s+(?:this|these|that|which)\s+)?it\s+follows\b|as\s+a\s+result,|by\s+implication,"
    r"|(?:taken\s+together,\s+)?(?:this|that|these|those|which|it)\s+(?:(?:may|might|would|seems?\s+to)\s+)?"
    r"(?:suggests?|impl(?:y|ies)|indicates?)\b"
    r"|(?:we|one|you)\s+(?:can|may|might)\s+(?:conclude|infer)\b|it\s+(?:can|may|might)\s+be\s+(?:concluded|inferred)\b)",
    re.I,
)
_FRAMING_WORDS = frozenset(
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
_SAYS_THAT = re.compile(rf"[^,;:“”\"]{{1,80}}?\s(?:{'|'.join(sorted(SPEECH_WORDS))})\s+that\s+(?=\S)")
_ACCORDING = re.compile(r"[Aa]ccording\s+to\s+[^,;:“”\"]{2,80},\s+(?=\S)")
_AND_THAT = re.compile(r",?\s+(?:and|but)\s+that\s+(?=\S)")


def is_framing(text: str, words: Words, *, longest: int, asked: Collection[str] = ()) -> bool:
    """Whether the sentence claims nothing: it asks a question or introduces the next sentence.

    A sentence with a name, a number, more than `longest` words, or a content word that is neither in the reader's
    question (`question`, folded) nor typical of framing is a claim: "In short, the soul dies". words: those of `text`.
    """
    if any(word.is_content and word.folded not in _FRAMING_WORDS and word.folded not in asked for word in words):
        return False
    parts = text.split()
    if len(parts) > longest or any(character.isdigit() for character in text):
        return False
    if any(word[:1].isupper() and word.strip("“\"'") != "I" for word in parts[1:]):
        return False
    return text.rstrip("\"'”’)").endswith(("?", ":")) or bool(_FRAMING.match(text))


def draws_conclusion(text: str) -> bool:
    """Whether the sentence begins with words of conclusion ("therefore", "this suggests"). English only."""
    return bool(_CONCLUDING.match(text.lstrip(" “\"'‘(")))


def atomic_claims(text: str) -> tuple[str, ...]:
    """The claims of a sentence, each as a sentence; the sentence itself if it is one claim.

    Claims contain only words of the sentence. Reported speech keeps its speaker in every claim. Restrictive clauses are
    not split: in "The monk who taught there returned" the two halves alone may be about different monks.
    """
    main, relative = _split_relative_clause(text)
    parts = [part for clause in _clauses(main) for part in _reported_clauses(clause)]
    claims = [_sentence(part) for part in (*parts, *relative)]
    return tuple(claims) if len(claims) > 1 else (text,)


def _split_relative_clause(text: str) -> tuple[str, tuple[str, ...]]:
    """Split "X, who did that, did this" into "X did this" and "X did that"."""
    found = _RELATIVE.search(text)
    if not found or _inside_quotation(text, found.start("says")) or not has_verb(found["says"].split()[:3]):
        return text, ()
    main = f"{text[: found.end('who')]} {text[found.end() :]}"
    return main, (f"{found['who'].strip()} {found['says']}",)


def _clauses(text: str) -> list[str]:
    """The clauses separated by semicolons, list commas or conjunctions, each with its subject."""
    for found in _SEMICOLON.finditer(text):
        if halves := _split_at(text, found) or _halves_with_verbs(text, found):
            return [*_clauses(halves[0]), *_clauses(halves[1])]
    if clauses := _listed_clauses(text):
        return clauses
    for found in _JOINING.finditer(text):
        left, right, comma = text[: found.start()], text[found.end() :], found[0].startswith(",")
        if _ACCORDING.match(left) or may_govern(left, right, comma=comma):
            continue
        if halves := _split_at(text, found):
            return [halves[0], *_clauses(halves[1])]
    return [text]


def _split_at(text: str, found: re.Match[str]) -> tuple[str, str] | None:
    """Both sides of a match if both are clauses; a missing subject on the right is copied from the left."""
    left, right = text[: found.start()], text[found.end() :]
    if _inside_quotation(text, found.start()) or min(len(left.split()), len(right.split())) < LEAST_WORDS:
        return None
    if is_clause(left) and is_clause_start(right):
        return left, right
    if begins_with_verb(right) and can_share_subject(left, right):
        return left, f"{subject_of(left)} {right}"
    return None


def _halves_with_verbs(text: str, found: re.Match[str]) -> tuple[str, str] | None:
    """Both sides of a semicolon if each has a verb."""
    halves = text[: found.start()], text[found.end() :]
    whole = all(len(half.split()) >= LEAST_WORDS and is_clause(half) for half in halves)
    return halves if whole and not _inside_quotation(text, found.start()) else None


def _listed_clauses(text: str) -> list[str]:
    """The clauses of "A, B, and C", where B and C may share A's subject; [] in doubt."""
    joins = _LISTING.findall(text)
    if len(joins) < 2 or ["and" in join for join in joins] != [False] * (len(joins) - 1) + [True] or not is_plain(text):
        return []
    first, *rest = _LISTING.split(text)
    if not is_own_clause(first):
        return []
    if all(map(is_own_clause, rest)):
        return [first, *rest]
    if all(begins_with_active_verb(part) and can_share_subject(first, part) for part in rest):
        return [first, *(f"{subject_of(first)} {part}" for part in rest)]
    return []


def _reported_clauses(text: str) -> list[str]:
    """The clauses of reported speech, each with its speaker."""
    according = _ACCORDING.match(text)
    found = according or _SAYS_THAT.match(text)
    if not found or not is_attribution(found[0]):
        return [text]
    report = text[found.end() :]
    parts = [report] if according else _AND_THAT.split(report)
    if not all(is_clause_after_that(part) for part in parts[1:]) or _contains_quotation(report):
        return [text]
    return [f"{found[0]}{clause}" for part in parts for clause in _clauses(part)]


def _contains_quotation(text: str) -> bool:
    return any(mark in text for mark in '“”"')


def _inside_quotation(text: str, offset: int) -> bool:
    before = text[:offset]
    return before.count("“") > before.count("”") or before.count('"') % 2 == 1


def _sentence(text: str) -> str:
    text = text.strip(" ,;")
    text = text[:1].upper() + text[1:]
    return text if text[-1:] in ".!?…”\"'’" else text + "."
