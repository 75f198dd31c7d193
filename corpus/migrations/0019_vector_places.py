"""Give each stored vector its chunk's collection and source, so that a search narrows by them without the chunk."""

from django.db import migrations, models

PLACE = """
    UPDATE {table} SET collection_id = chunk.collection_id, source_id = coalesce(chunk.lecture_id, chunk.work_id)
    FROM corpus_chunk chunk WHERE chunk.id = {table}.chunk_id
"""
WITHOUT_CHUNK = "DELETE FROM {table} WHERE collection_id IS NULL"
BY_VECTOR = "SELECT indexname, indexdef FROM pg_indexes WHERE tablename = %s AND indexdef LIKE '%%USING hnsw%%'"
BY_PLACE = "CREATE INDEX {name} ON {table} (collection_id, source_id) INCLUDE ({held}) WHERE space_id = '{space}'"
WIDEST_INCLUDED = 1_280  # as in corpus/indexing/vector_index.py


def fill(apps, schema_editor):
    """In one statement for each table. Without the HNSW indexes, which would take each changed row in anew."""
    spaces = list(apps.get_model("corpus", "EmbeddingSpace").objects.all())
    with schema_editor.connection.cursor() as cursor:
        cursor.execute("SET LOCAL maintenance_work_mem = '512MB'")
        for name in ("chunkvector", "sentencevector"):
            table = f"corpus_{name}"
            cursor.execute(BY_VECTOR, [table])
            indexes = dict(cursor.fetchall())
            for index in indexes:
                cursor.execute(f'DROP INDEX "{index}"')
            for statement in (PLACE, WITHOUT_CHUNK):
                cursor.execute(statement.format(table=table))
            for definition in indexes.values():
                cursor.execute(definition)
            for space in spaces:
                part = space.pk.hex[:12]
                if f"{name}_hnsw_{part}" in indexes:
                    held = "chunk_id, embedding" if space.width <= WIDEST_INCLUDED else "chunk_id"
                    cursor.execute(
                        BY_PLACE.format(name=f"{name}_scope_{part}", table=table, held=held, space=space.pk)
                    )
            cursor.execute(f"ANALYZE {table}")


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
