"""Articles that do not precede a noun, which no English sentence has.

A verifier model is insensitive to word order: it supports two of three true claims with their words reversed. The rule
avoids false alarms: it only looks at a few words that never follow an article.
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
_FOREIGN = frozenset("on to by as was do".split())  # Polish "a on" and "a to", Portuguese "a do", German "an was"
_AFTER = dict.fromkeys("the its their our".split(), _NEVER_AFTER) | dict.fromkeys(("a", "an"), _NEVER_AFTER - _FOREIGN)


def stray_articles(text: str, words: Words) -> Iterator[str]:
    """Each stray article with the word after it, lower-cased ("the of").

    words: those of `text`. "Plan A is", "the at-large seat" and "the, as it were, soul" are correct English.
    """
    for word, after in zip_longest(words, words[1:]):
        article = word.text.lower()
        if article not in _AFTER or (word.text == "A" and not word.opens):
            continue
        if after is None or after.opens:
            yield article
        elif after.text in _AFTER[article] and text[word.end : after.start].isspace() and text[after.end :][:1] != "-":
            yield f"{article} {after.text}"
