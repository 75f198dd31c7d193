"""Compiling: an anthology without a model, a model's draft with one, and what is wrong with a draft."""

import pytest
from django.contrib.auth.models import Group
from django.core import mail
from django_q.models import OrmQ

from articles.compiling import recheck_articles
from articles.domain.halugate import ArticleRisk
from articles.models import Article
from articles.services import ArticleRefused
from articles.tasks import check_version, compile_article
from audit.models import GuardMetric
from corpus.models import Collection, Lecture
from corpus.services import source_publish, source_withdraw
from curation.models import Fact
from tests.articles.compilers import a_boss, again, article_create, compiled, compiling, published
from tests.curation.people import someone

pytestmark = pytest.mark.django_db(transaction=True)
BANYAN = "The banyan tree sometimes lives for five thousand years."
INVENTED = "Solomon planted it in 1863."


@pytest.fixture(autouse=True)
def corpus_is_there(corpus):
    pass


def texts(article):
    return [sentence.text for sentence in article.latest.body.sentences]


def flags(article):
    return {sentence.text: sentence.check.flags for sentence in article.latest.body.sentences if sentence.is_flagged}


def test_without_a_model_an_article_is_an_anthology_of_clips_under_the_titles_of_their_sources():
    article = compiled("banyan tree")
    version = article.latest
    assert version.compiler == "anthology"
    assert BANYAN in texts(article)
    headings = [section.heading for section in version.body.sections]
    assert set(headings) <= set(Lecture.objects.values_list("title", flat=True)) | {"gita", "Gita"}
    assert all(sentence.check.proof == "quoted" for sentence in version.body.sentences)
    assert (version.risk, version.counts.flagged) == (ArticleRisk.LOW, 0)
    assert GuardMetric.objects.get().metric == "article_flag_rate"


def test_a_topic_without_sources_is_not_compiled_and_says_so():
    article = compiled("quantum chromodynamics")
    assert article.latest is None
    assert "Nothing about “quantum chromodynamics” was found" in article.problem


def test_a_models_sentence_is_checked_against_the_sources_it_was_given():
    with compiling(f"{BANYAN[:-1]} [^1].\n\n{INVENTED[:-1]} [^1]."):
        article = compiled("banyan tree")
    assert article.latest.compiler.startswith("scripted:article ")
    assert list(flags(article)) == [INVENTED]
    assert article.latest.risk == ArticleRisk.HIGH  # one claim of two
    assert article.latest.counts.flagged == 1


def test_an_address_that_was_not_given_is_counted_and_makes_the_risk_high():
    with compiling(f"{BANYAN[:-1]} [^1]. {INVENTED[:-1]} [^77]. {BANYAN[:-1]} [^1]. {BANYAN[:-1]} [^1]."):
        article = compiled("banyan tree")
    assert article.latest.strays == 1
    assert article.latest.risk == ArticleRisk.HIGH


def test_prose_that_cites_nothing_is_replaced_by_an_anthology_and_the_editor_is_told():
    with compiling("I am happy to help! The banyan is a splendid tree and everybody loves it."):
        article = compiled("banyan tree")
    assert article.latest.compiler == "anthology"
    assert "cited none of the sources" in article.latest.remark


def test_headings_of_a_model_are_replaced_by_titles():
    with compiling(f"## Solomon's splendid tree\n\n{BANYAN[:-1]} [^1]."):
        article = compiled("banyan tree")
    assert [section.heading for section in article.latest.body.sections] == ["The First Steps"]


def test_facts_guide_a_model_and_are_no_source():
    Fact.objects.create(
        subject="banyan", predicate="lives", object="long", content="Banyans are immortal.", address="first-steps:3",
        address_key="first steps 3", evidence=BANYAN,
    )  # fmt: skip
    with compiling("Banyans are immortal [^1]."):
        assert list(flags(compiled("banyan tree"))) == ["Banyans are immortal."]


def test_a_high_risk_is_told_to_reviewers_by_mail(settings):
    settings.MAIL_CONFIGURED = True
    someone("reviewer").__class__.objects.filter(username="reviewer").update(email="reviewer@site.test")
    someone("editor").__class__.objects.filter(username="editor").update(email="editor@site.test")
    with compiling(f"{INVENTED[:-1]} [^1]."):
        compiled("banyan tree")
    queued = [task.task for task in OrmQ.objects.all()]
    [notice] = [task for task in queued if task["func"] == "lectorium.notices.mail_deliver"]
    _, text, to = notice["args"]
    assert to == ["reviewer@site.test"]
    assert "1 of 1 sentences are flagged" in text
    assert mail.outbox == []  # sent by the worker


def test_only_what_the_editor_may_read_is_compiled():
    editor = someone("editor")
    for topic in ("banyan tree", "silver compass almond tree"):
        article = compiled(topic, editor)
        assert article.latest is None or "silver compass" not in " ".join(texts(article))
    assert "silver compass" in " ".join(texts(compiled("silver compass almond tree", a_boss())))


def test_a_withdrawn_source_is_found_by_the_next_check_and_an_article_without_others_goes_back_to_review():
    article = published("banyan tree")
    lecture = Lecture.objects.get(key="first-steps")
    source_withdraw(source=lecture)
    assert recheck_articles() == 1
    article.refresh_from_db()
    gone = [sentence for sentence in article.latest.body.sentences if sentence.is_flagged]
    assert any("withdrawn" in flag for sentence in gone for flag in sentence.check.flags)
    assert article.state == Article.State.IN_REVIEW or BANYAN.lower()[:-1] not in article.search_text
    assert recheck_articles() == 0
    source_publish(source=lecture)
    assert recheck_articles() == 1
    article.latest.refresh_from_db()
    assert article.latest.counts.flagged == 0


def test_the_tasks_compile_and_check_what_they_are_given_and_nothing_that_is_gone():
    article = article_create("banyan tree", by=a_boss())
    assert compile_article(str(article.pk)) == "Compile 1 by anthology"
    article.refresh_from_db()
    assert check_version(str(article.latest_id)).endswith("risk low")
    pk, version = str(article.pk), str(article.latest_id)
    article.delete()
    assert compile_article(pk) == "not compiled; the article says why"
    assert check_version(version) == "the compile is gone"


def test_each_compile_is_a_version_of_its_own():
    article = again(compiled("banyan tree"))
    assert [version.number for version in article.versions.all()] == [2, 1]


def test_a_reader_may_not_add_an_article_and_a_collection_must_be_readable():
    with pytest.raises(ArticleRefused, match="group “editor”"):
        article_create("banyan tree", by=someone("reader"))
    hidden = Collection.objects.get(key="garden")
    with pytest.raises(ArticleRefused, match="may not read that collection"):
        article_create("banyan tree", collection=hidden, by=someone("editor"))
    with pytest.raises(ArticleRefused, match="too short"):
        article_create(" a ", by=someone("editor"))
    hidden.groups.add(Group.objects.get(name="editor"))
    assert article_create("compass", collection=hidden, by=someone("editor")).pk
