"""Queued jobs of articles."""

from django_q.tasks import async_task

from articles.compiling import article_compile, recheck_articles, version_check
from lectorium.only_run import only_run

ALREADY = "another run is compiling this article"


def compile_article(pk: str) -> str:
    """Compile an article and queue its check; return a one-line summary."""
    with only_run(f"article {pk}") as alone:
        if not alone:
            return ALREADY
        version = article_compile(pk)
    if version is None:
        return "not compiled; the article says why"
    async_task("articles.tasks.check_version", str(version.pk))
    return f"{version} by {version.compiler}"


def check_version(pk: str) -> str:
    """Run HaluGate on a compile."""
    version = version_check(pk)
    return f"{version.article}: risk {version.risk}" if version else "the compile is gone"


def recheck_due() -> str:
    """Check the articles whose sources changed, and the compiles whose check was lost."""
    with only_run("articles") as alone:
        return f"{recheck_articles()} compiles checked again" if alone else "another run is checking"
