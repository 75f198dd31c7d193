from django.db import migrations

from corpus.extensions import NeededExtension


class Migration(migrations.Migration):
    dependencies = []
    operations = [NeededExtension("vector"), NeededExtension("pg_trgm"), NeededExtension("unaccent")]
