"""The shapes of the API: what is shown, and the types of what is sent. Sense is checked by services."""

from __future__ import annotations

from rest_framework import serializers

from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Match


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


class ReasonSerializer(serializers.Serializer):
    """A step with a reason."""

    reason = serializers.CharField(required=False, allow_blank=True, max_length=200, default="")
