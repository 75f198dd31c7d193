"""English words, from the vocabulary of the shipped cross-encoder's tokenizer."""

import functools
import json
import re
from pathlib import Path

SHIPPED = Path(__file__).parents[1] / "weights"

_WHOLE_WORD = re.compile(r"[a-z]{2,}")


@functools.lru_cache(maxsize=1)
def english_words() -> frozenset[str]:
    """About 21,000 frequent words and names in lower case; rarer words, and many inflections, are absent."""
    stored = json.loads((SHIPPED / "tokenizer.json").read_text(encoding="utf-8"))
    return frozenset(word for word in stored["model"]["vocab"] if _WHOLE_WORD.fullmatch(word))
