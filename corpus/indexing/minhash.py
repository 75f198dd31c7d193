"""MinHash bands of a text: two texts share a band the more likely, the more sequences of words they have in common."""

import hashlib
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from corpus.domain.duplicates import DuplicateRules, wordings

if TYPE_CHECKING:
    from datasketch import MinHash

RULES = DuplicateRules()
PERMUTATIONS = 64
ROWS = 8  # permutations per band; texts of likeness 0.9 share a band in 99 % of cases, of 0.5 in 3 %


@lru_cache(maxsize=1024)  # a batch; they take ten times the memory of its texts
def wordings_of(folded: str) -> frozenset[str]:
    return wordings(folded, RULES.words)


@lru_cache(maxsize=4096)  # in speech, a third of the texts are "Okay" and the like
def bands_of(folded: str) -> tuple[int, ...]:
    """The MinHash bands of a folded text, 64 bits each."""
    sketch = _empty_sketch().copy()
    sketch.update_batch([wording.encode() for wording in wordings_of(folded)])
    rows = sketch.hashvalues.reshape(-1, ROWS)
    digests = (hashlib.blake2b(bytes([band]) + row.tobytes(), digest_size=8).digest() for band, row in enumerate(rows))
    return tuple(int.from_bytes(digest, "big", signed=True) for digest in digests)


@cache
def _empty_sketch() -> "MinHash":
    """Import datasketch only here: it loads SciPy and Redis, half a second that most commands need not wait."""
    from datasketch import MinHash

    return MinHash(num_perm=PERMUTATIONS)
