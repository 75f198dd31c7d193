"""The shapes that the OpenAPI document names. They describe; what is said is checked and made where the socket's is."""

from rest_framework import serializers

from chat.answering.domain.query.asked_scope import KINDS
from chat.answering.domain.question import Mode
from chat.models import Turn

VERDICTS = ("supported", "partial", "inferred", "unsupported", "contradicted")
PROOFS = ("quoted", "verified", "checked", "")


class ErrorDetailSerializer(serializers.Serializer[None]):
    code = serializers.CharField(help_text="Stable, for programs.")
    message = serializers.CharField(help_text="A sentence, for people.")


class ErrorSerializer(serializers.Serializer[None]):
    error = ErrorDetailSerializer()


ERRORS = dict.fromkeys((400, 401, 404, 429, 503), ErrorSerializer)


class MessageSerializer(serializers.Serializer[None]):
    role = serializers.ChoiceField(choices=["user", "assistant"])
    content = serializers.CharField()


class AskSerializer(serializers.Serializer[None]):
    question = serializers.CharField()
    mode = serializers.ChoiceField(choices=list(Mode), default=Mode.AUTO.value)
    scope = serializers.CharField(
        required=False, allow_null=True, help_text="A collection's key, work:KEY, kind:verse, language:de, with commas."
    )
    as_typed = serializers.BooleanField(default=False, help_text="Do not correct the spelling of the question.")
    locale = serializers.CharField(default="en", help_text="The language to speak where the question tells of none.")
    conversation = serializers.UUIDField(
        required=False, allow_null=True, help_text="One of yours, to ask on in; without it a new one begins."
    )
    history = MessageSerializer(
        many=True, required=False, help_text="What was said before, oldest first; only where no conversation is named."
    )


class PlaceSerializer(serializers.Serializer[None]):
    kind = serializers.ChoiceField(choices=list(KINDS))
    address = serializers.CharField()
    title = serializers.CharField()
    speaker = serializers.CharField(allow_blank=True)
    date = serializers.CharField(allow_blank=True)
    place = serializers.CharField(allow_blank=True)
    start = serializers.FloatField(allow_null=True, help_text="Seconds into the recording.")
    end = serializers.FloatField(allow_null=True)
    url = serializers.CharField(help_text="Where to open it on this site.")
    media = serializers.CharField(allow_null=True, help_text="Where the recording is on this site.")
    language = serializers.CharField()


class QuotedSerializer(PlaceSerializer):
    quote = serializers.CharField(help_text="Verbatim.")


class CitationSerializer(QuotedSerializer):
    n = serializers.IntegerField()
    verdict = serializers.ChoiceField(choices=VERDICTS)


class FoundSerializer(PlaceSerializer):
    text = serializers.CharField(help_text="The passage, verbatim.")


class FindingsSerializer(serializers.Serializer[None]):
    results = FoundSerializer(many=True)


class ClaimSerializer(serializers.Serializer[None]):
    text = serializers.CharField()
    verdict = serializers.ChoiceField(choices=VERDICTS)
    support = serializers.FloatField(min_value=0, max_value=1)
    evidence_span = serializers.CharField(allow_blank=True)
    proof = serializers.ChoiceField(choices=PROOFS)


class SentenceSerializer(serializers.Serializer[None]):
    text = serializers.CharField()
    kind = serializers.CharField()
    verdict = serializers.CharField()
    support = serializers.FloatField(min_value=0, max_value=1)
    citations = serializers.ListField(child=serializers.IntegerField())
    quoted = serializers.BooleanField()
    paragraph = serializers.IntegerField()
    claims = ClaimSerializer(many=True)
    conflicting = serializers.BooleanField()
    clip = serializers.BooleanField(help_text="Part of a stretch of one source, quoted as one paragraph.")
    lead = serializers.BooleanField(help_text="The sentence of its clip that answers.")
    proof = serializers.ChoiceField(
        choices=PROOFS,
        help_text="How it was proved: quoted from the source; verified, where its words stand there or the verifier "
        "passed the hand-written bar; checked otherwise; empty where it states nothing about the sources.",
    )


class WithheldSerializer(serializers.Serializer[None]):
    reason = serializers.CharField()
    verdict = serializers.CharField()


class WarnedSerializer(serializers.Serializer[None]):
    type = serializers.CharField()
    message = serializers.CharField()
    details = serializers.DictField()


class ReadAsSerializer(serializers.Serializer[None]):
    kind = serializers.ChoiceField(choices=["correction", "translation"], help_text="`as_typed` undoes a correction.")
    typed = serializers.CharField()
    text = serializers.CharField(help_text="What was searched.")
    language = serializers.CharField(help_text="Of the typed question.")


