"""One spelling for the several in which a Sanskrit word is written in plain letters: krishna, krsna; ishvara, iswara.

A word is respelled only where it looks like Sanskrit: it ends in a vowel that English words seldom end in, or holds a
cluster that English has not. English stays as it is (ship is not sip), which tests/domain/test_folding.py holds.
"""

import re

_PLAIN = re.compile(r"[a-z]+")
_SHORTEST = 4  # letters; below it a respelling says too little
_FOREIGN = re.compile(r"[fqxz]|ea$|^[ivlcdm]+$")  # what Sanskrit has not, and Roman numerals
_ENDING = re.compile(r"[aiu]$|^[^aeiou]*[aeiou].*[bcdghjklmnprstvwy](?:[ai]s|am|ad|ams|ads|adic)$")
_CLUSTER = re.compile(r"sh[rnvml]|[kr]sh[aeiouvny]|chh|jn")

# In this order, until nothing changes. Left as popular books write it, right as IAST without its marks.
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
    """Return a folded word in one spelling; one that does not look like Sanskrit as it is. Idempotent."""
    if not _looks_sanskrit(word):
        return word
    respelled, before = word, ""
    while respelled != before:
        before = respelled
        for pattern, spelling in _RESPELLINGS:
            respelled = pattern.sub(spelling, respelled)
    # The stemmer takes no s from a word whose vowels are gone: Krishna's is krsna.
    return respelled.removesuffix("s") if respelled != word and respelled.endswith(("as", "is")) else respelled


def _looks_sanskrit(word: str) -> bool:
    if len(word) < _SHORTEST or not _PLAIN.fullmatch(word) or _FOREIGN.search(word):
        return False
    return bool(_ENDING.search(word) or _CLUSTER.search(word))
