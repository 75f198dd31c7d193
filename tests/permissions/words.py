"""Which of the marked words a text has, and which of those are leaks."""

from tests.permissions import site
from tests.permissions.tables import section, words

WORDS = {name: getattr(site, name) for name, *_ in section("words")}


class WordsRead:
    """The words that a role read, and where."""

    def __init__(self, role):
        self._allowed = words(role)
        self._seen = {}

    def read(self, text, place, what, sent=""):
        """Note the words of a text, but for those that its reader sent."""
        lower, own = text.lower(), str(sent).lower()
        for name in (name for name, word in WORDS.items() if word in lower and word not in own):
            self._seen.setdefault((name, place), what)

    def faults(self, *places):
        """Leaks, and words that should be read in these places but are not: without them a test proves nothing."""
        leaks = self._seen.keys() - self._allowed
        unread = {(name, place) for name, place in self._allowed - self._seen.keys() if place in places}
        return [
            *(f"{name} is read in {place}: {self._seen[name, place]}" for name, place in sorted(leaks)),
            *(f"{name} is not read in {place}" for name, place in sorted(unread)),
        ]