class ResponseSerializer(serializers.Serializer[None]):
    id = serializers.UUIDField(help_text="Of the turn.")
    question = serializers.CharField()
    standalone_question = serializers.CharField()
    mode = serializers.ChoiceField(choices=list(Mode))
    outcome = serializers.ChoiceField(
        choices=Turn.Outcome.values,
        help_text="closest_passage: `sentences` quote what is nearest, which may not answer; `message` says so.",
    )
    reason = serializers.CharField(allow_null=True, help_text="Of a refusal and of a closest passage.")
    message = serializers.CharField(allow_blank=True, help_text="What is said where nothing is answered.")
    answer = serializers.CharField(
        allow_blank=True,
        help_text="Markdown with [1] [2], or the message. A closest passage follows its message.",
    )
    sentences = SentenceSerializer(many=True)
    citations = CitationSerializer(many=True)
    withheld = WithheldSerializer(many=True)
    nearest = QuotedSerializer(many=True, help_text="Of a refusal: related, not an answer.")
    readings = serializers.ListField(
        child=serializers.CharField(),
        help_text="Of outcome asked_back: what the question may mean, as questions to ask.",
    )
    examples = serializers.ListField(child=serializers.CharField(), help_text="Questions that are answered here.")
    read_as = ReadAsSerializer(allow_null=True, help_text="How the question was searched, where not as typed.")
    summary = serializers.CharField(allow_blank=True)
    confidence = serializers.FloatField(
        min_value=0,
        max_value=1,
        help_text="Of a quoted answer the gate's chance that it answers; of a written one its weakest support.",
    )
    complete = serializers.BooleanField()
    warnings = WarnedSerializer(many=True)
    validation = serializers.DictField()
    timings_ms = serializers.DictField(child=serializers.IntegerField())
    versions = serializers.DictField()


class AnsweredSerializer(ResponseSerializer):
    conversation = serializers.UUIDField(help_text="To ask on in.")


class SaidSerializer(serializers.Serializer[None]):
    kind = serializers.CharField()
    citation = serializers.IntegerField(help_text="Its number; 0 for the whole answer.")
    claim = serializers.CharField(allow_blank=True, help_text="The words of the sentence that it is of.")


class StoredTurnSerializer(serializers.Serializer[None]):
    turn = serializers.UUIDField()
    question = serializers.CharField()
    outcome = serializers.CharField(allow_blank=True, help_text="Empty while the turn is running.")
    response = serializers.DictField(help_text="As `ask` gave it, without what you may see no longer.")
    feedback = SaidSerializer(many=True, help_text="What you have said of it on its page.")


class ListedConversationSerializer(serializers.Serializer[None]):
    id = serializers.UUIDField()
    title = serializers.CharField(allow_blank=True)
    created_at = serializers.DateTimeField()
    updated_at = serializers.DateTimeField()


class ConversationListSerializer(serializers.Serializer[None]):
    conversations = ListedConversationSerializer(many=True)


class ConversationSerializer(ListedConversationSerializer):
    turns = StoredTurnSerializer(many=True)


class CompletionMessageSerializer(serializers.Serializer[None]):
    role = serializers.CharField(help_text="What is neither user nor assistant is passed over.")
    content = serializers.JSONField(help_text="Text, or a list of parts of type text.")


class StreamOptionsSerializer(serializers.Serializer[None]):
    include_usage = serializers.BooleanField(default=False)


class CompletionSerializer(serializers.Serializer[None]):
    model = serializers.CharField()
    messages = CompletionMessageSerializer(many=True)
    stream = serializers.BooleanField(default=False)
    stream_options = StreamOptionsSerializer(required=False, allow_null=True)
    scope = serializers.CharField(required=False, allow_null=True, help_text="An extension: as for `ask`.")


class ChoiceSerializer(serializers.Serializer[None]):
    index = serializers.IntegerField()
    message = MessageSerializer()
    finish_reason = serializers.CharField()


class UsageSerializer(serializers.Serializer[None]):
    prompt_tokens = serializers.IntegerField(help_text="Read by all models of the turn; 0 where none was asked.")
    completion_tokens = serializers.IntegerField()
    total_tokens = serializers.IntegerField()


class CompletedSerializer(serializers.Serializer[None]):
    id = serializers.CharField()
    object = serializers.CharField()
    created = serializers.IntegerField()
    model = serializers.CharField()
    choices = ChoiceSerializer(many=True)
    usage = UsageSerializer()
    lectorium = AnsweredSerializer(help_text="An extension: the whole response, as `ask` gives it.")


class ModelSerializer(serializers.Serializer[None]):
    id = serializers.CharField()
    object = serializers.CharField()
    created = serializers.IntegerField()
    owned_by = serializers.CharField()


class ModelListSerializer(serializers.Serializer[None]):
    object = serializers.CharField()
    data = ModelSerializer(many=True)  # type: ignore[assignment]  # OpenAI's word
