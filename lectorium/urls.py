from django.conf import settings
from django.contrib import admin
from django.contrib.auth.views import LoginView, LogoutView
from django.urls import include, path

from audit import views as audit_views
from chat.conversations import list_views, saved_files, shared_views
from chat.conversations import views as chat_views
from chat.search import page
from corpus.catalogue import panes
from corpus.catalogue import views as corpus_views
from operations import health, metrics_page

login_page = LoginView.as_view(
    redirect_authenticated_user=True, extra_context={"anonymous_chat": settings.ANONYMOUS_CHAT}
)

urlpatterns = [
    path("", chat_views.chat, name="chat"),
    path("c/<uuid:conversation_id>/", chat_views.chat, name="conversation"),
    path("conversations/", list_views.conversations, name="conversations"),
    path("c/<uuid:conversation_id>/rename", list_views.rename, name="rename"),
    path("c/<uuid:conversation_id>/delete", list_views.delete, name="delete"),
    path("c/<uuid:conversation_id>/restore", list_views.restore, name="restore"),
    path("search/", page.search, name="search"),
    path("lectures/", corpus_views.lectures, name="lectures"),
    path("feedback/", chat_views.feedback, name="feedback"),
    path("c/<uuid:conversation_id>/export.<slug:ending>", saved_files.export, name="export"),
    path("c/<uuid:conversation_id>/share", shared_views.share, name="share"),
    path("c/<uuid:conversation_id>/unshare", shared_views.unshare, name="unshare"),
    path("s/<slug:token>/", shared_views.shared, name="shared"),
    path("lectures/<uuid:lecture_id>/", corpus_views.lecture, name="lecture"),
    path("lectures/<uuid:lecture_id>/media", corpus_views.lecture_media, name="lecture_media"),
    path("lectures/<uuid:lecture_id>/pane", panes.lecture_pane, name="lecture_pane"),
    path("works/<uuid:work_id>/pane", panes.work_pane, name="work_pane"),
    path("works/<uuid:work_id>/", corpus_views.work, name="work"),
    path("audit/", audit_views.report, name="audit_report"),
    path("audit/<slug:name>.csv", audit_views.report_table, name="audit_report_table"),
    path("login/", login_page, name="login"),
    path("logout/", LogoutView.as_view(), name="logout"),
    path("admin/", admin.site.urls),
    path("", include("chat.api.urls")),
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
    path("metrics", metrics_page.metrics, name="metrics"),
]
