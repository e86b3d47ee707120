"""A game declares endings of its own.

The endings of every game are no longer all that there are.
"""

from django.db import migrations, models

HELP = (
    "Empty, time, concession, agreed_draw, no_show, left, penalty, disqualified, "
    "or an ending that the game declares."
)


def _ending() -> models.CharField:
    return models.CharField(
        blank=True, default="", help_text=HELP, max_length=16, verbose_name="how it ended"
    )


class Migration(migrations.Migration):
    dependencies = [("tournament", "0023_labels")]

    operations = [
        migrations.AlterField("match", "ending", _ending()),
        migrations.AlterField("resultreport", "ending", _ending()),
    ]
