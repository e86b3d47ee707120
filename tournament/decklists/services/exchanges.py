"""Check exchanges with the sideboard against the registered list (UFS 101.4, 101.5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from decks.shared.refusals import Refused
from decks.submissions.exchanges import Exchange, MovedCard, evaluate_exchange
from decks.submissions.models import DeckVersion
from tournament.access.permissions import Actor
from tournament.decklists.models import ExchangeCheck
from tournament.events.models.player import Player
from tournament.events.models.round import Match, Round
from tournament.events.settings import get_format
from tournament.log.step import step

MAX_GAMES = 99


@dataclass(frozen=True, slots=True)
class PresentedExchange:
    """What is presented for a game: how cards moved, and which game of which round it is."""

    taken_out: Sequence[MovedCard]
    brought_in: Sequence[MovedCard]
    game_in_round: int


def check_exchange(player: Player, presented: PresentedExchange) -> Exchange:
    """The verdict on an exchange against the list that counts; nothing is kept.

    Raises Refused (no_list, game_unknown, no_exchange, not_in_main).
    """
    return evaluate_exchange(
        registered_version(player),
        get_format(player.event),
        taken_out=presented.taken_out,
        brought_in=presented.brought_in,
        game_in_round=_valid_game(presented.game_in_round),
        first_round=_is_first_round(current_match(player)),
    )


def _valid_game(number: int) -> int:
    if not 1 <= number <= MAX_GAMES:
        sentence = f"A round has no game {number}; games count from 1 to {MAX_GAMES}."
        raise Refused("game_unknown", sentence, field="game_in_round")
    return number


def registered_version(player: Player) -> DeckVersion:
    """The list that counts. Raises Refused (no_list)."""
    version = player.deck_list.current if player.deck_list else None
    if version is None:
        fix = "Enter the list first; then the exchange can be checked."
        raise Refused("no_list", f"{player.name} has registered no list.", fix=fix)
    return version


def current_match(player: Player) -> Match | None:
    """The player's latest published match, with its round."""
    seats = player.seats.exclude(match__round__state=Round.State.DRAFT).select_related("match__round__stage")
    seat = seats.order_by("match__round__stage__position", "match__round__number").last()
    return seat.match if seat else None


def _is_first_round(match: Match | None) -> bool | None:
    return None if match is None else match.round.number == 1 and match.round.stage.position == 1


def record_exchange(player: Player, actor: Actor, presented: PresentedExchange) -> ExchangeCheck:
    """Judge an exchange and keep the check with the event. Raises Refused as `check_exchange`."""
    with step(player.event, actor) as recorder:
        held = Player.objects.select_related("event", "deck_list__current__deck_list").get(pk=player.pk)
        judged = check_exchange(held, presented)
        match = current_match(held)
        kept = recorder.create(
            ExchangeCheck(
                player=held,
                version=registered_version(held),
                stage=match.round.stage.position if match else None,
                round=match.round.number if match else None,
                game_in_round=presented.game_in_round,
                taken_out=[moved.to_json() for moved in judged.taken_out],
                brought_in=[moved.to_json() for moved in judged.brought_in],
                verdict=judged.verdict.to_json(),
                outcome=judged.verdict.outcome,
                checked_at=recorder.now,
                checked_by=actor.label[:120],
            )
        )
        sentence = f"{actor.label} checked the exchange of {held.name} before game {kept.game_in_round}"
        recorder.say("exchange_checked", f"{sentence}: {kept.get_outcome_display().lower()}.")
    return kept


def undo_exchange_check(kept: ExchangeCheck, actor: Actor) -> None:
    """Take the record of a check away again; the log keeps both. Taken back twice is taken back once."""
    with step(kept.player.event, actor) as recorder:
        held = ExchangeCheck.objects.select_related("player").filter(pk=kept.pk).first()
        if held is None:
            return
        recorder.delete(held)
        what = f"the check of {held.player.name}'s exchange before game {held.game_in_round}"
        recorder.say("exchange_check_taken_back", f"{actor.label} took back {what}.")
