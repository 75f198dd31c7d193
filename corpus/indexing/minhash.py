"""MinHash bands of a text: two texts share a band the more likely, the more sequences of words they have in common.

The same values as datasketch's, which earlier versions used and whose fingerprints are stored: that package loads
SciPy and Redis, a third of a second.
"""

import hashlib
from functools import lru_cache

import numpy as np

from corpus.domain.duplicates import DuplicateRules, wordings

RULES = DuplicateRules()
PERMUTATIONS = 64
ROWS = 8  # permutations per band; texts of likeness 0.9 share a band in 99 % of cases, of 0.5 in 3 %
_MOST = 2**32 - 1
_seeded = np.random.RandomState(1)
_FACTORS = _seeded.randint(0, 2**31, PERMUTATIONS, dtype=np.uint32) * np.uint32(2) + np.uint32(1)
_ADDED = _seeded.randint(0, 2**32, PERMUTATIONS, dtype=np.uint32)
_MIXING = ((16, 0x85EBCA6B), (13, 0xC2B2AE35), (16, 1))  # the end of MurmurHash3: shift and factor of each step


@lru_cache(maxsize=1024)  # a batch; they take ten times the memory of its texts
def wordings_of(folded: str) -> frozenset[str]:
    return wordings(folded, RULES.words)


@lru_cache(maxsize=4096)  # in speech, a third of the texts are "Okay" and the like
def bands_of(folded: str) -> tuple[int, ...]:
    """The MinHash bands of a folded text, 64 bits each."""
    hashes = np.frombuffer(b"".join(map(_hash, wordings_of(folded))), dtype="<u4")
    for shift, factor in _MIXING:
        hashes = (hashes ^ (hashes >> shift)) * np.uint32(factor)
    sketch = (hashes[:, None] * _FACTORS + _ADDED).min(axis=0, initial=_MOST)
    digests = (
        hashlib.blake2b(bytes([band]) + row.tobytes(), digest_size=8).digest()
        for band, row in enumerate(sketch.reshape(-1, ROWS))
    )
    return tuple(int.from_bytes(digest, "big", signed=True) for digest in digests)


def _hash(wording: str) -> bytes:
    return hashlib.sha1(wording.encode(), usedforsecurity=False).digest()[:4]
