"""Dates in a text: 1893-09-26, 26 September 1893, September 26th, 1893."""

import re
from collections.abc import Iterator
from datetime import date

_MONTHS = {
    name[:3].lower(): number
    for number, name in enumerate(
        "January February March April May June July August September October November December".split(), start=1
    )
}
_MONTH = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|"
    r"oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_FORMS = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        r"\b(?P<year>\d{4})-(?P<month>\d{2})-(?P<day>\d{2})\b",
        rf"\b{_DAY} (?:of )?{_MONTH},? (?P<year>\d{{4}})\b",
        rf"\b{_MONTH} {_DAY},? (?P<year>\d{{4}})\b",
    )
)


def dates_in(text: str) -> Iterator[tuple[date, tuple[int, int]]]:
    """Complete, valid dates in `text`, with their spans."""
    for form in _FORMS:
        for found in form.finditer(text):
            month = _MONTHS.get(found["month"][:3].lower()) or int(found["month"])
            try:
                yield date(int(found["year"]), month, int(found["day"])), found.span()
            except ValueError:
                continue


def in_words(day: date) -> str:
    """26 September 1893."""
    return f"{day.day} {day:%B} {day.year}"
