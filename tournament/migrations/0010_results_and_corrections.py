from django.db import migrations, models

ENDINGS = [
    ("", "Played out"),
    ("time", "Time was called"),
    ("concession", "Conceded"),
    ("agreed_draw", "Draw by agreement"),
    ("no_show", "Did not show up"),
    ("left", "Left the event"),
    ("penalty", "Match loss by penalty"),
    ("disqualified", "Disqualified"),
    ("head_shot", "Head shot"),
]


class Migration(migrations.Migration):
    dependencies = [
        ("tournament", "0009_leagues_and_prizes"),
    ]

    operations = [
        migrations.AddField(
            model_name="event",
            name="no_show_minutes",
            field=models.PositiveSmallIntegerField(
                default=10, help_text="After so many minutes of a round an absent player has lost; ours."
            ),
        ),
        migrations.AddField(
            model_name="round",
            name="amended_at",
            field=models.DateTimeField(
                blank=True, help_text="When tables changed after it was published.", null=True
            ),
        ),
        migrations.AddField(
            model_name="match",
            name="ending",
            field=models.CharField(blank=True, choices=ENDINGS, default="", max_length=16),
        ),
        migrations.AddField(
            model_name="match",
            name="consent",
            field=models.BooleanField(default=False, help_text="The opponent accepted the concession."),
        ),
        migrations.AddField(
            model_name="match",
            name="quickenings",
            field=models.PositiveSmallIntegerField(
                blank=True, help_text="In play with the loser of a head shot.", null=True
            ),
        ),
        migrations.AddField(
            model_name="match",
            name="quickenings_declined",
            field=models.BooleanField(default=False, help_text="The winner declined them."),
        ),
        migrations.AddField(
            model_name="match",
            name="amended_at",
            field=models.DateTimeField(
                blank=True,
                help_text="When its players were put together after publication.",
                null=True,
            ),
        ),
        migrations.AddField(
            model_name="resultreport",
            name="ending",
            field=models.CharField(blank=True, choices=ENDINGS, default="", max_length=16),
        ),
        migrations.AddConstraint(
            model_name="match",
            constraint=models.CheckConstraint(
                condition=models.Q(("ending", ""), models.Q(("outcome", ""), _negated=True), _connector="OR"),
                name="an_ending_belongs_to_a_result",
            ),
        ),
    ]
