"""Where the highest of some scores end, from all high ones: the single highest says little about the next sample."""

import math

import numpy as np
from numpy.typing import NDArray

HIGH = 0.15  # share of the scores that is the tail
LEAST = 10  # scores in a tail
SHAPES = (-0.5, 0.2)  # of the generalized Pareto distribution; beyond, its moments say nothing


def exceeded_by(share: float, scores: NDArray[np.float64]) -> float:
    """The value that this share of further scores exceeds: a generalized Pareto tail, fitted by its moments.

    share: less than HIGH. Raises ValueError for too few scores, or where the high ones are all equal.
    """
    ordered = np.sort(scores)[::-1]
    count = max(LEAST, int(HIGH * len(ordered)))
    if len(ordered) <= count or ordered[0] == ordered[count]:
        raise ValueError(f"{len(ordered)} scores are too few, or too equal, to tell where they end.")
    start, excess = float(ordered[count]), ordered[:count] - ordered[count]
    mean, spread = float(excess.mean()), float(excess.var())
    shape = min(SHAPES[1], max(SHAPES[0], 0.5 * (1 - mean * mean / spread)))
    scale, rarity = mean * (1 - shape), len(ordered) * share / count
    if abs(shape) < 1e-3:
        return start - scale * math.log(rarity)
    return start + scale / shape * (math.pow(rarity, -shape) - 1)
