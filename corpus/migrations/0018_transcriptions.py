import uuid

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("corpus", "0017_verse_mentions"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Transcription",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("state", models.CharField(choices=[("waiting", "Waiting for a transcript"), ("transcribing", "Being transcribed"), ("review", "To review"), ("imported", "Imported"), ("failed", "Failed"), ("discarded", "Discarded")], db_index=True, default="waiting", max_length=12)),
                ("media", models.CharField(help_text="The recording that is transcribed.", max_length=100)),
                ("pieces", models.JSONField(default=list, help_text="[[start_s, end_s], …]: the pieces that are sent.")),
                ("heard", models.JSONField(default=list, help_text="[[[start_s, end_s, text], …], …]: captions of the pieces so far.")),
                ("lines", models.JSONField(default=list, help_text="[[start_s, end_s, text], …]: the draft, as edited.")),
                ("language", models.CharField(blank=True, help_text="The language that the model heard.", max_length=12)),
                ("model", models.CharField(blank=True, help_text="PROVIDER:MODEL.", max_length=300)),
                ("attempts", models.PositiveSmallIntegerField(default=0, help_text="Failures in a row that may pass.")),
                ("problem", models.TextField(blank=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("touched_at", models.DateTimeField(default=django.utils.timezone.now, help_text="When its state or progress last changed.")),
                ("by", models.ForeignKey(blank=True, help_text="Who decided.", null=True, on_delete=django.db.models.deletion.SET_NULL, to=settings.AUTH_USER_MODEL)),
                ("lecture", models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name="transcription", to="corpus.lecture")),
            ],
            options={
                "ordering": ["-touched_at"],
                "default_permissions": (),
            },
        ),
    ]
