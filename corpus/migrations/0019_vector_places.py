"""Give each stored vector its chunk's collection and source, so that a search narrows by them without the chunk."""

from django.db import migrations, models

PLACE = """
    UPDATE {table} SET collection_id = chunk.collection_id, source_id = coalesce(chunk.lecture_id, chunk.work_id)
    FROM corpus_chunk chunk WHERE chunk.id = {table}.chunk_id
"""
WITHOUT_CHUNK = "DELETE FROM {table} WHERE collection_id IS NULL"
BY_VECTOR = "SELECT indexname FROM pg_indexes WHERE tablename = %s AND indexdef LIKE '%%USING hnsw%%'"


def fill(apps, schema_editor):
    """In one statement for each table. Without the HNSW indexes, which would take each changed row in anew."""
    with schema_editor.connection.cursor() as cursor:
        for table in ("corpus_chunkvector", "corpus_sentencevector"):
            cursor.execute(BY_VECTOR, [table])
            for (index,) in cursor.fetchall():
                cursor.execute(f'DROP INDEX "{index}"')
            cursor.execute(PLACE.format(table=table))
            cursor.execute(WITHOUT_CHUNK.format(table=table))


class Migration(migrations.Migration):

    dependencies = [
        ("corpus", "0018_transcriptions"),
    ]

    operations = [
        *(
            migrations.AddField(model_name=name, name=field, field=models.UUIDField(null=True, help_text=told))
            for name in ("chunkvector", "sentencevector")
            for field, told in (
                ("collection_id", "Its chunk's collection."),
                ("source_id", "Its chunk's lecture or work."),
            )
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
        *(
            migrations.AlterField(
                model_name=name, name="collection_id", field=models.UUIDField(help_text="Its chunk's collection.")
            )
            for name in ("chunkvector", "sentencevector")
        ),
    ]
