from django.db import migrations, models


def make_boards() -> models.JSONField:
    help_text = "The boards of a team match by seat: games of the first team, of the second, drawn."
    return models.JSONField(blank=True, default=list, help_text=help_text)


class Migration(migrations.Migration):
    dependencies = [("tournament", "0032_draft_pods_and_build_time")]

    operations = [
        migrations.AddField(
            model_name="event",
            name="has_boards",
            field=models.BooleanField(
                default=False, help_text="Each member of a team plays the opponent at the same seat."
            ),
        ),
        migrations.AddField(model_name="match", name="boards", field=make_boards()),
        migrations.AddField(model_name="resultreport", name="boards", field=make_boards()),
        migrations.AddConstraint(
            model_name="event",
            constraint=models.CheckConstraint(
                condition=models.Q(("has_boards", False), ("team_size__gte", 2), _connector="OR"),
                name="event_boards_need_teams",
            ),
        ),
    ]
