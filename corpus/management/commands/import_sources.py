from corpus.management.importing import ImportCommand


class Command(ImportCommand):
    help = (
        "Import files, folders and ZIP archives: lectures, works, recordings, and SQLite libraries with "
        "pins and notes. Unchanged sources are skipped."
    )
    noun = "sources"
    unit = " sources"
