"""Reasons as the API shows them: code and parameters for programs, a sentence for people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rest_framework import serializers

from decks.shared.api_requests import StrictSerializer
from decks.shared.wording import say_reason
from rules.reason import Reason, Reference, iter_references, params_to_json, replace_references
from rules.wording import Name
from tournament.events.models.player import Player
from tournament.events.models.round import Match
from tournament.events.names import names_of_match


class StatedReasonSerializer(StrictSerializer):
    """A reason: its code for programs, the facts of the case, and a sentence for people."""

    code = serializers.CharField()
    params = serializers.DictField()
    sentence = serializers.CharField()


def state_reason(reason: Reason, names: Name | None = None) -> dict[str, object]:
    """A reason as the API shows it."""
    return {
        "code": reason.code.partition(".")[0],
        "params": params_to_json(reason.params),
        "sentence": say_reason(reason, names),
    }


def state_reasons(
    reasons: Sequence[Reason], names: Name, numbers: Mapping[int, int] | None = None
) -> list[dict[str, object]]:
    """Reasons as the API shows them, players by number; one query where `numbers` (by id) lack one."""
    known = dict(numbers or {})
    ids = {each.key for reason in reasons for each in iter_references(reason) if each.kind == "player"}
    if missing := {key for key in ids - known.keys() if isinstance(key, int)}:
        known |= dict(Player.objects.filter(pk__in=missing).values_list("pk", "number"))

    def number(reference: Reference) -> Reference:
        if reference.kind != "player" or not isinstance(reference.key, int):
            return reference
        return Reference("player", known.get(reference.key, 0))

    return [
        {**state_reason(each, names), "params": params_to_json(replace_references(each, number).params)}
        for each in reasons
    ]


def state_match_reasons(reasons: Sequence[Reason], match: Match) -> list[dict[str, object]]:
    """The reasons of a match that comes with its players."""
    players = [match.p1, match.p2] if match.p2 is not None else [match.p1]
    return state_reasons(reasons, names_of_match(match), {player.pk: player.number for player in players})
