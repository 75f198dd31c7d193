"""Phrasings and references become rows of their own; the present references are carried over."""

import uuid

import django.db.models.deletion
from django.db import migrations, models

from corpus.domain.addresses.address import address_key


def references_to_rows(apps, schema_editor):
    for kind, owner in (("PinnedQuestion", "pin"), ("MemoryNote", "note")):
        reference = apps.get_model("curation", "PinReference" if owner == "pin" else "NoteReference")
        rows = [
            reference(**{owner: entry}, position=position, address=address, address_key=address_key(address))
            for entry in apps.get_model("curation", kind).objects.iterator()
            for position, address in enumerate(entry.addresses_before)
        ]
        reference.objects.bulk_create(rows, batch_size=1000)


def rows_to_references(apps, schema_editor):
    for kind in ("PinnedQuestion", "MemoryNote"):
        model = apps.get_model("curation", kind)
        for entry in model.objects.iterator():
            addresses = list(entry.references.order_by("position").values_list("address", flat=True))
            model.objects.filter(pk=entry.pk).update(addresses_before=addresses)


class Migration(migrations.Migration):

    dependencies = [
        ('corpus', '0013_remove_section_origins'),
        ('curation', '0002_facts_and_contradictions'),
    ]

    operations = [
        migrations.RenameField(
            model_name='memorynote',
            old_name='references',
            new_name='addresses_before',
        ),
        migrations.RenameField(
            model_name='pinnedquestion',
            old_name='references',
            new_name='addresses_before',
        ),
        migrations.AlterModelOptions(
            name='pinnedquestion',
            options={'ordering': ['-updated_at'], 'permissions': (('publish_entries', 'Can publish and withdraw pins and notes'),)},
        ),
        migrations.AddField(
            model_name='pinnedquestion',
            name='collection',
            field=models.ForeignKey(blank=True, help_text='Readers of which collection are answered by it; empty: of every collection.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='corpus.collection'),
        ),
        migrations.AddField(
            model_name='pinnedquestion',
            name='framing',
            field=models.TextField(blank=True, help_text="Shown above the passages, marked as the editors' words. It is never a source."),
        ),
        migrations.CreateModel(
            name='NoteReference',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('position', models.PositiveSmallIntegerField()),
                ('address', models.CharField(max_length=200)),
                ('address_key', models.CharField(db_index=True, editable=False, max_length=200)),
                ('note', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='references', to='curation.memorynote')),
            ],
            options={
                'ordering': ['position'],
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='PinPhrasing',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('position', models.PositiveSmallIntegerField()),
                ('text', models.CharField(max_length=500)),
                ('pin', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='phrasings', to='curation.pinnedquestion')),
            ],
            options={
                'ordering': ['position'],
            },
        ),
        migrations.CreateModel(
            name='PinReference',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('position', models.PositiveSmallIntegerField()),
                ('address', models.CharField(max_length=200)),
                ('address_key', models.CharField(db_index=True, editable=False, max_length=200)),
                ('pin', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='references', to='curation.pinnedquestion')),
            ],
            options={
                'ordering': ['position'],
                'abstract': False,
            },
        ),
        migrations.RunPython(references_to_rows, rows_to_references),
    ]
