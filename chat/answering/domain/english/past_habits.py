"""A habit that the source says is over, stated as a fact of today: "I used to work there", so "He works there".

English only, and only after a pronoun or a capital: in "a knife used to cut" it is another word.
"""

from collections.abc import Iterator, Sequence

from chat.answering.domain.english.edits import NEGATIONS, PAST, THEN
from chat.answering.domain.words import SentenceWords, Word, Words

_SUBJECTS = frozenset("i he she it they we you who there".split())
_NOT_TODAY = NEGATIONS | THEN | PAST | frozenset({"used"})  # a claim with one of these does not speak of today alone
# After one of these the bare word is no statement of today: "to work", "would work", "his work".
_NO_VERB_AFTER = frozenset("to would could should might a an the my your his her its our their".split())
_PRESENT = {"be": frozenset({"is", "are", "am"}), "have": frozenset({"has", "have"})}


def stated_as_present(claim: Words, sentences: Sequence[SentenceWords]) -> str:
    """Return the claim's verb that the sentences only say of a time that is over, or ""."""
    if not _NOT_TODAY.isdisjoint(word.folded for word in claim):
        return ""
    said = [word.stem for sentence in sentences for word in sentence.words]
    for verb in (verb for sentence in sentences for verb in _ended(sentence.words)):
        if said.count(verb.stem) == 1:  # said twice, it may be said of today too
            for before, word in zip((None, *claim), claim, strict=False):
                if _is_present(word, verb) and (before is None or before.folded not in _NO_VERB_AFTER):
                    return word.text
    return ""


def _ended(words: Words) -> Iterator[Word]:
    """Yield each verb that follows "used to"."""
    for subject, used, to, verb in zip(words, words[1:], words[2:], words[3:], strict=False):
        if (used.folded, to.folded) == ("used", "to") and (subject.folded in _SUBJECTS or subject.text[:1].isupper()):
            yield verb


def _is_present(word: Word, verb: Word) -> bool:
    if forms := _PRESENT.get(verb.folded):
        return word.folded in forms
    return word.stem == verb.stem and not word.folded.endswith(("ed", "ing"))
