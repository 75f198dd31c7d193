"""Times the cross-encoder: pairs per second, a turn's reading and verifying, and the start of a new process."""

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
RUNS = 40  # enough for a 95th percentile
STARTS = 5
QUERY = 10  # tokens of a question or claim
SPECIAL = 3  # tokens that the network adds to a pair
# A new process until its first verdict; prints the seconds of the imports, and of the rest.
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
    """Median pairs per second at three lengths, milliseconds of a turn's work, and seconds to start.

    Also the load average before, and the number of runs. Every text is new, since recent results are cached.
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
    """The whole-word tokens of a weights folder's tokenizer, in order."""
    vocabulary = Tokenizer.from_file(str(folder / "tokenizer.json")).get_vocab()
    return sorted(word for word in vocabulary if word.isascii() and word.isalpha() and len(word) > 3)


def distinct_texts(words: Sequence[str]) -> Callable[[int], str]:
    """A function that returns a new text with the given number of words."""
    rng = random.Random(7)
    return lambda tokens: " ".join(rng.choices(words, k=tokens))


def start_times(folder: Path, *, runs: int = STARTS, program: str = START) -> Result:
    """Medians of what `program` prints in new processes (JSON: seconds by name), and the number of runs."""
    printed = [
        json.loads(
            subprocess.run(
                [sys.executable, "-c", program, str(folder)], check=True, capture_output=True, text=True
            ).stdout
        )
        for _ in range(runs)
    ]
    medians = {name: round(float(np.median([run[name] for run in printed])), 2) for name in printed[0]}
    return {"runs": runs} | medians


def _pairs(texts: Callable[[int], str], count: int, tokens: int) -> list[tuple[str, str]]:
    return [(texts(tokens - QUERY - SPECIAL), texts(QUERY)) for _ in range(count)]


def _timed(compute: Callable[[Any], Any], work: Callable[[], Any], runs: int) -> list[float]:
    compute(work())  # the first call of a shape compiles code for it, which the product does at its start
    taken = []
    for _ in range(runs):
        fresh = work()
        started = time.perf_counter()
        compute(fresh)
        taken.append(time.perf_counter() - started)
    return taken


def _percentiles(seconds: Sequence[float]) -> dict[str, float]:
    return {f"p{q}": round(1000 * float(np.quantile(seconds, q / 100)), 1) for q in (50, 95)}
