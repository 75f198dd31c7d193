"""Services that change the corpus. All are idempotent."""

from .collections import collection_ensure
from .importing import sources_import
from .publishing import source_publish, source_withdraw
from .report import ImportOutcome, ImportProgress, ImportReport

__all__ = [
    "ImportOutcome",
    "ImportProgress",
    "ImportReport",
    "collection_ensure",
    "source_publish",
    "source_withdraw",
    "sources_import",
]  # fmt: skip
