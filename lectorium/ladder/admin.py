from typing import Any

from django.contrib import admin, messages
from django.http import HttpRequest

from lectorium.ladder.jobs import BUILTIN, JOBS, NOT_USED
from lectorium.ladder.models import Budget, JudgeBar, PromptText, Rung, RungVersion, Usage
from lectorium.ladder.prompts import shipped_names
from lectorium.ladder.selectors import prompt
from lectorium.ladder.services import prompt_save, rung_save
from lectorium.record_admin import RecordAdmin, RecordInline


class RungVersionInline(RecordInline):
    model = RungVersion
    fields = ("version", "values", "changed_by", "changed_at")
    readonly_fields = fields


@admin.register(Rung)
class RungAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("job", "model", "percent", "enabled", "fallback", "version", "updated_at")
    list_filter = ("enabled", "job")
    search_fields = ("model", "note")
    fields = (
        "job", "model", "percent", "enabled", "fallback", "temperature", "max_tokens", "prompt_version", "price_in",
        "price_out", "fallback_price_in", "fallback_price_out", "note", "version",
    )  # fmt: skip
    readonly_fields = ("version",)
    inlines = (RungVersionInline,)
    actions = None

    def save_model(self, request: HttpRequest, obj: Rung, form: Any, change: bool) -> None:
        rung_save(rung=obj, by=request.user.get_username())
        if not JOBS[obj.job].used and obj.model != BUILTIN:
            messages.warning(request, f"{obj}: {NOT_USED}.")

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Turns refer to rows, so rows are disabled instead of deleted."""
        return False


@admin.register(PromptText)
class PromptTextAdmin(RecordAdmin):
    list_display = ("name", "version", "note", "author", "created_at")
    list_filter = ("name",)
    fields = ("name", "text", "note")

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(request.user.has_perm("ladder.add_prompttext"))

    def get_fields(self, request: HttpRequest, obj: PromptText | None = None) -> Any:
        return (*self.fields, "version", "author", "created_at") if obj else self.fields

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        """Prefill the current text: add/?name=synthesize."""
        initial: dict[str, Any] = super().get_changeform_initial_data(request)
        name = initial.get("name", "")
        return initial | {"text": prompt(name).text} if name in shipped_names() else initial

    def save_model(self, request: HttpRequest, obj: PromptText, form: Any, change: bool) -> None:
        prompt_save(prompt=obj, by=request.user.get_username())


@admin.register(Budget)
class BudgetAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("__str__", "tokens_a_day", "cost_a_day")
    fields = ("job", "tokens_a_day", "cost_a_day")


@admin.register(Usage)
class UsageAdmin(RecordAdmin):
    list_display = ("day", "job", "model", "calls", "faults", "estimated", "tokens_in", "tokens_out", "cost")
    list_filter = ("job",)
    date_hierarchy = "day"


@admin.register(JudgeBar)
class JudgeBarAdmin(RecordAdmin):
    """Measured by `manage.py evaluate verifier --with PROVIDER:MODEL`; never edited."""

    list_display = ("model", "prompt_version", "verified_false_share", "has_passed", "measured_at")

    @admin.display(boolean=True, description="passed")
    def has_passed(self, obj: JudgeBar) -> bool:
        return obj.bar.passed
