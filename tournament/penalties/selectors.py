"""Penalties as judges read them: a player's history, the next step, what they do to a match."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from django.db.models import QuerySet

from decks.shared.refusals import Refused
from tournament.engine.penalties import is_lost, next_step
from tournament.events.game_terms import games_to_win
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Match, Round, Seat
from tournament.penalties.models import Degree, Infraction, Penalty

COSTLY = (Degree.GAME_LOSS, Degree.MATCH_LOSS)
DECIDED = (Match.Outcome.P1, Match.Outcome.P2, Match.Outcome.DRAW)
Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Losses:
    """What a player's penalties cost him in one match."""

    games: int = 0
    match: bool = False

    def __bool__(self) -> bool:
        return self.match or self.games > 0


NOTHING = Losses()


def losses_of(event: Event, matches: Iterable[Match]) -> dict[int, dict[int, Losses]]:
    """For each match (by id) and player (by id) the game and match losses that count in it.

    A loss counts in the match of its round, or, where it was given for the next one, in the player's first
    match with an opponent after it. Two queries at most, one where nobody has a loss.
    """
    listed = [match for match in matches if match.p2_id is not None]
    people = {pk for match in listed for pk in (match.p1_id, match.p2_id)}
    given = list(event.penalties.filter(player__in=people, degree__in=COSTLY).order_by("pk"))
    if not given:
        return {}
    places = _places(given)
    found: dict[int, dict[int, Losses]] = defaultdict(dict)
    for match in listed:
        here = match.round.stage.position, match.round.number
        for player in (match.p1_id, match.p2_id):
            mine = [p for p in given if p.player_id == player and _counts_in(p, places[player]) == here]
            if mine:
                found[match.pk][player] = _sum(mine)
    return dict(found)


def _sum(penalties: list[Penalty]) -> Losses:
    games = sum(p.degree == Degree.GAME_LOSS for p in penalties)
    return Losses(games, any(p.degree == Degree.MATCH_LOSS for p in penalties))


def _places(given: Iterable[Penalty]) -> dict[int, list[Place]]:
    """Where the players have matches against somebody, in the order of play, by player."""
    people = {penalty.player_id for penalty in given}
    seats = Seat.objects.filter(player__in=people, match__p2__isnull=False)
    rows = seats.exclude(round__state=Round.State.DRAFT).values_list(
        "player_id", "round__stage__position", "round__number"
    )
    places: dict[int, list[Place]] = {pk: [] for pk in people}
    for player, stage, number in rows:
        places[player].append((stage, number))
    return {player: sorted(found) for player, found in places.items()}


def _counts_in(penalty: Penalty, places: list[Place]) -> Place | None:
    if not penalty.is_next:
        return penalty.place
    return next((place for place in places if place > penalty.place), None)


def counts_in(penalty: Penalty) -> Place | None:
    """Stage and round of the match in which a loss counts; None before there is one. One query."""
    return _counts_in(penalty, _places([penalty])[penalty.player_id])


def losses_in(match: Match) -> dict[int, Losses]:
    """The losses that count in one match, by player."""
    return losses_of(match.round.stage.event, [match]).get(match.pk, {})


def losers(match: Match, losses: Mapping[int, Losses], *, besides: str = "") -> list[str]:
    """Which sides (“p1”, “p2”) have lost a match by the losses that count in it, by player.

    `besides` is a side that loses it now in any case. Where one has lost, a disqualified opponent has too:
    nobody wins after that. One query at most.
    """
    event = match.round.stage.event
    needed = games_to_win(event)
    people = {"p1": match.p1_id, "p2": match.p2_id or 0}
    known = {side: losses.get(player, NOTHING) for side, player in people.items()}
    lost = {side for side, by in known.items() if side == besides or by.match or is_lost(by.games, needed)}
    out = disqualified(event) if lost else frozenset()
    return [side for side, player in people.items() if side in lost or player in out]


def left_out(match: Match, outcome: str, games: tuple[int, int], ending: str) -> Iterator[Refused]:
    """What a result leaves out of the penalties of its players: a game or a match that one of them lost.

    Nothing is asked of a result in which nobody won by games: both lost, or a draw by agreement. Ours.
    """
    if outcome not in DECIDED or ending == Match.Ending.AGREED_DRAW:
        return
    losses = losses_in(match)
    for mine, theirs, player, other in ((0, 1, match.p1, match.p2), (1, 0, match.p2, match.p1)):
        lost = losses.get(player.pk, NOTHING) if player else NOTHING
        if lost.match and games[mine] >= games[theirs]:
            yield _refusal("match", player, other)
        elif games[theirs] < lost.games:
            yield _refusal("game", player, other)


def _refusal(what: str, player: Player, other: Player) -> Refused:
    return Refused(
        f"{what}_loss_left_out",
        f"{player} has a {what} loss in this match: {other} has won a {what} by it, which this leaves out.",
        fix="Count it, or let a judge take the penalty back first.",
        field="score",
    )


def penalties_of(event: Event) -> QuerySet[Penalty]:
    """Every penalty of an event with its player, the newest first."""
    return event.penalties.select_related("player", "deck_check")


@dataclass(frozen=True, slots=True)
class History:
    """What a player was given so far, and the degree suggested for each infraction."""

    penalties: list[Penalty]
    suggested: dict[str, str]

    @property
    def is_disqualified(self) -> bool:
        """Whether a disqualification stands."""
        return any(p.degree == Degree.DISQUALIFICATION for p in self.penalties)

    @property
    def choices(self) -> list[tuple[str, str, str]]:
        """Infractions with their words and the words of the suggested degree."""
        words = dict(Degree.choices)
        return [(key, label, str(words[self.suggested[key]])) for key, label in Infraction.choices]


def history(player: Player) -> History:
    """A player's penalties across the event, the newest first. One query."""
    given = list(player.penalties.select_related("deck_check"))
    before: dict[str, list[str]] = defaultdict(list)
    for penalty in given:
        before[penalty.infraction].append(penalty.degree)
    return History(given, {key: next_step(key, before[key]) for key in Infraction.values})


def refuse_disqualified(player: Player) -> None:
    """Raise Refused for a player who was disqualified and would come back."""
    if player.penalties.filter(degree=Degree.DISQUALIFICATION).exists():
        raise Refused(
            "disqualified",
            f"{player.name} was disqualified and cannot come back.",
            fix="Take the disqualification back first, if it was a mistake.",
        )


def disqualified(event: Event) -> frozenset[int]:
    """The ids of players whom a disqualification keeps from every cut and prize. One query."""
    given = event.penalties.filter(degree=Degree.DISQUALIFICATION)
    return frozenset(given.values_list("player_id", flat=True))
