from django.db import models

from lectorium.keys import KeyedModel


class JudgeRun(KeyedModel):
    """A blind comparison of two ways to answer. The questions are those of a question set, never readers'."""

    side_a = models.CharField(max_length=300)
    side_b = models.CharField(max_length=300)
    judge = models.CharField(max_length=300)
    question_set = models.CharField(max_length=100)
    revision = models.CharField(max_length=40, blank=True)
    corpus = models.CharField(max_length=200)
    criteria = models.JSONField(help_text="By criterion: pairs won by each side, and ties.")
    quality = models.JSONField(help_text="How far the judge goes by place, its noise, and pairs without a verdict.")
    relevancy = models.JSONField(default=dict, help_text="How it was measured, and the values of each side.")
    pairs = models.JSONField(default=list, help_text="Each question with both answers and who won what.")
    stopped = models.TextField(blank=True, help_text="Why the run ended early.")
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-made_at"]

    def __str__(self) -> str:
        return f"{self.side_a} against {self.side_b}"
