"""Times the cross-encoder: pairs a second, a turn's reading and verifying, and the start of a fresh process."""

import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from tokenizers import Tokenizer

from lectorium.providers.cross_encoder import CrossEncoder

Result = dict[str, Any]
RUNS = 40  # fewer say little of a 95th percentile
STARTS = 5
QUERY = 10  # tokens of a question or claim
SPECIAL = 3  # tokens that the network adds to a pair
# What a fresh process does until its first verdict; prints the seconds of the imports, and of the rest.
START = """
import json, sys, time
from pathlib import Path
began = time.perf_counter()
from lectorium.providers.cross_encoder import CrossEncoder
imported = time.perf_counter()
CrossEncoder(Path(sys.argv[1])).verify([("It rained on Sunday.", "It rained.")])
print(json.dumps({"imports_s": imported - began, "first_verdict_s": time.perf_counter() - imported}))
"""


def speed(model: CrossEncoder, folder: Path, *, runs: int = RUNS) -> Result:
    """Return pairs a second at three lengths (median), milliseconds of a turn's work, and seconds to start.

    Beside them the load average before and the runs. No text comes twice: what was read lately is remembered.
    """
    texts = distinct_texts(whole_words(folder))
    found: Result = {"load": os.getloadavg()[0], "runs": runs}
    for tokens in (64, 128, 256):
        taken = _timed(model.verify, partial(_pairs, texts, 64, tokens), runs)
        found[f"pairs_a_second_{tokens}"] = round(64 / float(np.median(taken)), 1)
    read = _timed(
        lambda work: model.read(*work),
        lambda: (texts(QUERY), [texts(200 - QUERY - SPECIAL) for _ in range(60)]),
        runs,
    )
    found["read_60x200_ms"] = _percentiles(read)
    found["verify_6x150_ms"] = _percentiles(_timed(model.verify, partial(_pairs, texts, 6, 150), runs))
    found["start"] = start_times(folder)
    return found


def whole_words(folder: Path) -> list[str]:
    """Return the words of a weights folder's tokenizer that are one token each, in order."""
    vocabulary = Tokenizer.from_file(str(folder / "tokenizer.json")).get_vocab()
    return sorted(word for word in vocabulary if word.isascii() and word.isalpha() and len(word) > 3)


def distinct_texts(words: Sequence[str]) -> Callable[[int], str]:
    """Return what draws a text of so many of the words, and never the same words twice in a row."""
    rng = random.Random(7)
    return lambda tokens: " ".join(rng.choices(words, k=tokens))


def start_times(folder: Path, *, runs: int = STARTS, program: str = START) -> Result:
    """Return the medians of what `program` prints (JSON: seconds by name) in fresh processes, and their number."""
    printed = [
        json.loads(
            subprocess.run(
                [sys.executable, "-c", program, str(folder)], check=True, capture_output=True, text=True
            ).stdout
        )
        for _ in range(runs)
    ]
    return {"runs": runs} | {name: round(float(np.median([one[name] for one in printed])), 2) for name in printed[0]}


def _pairs(texts: Callable[[int], str], count: int, tokens: int) -> list[tuple[str, str]]:
    return [(texts(tokens - QUERY - SPECIAL), texts(QUERY)) for _ in range(count)]


def _timed(compute: Callable[[Any], Any], work: Callable[[], Any], runs: int) -> list[float]:
    compute(work())  # the first of a shape compiles code for it; the product does that at its start
    taken = []
    for _ in range(runs):
        fresh = work()
        started = time.perf_counter()
        compute(fresh)
        taken.append(time.perf_counter() - started)
    return taken


def _percentiles(seconds: Sequence[float]) -> dict[str, float]:
    return {f"p{q}": round(1000 * float(np.quantile(seconds, q / 100)), 1) for q in (50, 95)}
