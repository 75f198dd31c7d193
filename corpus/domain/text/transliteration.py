"""Unifies the plain-letter spellings of a Sanskrit word: krishna, krsna; ishvara, iswara.

A word is respelled only if it looks like Sanskrit: it has an ending rare in English or a cluster English lacks. English
stays as it is (ship is not sip), see tests/domain/test_folding.py.
"""

import re

_PLAIN = re.compile(r"[a-z]+")
_SHORTEST = 4  # letters; shorter words are too ambiguous
_FOREIGN = re.compile(r"[fqxz]|ea$|^[ivlcdm]+$")  # letters Sanskrit lacks, and Roman numerals
_ENDING = re.compile(r"[aiu]$|^[^aeiou]*[aeiou].*[bcdghjklmnprstvwy](?:[ai]s|am|ad|ams|ads|adic)$")
_CLUSTER = re.compile(r"sh[rnvml]|[kr]sh[aeiouvny]|chh|jn")

# Applied in order until nothing changes. Left: popular spelling; right: IAST without its marks.
_RESPELLINGS = tuple(
    (re.compile(pattern), spelling)
    for pattern, spelling in (
        (r"aa+", "a"),
        (r"ee+|ii+", "i"),
        (r"oo+|uu+", "u"),
        (r"sh+", "s"),
        (r"(?<=[aeiou])ch?ch+(?=[aeiou])", "cc"),
        (r"ch+", "c"),
        (r"(?<=[stdhk])w(?=[aeiy])|(?<=[aei])w(?=[aeiy])", "v"),
        (r"gy(?=[aiou])", "jn"),
        (r"m(?=[kgcjtds])", "n"),
        (r"(?<=[bcdghjklmnpstvw])ri(?=[kgcjtdnpbmslhv])|^ri(?=si|ta|tu|gv)", "r"),
    )
)


def one_spelling(word: str) -> str:
    """A folded word in the unified spelling, or unchanged if it does not look like Sanskrit. Idempotent."""
    if not looks_sanskrit(word):
        return word
    respelled, before = word, ""
    while respelled != before:
        before = respelled
        for pattern, spelling in _RESPELLINGS:
            respelled = pattern.sub(spelling, respelled)
    # The stemmer keeps the s of a word without vowels at its end: Krishna's is krsna.
    return respelled.removesuffix("s") if respelled != word and respelled.endswith(("as", "is")) else respelled


def looks_sanskrit(word: str) -> bool:
    """Whether a folded word has an ending or a cluster that English lacks. A guess: “idea” does too."""
    if len(word) < _SHORTEST or not _PLAIN.fullmatch(word) or _FOREIGN.search(word):
        return False
    return bool(_ENDING.search(word) or _CLUSTER.search(word))
