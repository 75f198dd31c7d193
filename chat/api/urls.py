"""Every address of the API."""

from django.urls import path, re_path

from chat.api import completions, conversations, openapi, questions

urlpatterns = [
    path("api/v1/ask", questions.AskOne.as_view(), name="api_ask"),
    path("api/v1/search", questions.Search.as_view(), name="api_search"),
    path("api/v1/conversations", conversations.Conversations.as_view(), name="api_conversations"),
    path(
        "api/v1/conversations/<uuid:conversation_id>",
        conversations.OneConversation.as_view(),
        name="api_conversation",
    ),
    path("api/v1/citations/<uuid:turn_id>/<int:n>", conversations.OneCitation.as_view(), name="api_citation"),
    path("api/v1/schema", openapi.Schema.as_view(), name="api_schema"),
    path("v1/chat/completions", completions.Completions.as_view(), name="openai_completions"),
    path("v1/models", completions.Models.as_view(), name="openai_models"),
    path("v1/models/<str:name>", completions.OneModel.as_view(), name="openai_model"),
    re_path("^(?:api|v1)/", openapi.Nowhere.as_view(), name="api_nowhere"),
]
