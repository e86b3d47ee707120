"""Reasons as the API shows them, players by their numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from decks.shared.stated_reasons import StatedReason, state_reason
from decks.shared.wording import say_reason
from rules.reason import Reason, Reference, iter_references, params_to_json, replace_references
from rules.wording import Name
from tournament.events.models.player import Player
from tournament.events.models.round import Match
from tournament.events.names import names_of_match


def state_reasons(
    reasons: Sequence[Reason], names: Name, numbers: Mapping[int, int] | None = None
) -> list[StatedReason]:
    """Return reasons as the API shows them, players by number.

    Takes one query if `numbers` (by id) lack a player.
    """
    numbers_by_player = load_player_numbers(reasons, numbers)
    return [state_reason(each, number_players(each, numbers_by_player), names) for each in reasons]


def load_player_numbers(
    reasons: Iterable[Reason], numbers: Mapping[int, int] | None = None
) -> dict[int, int]:
    """Return the number of each player in reasons by id.

    Takes one query if `numbers` lack a player.
    """
    numbers_by_player = dict(numbers or {})
    ids = {each.key for reason in reasons for each in iter_references(reason) if each.kind == "player"}
    if missing_ids := {key for key in ids - numbers_by_player.keys() if isinstance(key, int)}:
        numbers_by_player |= dict(Player.objects.filter(pk__in=missing_ids).values_list("pk", "number"))
    return numbers_by_player


def number_players(reason: Reason, numbers: Mapping[int, int]) -> Reason:
    """Return the same reason with player numbers in place of player ids.

    0 for a player who is gone.
    """

    def number(reference: Reference) -> Reference:
        if reference.kind != "player" or not isinstance(reference.key, int):
            return reference
        return Reference("player", numbers.get(reference.key, 0))

    return replace_references(reason, number)


def state_named_reason(named_reason: Reason, referring: Reason, players: Iterable[Player]) -> StatedReason:
    """Return what `named_reason` says with names.

    It has the code and parameters of `referring`.
    """
    numbered_reason = number_players(referring, {player.pk: player.number for player in players})
    code = numbered_reason.code.partition(".")[0]
    return StatedReason(code, params_to_json(numbered_reason.params), say_reason(named_reason))


def state_match_reasons(reasons: Sequence[Reason], match: Match) -> list[StatedReason]:
    """Return the reasons of a match that comes with its players."""
    players = [match.p1, match.p2] if match.p2 is not None else [match.p1]
    return state_reasons(reasons, names_of_match(match), {player.pk: player.number for player in players})
