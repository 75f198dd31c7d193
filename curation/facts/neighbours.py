"""The most similar facts of each fact: exactly among few, by cells of nearby vectors among many."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lectorium.providers.protocols import Matrix

Neighbours = list[list[tuple[int, float]]]


@dataclass(frozen=True, slots=True)
class CellRules:
    """exact_below: of so few vectors each is compared with all. probes: cells looked into. rounds: of fitting the cells
    to the vectors. sample: vectors a cell that they are fitted to.
    """

    exact_below: int = 10_000
    probes: int = 8
    rounds: int = 3
    sample: int = 30


RULES = CellRules()


class FactNeighbours:
    """Rows of unit vectors, shape (n, width); a row of zeros is similar to none."""

    def __init__(self, vectors: Matrix, rules: CellRules = RULES) -> None:
        self._vectors, self._rules = vectors, rules
        self._cells: list[NDArray[np.intp]] = []
        self._centres: Matrix | None = None
        if len(vectors) >= rules.exact_below:
            self._build()

    def of(self, places: Sequence[int], least: float, most: int) -> Neighbours:
        """For each place up to `most` (place, cosine) above `least`, the most similar first, without itself."""
        if self._centres is None:
            everything = np.arange(len(self._vectors))
            return [self._closest(place, everything, least, most) for place in places]
        asked = self._vectors[list(places)]
        nearest = np.argpartition(-(asked @ self._centres.T), self._rules.probes - 1, axis=1)[:, : self._rules.probes]
        found = []
        for place, cells in zip(places, nearest, strict=True):
            found.append(self._closest(place, np.concatenate([self._cells[cell] for cell in cells]), least, most))
        return found

    def _closest(self, place: int, among: NDArray[np.intp], least: float, most: int) -> list[tuple[int, float]]:
        cosines = self._vectors[among] @ self._vectors[place] if len(among) < len(self._vectors) else (
            self._vectors @ self._vectors[place]
        )  # fmt: skip
        above = np.flatnonzero((cosines > least) & (among != place))
        best = above[np.argsort(-cosines[above], kind="stable")[:most]]
        return [(int(among[at]), float(cosines[at])) for at in best]

    def _build(self) -> None:
        """Spherical k-means on a sample, with about √n cells."""
        chance = np.random.default_rng(0)
        number = int(len(self._vectors) ** 0.5)
        sample = chance.choice(len(self._vectors), min(len(self._vectors), number * self._rules.sample), replace=False)
        points = self._vectors[sample]
        centres = points[chance.choice(len(points), number, replace=False)].copy()
        for _ in range(self._rules.rounds):
            nearest = (points @ centres.T).argmax(axis=1)
            sums = np.zeros_like(centres)
            np.add.at(sums, nearest, points)
            lengths = np.linalg.norm(sums, axis=1, keepdims=True)
            centres = np.where(lengths > 0, sums / np.maximum(lengths, 1e-9), centres).astype(np.float32)
        nearest = np.concatenate(
            [(self._vectors[at : at + 8192] @ centres.T).argmax(axis=1) for at in range(0, len(self._vectors), 8192)]
        )
        order = np.argsort(nearest, kind="stable")
        bounds = np.searchsorted(nearest[order], np.arange(number + 1))
        self._cells = [order[bounds[cell] : bounds[cell + 1]] for cell in range(number)]
        self._centres = centres
