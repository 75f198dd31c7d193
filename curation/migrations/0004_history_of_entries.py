"""The history of pins and notes begins with what is stored now."""

import uuid

import django.contrib.postgres.fields
import django.db.models.deletion
import simple_history.models
from django.conf import settings
from django.db import migrations, models
from django.utils import timezone

KEPT = ("id", "state", "language", "created_at", "updated_at")


def begin_history(apps, schema_editor):
    kinds = {
        "PinnedQuestion": ("question", "framing", "collection_id"),
        "MemoryNote": ("title", "body", "triggers"),
    }
    for kind, own in kinds.items():
        versions = apps.get_model("curation", f"Historical{kind}")
        for entry in apps.get_model("curation", kind).objects.iterator():
            versions.objects.create(
                **{name: getattr(entry, name) for name in (*KEPT, *own)},
                references=list(entry.references.order_by("position").values_list("address", flat=True)),
                history_date=timezone.now(),
                history_type="+",
                history_change_reason="Before the history began",
            )


class Migration(migrations.Migration):

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ('curation', '0003_pins_with_phrasings'),
    ]

    operations = [
        migrations.RemoveField(
            model_name='memorynote',
            name='addresses_before',
        ),
        migrations.RemoveField(
            model_name='pinnedquestion',
            name='addresses_before',
        ),
        migrations.CreateModel(
            name='HistoricalMemoryNote',
            fields=[
                ('id', models.UUIDField(db_index=True, default=uuid.uuid4, editable=False)),
                ('state', models.CharField(choices=[('draft', 'Draft'), ('in_review', 'In review'), ('published', 'Published'), ('withdrawn', 'Withdrawn')], default='draft', max_length=10)),
                ('language', models.CharField(default='en', max_length=12)),
                ('created_at', models.DateTimeField(blank=True, editable=False)),
                ('updated_at', models.DateTimeField(blank=True, editable=False)),
                ('references', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=200), default=list, size=None)),
                ('phrasings', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=500), default=list, size=None)),
                ('title', models.CharField(max_length=200)),
                ('body', models.TextField()),
                ('triggers', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=200), blank=True, default=list, help_text='Phrases, separated by commas.', size=None)),
                ('history_id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('history_date', models.DateTimeField(db_index=True)),
                ('history_change_reason', models.CharField(max_length=100, null=True)),
                ('history_type', models.CharField(choices=[('+', 'Created'), ('~', 'Changed'), ('-', 'Deleted')], max_length=1)),
                ('history_user', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'historical memory note',
                'verbose_name_plural': 'historical memory notes',
                'ordering': ('-history_date', '-history_id'),
                'get_latest_by': ('history_date', 'history_id'),
            },
            bases=(simple_history.models.HistoricalChanges, models.Model),
        ),
        migrations.CreateModel(
            name='HistoricalPinnedQuestion',
            fields=[
                ('id', models.UUIDField(db_index=True, default=uuid.uuid4, editable=False)),
                ('state', models.CharField(choices=[('draft', 'Draft'), ('in_review', 'In review'), ('published', 'Published'), ('withdrawn', 'Withdrawn')], default='draft', max_length=10)),
                ('language', models.CharField(default='en', max_length=12)),
                ('created_at', models.DateTimeField(blank=True, editable=False)),
                ('updated_at', models.DateTimeField(blank=True, editable=False)),
                ('references', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=200), default=list, size=None)),
                ('phrasings', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=500), default=list, size=None)),
                ('question', models.CharField(max_length=500)),
                ('framing', models.TextField(blank=True, help_text="Shown above the passages, marked as the editors' words. It is never a source.")),
                ('history_id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('history_date', models.DateTimeField(db_index=True)),
                ('history_change_reason', models.CharField(max_length=100, null=True)),
                ('history_type', models.CharField(choices=[('+', 'Created'), ('~', 'Changed'), ('-', 'Deleted')], max_length=1)),
                ('collection', models.ForeignKey(blank=True, db_constraint=False, help_text='Readers of which collection are answered by it; empty: of every collection.', null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='corpus.collection')),
                ('history_user', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'historical pinned question',
                'verbose_name_plural': 'historical pinned questions',
                'ordering': ('-history_date', '-history_id'),
                'get_latest_by': ('history_date', 'history_id'),
            },
            bases=(simple_history.models.HistoricalChanges, models.Model),
        ),
        migrations.RunPython(begin_history, migrations.RunPython.noop),
    ]
