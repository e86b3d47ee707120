"""The seats of a published round, and the players to notify after a change."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from django.utils.translation import gettext

from decks.shared.json_shapes import Published
from decks.shared.stated_reasons import StatedReason
from decks.shared.wording import say_reason
from rules.reason import Reason, Reference, params_from_json, reason
from tournament.events.models.round import Match, Round, Seat
from tournament.events.names import EventNames
from tournament.events.stated_reasons import load_player_numbers, state_reasons
from tournament.log.models import LogEntry
from tournament.pairing.selectors.repairs import open_round_after
from tournament.pairing.selectors.table_changes import EMPTY_TABLE, TableChange, TableContent, change_table
from tournament.results.stated_results import state_match_with_result

# Every step that changes a published round by hand.
AMENDMENT_ACTIONS = frozenset(
    {
        "round_players_swapped",
        "round_table_moved",
        "round_player_replaced",
        "round_pair_added",
        "round_match_cancelled",
        "round_player_moved",
        "round_table_cancelled",
    }
)
# The line of such a step that says who sits elsewhere now.
PLACES_ACTION = "round_places_changed"


@dataclass(frozen=True, slots=True)
class Place:
    """The seat of a player: a table and opponents, or neither, with a bye or a loss."""

    table: int | None
    opponent_ids: tuple[int, ...]
    outcome: str

    @property
    def seat(self) -> tuple[int | None, tuple[int, ...], str]:
        """Return what the player has to know of it."""
        return self.table, self.opponent_ids, "" if self.opponent_ids else self.outcome

    @property
    def is_played(self) -> bool:
        """Whether the player has met the opponents there by now."""
        return bool(self.opponent_ids) and bool(self.outcome)

    def as_reason(self) -> Reason:
        """Return the place as a message says it."""
        if not self.opponent_ids:
            return reason("place.bye" if self.outcome == Match.Outcome.BYE else "place.loss")
        opponents = tuple(Reference("player", pk) for pk in self.opponent_ids)
        if len(opponents) > 1:
            return reason("place.pod", table=self.table, opponents=opponents)
        return reason("place", table=self.table, opponent=opponents[0])


Places = Mapping[int, Place]
NO_PLACE = reason("place.none")


def load_places(round_: Round) -> Places:
    """Return where everyone of a round sits, by the id of the player. One query."""
    matches: dict[int, list[int]] = {}
    facts: dict[int, tuple[int | None, str]] = {}
    seats = Seat.objects.filter(round=round_).order_by("match_id", "side", "pk")
    for match, player, table, outcome in seats.values_list(
        "match_id", "player_id", "match__table", "match__outcome"
    ):
        matches.setdefault(match, []).append(player)
        facts[match] = table, outcome
    return {
        player: Place(facts[match][0], tuple(pk for pk in players if pk != player), facts[match][1])
        for match, players in matches.items()
        for player in players
    }


@dataclass(frozen=True, slots=True)
class PlaceChange:
    """A player with another seat or opponent, or who no longer plays in the round."""

    player_id: int
    before: Reason
    after: Reason

    def as_reason(self) -> Reason:
        """Return who sits where now."""
        return reason("player_moves", player=Reference("player", self.player_id), place=self.after)


def compare_places(before: Places, after: Places) -> list[PlaceChange]:
    """Return the players to notify of another place.

    A player who has played at it already knows.
    """
    return [
        PlaceChange(pk, _say_place(before.get(pk)), _say_place(after.get(pk)))
        for pk in dict.fromkeys((*before, *after))
        if _get_seat(before.get(pk)) != _get_seat(after.get(pk)) and not _is_played(after.get(pk))
    ]


def _get_seat(place: Place | None) -> tuple[int | None, tuple[int, ...], str] | None:
    return place.seat if place else None


def _is_played(place: Place | None) -> bool:
    return place is not None and place.is_played


def _say_place(place: Place | None) -> Reason:
    return place.as_reason() if place else NO_PLACE


@dataclass(frozen=True, slots=True)
class Notice(Published):
    """A player to notify, with the places before and after in words."""

    number: int
    name: str
    before: StatedReason
    after: StatedReason


def list_notices(changes: Sequence[PlaceChange]) -> list[Notice]:
    """Return the same changes in words, by name. One query, none without changes."""
    reasons = [each for change in changes for each in (change.before, change.after)]
    references = [Reference("player", change.player_id) for change in changes]
    mentioned = [*reasons, reason("players", players=tuple(references))]
    names, numbers = EventNames().collect(mentioned), load_player_numbers(mentioned)
    stated_reasons = iter(state_reasons(reasons, names, numbers))
    notices = [
        Notice(numbers[change.player_id], names(reference), next(stated_reasons), next(stated_reasons))
        for change, reference in zip(changes, references, strict=True)
    ]
    return sorted(notices, key=lambda notice: (notice.name.casefold(), notice.number))


def load_tables(round_: Round) -> Mapping[int, TableContent]:
    """Return the match at each table of a round, as people write it.

    Examples: “Ada – Bob”, “Ada 2-1 Bob”. One query.
    """
    matches = Match.objects.filter(round=round_, table__isnull=False)
    matches = matches.select_related("p1", "p2").prefetch_related("seats__player")
    return {
        match.table: TableContent(_format_match(match), tuple(side.player.number for side in match.sides))
        for match in matches
        if match.table is not None
    }


def _format_match(match: Match) -> str:
    if match.is_pod:
        sides = say_reason(reason("players", players=tuple(str(side.player) for side in match.sides)))
        return f"{sides}: {match.score}" if match.is_finished else sides
    names = {"p1": str(match.p1), "p2": str(match.p2)}
    if not match.is_finished:
        return gettext("%(p1)s vs. %(p2)s") % names
    return gettext("%(p1)s %(result)s %(p2)s") % {**names, "result": match.score}


def compare_tables(
    before: Mapping[int, TableContent], after: Mapping[int, TableContent]
) -> list[TableChange]:
    """Return the tables that hold another match or lose their result, in order."""
    numbers = sorted({*before, *after})
    return [
        change_table(number, before.get(number, EMPTY_TABLE), after.get(number, EMPTY_TABLE))
        for number in numbers
        if before.get(number) != after.get(number)
    ]


def list_finished(rounds: Iterable[Round]) -> frozenset[int]:
    """Return the matches of two players that have a result. One query."""
    matches = Match.objects.filter(round__in=list(rounds), p2__isnull=False).exclude(outcome="")
    return frozenset(matches.values_list("pk", flat=True))


def state_results(match_ids: Iterable[int]) -> tuple[StatedReason, ...]:
    """Return matches with their results, for programs and people. One query."""
    matches = Match.objects.filter(pk__in=list(match_ids)).select_related("p1", "p2", "round__stage__event")
    matches = matches.prefetch_related("seats__player").order_by("table", "pk")
    return tuple(replace(state_match_with_result(match), sentence=_format_match(match)) for match in matches)


def get_open_round(round_: Round) -> Round | None:
    """Return the round whose open tables a change of this one may pair again.

    A later round is preferred to this round itself.
    """
    later_round = open_round_after(round_)
    if later_round is not None:
        return later_round
    return round_ if round_.state == Round.State.PUBLISHED else None


def find_last_amendment(round_: Round) -> LogEntry | None:
    """Return the last change of a round by hand that is in effect. One query."""
    entries = LogEntry.objects.filter(event=round_.stage.event_id, head=None, undone_by=None)
    entries = entries.filter(action__in=AMENDMENT_ACTIONS, about__contains=f" r{round_.pk} ")
    return entries.defer("changes").order_by("pk").last()


def state_moves_to_tell(entry: LogEntry) -> list[StatedReason]:
    """Return the players to notify after a manual change, with their places.

    Three queries.
    """
    line = LogEntry.objects.filter(head=entry, action=PLACES_ACTION).only("params").first()
    places = params_from_json(line.params)["places"] if line else ()
    reasons = [each for each in places if isinstance(each, Reason)] if isinstance(places, tuple) else []
    names = EventNames().collect(reasons)
    return sorted(state_reasons(reasons, names), key=lambda each: each.sentence)


def list_changed_slips(round_: Round) -> list[int]:
    """Return the matches of the last change of a round that are still in play.

    Their slips are printed again. One query.
    """
    if round_.amended_at is None:
        return []
    matches = Match.objects.filter(round=round_, amended_at=round_.amended_at, outcome="", p2__isnull=False)
    return list(matches.order_by("table", "pk").values_list("pk", flat=True))
