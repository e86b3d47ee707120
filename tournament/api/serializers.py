"""The shapes of the API: what is shown, and the types of what is sent. Sense is checked by services."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from tournament.models import Event, LogEntry, Match, Player, Round
from tournament.selectors import drafts
from tournament.selectors.standings import Line
from tournament.services.registration.late import CHOICES, LOSS

MEANT_MATCH = serializers.IntegerField(
    required=False,
    min_value=1,
    help_text="The `id` of the match that is meant; refused when another is being played by now.",
)


class EventSerializer(serializers.ModelSerializer):
    """An event and everything its organizer decided."""

    open_registration = serializers.BooleanField(write_only=True, required=False, default=False)

    class Meta:
        model = Event
        fields = [
            "slug", "name", "starts_at", "time_zone", "place", "notes", "game", "format", "rules_version",
            "capacity", "entry_fee", "team_size",
            "swiss_rounds", "match_form", "round_minutes", "standings_system", "cut", "cut_size",
            "short_cut", "decklists_required", "decklists_due_at", "lists_open", "intentional_draws",
            "no_show_minutes", "plan",
            "pairing_options", "hall", "first_table", "table_count", "reserved_tables", "phase", "version",
            "open_registration",
        ]  # fmt: skip
        read_only_fields = ["slug", "phase", "version"]


class PublicPlayerSerializer(serializers.ModelSerializer):
    """A player as anybody may see him."""

    class Meta:
        model = Player
        fields = ["number", "name", "members", "character", "status", "dropped_after"]


class PlayerSerializer(serializers.ModelSerializer):
    """A player as staff sees him."""

    class Meta:
        model = Player
        fields = [
            "number", "name", "members", "email", "character", "status", "registered_at", "checked_in_at",
            "waiting_since", "moved_up_at", "has_paid",
            "entered_round", "dropped_after", "drop_reason", "declined_cut",
        ]  # fmt: skip
        read_only_fields = [
            "number", "status", "registered_at", "checked_in_at", "entered_round", "dropped_after",
            "waiting_since", "moved_up_at", "has_paid",
            "drop_reason", "declined_cut",
        ]  # fmt: skip


class NewPlayerSerializer(serializers.Serializer):
    """Somebody who registers, or is added."""

    name = serializers.CharField(max_length=80)
    email = serializers.EmailField(required=False, allow_blank=True, default="")
    character = serializers.CharField(max_length=80, required=False, allow_blank=True, default="")
    members = serializers.ListField(child=serializers.CharField(max_length=80), required=False, max_length=6)
    is_namesake = serializers.BooleanField(
        required=False, default=False, help_text="This is somebody else than the player of the same name."
    )


class LatePlayerSerializer(NewPlayerSerializer):
    """Somebody staff adds, also while rounds run."""

    missed = serializers.ChoiceField(
        choices=CHOICES, required=False, default=LOSS, help_text="What he gets for each round he missed."
    )


class MergeSerializer(serializers.Serializer):
    """The other registration of the same person."""

    double = serializers.IntegerField(min_value=1, help_text="Its number.")


class RegisteredSerializer(PublicPlayerSerializer):
    """The answer to a registration; the token is the private way back and is shown only here."""

    class Meta(PublicPlayerSerializer.Meta):
        fields = [*PublicPlayerSerializer.Meta.fields, "token"]


class MatchSerializer(serializers.ModelSerializer):
    """One table: players by number, games and outcome."""

    p1 = serializers.IntegerField(source="p1.number")
    p1_name = serializers.CharField(source="p1.name")
    p2 = serializers.IntegerField(source="p2.number", allow_null=True, default=None)
    p2_name = serializers.CharField(source="p2.name", allow_null=True, default=None)
    how_it_ended = serializers.CharField(read_only=True)

    class Meta:
        model = Match
        fields = [
            "id", "table", "bracket_match", "p1", "p1_name", "p2", "p2_name", "outcome", "forfeit",
            "p1_games", "p2_games", "draws", "ending", "how_it_ended", "consent", "quickenings",
            "quickenings_declined", "amended_at", "revision", "why",
        ]  # fmt: skip


class RoundSerializer(serializers.ModelSerializer):
    """One round with its tables."""

    stage = serializers.IntegerField(source="stage.position")
    matches = MatchSerializer(many=True)
    mark = serializers.SerializerMethodField(
        help_text="Of a draft: names its tables; sent back as `seen`, it publishes no others. Else null."
    )

    class Meta:
        model = Round
        fields = [
            "stage", "number", "state", "seed", "pairing", "published_at", "amended_at", "finished_at",
            "mark", "matches",
        ]  # fmt: skip

    def get_mark(self, shown: Round) -> str | None:
        """What somebody saw who looked at the tables of a draft."""
        return drafts.mark(shown) if shown.is_draft else None


class GamesSerializer(serializers.Serializer):
    """What a player says of his match; `ending` where he concedes, or both agree on a draw."""

    p1_games = serializers.IntegerField(min_value=0, max_value=99)
    p2_games = serializers.IntegerField(min_value=0, max_value=99)
    draws = serializers.IntegerField(min_value=0, max_value=99, default=0)
    ending = serializers.ChoiceField(
        choices=["concession", "agreed_draw", "head_shot"], default="", allow_blank=True
    )
    match = MEANT_MATCH


class PairSerializer(serializers.Serializer):
    """Which round is meant; the same request twice pairs it once."""

    number = serializers.IntegerField(required=False, min_value=1, max_value=99)


class PublishSerializer(serializers.Serializer):
    """`confirm`: what speaks against tables made by hand is meant."""

    confirm = serializers.BooleanField(default=False)
    seen = serializers.CharField(
        required=False, max_length=40, help_text="The draft's `mark`; without it, whatever stands there now."
    )


class ReasonSerializer(serializers.Serializer):
    """A step with a reason."""

    reason = serializers.CharField(required=False, allow_blank=True, max_length=200, default="")


class OwnStepSerializer(ReasonSerializer):
    """A step of the player himself; `match` is the one he looked at when he leaves it."""

    match = MEANT_MATCH


class StartSerializer(serializers.Serializer):
    """How an event starts."""

    drop_missing = serializers.BooleanField(default=False)


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


class DecisionSerializer(serializers.Serializer):
    """Why a player is in the cut or out of it."""

    player = serializers.IntegerField()
    name = serializers.CharField()
    rank = serializers.IntegerField(allow_null=True)
    is_in = serializers.BooleanField()
    code = serializers.CharField()
    reason = serializers.CharField()


class LogEntrySerializer(serializers.ModelSerializer):
    """One line of the log."""

    class Meta:
        model = LogEntry
        fields = ["id", "at", "actor", "action", "sentence", "reason", "head", "undone_by"]
