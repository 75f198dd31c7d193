"""Every address of the API."""

from django.urls import path, re_path

from chat.api import completions, conversations, openapi, questions
from chat.api.rest import catalogue, docs_page, gaps, turns

urlpatterns = [
    path("api/v1/ask", questions.AskView.as_view(), name="api_ask"),
    path("api/v1/search", questions.SearchView.as_view(), name="api_search"),
    path("api/v1/conversations", conversations.ConversationsView.as_view(), name="api_conversations"),
    path(
        "api/v1/conversations/<uuid:conversation_id>",
        conversations.ConversationView.as_view(),
        name="api_conversation",
    ),
    path("api/v1/citations/<uuid:turn_id>/<int:n>", conversations.CitationView.as_view(), name="api_citation"),
    path("api/v1/citations/<uuid:turn_id>", turns.CitationsView.as_view(), name="api_citations"),
    path("api/v1/turns/<uuid:turn_id>", turns.TurnView.as_view(), name="api_turn"),
    path("api/v1/turns/<uuid:turn_id>/feedback", turns.FeedbackView.as_view(), name="api_feedback"),
    path("api/v1/lectures", catalogue.LecturesView.as_view(), name="api_lectures"),
    path("api/v1/lectures/<uuid:lecture_id>", catalogue.LectureView.as_view(), name="api_lecture"),
    path(
        "api/v1/lectures/<uuid:lecture_id>/sections",
        catalogue.LectureSectionsView.as_view(),
        name="api_lecture_sections",
    ),
    path("api/v1/works", catalogue.WorksView.as_view(), name="api_works"),
    path("api/v1/works/<uuid:work_id>", catalogue.WorkView.as_view(), name="api_work"),
    path("api/v1/works/<uuid:work_id>/sections", catalogue.WorkSectionsView.as_view(), name="api_work_sections"),
    path("api/v1/gaps", gaps.GapsView.as_view(), name="api_gaps"),
    path("api/v1/gaps/<uuid:gap_id>", gaps.GapView.as_view(), name="api_gap"),
    path("api/v1/docs", docs_page.docs_page, name="api_docs"),
    path("api/v1/schema", openapi.SchemaView.as_view(), name="api_schema"),
    path("v1/chat/completions", completions.CompletionsView.as_view(), name="openai_completions"),
    path("v1/models", completions.ModelsView.as_view(), name="openai_models"),
    path("v1/models/<str:name>", completions.ModelView.as_view(), name="openai_model"),
    re_path("^(?:api|v1)/", openapi.NotFoundView.as_view(), name="api_nowhere"),
]
