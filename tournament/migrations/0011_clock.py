"""The clock of rounds, settlements at time, what the hall screen shows."""

from __future__ import annotations

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournament", "0010_results_and_corrections"),
    ]

    operations = [
        migrations.AddField(
            model_name="event",
            name="clock_options",
            field=models.JSONField(
                blank=True,
                default=dict,
                help_text="The clock beyond its minutes; empty: as the game's rule has it.",
            ),
        ),
        migrations.AddField(
            model_name="event",
            name="screen",
            field=models.JSONField(blank=True, default=list, help_text="What the hall screen shows in turn."),
        ),
        migrations.CreateModel(
            name="ClockEntry",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "act",
                    models.CharField(
                        choices=[
                            ("start", "Started"),
                            ("pause", "Paused"),
                            ("resume", "Resumed"),
                            ("extend", "Time changed"),
                            ("call_time", "Time called"),
                        ],
                        max_length=12,
                    ),
                ),
                ("at", models.DateTimeField()),
                ("seconds", models.IntegerField(default=0)),
                ("reason", models.CharField(blank=True, max_length=200)),
                ("earliest", models.PositiveIntegerField(blank=True, null=True)),
                ("latest", models.PositiveIntegerField(blank=True, null=True)),
                ("drawn", models.PositiveIntegerField(blank=True, editable=False, null=True)),
                (
                    "match",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="extensions",
                        to="tournament.match",
                    ),
                ),
                (
                    "round",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="clock",
                        to="tournament.round",
                    ),
                ),
            ],
            options={
                "verbose_name": "clock of a round",
                "ordering": ["at", "id"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("act", "start")),
                        fields=("round",),
                        name="a_round_is_started_once",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("act", "call_time")),
                        fields=("round",),
                        name="time_is_called_once",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("match__isnull", True), ("act", "extend"), _connector="OR"),
                        name="only_extensions_are_of_one_table",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("drawn__isnull", True), ("earliest__isnull", True), ("latest__isnull", True)
                            ),
                            models.Q(
                                ("act", "start"),
                                ("drawn__gte", models.F("earliest")),
                                ("drawn__lte", models.F("latest")),
                            ),
                            _connector="OR",
                        ),
                        name="a_drawn_end_has_a_range",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="TimeSettlement",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "facts",
                    models.JSONField(
                        blank=True, default=dict, help_text="Answers by the keys of the questions."
                    ),
                ),
                ("result", models.CharField(max_length=16)),
                ("decided_by", models.CharField(blank=True, max_length=40)),
                ("clause", models.CharField(blank=True, max_length=120)),
                ("document", models.CharField(blank=True, max_length=200)),
                ("sentence", models.CharField(blank=True, max_length=600)),
                ("is_ours", models.BooleanField(default=False)),
                ("settled_by", models.CharField(blank=True, max_length=120)),
                ("settled_at", models.DateTimeField()),
                (
                    "match",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="settlement",
                        to="tournament.match",
                    ),
                ),
            ],
            options={"verbose_name": "settlement of a match at time"},
        ),
    ]
