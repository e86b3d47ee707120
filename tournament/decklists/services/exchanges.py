"""Check exchanges with the sideboard against the registered list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from decks.shared.refusals import Refused
from decks.shared.rows import find_row
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
    """The list presented for a game: its moved cards, the game and the round."""

    taken_out: Sequence[MovedCard]
    brought_in: Sequence[MovedCard]
    game_in_round: int


def check_exchange(player: Player, presented_exchange: PresentedExchange) -> Exchange:
    """Return the verdict on an exchange against the list that counts.

    Nothing is stored. Raises Refused (no_list, game_unknown, no_exchange, not_in_main).
    """
    return evaluate_exchange(
        registered_version(player),
        get_format(player.event),
        taken_out=presented_exchange.taken_out,
        brought_in=presented_exchange.brought_in,
        game_in_round=_valid_game(presented_exchange.game_in_round),
        first_round=_is_first_round(current_match(player)),
    )


def _valid_game(number: int) -> int:
    if not 1 <= number <= MAX_GAMES:
        raise Refused("game_unknown.in_round", field="game_in_round", game=number, most_games=MAX_GAMES)
    return number


def registered_version(player: Player) -> DeckVersion:
    """Return the list that counts. Raises Refused (no_list)."""
    version = player.deck_list.current if player.deck_list else None
    if version is None:
        raise Refused("no_list", player=player.name)
    return version


def current_match(player: Player) -> Match | None:
    """Return the latest published match of the player, with its round.

    For a member of a team, it is the team's match.
    """
    seats = player.entrant.seats.exclude(match__round__state=Round.State.DRAFT).select_related(
        "match__round__stage"
    )
    seat = seats.order_by("match__round__stage__position", "match__round__number").last()
    return seat.match if seat else None


def _is_first_round(match: Match | None) -> bool | None:
    return None if match is None else match.round.number == 1 and match.round.stage.position == 1


def record_exchange(player: Player, actor: Actor, presented_exchange: PresentedExchange) -> ExchangeCheck:
    """Judge an exchange and keep the check with the event.

    Raises Refused as `check_exchange`.
    """
    with step(player.event, actor) as recorder:
        locked_player = Player.objects.select_related("event", "team", "deck_list__current__deck_list").get(
            pk=player.pk
        )
        checked_exchange = check_exchange(locked_player, presented_exchange)
        match = current_match(locked_player)
        saved_check = recorder.create(
            ExchangeCheck(
                player=locked_player,
                version=registered_version(locked_player),
                stage=match.round.stage.position if match else None,
                round=match.round.number if match else None,
                game_in_round=presented_exchange.game_in_round,
                taken_out=[moved_card.to_json() for moved_card in checked_exchange.taken_out],
                brought_in=[moved_card.to_json() for moved_card in checked_exchange.brought_in],
                verdict=checked_exchange.verdict.to_record(),
                outcome=checked_exchange.verdict.outcome,
                checked_at=recorder.now,
                checked_by=actor.label[:120],
            )
        )
        game = saved_check.game_in_round
        recorder.log("exchange_checked", player=locked_player, game=game, outcome=saved_check.outcome)
    return saved_check


def undo_exchange_check(saved_check: ExchangeCheck, actor: Actor) -> None:
    """Take the record of a check away again; the log keeps both.

    Undoing twice is undoing once.
    """
    with step(saved_check.player.event, actor) as recorder:
        locked_check = find_row(ExchangeCheck.objects.select_related("player").filter(pk=saved_check.pk))
        if locked_check is None:
            return
        recorder.delete(locked_check)
        game = locked_check.game_in_round
        recorder.log("exchange_check_taken_back", player=locked_check.player, game=game)
