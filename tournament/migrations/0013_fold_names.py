"""Fold the names of players who registered before names were compared.

Namesakes are counted up.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from django.db import migrations

from tournament.shared.text import fold_name


def fold_names(apps: Any, schema_editor: Any) -> None:
    """Set the folded name of every registration without one.

    Names are compared in this form. Registrations are taken in the order in which they came.
    """
    players = apps.get_model("tournament", "Player").objects
    unfolded = players.filter(folded_name="")
    for event in set(unfolded.values_list("event_id", flat=True)):
        standing = players.filter(event=event).exclude(folded_name="").exclude(status="withdrawn")
        taken = Counter(
            {
                name: most + 1
                for name, most in standing.order_by("namesake").values_list("folded_name", "namesake")
            }
        )
        for player in unfolded.filter(event=event).order_by("number"):
            folded = fold_name(player.name)
            players.filter(pk=player.pk).update(folded_name=folded, namesake=taken[folded])
            taken[folded] += 1


class Migration(migrations.Migration):
    dependencies = [("tournament", "0012_league_log")]

    operations = [migrations.RunPython(fold_names, migrations.RunPython.noop)]
