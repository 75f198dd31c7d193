"""The line of context of a source's chunks; indexing/context_sentences.py asks a model for a sentence more."""

from collections.abc import Iterable

from corpus.domain.context import ChunkSetting, context_line, leading_terms
from corpus.domain.dates import in_words
from corpus.models import Lecture, Work


class Contexts:
    """Knows what each section of a source, named by its heading, speaks of most."""

    def __init__(self, source: Lecture | Work, sections: Iterable[tuple[str, str]]) -> None:
        self._source = source
        texts: dict[str, list[str]] = {}
        for heading, text in sections:
            texts.setdefault(heading, []).append(text)
        self._terms = {heading: leading_terms(section) for heading, section in texts.items()}

    def line(self, heading: str, speaker: str) -> str:
        """Return the context of a chunk under this heading, said by this speaker ("": not known)."""
        source = self._source
        lecture = source if isinstance(source, Lecture) else None
        return context_line(
            ChunkSetting(
                title=source.title,
                speaker=speaker,
                day=in_words(lecture.date) if lecture and lecture.date else "",
                place=lecture.place if lecture else "",
                series=lecture.series if lecture else "",
                section=heading,
                terms=self._terms[heading],
            )
        )
