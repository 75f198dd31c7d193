"""manage.py import_sources"""

from corpus.management.importing import ImportCommand
from corpus.services import sources_import


class Command(ImportCommand):
    help = (
        "Import whatever files, folders and ZIP archives hold: lectures, works, recordings, and SQLite libraries with "
        "pins and notes. Unchanged ones are skipped."
    )
    noun = "sources"
    unit = " sources"
    service = staticmethod(sources_import)
