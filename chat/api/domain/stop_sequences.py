"""Ends a streamed text before the sequence that a client names and that is complete first, however it is split."""

from collections.abc import Sequence

MOST = 4  # as at OpenAI


class StopSequences:
    """Feed it the text as it comes; it holds back what may be the beginning of a sequence."""

    def __init__(self, sequences: Sequence[str]) -> None:
        self.is_over = False
        self._sequences = sequences
        self._held = ""

    def feed(self, text: str) -> str:
        """Return the text that is safe to send; nothing after a sequence was met."""
        if self.is_over:
            return ""
        whole = self._held + text
        found = [(place + len(text), place) for text in self._sequences if (place := whole.find(text)) >= 0]
        if found:
            self.is_over, self._held = True, ""
            return whole[: min(found)[1]]
        kept = len(whole) - max((_overlap(whole, sequence) for sequence in self._sequences), default=0)
        self._held = whole[kept:]
        return whole[:kept]

    def flush(self) -> str:
        """Return what is still held back. Call it once, when the text has ended."""
        held, self._held = self._held, ""
        return held


def _overlap(text: str, sequence: str) -> int:
    """How many characters at the end of the text begin the sequence."""
    longest = min(len(text), len(sequence) - 1)
    return next((size for size in range(longest, 0, -1) if text.endswith(sequence[:size])), 0)
