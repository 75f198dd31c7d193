"""Which embedders read English only."""

import re

# The two in an installation, and common name parts of other English embedders.
_ENGLISH_ONLY = re.compile(
    r"(?:^|/)(?:all-(?:minilm|mpnet|distilroberta)|multi-qa|msmarco|gtr-|sentence-t5|e5-(?:small|base|large)|"
    r"gte-(?:small|base|large)(?!-multi)|nomic-embed-text-v1|hashing)|-en(?:-|$|\.)",
    re.IGNORECASE,
)


def reads_only_english(name: str) -> bool:
    """Whether the embedder of this name reads English alone; an unknown model counts as multilingual.

    hashing compares words, so it finds a question's words in texts of its own language alone.
    """
    return bool(_ENGLISH_ONLY.search(name))
