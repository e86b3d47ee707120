"""From tournament.api.serializers."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from tournament.standings.selectors.standings import Line


class TiebreakerValueSerializer(serializers.Serializer):
    """One tiebreaker: exact, as a fraction or integer, and as people are shown it."""

    key = serializers.CharField()
    exact = serializers.CharField()
    shown = serializers.CharField()


class StandingSerializer(serializers.Serializer):
    """One line of the standings; `rank` is within the `group`, where there are groups."""

    group = serializers.IntegerField(allow_null=True)
    rank = serializers.IntegerField()
    player = serializers.IntegerField()
    name = serializers.CharField()
    points = serializers.CharField()
    wins = serializers.IntegerField()
    losses = serializers.IntegerField()
    draws = serializers.IntegerField()
    dropped_after = serializers.IntegerField(allow_null=True)
    tiebreakers = TiebreakerValueSerializer(many=True)


def standing(line: Line, keys: list[str], group: int | None = None) -> dict[str, Any]:
    """A standings line as data; `group` is the number of its group, None where there are none."""
    row = line.row
    values = zip(keys, row.values, line.cells, strict=True)
    return {
        "group": group,
        "rank": row.rank,
        "player": line.player.number,
        "name": line.player.name,
        "points": str(row.points),
        "wins": row.wins,
        "losses": row.losses,
        "draws": row.draws,
        "dropped_after": line.player.dropped_after if line.is_dropped else None,
        "tiebreakers": [{"key": k, "exact": str(v), "shown": shown} for k, v, shown in values],
    }
