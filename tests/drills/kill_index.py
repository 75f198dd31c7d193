"""Drill: kill -9 in the middle of an index run, twice, with two workers; the end must equal an undisturbed run's.

    LECTORIUM_STATE=$(mktemp -d) .venv/bin/python -m tests.drills.kill_index

writes docs/results/kill_index.md, unless called with `check`, and exits 1 where anything differs.
The embedder is the tests' own, slowed down.
"""

import hashlib
import os
import signal
import subprocess
import sys
import time
from datetime import timedelta

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "lectorium.settings")
os.environ["LECTORIUM_EMBEDDER"] = "hashing"

import django
from django.core.management import call_command

django.setup()

from corpus.indexing.embedding import IndexPace, embed_changed
from corpus.models import Chunk, ChunkVector, EmbeddingSpace, IndexClaim, IndexRun, SentenceVector
from evaluation.results import publish
from lectorium.providers import registry
from lectorium.providers.stand_ins.hashing import HashingEmbedder
from tests.factories import a_work

VERSES, BATCH, SECONDS_A_BATCH = 3000, 16, 0.05
KILLED_AT = (0.2, 0.5)  # shares of the vectors that are there when a worker is killed
PATIENCE = 300  # seconds
PACE = IndexPace(batch=BATCH, claimed=256, lease=timedelta(seconds=5))


class SlowDrillEmbedder(HashingEmbedder):
    def embed_passages(self, texts):
        time.sleep(SECONDS_A_BATCH)
        return super().embed_passages(texts)


def work():
    registry.replace_model("embedder", SlowDrillEmbedder())
    print(f"worker {os.getpid()}: {embed_changed(PACE)}", flush=True)


def worker():
    return subprocess.Popen([sys.executable, "-m", "tests.drills.kill_index", "worker"])


def stored():
    """Return the number of chunks' vectors, and a hash of these and of their sentences'."""
    rows = ChunkVector.objects.order_by("chunk_id").values_list("chunk_id", "embedded_hash", "embedding")
    digest = hashlib.sha256()
    for chunk_id, embedded_hash, embedding in rows.iterator(chunk_size=2000):
        digest.update(f"{chunk_id} {embedded_hash} {list(embedding)}".encode())
    sentences = SentenceVector.objects.order_by("chunk_id", "position").values_list("chunk_id", "position", "embedding")
    for chunk_id, position, embedding in sentences.iterator(chunk_size=2000):
        digest.update(f"{chunk_id} {position} {list(embedding)}".encode())
    return len(rows), digest.hexdigest()[:16]


def forget():
    for model in (SentenceVector, ChunkVector, IndexClaim, IndexRun, EmbeddingSpace):
        model.objects.all()._raw_delete("default")


def wait_for(share):
    deadline = time.monotonic() + PATIENCE
    while ChunkVector.objects.count() < share * VERSES:
        assert time.monotonic() < deadline, f"the workers stored less than {share:.0%} in {PATIENCE} s"
        time.sleep(0.05)


def disturbed():
    """Run two workers, kill each once while it works, start another in its place; return how many runs it took."""
    workers = [worker(), worker()]
    for turn, share in enumerate(KILLED_AT):
        wait_for(share)
        workers[turn].send_signal(signal.SIGKILL)
        workers[turn].wait()
        print(f"killed {workers[turn].pid} with {ChunkVector.objects.count()} vectors stored", flush=True)
        workers.append(worker())
    for process in workers:
        process.wait()
    while ChunkVector.objects.count() < Chunk.objects.count():  # what a killed worker held is free after its lease
        time.sleep(PACE.lease.total_seconds())
        worker().wait()
    return IndexRun.objects.count()


def main():
    call_command("migrate", verbosity=0)
    a_work(
        {f"Drill {n // 100 + 1}:{n % 100 + 1}": f"verse number {n} of the drill" for n in range(VERSES)}, key="drill"
    )
    worker().wait()
    expected = stored()
    forget()
    runs = disturbed()
    found = stored()
    killed = IndexRun.objects.filter(finished_at__isnull=True).count()
    space = EmbeddingSpace.objects.get()
    same = found == expected and space.state == "serving" and space.indexed_at is not None and killed == len(KILLED_AT)
    lines = [
        "## Killing index workers",
        "",
        f"{VERSES:,} chunks, two workers at once; each is killed with `kill -9` midway and replaced. "
        "Rows, and a hash over every chunk, its text's hash and its vector. "
        "Read by: `python -m tests.drills.kill_index`.",
        "",
        "| run | rows | sha256 |",
        "|---|---|---|",
        f"| undisturbed, one worker | {expected[0]:,} | {expected[1]} |",
        f"| two workers, {killed} killed, {runs} runs in all | {found[0]:,} | {found[1]} |",
        "",
        f"Equal, and the space serves: {'yes' if same else '**no**'}.",
    ]
    print("\n".join(lines) if "check" in sys.argv else publish("kill_index", lines))
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(work() if sys.argv[1:] == ["worker"] else main())
