"""Builds the context lines of a source's chunks."""

from collections.abc import Iterable

from corpus.domain.context import ChunkSetting, context_line, leading_terms
from corpus.domain.dates import in_words
from corpus.models import Lecture, Work


class Contexts:
    """The leading terms of each section of a source, by heading."""

    def __init__(self, source: Lecture | Work, sections: Iterable[tuple[str, str]]) -> None:
        self._source = source
        texts: dict[str, list[str]] = {}
        for heading, text in sections:
            texts.setdefault(heading, []).append(text)
        self._terms = {heading: leading_terms(section) for heading, section in texts.items()}

    def line(self, heading: str, speaker: str) -> str:
        """The context line of a chunk under this heading by this speaker ("": unknown)."""
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
