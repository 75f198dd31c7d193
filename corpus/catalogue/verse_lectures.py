"""What the page of a verse, and the pane beside an answer, list under it."""

from collections.abc import Sequence

from django.http import HttpRequest

from corpus.catalogue.languages import languages_of
from corpus.catalogue.mentions import DiscussingLecture, lectures_discussing
from corpus.curated_port import put_in_words
from corpus.models import Section


def discussing(request: HttpRequest, verse: Section | None) -> Sequence[DiscussingLecture]:
    """The lectures that discuss a verse, with their titles in the language of the request; none without a verse."""
    found = lectures_discussing(request.user, verse) if verse else []
    put_in_words([entry.lecture for entry in found], ("title",), languages_of(request))
    return found
