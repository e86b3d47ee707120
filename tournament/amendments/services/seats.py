"""Seats of a published round.

They are found and given to others, and their results are kept or cleared.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from decks.shared.refusals import Refused
from rules.reason import Reason, reason, reasons_to_json
from tournament.clock.models import TimeSettlement
from tournament.events.models.player import Player
from tournament.events.models.round import Match, ResultReport, Round, Seat
from tournament.log.step import Recorder
from tournament.matches import REOPENED
from tournament.pairing.selectors import venues as venue_selectors
from tournament.pairing.selectors.drafts import PAIR_BY_HAND
from tournament.pairing.services import rounds
from tournament.pairing.services.drafts import BYE_BY_HAND, SEATED_BY_HAND

LAST_TABLE = 9999
LOSS_BY_HAND = reason("loss_by_hand")
# These values are about one person, so they move with the match of that person.
PERSONAL_ENDINGS = frozenset(
    {Match.Ending.NO_SHOW, Match.Ending.LEFT, Match.Ending.PENALTY, Match.Ending.DISQUALIFIED}
)


class ResultPolicy(StrEnum):
    """Options for a result whose table gets another player.

    Either it was played so, or it is removed.
    """

    KEEP = "keep"
    CLEAR = "clear"


class UnpairedPolicy(StrEnum):
    """Options for a player without a match in the round: a loss, a bye, or a drop."""

    LOSS = "loss"
    BYE = "bye"
    DROP = "drop"


RESULTS, UNPAIRED = tuple(ResultPolicy), tuple(UnpairedPolicy)


@dataclass(frozen=True, slots=True)
class Seating:
    """A round that is being changed.

    Also says what becomes of results and of players without a match.
    """

    recorder: Recorder
    round: Round
    results: str
    unpaired_policy: str


def find_seat(round_: Round, number: int) -> Seat:
    """Return the seat of a player. Raises Refused for one who is not in the round."""
    seats = Seat.objects.filter(round=round_, player__number=number)
    seat = seats.select_related("player", "match__p1", "match__p2", "match__round").first()
    if seat is None:
        raise Refused("not_in_the_round", number=number)
    _refuse_given_bye(seat)
    return seat


def _refuse_given_bye(seat: Seat) -> None:
    if seat.match.is_bye and seat.player.first_byes >= seat.match.round.number:
        raise Refused("bye_was_given.published", player=seat.player.name)


def find_match_at(round_: Round, table: int) -> Match:
    """Return the match of a table. Raises Refused without one."""
    match = round_.matches.select_related("p1", "p2", "round").filter(table=table).first()
    if match is None:
        raise Refused("no_such_table.no_match", table=table, round=round_.number)
    return match


def refuse_table(seating: Seating, table: int, *, must_be_free: bool = False) -> None:
    """Raise Refused where a table does not exist or is not free.

    It is not free if it is used by another event of the venue, or is taken here.
    """
    if not 1 <= table <= LAST_TABLE:
        raise Refused("no_such_table.out_of_range", new_table=table)
    other_events = venue_selectors.events_sharing_venue(seating.recorder.event)
    event_name = venue_selectors.tables_in_use(other_events).get(table)
    if event_name:
        raise Refused("table_of_other_event", field="to", table=table, event=event_name)
    if must_be_free and seating.round.matches.filter(table=table).exists():
        raise Refused("table_taken", field="to", table=table)


def load_free_player(seating: Seating, number: int, *, besides: Player | None = None) -> Player:
    """Load a player who is in the event and sits at no table of the round.

    Raises Refused for any other.
    """
    player = seating.round.stage.event.players.select_related("event").filter(number=number).first()
    if player is None:
        raise Refused("no_such_player", number=number)
    if besides is not None and player.pk == besides.pk:
        raise Refused("same_player", field="two")
    if not player.is_in:
        raise Refused("player_not_in", player=player.name)
    seat = (
        Seat.objects.filter(round=seating.round, player=player)
        .select_related("match__round", "player")
        .first()
    )
    if seat is not None and not seat.match.is_bye:
        raise Refused("sits_already", player=player.name, table=seat.match.table)
    if seat is not None:
        _refuse_given_bye(seat)
    return player


def release_player(seating: Seating, player: Player) -> None:
    """Take the bye or loss from a player who gets a match.

    The player is counted in from this round on.
    """
    match = Match.objects.filter(round=seating.round, p1=player, p2=None).first()
    if match is not None:
        seating.recorder.delete(match)
    if player.entered_round > seating.round.number:
        seating.recorder.update(player, entered_round=seating.round.number)


def reseat(seating: Seating, match: Match, new_ids: Mapping[int, int]) -> bool:
    """Give chairs of a match to others, by the ids of players.

    Return whether the result of the match stays. What the players reported goes, as do the answers of a table
    where time was called.
    """
    sides = {side: getattr(match, side) for side in ("p1_id", "p2_id")}
    values: dict[str, object] = {side: new_ids[pk] for side, pk in sides.items() if pk in new_ids}
    why = _say_why(match)
    values |= {
        "why": reasons_to_json([why]),
        "amended_at": seating.recorder.now,
        "revision": match.revision + 1,
    }
    is_kept = match.is_finished and not match.is_bye and _keeps_result(seating, match)
    if match.is_finished and not match.is_bye and not is_kept:
        values |= REOPENED
        clear_places(seating.recorder, match)
    _remove_statements(seating.recorder, match)
    seating.recorder.update(match, **values)
    return is_kept


def clear_places(recorder: Recorder, match: Match) -> None:
    """Forget the places of a table with more than two sides that is played again."""
    for seat in Seat.objects.filter(match=match, place__isnull=False):
        recorder.update(seat, place=None)


def _say_why(match: Match) -> Reason:
    if match.p2_id:
        return SEATED_BY_HAND if match.is_pod else PAIR_BY_HAND
    return BYE_BY_HAND if match.outcome == Match.Outcome.BYE else LOSS_BY_HAND


def _keeps_result(seating: Seating, match: Match) -> bool:
    return seating.results == ResultPolicy.KEEP and match.ending not in PERSONAL_ENDINGS


def _remove_statements(recorder: Recorder, match: Match) -> None:
    recorder.remove(ResultReport.objects.filter(match=match))
    recorder.remove(TimeSettlement.objects.filter(match=match))


def reopen_match(seating: Seating, match: Match) -> None:
    """Take the result and the reports of a match that is paired again."""
    _remove_statements(seating.recorder, match)
    seating.recorder.update(match, **REOPENED, revision=match.revision + 1)


def leave_without_opponent(seating: Seating, player: Player) -> list[int]:
    """Give a player a bye or loss for the round instead of a match.

    Return its id.
    """
    recorder = seating.recorder
    if seating.unpaired_policy == UnpairedPolicy.BYE:
        values = {**rounds.bye_values(recorder, player.pk, (BYE_BY_HAND,))}
    else:
        values = {
            "p1_id": player.pk,
            "outcome": Match.Outcome.LOSS_NO_OPPONENT.value,
            "why": reasons_to_json([LOSS_BY_HAND]),
            "result_at": recorder.now,
            "result_by": "Ringside",
        }
    rounds.insert_matches(recorder, seating.round, [{**values, "amended_at": recorder.now}])
    return list(Match.objects.filter(round=seating.round, p1=player, p2=None).values_list("pk", flat=True))
