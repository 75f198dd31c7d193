"""Review of translations: source and translation side by side."""

from typing import Any

from django.conf import settings
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from curation.translations.forms import ReviewForm
from curation.translations.models import Translation
from curation.translations.services import TranslationRefused, translation_review, translations_again
from curation.translations.tasks import translate_soon
from curation.translations.writer import language_name
from lectorium.texts.local_text import local_text

State, Origin = Translation.State, Translation.Origin
LISTED_CHARS = 90


class QueueFilter(admin.SimpleListFilter):
    title = _("review")
    parameter_name = "review"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("open", _("To review")), ("objected", _("A check objects")), ("shown", _("Shown to readers"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Translation]) -> QuerySet[Translation]:
        chosen = {
            "open": to_review(queryset),
            "objected": queryset.exclude(checks=[]).filter(state=State.MACHINE),
            "shown": queryset.filter(Q(state=State.REVIEWED) | Q(state=State.MACHINE, checks=[])),
        }
        return chosen.get(str(self.value()), queryset)


def to_review(rows: QuerySet[Translation]) -> QuerySet[Translation]:
    """What a person has not reviewed, of published texts."""
    return rows.filter(is_published=True).exclude(state=State.REVIEWED)


@admin.register(Translation)
class TranslationAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    form = ReviewForm
    change_form_template = "admin/curation/translation/review.html"
    change_list_template = "admin/curation/translation/list.html"
    list_display = ("beginning", "rendering", "locale", "state", "objections", "part")
    list_filter = (QueueFilter, "state", "locale", "part", "is_published")
    list_per_page = 50
    show_full_result_count = False
    search_fields = ("source", "text")
    actions: Any = ("accept", "translate_again")

    @admin.display(description=_("Source"), ordering="source")
    def beginning(self, row: Translation) -> str:
        return _shortened(row.source)

    @admin.display(description=_("Translation"), ordering="text")
    def rendering(self, row: Translation) -> str:
        return _shortened(row.text) or "–"

    @admin.display(description=_("Checks"))
    def objections(self, row: Translation) -> str:
        return ", ".join(dict.fromkeys(local_text(check) for check, __ in row.checks)) or (
            gettext("failed") if row.problem else "–"
        )

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def get_urls(self) -> list[URLPattern]:
        now = self.admin_site.admin_view(require_POST(self.translate_now))
        return [path("translate-now/", now, name="curation_translate_now"), *super().get_urls()]

    def translate_now(self, request: HttpRequest) -> HttpResponse:
        if not self.has_change_permission(request):
            raise PermissionDenied
        translate_soon()
        self.message_user(request, _("A worker starts translating within seconds."), messages.SUCCESS)
        return HttpResponseRedirect(reverse("admin:curation_translation_changelist"))

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        more = {
            "title": _("Translations"),
            "locales": settings.LOCALES,
            "may_change": self.has_change_permission(request),
        }
        return super().changelist_view(request, {**more, **(extra_context or {})})

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        row = self.get_object(request, object_id)
        if row and "_again" in request.POST and self.has_change_permission(request, row):
            return self._again(request, row)
        if row and "_proposal" in request.POST and self.has_change_permission(request, row):
            return self._take_proposal(request, row)
        context = _names(row) if row else {}
        return super().change_view(request, object_id, form_url, {**context, **(extra_context or {})})

    def _again(self, request: HttpRequest, row: Translation) -> HttpResponse:
        if translations_again(rows=Translation.objects.filter(pk=row.pk)):
            translate_soon()
            self.message_user(request, _("It is translated again within seconds."), messages.SUCCESS)
        else:
            self.message_user(request, _("A reviewed translation stays as long as its source does."), messages.WARNING)
        return HttpResponseRedirect(request.path)

    def _take_proposal(self, request: HttpRequest, row: Translation) -> HttpResponse:
        try:
            translation_review(row=row, text=row.proposal, by=request.user)
            self.message_user(request, _("The proposal is the reviewed translation now."), messages.SUCCESS)
        except TranslationRefused as refusal:
            self.message_user(request, _("The proposal is not taken over: %(why)s") % {"why": refusal}, messages.ERROR)
        return HttpResponseRedirect(request.path)

    def save_model(self, request: HttpRequest, obj: Translation, form: ReviewForm, change: bool) -> None:
        values = form.cleaned_data
        try:
            translation_review(row=form.row, text=values["text"], by=request.user, despite=values["despite"])
        except TranslationRefused as refusal:
            self.message_user(request, str(refusal), messages.ERROR)

    def response_change(self, request: HttpRequest, obj: Translation) -> HttpResponse:
        queue = to_review(Translation.objects.filter(locale=obj.locale)).exclude(pk=obj.pk)
        following = queue.exclude(text="").first() or queue.first()
        if "_next" in request.POST and following:
            self.message_user(request, _("Saved. This is the next one."), messages.SUCCESS)
            return HttpResponseRedirect(reverse("admin:curation_translation_change", args=[following.pk]))
        return super().response_change(request, obj)

    @admin.action(description=_("Accept the machine's translations to which no check objects"), permissions=["change"])
    def accept(self, request: HttpRequest, chosen: QuerySet[Translation]) -> None:
        accepted, kept = 0, 0
        for row in chosen:
            try:
                if row.state != State.MACHINE:
                    raise TranslationRefused
                translation_review(row=row, text=row.text, by=request.user)
                accepted += 1
            except TranslationRefused:
                kept += 1
        said = [gettext("Reviewed: {number}.").format(number=accepted)]
        if kept:
            left = gettext("Left as they are: {number}, because no machine translated them or a check objects.")
            said.append(left.format(number=kept))
        self.message_user(request, " ".join(said), messages.SUCCESS if accepted else messages.WARNING)

    @admin.action(description=_("Translate again"), permissions=["change"])
    def translate_again(self, request: HttpRequest, chosen: QuerySet[Translation]) -> None:
        count = translations_again(rows=chosen)
        if count:
            translate_soon()
        self.message_user(
            request, _("%(n)s to be translated again; reviewed ones stay.") % {"n": count}, messages.SUCCESS
        )


def _shortened(text: str) -> str:
    return text if len(text) <= LISTED_CHARS else f"{text[:LISTED_CHARS]}…"


def _local_language(code: str) -> str:
    return gettext(language_name(code))  # Django has the names of languages in its catalogues


def _names(row: Translation) -> dict[str, Any]:
    return {
        "title": _("Review a translation"),
        "subtitle": None,
        "source_language": _local_language(row.language),
        "target_language": _local_language(row.locale),
    }
