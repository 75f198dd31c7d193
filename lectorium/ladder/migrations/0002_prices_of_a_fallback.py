from django.db import migrations, models

FALLBACK_PRICE = "Price of the fallback; empty: that of an enabled row for the model."


class Migration(migrations.Migration):
    dependencies = [("ladder", "0001_initial")]

    operations = [
        migrations.AddField(
            "rung",
            field,
            models.DecimalField(max_digits=10, decimal_places=4, null=True, blank=True, help_text=FALLBACK_PRICE),
        )
        for field in ("fallback_price_in", "fallback_price_out")
    ]
