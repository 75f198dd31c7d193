"""Build the indexes that 0019 dropped, and those of scopes: apart from its transaction, whose old rows they would hold."""

from django.db import migrations

from corpus.indexing.vector_index import vector_index_build


def build(apps, schema_editor):
    for space in apps.get_model("corpus", "EmbeddingSpace").objects.all():
        vector_index_build(space=space)
    with schema_editor.connection.cursor() as cursor:
        cursor.execute("ANALYZE corpus_chunkvector, corpus_sentencevector")


class Migration(migrations.Migration):

    dependencies = [
        ("corpus", "0019_vector_places"),
    ]

    operations = [
        migrations.RunPython(build, migrations.RunPython.noop),
    ]
