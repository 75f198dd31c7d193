"""What a sentence claims: whether it claims anything, concludes it, and the single claims it joins together.

By rules, for English; a sentence that no rule parts is one claim. A part that lost its subject is given it back, so
that each can be judged alone (issue 7: coordination, relative clauses, lists of clauses).
"""

import re
from collections.abc import Collection

from chat.domain.words import Words

LEAST_WORDS = 3  # a shorter part says too little to be judged alone
SUBJECT_WORDS = 8

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
_SUBJECTS = frozenset(
    """
    he she it they we you i there this that these those the a an his her its their our one each every some many
    all no
    """.split()
)
_VERBS = frozenset(
    """
    is are was were has have had does do did can could will would shall should may might must became become
    becomes began begins came comes gave gives took takes made makes said says went goes wrote writes taught
    teaches knew knows saw sees found finds felt feels held holds kept keeps left leaves led leads lost met ran
    sat sent stood stands told tells thought thinks understood won built bought brought chose drew ate fell fought
    forgot got grew heard lay lies lives rose rises spoke speaks means calls describes holds reaches stays brings
    needs seeks wants works uses
    """.split()
)
_PARTICIPLES = re.compile(r"[a-z]{2,}(?<!e)ed$")
_BETWEEN = re.compile(r"\s*;\s+|,?\s+(?:but|while|whereas|yet|although|and)\s+(?=\S)")
_RELATIVE = re.compile(
    r"(?P<who>(?:(?:the|The|a|A)\s+)?(?:[\w’'-]+\s+){0,3}?[A-ZÀ-Þ][\w’'-]+),\s+(?:who|which)\s+(?P<says>[^,;]{8,160}),\s+"
)


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
    return text.rstrip("\"'”’)").endswith("?") or bool(_FRAMING.match(text))


def draws_conclusion(text: str) -> bool:
    """Does the sentence say at its head that it concludes something? By English words."""
    return bool(_CONCLUDING.match(text.lstrip(" “\"'‘(")))


def atomic_claims(text: str) -> tuple[str, ...]:
    """Return the claims that a sentence joins, each a sentence of its own; the sentence itself where it is one."""
    main, aside = _without_aside(text)
    claims = [*_clauses(main), *aside]
    return tuple(claims) if len(claims) > 1 else (text,)


def _without_aside(text: str) -> tuple[str, tuple[str, ...]]:
    """Take "X, who did that, did this" apart into "X did this" and "X did that"."""
    found = _RELATIVE.search(text)
    if not found or _inside_quotation(text, found.start("says")) or not _has_verb(found["says"].split()[:3]):
        return text, ()
    main = f"{text[: found.end('who')]} {text[found.end() :]}"
    return main, (_sentence(f"{found['who'].strip()} {found['says']}"),)


def _clauses(text: str) -> list[str]:
    parts: list[str] = []
    start = 0
    for found in _BETWEEN.finditer(text):
        left, right = text[start : found.start()], text[found.end() :]
        if _inside_quotation(text, found.start()) or min(len(left.split()), len(right.split())) < LEAST_WORDS:
            continue
        if _is_clause(left) and (is_clause_start(right) or (_begins_with_verb(right) and _subject(left))):
            parts.append(_given_subject(parts, left))
            start = found.end()
    last = text[start:]
    return [_sentence(part) for part in (*parts, _given_subject(parts, last))]


def _is_clause(text: str) -> bool:
    return _has_verb(text.split())


def is_clause_start(text: str) -> bool:
    """Does the text begin with a subject and its verb, so that it can be judged alone?"""
    words = text.split()
    opens = words[0].strip("“\"'‘(").lower() in _SUBJECTS or words[0][:1].isupper()
    return opens and _has_verb(words[1 : SUBJECT_WORDS + 1])


def _begins_with_verb(text: str) -> bool:
    return _is_verb(text.split()[0])


def _given_subject(parts: list[str], text: str) -> str:
    """Return a part that begins with its verb under the subject of the part before it."""
    subject = _subject(parts[-1]) if parts else ""
    return f"{subject} {text}" if subject and _begins_with_verb(text) else text


def _subject(text: str) -> str:
    """Return the words before the first verb of a clause; "" where there is none within reach."""
    words = text.split()
    for place, word in enumerate(words[: SUBJECT_WORDS + 1]):
        if _is_verb(word):
            return " ".join(words[:place])
    return ""


def _has_verb(words: list[str]) -> bool:
    return any(_is_verb(word) for word in words)


def _is_verb(word: str) -> bool:
    bare = word.strip("“”\"'‘’(),.").lower()
    return bare in _VERBS or bool(_PARTICIPLES.match(bare))


def _inside_quotation(text: str, place: int) -> bool:
    before = text[:place]
    return before.count("“") > before.count("”") or before.count('"') % 2 == 1


def _sentence(text: str) -> str:
    text = text.strip(" ,;")
    text = text[:1].upper() + text[1:]
    return text if text[-1:] in ".!?…”\"'’" else text + "."
