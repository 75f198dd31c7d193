"""Every address of the API."""

from django.urls import path, re_path

from chat.api import completions, conversations, openapi, questions

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
    path("api/v1/schema", openapi.SchemaView.as_view(), name="api_schema"),
    path("v1/chat/completions", completions.CompletionsView.as_view(), name="openai_completions"),
    path("v1/models", completions.ModelsView.as_view(), name="openai_models"),
    path("v1/models/<str:name>", completions.ModelView.as_view(), name="openai_model"),
    re_path("^(?:api|v1)/", openapi.NotFoundView.as_view(), name="api_nowhere"),
]
