"""Jobs of the corpus for a worker."""

from django.db import transaction
from django_q.tasks import async_task


def job_queue(name: str, *arguments: str) -> None:
    """Queue this job of corpus.tasks once the transaction, if there is one, is committed."""
    transaction.on_commit(lambda: async_task(f"corpus.tasks.{name}", *arguments))
