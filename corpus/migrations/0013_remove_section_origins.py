from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("corpus", "0012_sentence_vectors")]
    operations = [migrations.RemoveField(model_name="section", name="origins")]
