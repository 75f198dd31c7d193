"""What no English sentence says, whatever its evidence: an article that stands before no noun.

A model that reads a claim beside its evidence hears the words more than their order, and supports two of three true
claims that are said backwards. The rule errs on the side of silence: a few words never begin what an article opens.
"""

from collections.abc import Iterator
from itertools import zip_longest

from chat.answering.domain.words import Words

_NEVER_AFTER = frozenset(
    """
    of in on at to for from by with and or as is are was were been do does did has had which whom into onto upon during
    until unless because
    """.split()
)
_FOREIGN = frozenset("on to by as was do".split())  # "a on" and "a to" are Polish, "a do" Portuguese, "an was" German
_AFTER = dict.fromkeys("the its their our".split(), _NEVER_AFTER) | dict.fromkeys(("a", "an"), _NEVER_AFTER - _FOREIGN)


def stray_articles(text: str, words: Words) -> Iterator[str]:
    """Yield each article of `text` that stands before no noun, with the word that it does stand before, lower-cased.

    words: those of `text`. "Plan A is", "the at-large seat" and "the, as it were, soul" are as they should be.
    """
    for word, after in zip_longest(words, words[1:]):
        article = word.text.lower()
        if article not in _AFTER or (word.text == "A" and not word.opens):
            continue
        if after is None or after.opens:
            yield article
        elif after.text in _AFTER[article] and text[word.end : after.start].isspace() and text[after.end :][:1] != "-":
            yield f"{article} {after.text}"
