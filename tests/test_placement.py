"""The rules of docs/database.md that let the tables be spread over several servers, held over every model there is."""

from django.apps import apps
from django.db.models import ForeignKey, ManyToManyField, OneToOneField, UniqueConstraint, UUIDField

# Each distributed table with its distribution column.
DISTRIBUTED = {
    "corpus.Chunk": "id", "corpus.ChunkVector": "chunk", "corpus.SentenceVector": "chunk",
    "corpus.Fingerprint": "chunk",
    "chat.Conversation": "id", "chat.Turn": "conversation", "chat.TurnEvent": "conversation",
    "chat.Citation": "conversation", "chat.SharedLink": "conversation", "audit.TurnAudit": "conversation_id",
    "audit.Feedback": "conversation_id", "audit.Replay": "conversation_id",
}  # fmt: skip
REFERENCE = {
    "corpus.Collection", "corpus.Import", "corpus.Lecture", "corpus.Work", "corpus.Section", "corpus.EmbeddingSpace",
    "corpus.AddressScheme", "corpus.GlossaryEntry", "corpus.Term", "corpus.Transcription", "corpus.VerseMention",
    "curation.PinnedQuestion", "curation.MemoryNote",
    "curation.Fact", "curation.Contradiction", "curation.PinPhrasing", "curation.PinReference",
    "curation.NoteReference", "curation.HistoricalPinnedQuestion", "curation.HistoricalMemoryNote",
    "curation.EntryVectors", "curation.Translation", "articles.Article", "articles.ArticleVersion",
    "articles.ArticleSource", "articles.HistoricalArticle",
}  # fmt: skip
LOCAL = {
    "corpus.IndexRun", "corpus.IndexClaim", "ladder.Rung", "ladder.RungVersion", "ladder.PromptText", "ladder.Budget",
    "ladder.Usage", "ladder.JudgeBar", "audit.DeletedTurns", "audit.KnowledgeGap", "audit.GapCluster",
    "audit.RegressionCase", "audit.GuardMetric", "audit.GuardAlert", "audit.AlertMute",
    "audit.AlertDelivery", "audit.ReviewItem", "audit.TurnReview",
    "audit.ReviewedCase", "audit.JudgeRun", "audit.EvaluationRun", "audit.ChangedDay", "audit.TurnCount",
    "audit.TroubledTurn", "audit.CitationClicks", "api.Token", "api.ToolCall", "api.IdempotencyKey",
    "curation.FactReading", "curation.FactCheck", "curation.FactScan", "curation.FactChange", "curation.SubjectReview",
    "curation.FactVector", "accounts.Profile", "accounts.ProviderIdentity", "accounts.Invitation",
}  # fmt: skip
OURS = [
    model
    for model in apps.get_models()
    if model._meta.app_label in {"corpus", "curation", "articles", "chat", "audit", "ladder", "api", "accounts"}
]  # fmt: skip
FAR = [model for model in OURS if model._meta.label in DISTRIBUTED]


def test_every_table_is_placed_once():
    assert sorted(model._meta.label for model in OURS) == sorted([*DISTRIBUTED, *REFERENCE, *LOCAL])


def test_every_key_is_one_uuid_made_in_python():
    keys = {model._meta.label: model._meta.pk for model in OURS if model._meta.label != "corpus.Term"}
    assert not [label for label, key in keys.items() if not (isinstance(key, UUIDField) and key.has_default())]


def test_a_distributed_row_carries_its_distribution_column():
    for model in FAR:
        assert model._meta.get_field(DISTRIBUTED[model._meta.label])


def test_no_constraint_ties_a_distributed_table_to_another():
    for model in OURS:
        for field in model._meta.get_fields():
            if not isinstance(field, (ForeignKey, ManyToManyField)) or {model, field.related_model}.isdisjoint(FAR):
                continue
            assert isinstance(field, ForeignKey), f"{field} needs a table that ties rows"
            assert not isinstance(field, OneToOneField), f"{field} is unique without the distribution column"
            assert not field.db_constraint, f"{field} needs db_constraint=False"


def test_what_is_unique_in_a_distributed_table_is_unique_within_its_distribution_column():
    for model in FAR:
        column = DISTRIBUTED[model._meta.label]
        assert not [field for field in model._meta.fields if field.unique and not field.primary_key]
        assert not model._meta.unique_together
        unique = [
            constraint.fields for constraint in model._meta.constraints if isinstance(constraint, UniqueConstraint)
        ]
        assert all(column in fields for fields in unique), f"{model._meta.label}: {unique} without {column}"
