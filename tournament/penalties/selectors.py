"""Penalty history, suggested levels, and losses that count in a match."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from django.db.models import QuerySet

from decks.shared.refusals import Refused
from rules.rendering import say
from tournament.engine.penalties import is_lost, suggest_penalty
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Match, Round, Seat
from tournament.events.settings import get_games_to_win
from tournament.penalties.models import Infraction, Penalty, PenaltyLevel

LOSS_LEVELS = (PenaltyLevel.GAME_LOSS, PenaltyLevel.MATCH_LOSS)
DECIDED_OUTCOMES = (Match.Outcome.P1, Match.Outcome.P2, Match.Outcome.DRAW)
RoundPlace = tuple[int, int]


@dataclass(frozen=True, slots=True)
class PenaltyLosses:
    """The effect of a player's penalties on one match."""

    games: int = 0
    match: bool = False

    def __bool__(self) -> bool:
        return self.match or self.games > 0


NO_LOSSES = PenaltyLosses()


def get_losses(event: Event, matches: Iterable[Match]) -> dict[int, dict[int, PenaltyLosses]]:
    """Return the game and match losses that count in each match.

    They are returned for each match and player, by id. A loss counts in the match of its round, or, where it
    was given for the next one, in the player's first match with an opponent after it. Two queries at most,
    one if no one has a loss.
    """
    paired_matches = [match for match in matches if match.p2_id is not None]
    player_ids = {pk for match in paired_matches for pk in (match.p1_id, match.p2_id)}
    penalties = list(event.penalties.filter(player__in=player_ids, degree__in=LOSS_LEVELS).order_by("pk"))
    if not penalties:
        return {}
    places = _get_round_places(penalties)
    losses_by_match: dict[int, dict[int, PenaltyLosses]] = defaultdict(dict)
    for match in paired_matches:
        place = match.round.stage.position, match.round.number
        for player in (match.p1_id, match.p2_id):
            counting_penalties = [
                p
                for p in penalties
                if p.player_id == player and _find_counting_round(p, places[player]) == place
            ]
            if player is not None and counting_penalties:
                losses_by_match[match.pk][player] = _sum_losses(counting_penalties)
    return dict(losses_by_match)


def _sum_losses(penalties: list[Penalty]) -> PenaltyLosses:
    games = sum(p.degree == PenaltyLevel.GAME_LOSS for p in penalties)
    return PenaltyLosses(games, any(p.degree == PenaltyLevel.MATCH_LOSS for p in penalties))


def _get_round_places(penalties: Iterable[Penalty]) -> dict[int, list[RoundPlace]]:
    """Return the rounds in which players have opponents, by player.

    They are in the order of play.
    """
    player_ids = {penalty.player_id for penalty in penalties}
    seats = Seat.objects.filter(player__in=player_ids, match__p2__isnull=False)
    rows = seats.exclude(round__state=Round.State.DRAFT).values_list(
        "player_id", "round__stage__position", "round__number"
    )
    places: dict[int, list[RoundPlace]] = {pk: [] for pk in player_ids}
    for player, stage, number in rows:
        places[player].append((stage, number))
    return {player: sorted(round_places) for player, round_places in places.items()}


def _find_counting_round(penalty: Penalty, places: list[RoundPlace]) -> RoundPlace | None:
    if not penalty.is_next:
        return penalty.place
    return next((place for place in places if place > penalty.place), None)


def get_counting_round(penalty: Penalty) -> RoundPlace | None:
    """Return stage and round of the match in which a loss counts.

    It is None before there is one. It takes one query.
    """
    return _find_counting_round(penalty, _get_round_places([penalty])[penalty.player_id])


def get_match_losses(match: Match) -> dict[int, PenaltyLosses]:
    """Return the losses that count in one match, by player."""
    return get_losses(match.round.stage.event, [match]).get(match.pk, {})


def get_losing_sides(
    match: Match, losses: Mapping[int, PenaltyLosses], *, losing_side: str = ""
) -> list[str]:
    """Return which sides (“p1”, “p2”) have lost a match by the losses in it.

    The losses that count in the match are given by player. `losing_side` is a side that loses it now in any
    case. Where one has lost, a disqualified opponent has too: no player wins after that. One query at most.
    """
    event = match.round.stage.event
    games_to_win = get_games_to_win(event) * max(event.board_count, 1)
    player_ids = {"p1": match.p1_id, "p2": match.p2_id or 0}
    losses_by_side = {side: losses.get(player, NO_LOSSES) for side, player in player_ids.items()}
    losing_sides = {
        side
        for side, side_losses in losses_by_side.items()
        if side == losing_side or side_losses.match or is_lost(side_losses.games, games_to_win)
    }
    disqualified_ids = get_disqualified_ids(event) if losing_sides else frozenset()
    return [side for side, player in player_ids.items() if side in losing_sides or player in disqualified_ids]


