"""What changes the corpus: importing lectures and works. Every service is safe to run twice."""

from .collections import collection_ensure
from .importing import lectures_import, sources_import, works_import
from .publishing import source_publish, source_withdraw
from .report import ImportOutcome, ImportProgress, ImportReport

__all__ = [
    "ImportOutcome",
    "ImportProgress",
    "ImportReport",
    "collection_ensure",
    "lectures_import",
    "source_publish",
    "source_withdraw",
    "sources_import",
    "works_import",
]  # fmt: skip
