from corpus.importers.drafts import WorkDraft
from corpus.management.importing import ImportCommand


class Command(ImportCommand):
    help = (
        'Import works of addressed verses from .jsonl files or folders: {"ref", "chapter", "verse", "text"} per line, '
        "with an optional NAME.meta.json beside them. Unchanged ones are skipped."
    )
    noun = "works"
    unit = " verses"
    only = WorkDraft
