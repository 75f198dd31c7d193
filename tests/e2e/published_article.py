"""Publishes an anthology on the site; run in its own shell."""

from django.contrib.auth import get_user_model

from articles.compiling import version_check, version_store
from articles.drafting import anthology
from articles.material import editor_viewer, find_material
from articles.models import Article
from articles.services import article_publish

EDITOR = get_user_model().objects.get(username="reviewer")
TOPIC = "the three strands of nature"

material = find_material(TOPIC, editor_viewer(EDITOR, None))
article = Article.objects.create(topic=TOPIC, title="Three strands of nature", compiled_for=EDITOR)
version_check(version_store(article, anthology(material), material).pk)
article_publish(article=article, by=EDITOR)
print("filled")
