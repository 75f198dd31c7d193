"""Fills the site's own database with two articles: an anthology, and one with inventions by the hostile compiler.

The links of the articles' compiles are those of the sample corpus. Prints "filled".
"""

from django.contrib.auth import get_user_model

from articles.compiling import version_check, version_store
from articles.drafting import anthology
from articles.material import editor_viewer, find_material
from articles.models import Article
from evaluation.articles.run import _drafts

EDITOR = get_user_model().objects.get(username="reviewer")


def filled(topic, title, compiler):
    material = find_material(topic, editor_viewer(EDITOR, None))
    article = Article.objects.create(topic=topic, title=title, compiled_for=EDITOR)
    drafts = {name: draft for name, draft, _ in _drafts(topic, material, [1])}
    version_check(version_store(article, anthology(material), material).pk)
    if compiler != "anthology":
        version_check(version_store(article, drafts[compiler], material).pk)


filled("the three strands of nature", "The three strands", "anthology")
filled("devotion", "Devotion", "mixed")
print("filled")
