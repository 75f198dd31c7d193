"""Builds the training sources: each builder turns public data into one file of rows."""

import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from training.config import TrainingConfig
from training.rows import Row, write_rows

Builder = Callable[[Path, int], Iterable[Row]]


def builders() -> dict[str, Builder]:
    """Builders by source name; each takes the data folder and a seed."""
    from training.build import claims, clips, declarative, found, perturbed, reading, twins, written

    return {
        **claims.BUILDERS,
        **reading.BUILDERS,
        **declarative.BUILDERS,
        **perturbed.BUILDERS,
        **twins.BUILDERS,
        **written.BUILDERS,
        **clips.BUILDERS,
        **found.BUILDERS,
    }


def build(data: Path, config: TrainingConfig, only: list[str] | None) -> None:
    """Write the rows of each source, or of those in `only`, into the run's data folder."""
    for name, builder in builders().items():
        if only and name not in only:
            continue
        count = write_rows(config.data / f"{name}.jsonl", builder(data, config.seed))
        sys.stderr.write(f"{name}: {count} rows\n")
