"""Past habits stated as present facts: the source says "I used to work there", the claim "He works there".

English only. "used to" counts only after a pronoun or a capital: in "a knife used to cut" it is another word.
"""

from collections.abc import Iterator, Sequence

from chat.answering.domain.english.edits import NEGATIONS, PAST, THEN
from chat.answering.domain.words import SentenceWords, Word, Words

_SUBJECTS = frozenset("i he she it they we you who there".split())
# Words that show a claim is not only about the present.
_NOT_PRESENT = NEGATIONS | THEN | PAST | frozenset({"used"})
# After these words the bare form is no present tense: "to work", "would work", "his work".
_NO_VERB_AFTER = frozenset("to would could should might a an the my your his her its our their".split())
_PRESENT = {"be": frozenset({"is", "are", "am"}), "have": frozenset({"has", "have"})}


def stated_as_present(claim: Words, sentences: Sequence[SentenceWords]) -> str:
    """The verb of a claim that the sentences use only for a past habit, or ""."""
    if not _NOT_PRESENT.isdisjoint(word.folded for word in claim):
        return ""
    stems = [word.stem for sentence in sentences for word in sentence.words]
    for verb in (verb for sentence in sentences for verb in _past_habits(sentence.words)):
        if stems.count(verb.stem) == 1:  # a second occurrence may be about the present
            for before, word in zip((None, *claim), claim, strict=False):
                if _is_present(word, verb) and (before is None or before.folded not in _NO_VERB_AFTER):
                    return word.text
    return ""


def _past_habits(words: Words) -> Iterator[Word]:
    """The verbs after "used to"."""
    for subject, used, to, verb in zip(words, words[1:], words[2:], words[3:], strict=False):
        if (used.folded, to.folded) == ("used", "to") and (subject.folded in _SUBJECTS or subject.text[:1].isupper()):
            yield verb


def _is_present(word: Word, verb: Word) -> bool:
    if forms := _PRESENT.get(verb.folded):
        return word.folded in forms
    return word.stem == verb.stem and not word.folded.endswith(("ed", "ing"))
