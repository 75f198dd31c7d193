"""What changes the corpus: importing lectures and works. Every service is safe to run twice."""

from .collections import collection_ensure
from .lectures import lectures_import
from .publishing import source_publish, source_withdraw
from .report import ImportReport, Outcome, Progress
from .works import works_import

__all__ = [
    "ImportReport", "Outcome", "Progress", "collection_ensure", "lectures_import", "source_publish", "source_withdraw",
    "works_import",
]  # fmt: skip
