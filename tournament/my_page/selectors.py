"""What one player needs to know: the next thing to do, his matches, his place, his lists."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from decks.submissions.selectors.lists import standing_outcome
from tournament.brackets.selectors.bracket import bracket_state
from tournament.decklists.selectors.lists import current_version
from tournament.events.game_terms import game_of, games_to_win
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Match, Round
from tournament.registration.selectors import place_in_line, rounds_went_without
from tournament.results.selectors.my_matches import MyMatch
from tournament.standings.selectors.my_line import Phase
from tournament.standings.selectors.standings import Line

Status = Player.Status


@dataclass(frozen=True, slots=True)
class Task:
    """The next thing to do. `kind` names the template that shows it."""

    kind: str
    match: MyMatch | None = None
    place: int | None = None
    closed: str = ""
    is_out: bool = False

    @property
    def template(self) -> str:
        """The template of this kind."""
        return f"tournament/my_page/tasks/{self.kind}.html"


def next_task(
    player: Player,
    matches: list[MyMatch],
    line: Line | None,
    rounds: Sequence[Round],
    *,
    closed: str = "",
    is_disqualified: bool = False,
) -> Task:
    """What the player should do now, alone and large.

    `rounds` are the published ones as they are played; `closed` says why lists can no longer change, if so.
    """
    event = player.event
    if is_disqualified:
        return Task("disqualified")
    if player.status == Status.WITHDRAWN:
        return Task("withdrawn")
    if event.phase in (Phase.PREPARING, Phase.REGISTRATION, Phase.CHECK_IN):
        return _before_the_start(player, closed)
    if player.status == Status.WAITING:
        return Task("not_in")
    if event.phase == Phase.FINISHED:
        return Task("finished", place=line.rank if line else None)
    return _while_playing(player, matches, rounds[-1] if rounds else None)


def _before_the_start(player: Player, closed: str) -> Task:
    event = player.event
    if player.status == Status.WAITING:
        return Task("waiting", place=place_in_line(player))
    if event.needs_character and not player.character:
        return Task("character")
    if event.phase == Phase.CHECK_IN and player.checked_in_at is None:
        return Task("check_in")
    version = current_version(player)
    if event.decklists_required and version is None:
        return Task("list_missing", closed=closed)
    if version is not None and standing_outcome(version) != "legal":
        return Task("list_mend", closed=closed)
    return Task("ready")


def _while_playing(player: Player, matches: list[MyMatch], latest: Round | None) -> Task:
    event = player.event
    current = matches[0] if matches and latest and matches[0].played.stage_id == latest.stage_id else None
    if player.is_dropped and (current is None or current.match.is_finished):
        return Task("missed_start" if rounds_went_without(event, player) else "dropped")
    if latest is None:
        return Task("before_round")
    if player.entered_round > latest.number and not latest.stage.is_elimination:
        return Task("late")
    if current is not None and _is_to_be_shown(current, latest):
        return _match_task(current)
    if latest.stage.is_elimination:
        return _cut_task(player, matches, latest)
    if player.number in latest.pairing.get("resting", []):
        return Task("rest")
    return Task("before_round")


def _is_to_be_shown(mine: MyMatch, latest: Round) -> bool:
    """A match of the running round, or, in a bracket, the player's own last one while it is open."""
    return mine.played.pk == latest.pk or (mine.is_elimination and not mine.match.is_finished)


def _match_task(mine: MyMatch) -> Task:
    if mine.opponent is None:
        return Task("bye" if mine.match.outcome == Match.Outcome.BYE else "absent", match=mine)
    if mine.match.is_finished:
        return _bracket_result(mine) if mine.is_elimination else Task("round_over", match=mine)
    if mine.mine and mine.theirs:
        return Task("disputed", match=mine)
    if mine.theirs:
        return Task("confirm", match=mine)
    return Task("reported" if mine.mine else "playing", match=mine)


def _cut_task(player: Player, matches: list[MyMatch], latest: Round) -> Task:
    is_in = latest.stage.entrants.filter(player=player).exists()
    if not is_in:
        return Task("missed_cut")
    last = matches[0] if matches and matches[0].is_elimination else None
    return _bracket_result(last) if last else Task("cut_wait")


def _bracket_result(mine: MyMatch) -> Task:
    """The end of a match in a bracket; who lost may have a second chance, or third place to play for."""
    stage = mine.played.stage
    seed = stage.entrants.get(player=mine.me).seed
    beaten = {final.seed for final in bracket_state(stage).places}
    return Task("cut_result", match=mine, is_out=seed in beaten)


@dataclass(frozen=True, slots=True)
class Button:
    """One result to report with one press: `value` is sent, my games first."""

    value: str
    label: str
    kind: str


def score_buttons(event: Event, *, is_elimination: bool) -> list[Button]:
    """The results that a match usually has, by its form; no draw in the cut, nor in a game without."""
    needed = games_to_win(event)
    wins = [(needed, lost) for lost in range(needed)]
    can_be_drawn = not is_elimination and game_of(event).knows_draws
    drawn = [(needed - 1, needed - 1)] if can_be_drawn else []
    losses = [(lost, needed) for lost in reversed(range(needed))]
    return [*_buttons(wins, "win"), *_buttons(drawn, "draw"), *_buttons(losses, "loss")]


def _buttons(scores: Iterable[tuple[int, int]], kind: str) -> list[Button]:
    return [Button(f"{mine}-{theirs}", f"{mine}–{theirs}", kind) for mine, theirs in scores]
