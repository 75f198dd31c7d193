"""An entry on trial: the questions of one context are answered as if it were published, or as if it were not there."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from uuid import UUID, uuid4

from corpus.selectors import serving_space, space_embedder
from curation.domain.entry import Entry
from curation.matching.entries import MatchableEntries
from lectorium.providers.protocols import Matrix


@dataclass(frozen=True, slots=True)
class Trial:
    """What a context changes. entry: takes the place of the stored one of its id; None only takes that one away."""

    leaving: UUID
    entry: Entry | None
    vectors: Matrix | None
    token: str

    def applied(self, matchable: MatchableEntries) -> MatchableEntries:
        kept = matchable.where(lambda entry: entry.id != self.leaving)
        if self.entry is None or self.vectors is None:
            return kept
        return kept.with_entry(self.entry, self.vectors)


_trial: ContextVar[Trial | None] = ContextVar("curation_trial", default=None)


@contextmanager
def with_entry(entry: Entry) -> Iterator[None]:
    """Ask within this context as if the entry, as it is given, were published. Embeds it, for the editor who waits."""
    vectors = space_embedder(serving_space()).embed_questions(list(entry.phrasings))
    with _on(Trial(entry.id, replace(entry, state="published"), vectors, uuid4().hex)):
        yield


@contextmanager
def without_entry(entry_id: UUID) -> Iterator[None]:
    """Ask within this context as if the entry were not published."""
    with _on(Trial(entry_id, None, None, uuid4().hex)):
        yield


def on_trial() -> Trial | None:
    return _trial.get()


@contextmanager
def _on(trial: Trial) -> Iterator[None]:
    token = _trial.set(trial)
    try:
        yield
    finally:
        _trial.reset(token)
