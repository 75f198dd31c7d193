import sys
from collections.abc import Iterator
from contextlib import contextmanager

from tqdm import tqdm

from corpus.indexing.embedding import OnProgress


@contextmanager
def index_bar(verbosity: int) -> Iterator[OnProgress]:
    """Shows on stderr the chunks done, their rate and the time left, of one run after another."""
    with tqdm(desc="index", unit=" chunks", file=sys.stderr, disable=verbosity == 0) as bar:

        def advance(done: int, total: int) -> None:
            if done < bar.n:
                bar.reset()
            bar.total = total
            bar.update(done - bar.n)

        yield advance
