"""Jobs of the corpus, safe to run twice."""

from corpus.indexing import embed_changed


def index_corpus() -> str:
    """Link duplicates and embed what changed; return one line for the job's record."""
    report = embed_changed()
    others = f", {report.left} left to other runs" if report.left else ""
    return f"{report.embedded} chunks embedded in {report.seconds:.0f} s{others}"
