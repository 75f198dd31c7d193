"""What the checks of a turn are made with, beside its notes."""

from chat.domain.guards import Library
from chat.domain.viewer import Viewer
from corpus.addresses import shelf
from corpus.glossary import synonyms_of


def library_of(viewer: Viewer) -> Library:
    """Return the glossary and the addresses of what a viewer may see, as the checks use them."""
    known = shelf(None if viewer.sees_all else viewer.collections)
    return Library(lambda text: synonyms_of(text).alternatives, known.book)
