"""Systems of standings that an organizer makes himself."""

from django.db import migrations, models

import tournament.events.models.event


class Migration(migrations.Migration):
    dependencies = [("tournament", "0005_list_notices")]

    operations = [
        migrations.AddField(
            model_name="event",
            name="own_system",
            field=models.JSONField(
                blank=True,
                default=dict,
                help_text="Points and tiebreakers of the organizer's own; used where the system is “own”.",
                validators=[tournament.events.models.event.validate_own_system],
            ),
        ),
        migrations.AlterField(
            model_name="event",
            name="standings_system",
            field=models.CharField(
                default="ufs", max_length=32, validators=[tournament.events.models.event.validate_standings_system]
            ),
        ),
    ]
