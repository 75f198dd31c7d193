"""100,000 fuzzed streams through the marker gauntlet: what is shown, what is dropped, and whether a cut changes it.

    .venv/bin/python -m tests.benchmarks.gauntlet [STREAMS]

writes docs/results/gauntlet.md. Short streams are cut in every way there is, long ones at chance.
"""

import os
import random
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from itertools import combinations

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "lectorium.settings")

import django

django.setup()

from evaluation.results import publish
from tests.domain.streams import MINTED, NOISE, PROSE, ROUGH, UNRESOLVABLE, cut, markers, shown, through, words

SEED, STREAMS, SHARE = 6, 100_000, 10_000
ALL_CUTS, ONE_CUT, RANDOM = 8, 16, 2  # characters up to which every split is made, every single cut; random otherwise


def splits(text, chance):
    """Return the pieces of each split tried: every one of a short stream, every single cut of a longer one, or some."""
    places = range(1, len(text))
    if len(text) <= ALL_CUTS:
        chosen = [cuts for number in range(len(text)) for cuts in combinations(places, number)]
    elif len(text) <= ONE_CUT:
        chosen = [(place,) for place in places]
    else:
        chosen = [chance.sample(places, chance.randint(1, 8)) for _ in range(RANDOM)]
    return [cut(text, cuts) for cuts in chosen] + [list(text)]


def stream_of(chance):
    """Return a stream, and its words where all of them must survive."""
    size = chance.choice((1, 1, 2, 2, 3, 5, 8, 13))
    if chance.random() < 0.5:
        atoms = [chance.choice(chance.choice((PROSE, NOISE))) for _ in range(size)]
        return " ".join(atoms), words(" ".join(atom for atom in atoms if atom in PROSE))
    atoms = [chance.choice(chance.choice((PROSE, NOISE, ROUGH))) + chance.choice(("", " ")) for _ in range(size)]
    return "".join(atoms), None


def fuzz(share):
    """Return the counts of one share of the streams."""
    seed, number = share
    chance, counts, tried = random.Random(seed), Counter(), set()
    for _ in range(number):
        text, kept = stream_of(chance)
        whole, gauntlet = through([text])
        counts.update(f"dropped {dropped.reason.value}" for dropped in gauntlet.dropped)
        counts["streams"] += 1
        counts["characters"] += len(text)
        counts["markers shown"] += len(markers(whole))
        counts["unresolvable shown"] += bool(UNRESOLVABLE.search(shown(whole)))
        counts["unresolvable shown"] += sum(not MINTED.holds(marker.kind, marker.number) for marker in markers(whole))
        if kept is not None:
            counts["words"] += len(kept)
            counts["streams with lost words"] += words(shown(whole)) != kept
        if len(text) <= ONE_CUT and text in tried:
            continue  # its splits are always the same
        tried.add(text)
        for pieces in splits(text, chance):
            counts["splits"] += 1
            counts["splits that changed it"] += through(pieces)[0] != whole
    return counts


def main():
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else STREAMS
    shares = [(SEED + start, min(SHARE, wanted - start)) for start in range(0, wanted, SHARE)]
    began = time.perf_counter()
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        total = sum(pool.map(fuzz, shares), Counter())
    dropped = sorted(((name.removeprefix("dropped "), n) for name, n in total.items() if name.startswith("dropped ")))
    lines = [
        "## The marker gauntlet",
        "",
        f"{total['streams']:,} fuzzed streams (seed {SEED}, {total['characters']:,} characters) of prose, markers in "
        f"the habits of models, and broken ones; {total['splits']:,} splits: every split of streams up to {ALL_CUTS} "
        f"characters, every single cut up to {ONE_CUT}, {RANDOM} random splits above, and each character by itself. "
        "Read by: `python -m tests.benchmarks.gauntlet`.",
        "",
        "| what | count |",
        "|---|---|",
        f"| unresolvable markers shown | {total['unresolvable shown']:,} |",
        f"| streams with lost words, of those whose words are known ({total['words']:,} words) "
        f"| {total['streams with lost words']:,} |",
        f"| splits that changed the output | {total['splits that changed it']:,} |",
        f"| markers shown, all minted | {total['markers shown']:,} |",
        *(f"| dropped: {name.replace('_', ' ')} | {number:,} |" for name, number in dropped),
        "",
        f"Took {time.perf_counter() - began:.0f} s on {os.cpu_count()} cores.",
    ]
    print(publish("gauntlet", lines))


if __name__ == "__main__":
    main()
