"""A language for tests that is written from right to left: CLDR's pseudo-locale ar-XB, which ships with nothing.

Its words are English, longer by a half, and marked so that a browser writes them from right to left.
"""

import re

from babel.messages.catalog import Catalog

from scripts import messages

CODE = "ar-xb"
# What stays: a placeholder, a tag, an address, an HTML entity. Other words are turned around.
_WORD = re.compile(r"%\(\w+\)[sd]|%%|\{\w*\}|<[^>]+>|https?://\S+|&\w+;|(?P<word>[^\W\d_]+)")


def write_catalogue(folder):
    """Write the pseudo-locale's catalogue of pages and answers below a folder."""
    catalog = Catalog(locale="ar", domain="django", charset="utf-8")
    known = messages.read(messages.catalogue_path("de", "django"), "de", "django")
    for message in filter(lambda message: message.id, known):
        forms = (message.id,) if isinstance(message.id, str) else message.id
        turned = turned_around(forms[-1])
        catalog.add(message.id, turned if len(forms) == 1 else (turned,) * catalog.num_plurals, context=message.context)
    path = folder / "ar_XB" / "LC_MESSAGES" / "django.mo"
    path.parent.mkdir(parents=True)
    path.write_bytes(messages.compiled(catalog))


def turned_around(text):
    """The text with each word written from right to left, and longer as in other languages."""
    return _WORD.sub(lambda found: _word(found["word"]) if found["word"] else found[0], text)


def _word(word):
    return f"\u202e{word}{word[: len(word) // 2].lower()}\u202c"
