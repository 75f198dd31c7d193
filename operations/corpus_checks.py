"""Corpus checks of `manage.py doctor`: each returns whether it passed, and a sentence."""


def corpus() -> tuple[bool, str]:
    from corpus.selectors import corpus_size

    size = corpus_size()
    says = f"{size.lectures:,} lectures, {size.verses:,} verses, {size.library_passages:,} library passages"
    is_empty = not (size.lectures or size.verses or size.library_passages)
    return not is_empty, "empty: run manage.py prepare" if is_empty else says


def index() -> tuple[bool, str]:
    from corpus.selectors import serving_space, space_progress

    space = serving_space()
    if space is None:
        return False, "no embedding space is in use yet: run manage.py index"
    done, total = space_progress(space)
    return done == total, f"{done:,} of {total:,} chunks in {space}" + (
        "" if done == total else ": run manage.py index"
    )


def spaces() -> tuple[bool, str]:
    from corpus.models import EmbeddingSpace
    from corpus.selectors import space_progress
    from lectorium.providers.registry import embedder

    spaces = list(EmbeddingSpace.objects.exclude(state=EmbeddingSpace.State.RETIRED).order_by("created_at"))
    says = []
    for space in spaces:
        done, total = space_progress(space)
        says.append(f"{space} {space.state}, {done / total if total else 1:.0%}")
    if embedder().name not in {space.model for space in spaces}:
        return False, "; ".join([*says, f"none for the configured {embedder().name}: run manage.py space build"])
    return True, "; ".join(says)


def runs() -> tuple[bool, str]:
    from corpus.models import EmbeddingSpace
    from corpus.selectors import space_runs

    says, remarks, failures = [], [], []
    for space in EmbeddingSpace.objects.exclude(state=EmbeddingSpace.State.RETIRED).order_by("created_at"):
        newest, failed = space_runs(space)
        if newest:
            says.append(
                f"{space}: {newest.embedded:,} of {newest.total:,} chunks by {newest.worker} "
                f"at {newest.seen_at:%Y-%m-%d %H:%M}, {newest.outcome}"
            )
            remarks += [newest.remark] if newest.remark else []
        failures += [f"{run.outcome} by {run.worker} at {run.seen_at:%Y-%m-%d %H:%M} {run.error}" for run in failed]
    if failures:
        more = f" and {len(failures) - 1} more" if len(failures) > 1 else ""
        return False, "; ".join([*says, f"{failures[0].strip()}{more}; manage.py index resumes it"])
    return not remarks, "; ".join(says + remarks) or "none yet"


def contexts() -> tuple[bool, str]:
    from corpus.indexing.context_sentences import AGAIN, JOB, unsituated
    from lectorium.ladder.selectors import has_model

    if not has_model(JOB):
        return True, "by titles and leading terms: no model is configured to write them"
    without = unsituated().count()
    return True, f"{without:,} chunks without a sentence by a model; {AGAIN}" if without else "all by a model"
