"""Fills the site with a round of translations; run in its own shell."""

from curation.models import Translation
from curation.translations.services import translation_store, translations_sync
from tests.factories import a_pin

a_pin("Who saw the lamp?", framing="He told it twice, in 1896 and in 1901.")
translations_sync(locales=["de"])
for source, text in (
    ("Who saw the lamp?", "Wer sah die Lampe?"),
    ("He told it twice, in 1896 and in 1901.", "Er erzählte es zweimal, 1869 und 1901."),
):
    row = Translation.objects.get(source=source, locale="de")
    translation_store(row=row, text=text, author="scripted:round")
print("filled")
