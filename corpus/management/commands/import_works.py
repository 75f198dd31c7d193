"""manage.py import_works"""

from corpus.management.importing import ImportCommand
from corpus.services import works_import


class Command(ImportCommand):
    help = (
        'Import works of addressed verses from .jsonl files or folders: {"ref", "chapter", "verse", "text"} a line, '
        "with an optional NAME.meta.json beside them. Unchanged ones are skipped."
    )
    noun = "works"
    unit = " verses"
    service = staticmethod(works_import)
