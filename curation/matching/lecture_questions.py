"""Questions about a lecture that readers may be shown.

Only the questions of published pins: editors wrote them, or chose to publish them, and readers are offered them already
("Did you mean"). What other readers asked is never shown, also where it closed a gap or became a regression case.
"""

from collections.abc import Sequence

from django.db.models import Q

from corpus.domain.local_text import LocalText
from corpus.models import Collection, Lecture, Section
from corpus.querysets import Reader
from curation.models import PinnedQuestion

MOST = 10


def questions_about(reader: Reader, lecture: Lecture) -> Sequence[LocalText]:
    """The published questions pinned to a paragraph of this lecture, for readers of the pins' collections."""
    paragraphs = Section.objects.filter(lecture=lecture).values("address_key")
    for_reader = Q(collection=None) | Q(collection__in=Collection.objects.visible_to(reader))
    pins = PinnedQuestion.objects.filter(
        for_reader, state=PinnedQuestion.State.PUBLISHED, references__address_key__in=paragraphs
    )
    found = pins.order_by("question", "language").values_list("question", "language").distinct()
    return [LocalText(question, language) for question, language in found[:MOST]]
