"""Many vectors with neighbours as near as those of real sentences, made from fewer real ones.

Gaussian noise in all 384 directions is harder for an index than language, whose sentences differ in few directions at a
time. So a vector made here is a real one moved along the differences to some of its own nearest real neighbours: by
`SPREAD` times each difference, with a weight drawn from the normal distribution. `compared` says how near the result
comes to real vectors, for as many made from half of the real ones as there are real ones.
"""

import numpy as np

NEAREST, MIXED = 16, 8  # real neighbours of a real vector, and how many of them a made one is moved along
SPREADS = (0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5)
RANKS = (1, 10, 100)
TOGETHER = 20_000


def nearest_of(vectors, queries, count):
    """(positions, cosines) of the `count` nearest vectors of each query, the nearest first."""
    places, cosines = [], []
    for first in range(0, len(queries), 500):
        likeness = queries[first : first + 500] @ vectors.T
        some = np.argpartition(-likeness, count, axis=1)[:, :count]
        order = np.argsort(-np.take_along_axis(likeness, some, 1), axis=1)
        some = np.take_along_axis(some, order, 1)
        places.append(some)
        cosines.append(np.take_along_axis(likeness, some, 1))
    return np.concatenate(places), np.concatenate(cosines)


def nearest_others(real):
    """The positions of the nearest other vectors of each, shape (vectors, NEAREST)."""
    return nearest_of(real, real, NEAREST + 1)[0][:, 1:]  # the first is the vector itself


def made_around(real, around, size, spread, seed):
    """Yield arrays of made vectors of length 1, `size` in all, in the same order for the same seed.

    around: the nearest others of each real one.
    """
    draw = np.random.default_rng(seed)
    for first in range(0, size, TOGETHER):
        count = min(TOGETHER, size - first)
        chosen = draw.integers(len(real), size=count)
        some = draw.permuted(around[chosen], axis=1)[:, :MIXED]
        weights = draw.normal(scale=spread, size=(count, MIXED, 1)).astype(np.float32)
        moved = real[chosen] + (weights * (real[some] - real[chosen][:, None])).sum(axis=1)
        moved /= np.linalg.norm(moved, axis=1, keepdims=True)
        yield moved.astype(np.float16).astype(np.float32)  # as it is stored


def nearness(vectors, queries):
    """Median cosines of the queries' neighbours by rank, and the local intrinsic dimension (Levina and Bickel)."""
    cosines = nearest_of(vectors, queries, max(RANKS))[1]
    distances = np.sqrt(np.maximum(2 - 2 * cosines, 1e-9))
    dimension = 1 / np.mean(np.log(distances[:, -1:] / distances[:, :-1]), axis=1)
    return [float(np.median(cosines[:, rank - 1])) for rank in RANKS], float(np.median(dimension))


def compared(real, questions):
    """The best spread; and rows (name, cosines by rank, dimension) for real vectors and for each spread.

    Half of the real vectors is given and half held back, so that questions are no nearer to one than to the other.
    """
    real = np.random.default_rng(0).permutation(real)
    half = len(real) // 2
    around = nearest_others(real[:half])
    rows, misses = [("real", *nearness(real[half:], questions))], []
    for spread in SPREADS:
        made = np.concatenate(list(made_around(real[:half], around, half, spread, 1)))
        found = nearness(made, questions)
        rows.append((f"made, spread {spread:g}", *found))
        misses.append((sum(abs(a - b) for a, b in zip(found[0], rows[0][1], strict=True)), spread))
    return min(misses)[1], rows