def find_ignored_losses(match: Match, outcome: str, games: tuple[int, int], ending: str) -> Iterator[Refused]:
    """Yield what a result leaves out of the penalties of its players.

    A game or a match that one of them lost.

    Nothing is asked of a result in which no one won by games: both lost, or a draw by agreement. Ours.
    """
    if outcome not in DECIDED_OUTCOMES or ending == Match.Ending.AGREED_DRAW:
        return
    losses = get_match_losses(match)
    for own_wins, opponent_wins, player, other in ((0, 1, match.p1, match.p2), (1, 0, match.p2, match.p1)):
        if player is None or other is None:
            continue
        player_losses = losses.get(player.pk, NO_LOSSES)
        if player_losses.match and games[own_wins] >= games[opponent_wins]:
            yield _refusal("match_loss_left_out", player, other)
        elif games[opponent_wins] < player_losses.games:
            yield _refusal("game_loss_left_out", player, other)


def _refusal(code: str, player: Player, other: Player) -> Refused:
    return Refused(code, field="score", player=player.name, opponent=other.name)


def get_penalties(event: Event) -> QuerySet[Penalty]:
    """Return every penalty of an event with its player, the newest first."""
    return event.penalties.select_related("player", "deck_check")


@dataclass(frozen=True, slots=True)
class PenaltyHistory:
    """The penalties of a player so far, and the suggested level for each infraction."""

    penalties: list[Penalty]
    suggested_levels: dict[str, str]

    @property
    def is_disqualified(self) -> bool:
        """Whether a disqualification is in effect."""
        return any(p.degree == PenaltyLevel.DISQUALIFICATION for p in self.penalties)

    @property
    def choices(self) -> list[tuple[str, str, str]]:
        """Infractions with their words and the words of the suggested degree."""
        words = dict(PenaltyLevel.choices)
        return [
            (key, str(label), str(words[self.suggested_levels[key]])) for key, label in Infraction.choices
        ]


@dataclass(frozen=True, slots=True)
class PenaltyChoice:
    """An infraction on the form, with its suggested level.

    It also has what the button says with each level.
    """

    infraction: str
    label: str
    suggested_level: str
    buttons: list[tuple[str, str]]

    @property
    def suggested_label(self) -> str:
        """The suggested level in words."""
        return str(PenaltyLevel(self.suggested_level).label)


def list_penalty_choices(player: Player, history: PenaltyHistory) -> list[PenaltyChoice]:
    """Return every infraction with the words of every level for this player.

    No query.
    """
    return [
        PenaltyChoice(
            infraction=key,
            label=str(label),
            suggested_level=history.suggested_levels[key],
            buttons=[(level, describe_penalty(level, key, player)) for level in PenaltyLevel.values],
        )
        for key, label in Infraction.choices
    ]


def describe_penalty(degree: str, infraction: str, player: Player) -> str:
    """Return a penalty in words: “Warning to Ann for slow play”."""
    return say("reason", "penalty_words", degree=degree, infraction=infraction, player=player.name)


def get_penalty_history(player: Player) -> PenaltyHistory:
    """Return a player's penalties across the event, the newest first. One query."""
    penalties = list(player.penalties.select_related("deck_check"))
    before: dict[str, list[str]] = defaultdict(list)
    for penalty in penalties:
        before[penalty.infraction].append(penalty.degree)
    return PenaltyHistory(penalties, {key: suggest_penalty(key, before[key]) for key in Infraction.values})


def refuse_disqualified(player: Player) -> None:
    """Raise Refused for a player who was disqualified and would come back."""
    if player.penalties.filter(degree=PenaltyLevel.DISQUALIFICATION).exists():
        raise Refused("disqualified", player=player.name)


def get_disqualified_ids(event: Event) -> frozenset[int]:
    """Return the ids of players disqualified from every cut and prize.

    It takes one query.
    """
    penalties = event.penalties.filter(degree=PenaltyLevel.DISQUALIFICATION)
    return frozenset(penalties.values_list("player_id", flat=True))
