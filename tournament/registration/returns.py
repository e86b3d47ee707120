"""Consequences of undoing the drop of a player, shown beforehand."""

from __future__ import annotations

from collections.abc import Iterator

from rules.reason import Reason, Reference, reason
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Match, Round
from tournament.events.selectors import get_standings_rounds, is_in_bracket

Phase = Event.Phase


def list_return_effects(player: Player) -> list[Reason]:
    """Return what undoing the drop changes. Five queries at most."""
    if player.event.phase == Phase.CUT:
        return [reason("return.bracket" if is_in_bracket(player) else "return.standings")]
    if player.event.phase != Phase.SWISS:
        return [reason("return.place")]
    rounds = get_standings_rounds(player.event).select_related("stage").order_by("number")
    published_rounds = [each for each in rounds if not each.is_draft]
    draft = next((each for each in rounds if each.is_draft), None)
    effects = list(_list_round_effects(player, published_rounds))
    if draft is not None:
        effects.append(reason("return.draft", round=draft.number))
    return effects


def _list_round_effects(player: Player, published_rounds: list[Round]) -> Iterator[Reason]:
    """Yield the effects on rounds when a player returns.

    They are the running match, missed rounds, and the round in which the player is paired again.
    """
    last = published_rounds[-1] if published_rounds else None
    if last is None:
        return
    reopened_match = _find_reopened_match(player, last)
    if reopened_match is not None and reopened_match.p2_id:
        other_id = reopened_match.p2_id if reopened_match.p1_id == player.pk else reopened_match.p1_id
        yield reason(
            "return.match",
            table=reopened_match.table,
            opponent=Reference("player", other_id),
            round=last.number,
        )
    seated_rounds = set(player.seats.values_list("round_id", flat=True))
    missed_numbers = tuple(each.number for each in published_rounds if each.pk not in seated_rounds)
    if missed_numbers:
        yield reason("return.missed", rounds=missed_numbers, count=len(missed_numbers))
    planned_round_count = last.stage.planned_rounds
    is_over = (
        planned_round_count is not None
        and last.stage.rounds.exclude(state=Round.State.DRAFT).count() >= planned_round_count
    )
    yield reason("return.over") if is_over else reason("return.next", round=last.number + 1)


def _find_reopened_match(player: Player, last: Round) -> Match | None:
    if last.stage.has_schedule:
        return None
    left_match = Match.objects.filter(round=last, ending=Match.Ending.LEFT, seats__player=player).first()
    return None if left_match is None or left_match.winner_id == player.pk else left_match
