"""How much a question names (shared/design/pipeline.md, stage 5, "min_specificity")."""

from collections.abc import Collection

from chat.answering.domain.numbers import numbers_in
from chat.answering.domain.words import Words


def specificity(question: Words, rare: Collection[str] = ()) -> float:
    """Return the share, 0..1, of a question's carrying words that name something; 0 where none carries anything.

    These are numbers, names, words with other letters than English has (transliterated terms), and words whose stem is
    one of `rare`.
    """
    numbered = {place for number in numbers_in(question) for place in range(number.first, number.last)}
    carrying = [place for place, word in enumerate(question) if word.is_content or place in numbered]
    named = [
        place
        for place in carrying
        if place in numbered
        or question[place].is_name
        or not question[place].text.isascii()
        or question[place].stem in rare
    ]
    return len(named) / len(carrying) if carrying else 0.0
