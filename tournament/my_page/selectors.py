"""Data of a player's page: the next task and the results to report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from decks.submissions.selectors import current_outcome
from rules.sides import LAST_STANDING
from tournament.brackets.selectors.bracket import load_bracket_state
from tournament.decklists.selectors import current_version
from tournament.engine.exits import QUALIFIED
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.result_sentences import Names
from tournament.events.models.round import Match, Round
from tournament.events.seats import list_owners_of
from tournament.events.settings import get_game, get_games_to_win, get_plan, get_sides
from tournament.registration.selectors import has_missed_rounds, waiting_list_position
from tournament.results.selectors import MyMatch
from tournament.standings.selectors.exits import load_exits
from tournament.standings.selectors.standings import StandingsLine

Phase = Event.Phase
Status = Player.Status

# The tasks of a player whose match is being played.
SEATED = frozenset({"playing", "reported", "confirm", "disputed"})


@dataclass(frozen=True, slots=True)
class PlayerTask:
    """The next thing to do. `kind` names the template that shows it.

    `next_part` says what comes after the round: "round", "cut", "stage" or "end".
    """

    kind: str
    match: MyMatch | None = None
    place: int | None = None
    closed_reason: str = ""
    is_out: bool = False
    next_part: str = "round"

    @property
    def has_seat(self) -> bool:
        """Whether the player sits at a table, which the page then shows with the clock."""
        return self.kind in SEATED

    @property
    def template(self) -> str:
        """The template of this kind."""
        return f"tournament/my_page/tasks/{self.kind}.html"


def find_next_task(
    player: Player,
    matches: list[MyMatch],
    line: StandingsLine | None,
    rounds: Sequence[Round],
    *,
    why_closed: str = "",
    is_disqualified: bool = False,
) -> PlayerTask:
    """Return what the player should do now, alone and large.

    `rounds` are the published ones as they are played; `why_closed` says why lists cannot change.
    """
    event = player.event
    if is_disqualified:
        return PlayerTask("disqualified")
    if player.status == Status.WITHDRAWN:
        return PlayerTask("withdrawn")
    if event.phase in (Phase.PREPARING, Phase.REGISTRATION, Phase.CHECK_IN):
        return _task_before_start(player, why_closed)
    if player.status == Status.WAITING:
        return PlayerTask("not_in")
    if event.phase == Phase.FINISHED:
        return PlayerTask("finished", place=line.rank if line else None)
    return _task_while_playing(player, matches, rounds[-1] if rounds else None)


def _task_before_start(player: Player, why_closed: str) -> PlayerTask:
    event = player.event
    if player.status == Status.WAITING:
        return PlayerTask("waiting", place=waiting_list_position(player))
    if event.needs_character and not player.character:
        return PlayerTask("character")
    if event.phase == Phase.CHECK_IN and player.checked_in_at is None:
        return PlayerTask("check_in")
    versions = [current_version(owner) for owner in list_owners_of(player)]
    if event.decklists_required and None in versions:
        return PlayerTask("list_missing", closed_reason=why_closed)
    if any(version is not None and current_outcome(version) != "legal" for version in versions):
        return PlayerTask("list_mend", closed_reason=why_closed)
    return PlayerTask("ready")


def _task_while_playing(player: Player, matches: list[MyMatch], latest: Round | None) -> PlayerTask:
    event = player.event
    current = matches[0] if matches and latest and matches[0].round.stage_id == latest.stage_id else None
    if player.is_dropped and (current is None or current.match.is_finished):
        return PlayerTask("missed_start" if has_missed_rounds(event, player) else "dropped")
    if latest is None:
        return PlayerTask("before_round")
    if player.entered_round > latest.number and not latest.stage.is_elimination:
        return PlayerTask("late")
    swiss_exit = load_exits(latest.stage).get(player.pk)
    if swiss_exit is not None and (current is None or current.match.is_finished):
        return PlayerTask("swiss_exit", is_out=swiss_exit != QUALIFIED, next_part=swiss_exit)
    if current is not None and _is_current_match(current, latest):
        return _match_task(current)
    if latest.stage.is_elimination:
        return _cut_task(player, matches, latest)
    if player.number in latest.pairing.get("resting", []):
        kind = "group_wait" if latest.stage.needs_winner else "rest"
        return PlayerTask(kind, next_part=_find_what_follows(latest))
    if latest.stage.position > 1 and not latest.stage.entrants.filter(player=player).exists():
        return PlayerTask("missed_stage")
    return PlayerTask("before_round")


def _is_current_match(mine: MyMatch, latest: Round) -> bool:
    """Return whether a match is current for the player.

    It is of the running round, or the player's last in a bracket while it is open.
    """
    return mine.round.pk == latest.pk or (mine.is_elimination and not mine.match.is_finished)


def _find_what_follows(round_: Round) -> str:
    """Return what comes after a round of Swiss or round robin.

    It is "round" where the number of rounds is open.
    """
    stage, planned_round_count = round_.stage, round_.stage.planned_rounds
    if (
        planned_round_count is None
        or stage.rounds.filter(number__lte=round_.number).count() < planned_round_count
    ):
        return "round"
    later = get_plan(stage.event)[stage.position :]
    if not later:
        return "end"
    return "cut" if later[0].is_bracket else "stage"


def _match_task(mine: MyMatch) -> PlayerTask:
    if mine.opponent is None:
        kind = "bye" if mine.match.outcome == Match.Outcome.BYE else "absent"
        return PlayerTask(kind, match=mine, next_part=_find_what_follows(mine.round))
    if mine.match.is_finished:
        if mine.is_elimination:
            return _bracket_result(mine)
        return PlayerTask("round_over", match=mine, next_part=_find_what_follows(mine.round))
    if mine.match.is_disputed:
        return PlayerTask("disputed", match=mine)
    if mine.can_confirm:
        return PlayerTask("confirm", match=mine)
    return PlayerTask("reported" if mine.has_reported else "playing", match=mine)


def _cut_task(player: Player, matches: list[MyMatch], latest: Round) -> PlayerTask:
    is_in = latest.stage.entrants.filter(player=player).exists()
    if not is_in:
        return PlayerTask("missed_cut")
    last = matches[0] if matches and matches[0].is_elimination else None
    return _bracket_result(last) if last else PlayerTask("cut_wait")


def _bracket_result(mine: MyMatch) -> PlayerTask:
    """Return the end of a match in a bracket.

    The loser may have a second chance, or a third place to play for.
    """
    stage = mine.round.stage
    seed = stage.entrants.get(player=mine.me).seed
    beaten_seeds = {final.seed for final in load_bracket_state(stage).places}
    return PlayerTask("cut_result", match=mine, is_out=seed in beaten_seeds)


@dataclass(frozen=True, slots=True)
class ScoreButton:
    """One result to report with one press: `value` is sent, my games first.

    It reads as a sentence: `winner` won `score`, the winner's games first; a draw has no winner.
    """

    value: str
    winner: str
    score: str
    kind: str


def list_score_buttons(event: Event, names: Names, *, needs_winner: bool) -> list[ScoreButton]:
    """Return the results that a match usually has, by its form.

    There is no draw where one player must win, nor in a game without draws. `names` are mine and the
    opponent's. My wins and theirs alternate, so that two columns hold them.
    """
    needed_games = get_games_to_win(event)
    mine, theirs = names
    wins = [
        button
        for losses in range(needed_games)
        for button in (
            ScoreButton(f"{needed_games}-{losses}", mine, f"{needed_games}-{losses}", "win"),
            ScoreButton(f"{losses}-{needed_games}", theirs, f"{needed_games}-{losses}", "loss"),
        )
    ]
    if needs_winner or not get_game(event).knows_draws:
        return wins
    drawn_score = f"{needed_games - 1}-{needed_games - 1}"
    return [*wins, ScoreButton(drawn_score, "", drawn_score, "draw")]


def list_buttons(player: Player, mine: MyMatch | None) -> list[ScoreButton]:
    """Return the usual results for the match of a player.

    There are none at tables of more than two sides, nor for boards.
    """
    if mine is None or mine.opponent is None or mine.match.is_pod or player.event.has_boards:
        return []
    return list_score_buttons(player.event, mine.short_names, needs_winner=mine.needs_winner)


@dataclass(frozen=True, slots=True)
class PlaceButton:
    """One result of a table with more than two sides.

    `value` is the place of each side, as it is sent.
    """

    value: str
    winner: str
    kind: str


def list_place_buttons(mine: MyMatch | None) -> list[PlaceButton]:
    """Return each side as the winner, where the last one standing wins; mine first.

    None in a match of two.
    """
    if mine is None or not mine.match.is_pod:
        return []
    sides = mine.match.sides
    if get_sides(mine.me.event).ends != LAST_STANDING:
        return []
    ordered_sides = sorted(sides, key=lambda side: side.player.pk != mine.me.pk)
    return [
        PlaceButton(
            "-".join("1" if side == winner else "2" for side in sides),
            winner.player.name,
            "win" if winner.player.pk == mine.me.pk else "loss",
        )
        for winner in ordered_sides
    ]
