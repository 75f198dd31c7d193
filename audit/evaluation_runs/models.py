from django.db import models

from lectorium.keys import KeyedModel


class EvaluationRun(KeyedModel):
    """One run of an evaluation suite. Stored when it begins, so that a run that was cut off is seen as such."""

    suite = models.CharField(max_length=40)
    options = models.JSONField(default=dict, help_text="Mode, half, limit and what else changes what is measured.")
    revision = models.CharField(max_length=40, blank=True)
    corpus = models.CharField(max_length=200, help_text="Its size, and a hash over all chunks.")
    components = models.JSONField(default=dict, help_text="By part: embedder, reader, verifier, reranker.")
    calibrations = models.JSONField(default=dict, help_text="By name, a hash of its weights.")
    seed = models.IntegerField(null=True)
    metrics = models.JSONField(default=list, help_text="Each with value, interval and count.")
    questions = models.JSONField(default=list, help_text="Each with its outcome, and whether it is the wanted one.")
    artefacts = models.JSONField(default=dict, help_text="The page that was written, and all figures.")
    stopped = models.TextField(blank=True, help_text="Why the run ended early.")
    started_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-started_at"]
        indexes = (models.Index(fields=["suite", "-started_at"], name="evaluation_runs_by_suite"),)

    def __str__(self) -> str:
        return f"{self.suite}, {self.started_at:%Y-%m-%d %H:%M}"
