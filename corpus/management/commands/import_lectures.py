from corpus.importers.drafts import LectureDraft
from corpus.management.importing import ImportCommand


class Command(ImportCommand):
    help = (
        "Import lectures from files, folders or ZIPs of .vtt .srt .txt .md .pdf .jsonl. Unchanged ones are skipped. "
        "A recording of the same name beside a transcript comes along."
    )
    noun = "lectures"
    unit = " lectures"
    only = LectureDraft
