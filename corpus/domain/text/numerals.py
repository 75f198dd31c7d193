"""Numbers in questions: digits of any script, "thirteen", "twenty-first"."""

import re

_ONES = "one two three four five six seven eight nine".split()
_TEENS = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_ODD_ORDINALS = {"one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth", "nine": "ninth",
                 "twelve": "twelfth"}  # fmt: skip
LONGEST = 4  # digits
_ROMAN = re.compile(r"C{0,3}(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})")
_ROMAN_DIGITS = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}


def _ordinal(word: str) -> str:
    return _ODD_ORDINALS.get(word) or (word[:-1] + "ieth" if word.endswith("y") else word + "th")


CARDINALS = {word: number for number, word in enumerate([*_ONES, *_TEENS], start=1)}
CARDINALS |= {word: number for number, word in zip(range(20, 100, 10), _TENS, strict=True)}
ORDINALS = {_ordinal(word): number for word, number in CARDINALS.items()}
TENS = {word: CARDINALS[word] for word in _TENS}


def cardinal(word: str) -> int | None:
    """The value of "13", "१३" or "thirteen", 1..9999; None for any other word."""
    if word.isdecimal():
        return int(word) if len(word) <= LONGEST else None
    return CARDINALS.get(word)


def roman(word: str) -> int | None:
    """The value of "XVIII", 1..399, in capitals only; None for any other word."""
    if not word or not _ROMAN.fullmatch(word):
        return None
    values = [_ROMAN_DIGITS[letter] for letter in word]
    return sum(
        -value if value < following else value for value, following in zip(values, [*values[1:], 0], strict=True)
    )


def ordinal(word: str) -> int | None:
    """The value of "13th" or "thirteenth"; None for any other word."""
    digits = word[:-2]
    if word.endswith(("st", "nd", "rd", "th")) and digits.isdecimal():
        return cardinal(digits)
    return ORDINALS.get(word)
