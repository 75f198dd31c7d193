from django.contrib import admin
from django.urls import include, path

from articles import views as article_views
from audit import views as audit_views
from audit.alerts import page as alert_pages
from audit.evaluation_runs import page as run_pages
from audit.inspection import turn_page
from audit.judge_runs import page as judge_pages
from audit.replays import page as replay_pages
from audit.turn_reviews import page as review_pages
from chat.api.errors import bad_request
from chat.conversations import list_views, oembed, saved_files, shared_views
from chat.conversations import views as chat_views
from chat.embed import page as embed_page
from chat.live import plain_page, stream
from chat.search import page
from corpus.catalogue import panes
from corpus.catalogue import views as corpus_views
from curation.facts import page as facts_page
from lectorium.web.interface_language import choose_language, words
from operations import health, metrics_page

handler400 = bad_request

urlpatterns = [
    path("", chat_views.chat, name="chat"),
    path("c/<uuid:conversation_id>/", chat_views.chat, name="conversation"),
    path("conversations/", list_views.conversations, name="conversations"),
    path("c/<uuid:conversation_id>/rename", list_views.rename, name="rename"),
    path("c/<uuid:conversation_id>/delete", list_views.delete, name="delete"),
    path("c/<uuid:conversation_id>/restore", list_views.restore, name="restore"),
    path("ask/", plain_page.ask, name="ask"),
    path("c/<uuid:conversation_id>/plain/", plain_page.plain, name="plain"),
    path("stream/", stream.stream, name="stream"),
    path("search/", page.search, name="search"),
    path("lectures/", corpus_views.lectures, name="lectures"),
    path("articles/", article_views.articles, name="articles"),
    path("articles/<uuid:article_id>/", article_views.article, name="article"),
    path("facts/", facts_page.facts, name="facts"),
    path("feedback/", chat_views.feedback, name="feedback"),
    path("translation/", chat_views.answer_translation, name="answer_translation"),
    path("citations/opened/", chat_views.citation_opened, name="citation_opened"),
    path("c/<uuid:conversation_id>/export.<slug:ending>", saved_files.export, name="export"),
    path("c/<uuid:conversation_id>/share", shared_views.share, name="share"),
    path("c/<uuid:conversation_id>/unshare", shared_views.unshare, name="unshare"),
    path("s/<slug:token>/", shared_views.shared, name="shared"),
    path("oembed", oembed.oembed, name="oembed"),
    path("embed/", embed_page.embed, name="embed"),
    path("lectures/<uuid:lecture_id>/", corpus_views.lecture, name="lecture"),
    path("lectures/<uuid:lecture_id>/media", corpus_views.lecture_media, name="lecture_media"),
    path("lectures/<uuid:lecture_id>/pane", panes.lecture_pane, name="lecture_pane"),
    path("works/<uuid:work_id>/pane", panes.work_pane, name="work_pane"),
    path("works/<uuid:work_id>/", corpus_views.work, name="work"),
    path("audit/", audit_views.report, name="audit_report"),
    path("audit/turns/<uuid:audit_id>/", turn_page.turn_page, name="audit_turn"),
    path("audit/turns/<uuid:audit_id>/replay", replay_pages.replay_ask, name="audit_replay_ask"),
    path("audit/turns/<uuid:audit_id>/review", review_pages.review_add, name="audit_review_add"),
    path("audit/review/", review_pages.review_next, name="audit_review"),
    path("audit/review/results/", review_pages.results_page, name="audit_review_results"),
    path("audit/review/<uuid:item_id>/", review_pages.review_item, name="audit_review_item"),
    path("audit/judge/", judge_pages.runs_page, name="audit_judge"),
    path("audit/judge/<uuid:run_id>/", judge_pages.run_page, name="audit_judge_run"),
    path("audit/evaluation/", run_pages.runs_page, name="audit_evaluation"),
    path("audit/evaluation/compare/", run_pages.compare_page, name="audit_evaluation_compare"),
    path("audit/evaluation/<uuid:run_id>/", run_pages.run_page, name="audit_evaluation_run"),
    path("audit/alerts/", alert_pages.alerts_page, name="audit_alerts"),
    path("audit/alerts/<uuid:alert_id>/", alert_pages.alert_handle, name="audit_alert"),
    path("audit/mutes/<uuid:mute_id>/end", alert_pages.unmute, name="audit_unmute"),
    path("audit/replays/<uuid:replay_id>/", replay_pages.replay_page, name="audit_replay"),
    path("audit/<slug:name>.csv", audit_views.report_table, name="audit_report_table"),
    path("language/", choose_language, name="choose_language"),
    path("words.js", words, name="words"),
    path("admin/", admin.site.urls),
    path("", include("accounts.urls")),
    path("", include("chat.api.urls")),
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
    path("metrics", metrics_page.metrics, name="metrics"),
]
