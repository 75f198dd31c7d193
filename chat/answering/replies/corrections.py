"""Corrects the spelling of a question by the words of the corpus."""

import re

from django.contrib.postgres.search import SearchQuery

from chat.answering.domain.query.reply import ReadAs
from chat.answering.domain.query.spelling import (
    SpellingRules,
    choose_spelling,
    misspelled_words,
    one_slip_away,
)
from corpus.domain.scope import Scope
from corpus.domain.text.folding import fold
from corpus.domain.text.scripts import latin
from corpus.domain.text.spoken_language import scripts_of
from corpus.domain.text.stopwords import ASKING_WORDS, STOPWORDS
from corpus.indexing.terms import chunks_with
from corpus.language import lexeme
from corpus.models import Chunk
from lectorium.providers.english.vocabulary import english_words

_WORD = re.compile(r"[^\W\d_]+")
_JOINED = frozenset(  # "cant" is "can't", and never "can"
    """
    aint arent cant couldnt didnt doesnt dont hadnt hasnt havent isnt mustnt shouldnt wasnt werent wont wouldnt
    """.split()
)
_COMMON = STOPWORDS | ASKING_WORDS | _JOINED
_ENDINGS = ("s", "es", "ed", "d", "ing", "ly", "er", "ers", "ness", "able", "en", "ens", "ened", "ening")


def corrected(text: str, scope: Scope, rules: SpellingRules | None = None) -> ReadAs | None:
    """Return an English question with its misspelled words replaced by words of the corpus; None where none is.

    Only by words that a passage within the scope holds, so that nobody learns the words of a lecture they may not see.
    """
    rules = rules or SpellingRules()
    typed = text
    if scripts_of(text)[:1] == ("Latin",):
        text = latin(text)  # "What does कर्म mean?": the embedder reads Latin letters alone
    folded = {fold(word) for word in _WORD.findall(text)}
    counts = chunks_with({lexeme(word) for word in folded})
    english = english_words()

    def is_known(word: str) -> bool:
        return word in _COMMON or word in english or lexeme(word) in counts or _is_inflected(word, english)

    read = text
    for start, end in reversed(misspelled_words(text, is_known, rules)):
        if meant := _meant(text[start:end], scope, opens=not text[:start].strip(), rules=rules):
            read = read[:start] + meant + read[end:]
    return None if read == typed else ReadAs("correction", typed, read)


def _meant(typed: str, scope: Scope, *, opens: bool, rules: SpellingRules) -> str:
    """Return the word of the corpus as a reader would write it; "" where `typed` stays."""
    word, english = typed.lower(), english_words()
    candidates = one_slip_away(word)
    stems = {candidate: lexeme(fold(candidate)) for candidate in candidates}
    held = chunks_with(set(stems.values()))
    # A stem also stands for spellings that nobody writes: only whole words of English or of the corpus are offered.
    chunks = {
        word: held[stem] for word, stem in stems.items() if stem in held and (word in english or stem == fold(word))
    }
    if candidates & _COMMON:  # "shoud" is "should", whatever else the corpus holds, and says nothing to search for
        chunks = dict.fromkeys(candidates & _COMMON, 1)
    is_name = typed[0].isupper() and not opens
    chosen = choose_spelling(word, chunks, english, is_name=is_name, rules=rules)
    if not chosen:
        return ""
    seen = _as_written(lexeme(fold(chosen)), scope)
    if not seen and chosen not in _COMMON:
        return ""
    written = chosen if chosen in english or chosen in _COMMON else seen
    return written[:1].upper() + written[1:] if typed[0].isupper() else written


def _is_inflected(word: str, english: frozenset[str]) -> bool:
    """Is it an inflection of an English word that the vocabulary lacks ("mended", "likens")?"""
    bases = (word.removesuffix(ending) for ending in _ENDINGS)
    return any(
        base != word and ((len(base) > 3 and base in english) or (len(base) > 2 and f"{base}e" in english))
        for base in bases
    )


def _as_written(stem: str, scope: Scope) -> str:
    """Return the word with this stem as a passage in the scope writes it, in lower case if it ever is; "" for none."""
    query = SearchQuery("'" + stem.replace("'", "''") + "'", search_type="raw", config="simple")
    rows = Chunk.objects.within(scope).filter(search_vector=query).values_list("text", flat=True)[:3]
    words = [word for text in rows for word in _WORD.findall(text) if lexeme(fold(word)) == stem]
    return min(words, key=lambda word: (not word.islower(), len(word)), default="")
