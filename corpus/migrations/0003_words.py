import functools
import operator
import uuid

from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVector, SearchVectorField
from django.db import migrations, models

from corpus.domain.addresses.book_names import shelf
from corpus.domain.glossary import FIRST_ENTRIES

STEMMED = {
    'en': 'english', 'de': 'german', 'es': 'spanish', 'fr': 'french', 'it': 'italian', 'nl': 'dutch',
    'pt': 'portuguese', 'ru': 'russian',
}
WEIGHED = (('folded_heading', 'A'), ('folded_address', 'B'), ('folded_text', 'C'), ('folded_context', 'D'))


def weighted(config):
    first, *more = (SearchVector(field, weight=weight, config=config) for field, weight in WEIGHED)
    return functools.reduce(operator.add, more, first)


def fill(apps, schema_editor):
    """Put the known books and the first glossary into the empty tables; from then on they are the editors'."""
    apps.get_model('corpus', 'AddressScheme').objects.bulk_create(
        apps.get_model('corpus', 'AddressScheme')(
            label=book.label, title=book.title, aliases='\n'.join(names), levels=', '.join(book.levels),
            separator=book.separator, position=book.position,
        )
        for book, names in shelf()
    )
    apps.get_model('corpus', 'GlossaryEntry').objects.bulk_create(
        apps.get_model('corpus', 'GlossaryEntry')(term=term, synonyms='\n'.join(synonyms))
        for term, synonyms in FIRST_ENTRIES.items()
    )


class Migration(migrations.Migration):

    dependencies = [
        ('corpus', '0002_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='AddressScheme',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('label', models.CharField(help_text='Prefix of its addresses, e.g. BG in BG 2.13.', max_length=40, unique=True)),
                ('title', models.CharField(help_text='Full name, e.g. Bhagavad-gītā.', max_length=200)),
                ('aliases', models.TextField(blank=True, help_text='Other names, one per line; capitals and diacritics do not matter.')),
                ('levels', models.CharField(default='chapter, verse', help_text='Names of its numbers, outermost first.', max_length=100)),
                ('separator', models.CharField(choices=[('.', '2.13'), (':', '2:13')], default='.', max_length=1)),
                ('position', models.PositiveSmallIntegerField(default=0, help_text='Order in lists.')),
                ('changed_at', models.DateTimeField(auto_now=True)),
            ],
            options={
                'ordering': ['position', 'label'],
            },
        ),
        migrations.RemoveField(
            model_name='work',
            name='aliases',
        ),
        migrations.AddField(
            model_name='chunk',
            name='speaker',
            field=models.CharField(blank=True, help_text='At most one speaker per chunk.', max_length=200),
        ),
        migrations.AddField(
            model_name='chunk',
            name='context',
            field=models.TextField(blank=True, help_text='One line on its place; searched, never shown or quoted.'),
        ),
        migrations.AddField(
            model_name='chunk',
            name='folded_address',
            field=models.TextField(default=''),
        ),
        migrations.AddField(
            model_name='chunk',
            name='folded_context',
            field=models.TextField(default=''),
        ),
        # A generated column cannot be altered; PostgreSQL fills the new one for every row.
        migrations.RemoveIndex('chunk', 'chunk_search'),
        migrations.RemoveField('chunk', 'search_vector'),
        migrations.AddField(
            model_name='chunk',
            name='search_vector',
            field=models.GeneratedField(
                db_persist=True,
                expression=models.Case(
                    *(models.When(language=language, then=weighted(config)) for language, config in STEMMED.items()),
                    default=weighted('simple'),
                ),
                output_field=SearchVectorField(),
            ),
        ),
        migrations.AddIndex('chunk', GinIndex(fields=['search_vector'], name='chunk_search')),
        migrations.AlterField(
            model_name='work',
            name='books',
            field=models.JSONField(blank=True, default=dict, help_text='Verses by chapter: {"BG": {"2": 72, …}, "SB": {"1.2": 34, …}}.'),
        ),
        migrations.CreateModel(
            name='GlossaryEntry',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('term', models.CharField(max_length=100)),
                ('synonyms', models.TextField(help_text='One per line; capitals and diacritics do not matter.')),
                ('language', models.CharField(default='en', help_text='Language of the questions it applies to.', max_length=12)),
                ('changed_at', models.DateTimeField(auto_now=True)),
            ],
            options={
                'verbose_name_plural': 'glossary',
                'ordering': ['term'],
                'constraints': [models.UniqueConstraint(fields=('term', 'language'), name='glossary_term_in_language')],
            },
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
