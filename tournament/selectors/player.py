"""What one player needs to know: the next thing to do, his matches, his place, his lists."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import Q

from decks.models import DeckVersion
from decks.selectors import standing_outcome
from tournament.models import Event, Match, Player, ResultReport, Round
from tournament.rulebook import game_of, games_to_win
from tournament.selectors.cut import bracket_state
from tournament.selectors.groups import standings_in_parts
from tournament.selectors.registration import place_in_line, rounds_went_without
from tournament.selectors.standings import Line

Phase = Event.Phase
Status = Player.Status
Games = tuple[int, int, int]


def player_of(token: str) -> Player | None:
    """The player of a private link with his event and current list; None for an unknown one. One query.

    The link of a registration that became one with another leads to that one, with a query more.
    """
    rows = Player.objects.select_related("event", "deck_list__current")
    found = rows.filter(token=token).first()
    return rows.get(pk=found.merged_into_id) if found and found.merged_into_id else found


@dataclass(frozen=True, slots=True)
class MyMatch:
    """A match as one of its players sees it: the opponent, and games as mine, theirs, drawn."""

    match: Match
    me: Player
    opponent: Player | None
    mine: Games | None
    theirs: Games | None

    @property
    def played(self) -> Round:
        """The round it belongs to."""
        return self.match.round

    @property
    def is_elimination(self) -> bool:
        """Whether it belongs to the cut."""
        return self.match.round.stage.is_elimination

    @property
    def score(self) -> str:
        """The result that stands, my games first."""
        return words(turned(_games(self.match), self.is_second)) if self.match.is_finished else ""

    @property
    def is_second(self) -> bool:
        """Whether I am the second player of the match."""
        return self.match.p2_id == self.me.pk

    @property
    def outcome(self) -> str:
        """won, lost, drawn, bye, absent, both_lost, or empty while it is played."""
        fixed = {
            "draw": "drawn",
            "bye": "bye",
            "loss_no_opponent": "absent",
            "double_loss": "both_lost",
            "": "",
        }
        if self.match.outcome in fixed:
            return fixed[self.match.outcome]
        return "won" if self.match.winner_id == self.me.pk else "lost"

    @property
    def their_ending(self) -> str:
        """How the opponent says it ended; empty for played out."""
        theirs = (report for report in self.match.reports.all() if report.player_id != self.me.pk)
        return next((report.ending for report in theirs), "")

    @property
    def their_ending_words(self) -> str:
        """The same in words."""
        return Match.Ending(self.their_ending).label.lower() if self.their_ending else ""

    @property
    def my_words(self) -> str:
        """What I reported, my games first; empty when I did not."""
        return words(self.mine) if self.mine else ""

    @property
    def their_words(self) -> str:
        """What the opponent reported, my games first; empty when he did not."""
        return words(self.theirs) if self.theirs else ""


def words(games: Games) -> str:
    """Games as people write them, with the drawn ones only where there are any."""
    return f"{games[0]}–{games[1]}" + (f"–{games[2]}" if games[2] else "")


def turned(games: Games, is_second: bool) -> Games:
    """Games of first and second player as mine and theirs, or the other way round."""
    return (games[1], games[0], games[2]) if is_second else games


def _games(row: Match | ResultReport) -> Games:
    return row.p1_games, row.p2_games, row.draws


def my_matches(player: Player) -> list[MyMatch]:
    """The player's published matches, the latest first, with the reports on each. Two queries."""
    rows = Match.objects.filter(Q(p1=player) | Q(p2=player), round__stage__event=player.event_id)
    rows = rows.exclude(round__state=Round.State.DRAFT).select_related("p1", "p2", "round__stage")
    rows = rows.prefetch_related("reports").order_by("-round__stage__position", "-round__number")
    return [_as_mine(match, player) for match in rows]


def _as_mine(match: Match, player: Player) -> MyMatch:
    is_second = match.p2_id == player.pk
    reports = {report.player_id: turned(_games(report), is_second) for report in match.reports.all()}
    opponent = match.p1 if is_second else match.p2
    if opponent is not None:
        opponent.event = player.event
    return MyMatch(
        match=match,
        me=player,
        opponent=opponent,
        mine=reports.get(player.pk),
        theirs=reports.get(opponent.pk) if opponent else None,
    )


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
        return f"player/tasks/{self.kind}.html"


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


def current_version(player: Player) -> DeckVersion | None:
    """The list that counts for the player."""
    return player.deck_list.current if player.deck_list else None


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


def my_line(player: Player) -> Line | None:
    """The player's line of the standings (of his group) as they are now; None before the start."""
    if player.event.phase not in (Phase.SWISS, Phase.CUT, Phase.FINISHED):
        return None
    parts = standings_in_parts(player.event)
    return next((line for part in parts for line in part.lines if line.player.pk == player.pk), None)


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
