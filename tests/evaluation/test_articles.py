"""The measurement of articles: a hostile compiler's inventions are counted, and nothing is left behind."""

import pytest

from articles.models import Article
from evaluation.articles import run
from evaluation.articles.report import articles_section
from evaluation.articles.run import measure_articles
from tests.chat.conftest import corpus

__all__ = ["corpus"]
pytestmark = pytest.mark.django_db(transaction=True)


def test_each_compiler_is_measured_and_everything_is_rolled_back(corpus, monkeypatch):
    monkeypatch.setattr(run, "TOPICS", ("banyan tree",))
    found = measure_articles([1], lambda: None)
    assert [article.compiler for article in found] == ["anthology", "honest", "mixed", "hostile"]
    clips, _, mixed, hostile = found
    assert not any(line.planted for line in clips.lines)
    assert clips.refusal == ""
    assert all(line.seen for line in clips.lines)
    assert any(line.planted for line in mixed.lines)
    assert sum(line.planted for line in hostile.lines) >= sum(line.escaped for line in hostile.passed)
    assert not Article.objects.exists()
    page = "\n".join(articles_section(found, [1], "overlap", "a corpus"))
    assert "| hostile | 1 |" in page
