"""Highlander at time: the last turn, then End Game (HL-T03 to T05)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from rules.reason import Reason, reason
from rules.timed.facts import Facts, ask_both_players
from rules.timed.model import FirstTurn, Outcome, Player, Question, Score, add_win, ask, opponent_of
from rules.timed.procedure import Procedure, can_draw, register_procedure

TIME = "Official Tournament Rules (l.2050)"

_LAST_TURN = ask("last_turn_winner.turn", "player_or_none", TIME)

_FINISHED = ask("finished_turn", "player", TIME)

_WINNER = ask("end_game_winner", "player", TIME, later=True)


@register_procedure("highlander")
class HighlanderTimed(Procedure):
    """The last turn decides, else End Game; no one can draw, whatever the stage (HL-T04)."""

    def questions(self, stage: str, match_form: str, facts: Facts) -> tuple[Question, ...]:
        can_draw(stage)
        self.form(match_form)
        still_open = facts.missing((_LAST_TURN,))
        if still_open or facts.player("last_turn_winner"):
            return still_open
        return facts.missing((_FINISHED,)) or facts.missing((*self._abilities(), _WINNER))

    def _abilities(self) -> tuple[Question, ...]:
        return ask_both_players("ability", TIME, later=True)

    def outcome(self, stage: str, match_form: str, facts: Facts) -> Outcome:
        in_time = facts.player("last_turn_winner")
        winner = in_time or facts.player("end_game_winner")
        if winner is None:
            return self._goes_on(facts)
        score: Score = add_win((0, 0), winner)
        if in_time:
            return self.settled("won-last-turn", winner, "last_turn", TIME, score, winner=winner)
        return self.settled("won-end-game", winner, "end_game", TIME, score, winner=winner)

    def _goes_on(self, facts: Facts) -> Outcome:
        finished = facts.player("finished_turn") or "p1"
        first = opponent_of(finished)
        begins = self.settled(
            "end-game-begins",
            "play_on",
            None,
            TIME,
            next_step="end_game",
            first=first,
            procedure=self.text("time_called", "sentence"),
        )
        return replace(begins, reasons=(*begins.reasons, *self._forecast(first, finished, facts)))

    def _forecast(self, first: Player, second: Player, facts: Facts) -> tuple[Reason, ...]:
        ability = facts.counts("ability")
        if ability[0] is None or ability[1] is None or max(ability[0], ability[1]) > MAX_ABILITY:
            return ()
        ending = play_end_game(first, second, {"p1": ability[0], "p2": ability[1]})
        return (reason("end-game-forecast", winner=ending.winner, turn=ending.turn),)

    def first_turn(self, game_in_match: int, previous_loser: Player | None) -> FirstTurn:
        clause, sentence = self.text("first_turn", "clause"), self.text("first_turn", "sentence")
        return FirstTurn(None, "gem_count", sentence, clause)


ABILITY_LOSS_PER_TURN = 2

ABILITY_LOSS_BY_EXHAUSTION = 5

MAX_ABILITY = 1000

# What a player may do or suffer in a turn; the last ones change nothing in End Game.
EVENT_KINDS = frozenset(
    {"head_shot", "damage", "exhaust", "skips_attack_phase", "prevent_damage", "gain_ability"}
)


@dataclass(frozen=True, slots=True)
class EndGameEvent:
    """Something that happens to `player` in a turn of End Game (counted from 1).

    `amount` is the damage suffered; `head_shot` means that `player` takes the other's head.
    """

    turn: int
    player: str
    kind: str
    amount: int = 0


@dataclass(frozen=True, slots=True)
class EndGameResult:
    """Who wins End Game and in which of its turns."""

    winner: str
    turn: int


def play_end_game(
    first: str, second: str, ability: Mapping[str, int], events: Iterable[EndGameEvent] = ()
) -> EndGameResult:
    """Play End Game out; `first` moves first, `ability` is what each has left when it begins.

    Raises ValueError for ability that is no whole number from -1000 to 1000, for an unknown kind of event and
    for one of someone else.
    """
    left = {player: ability[player] for player in (first, second)}
    happening = tuple(events)
    _validate_end_game(left, happening)
    turn = 0
    while True:
        turn += 1
        active, waiting = (first, second) if turn % 2 else (second, first)
        winner = _play_turn(active, waiting, left, [e for e in happening if e.turn == turn])
        if winner is not None:
            return EndGameResult(winner, turn)


def _play_turn(active: str, waiting: str, left: dict[str, int], events: list[EndGameEvent]) -> str | None:
    """One turn of the active player; gives the winner if it ends the game."""
    for event in events:
        if event.kind == "damage":
            left[event.player] -= event.amount
    skipped = any(event.kind == "skips_attack_phase" and event.player == active for event in events)
    if not skipped and left[active] <= 0:
        return waiting
    taker = next((event.player for event in events if event.kind == "head_shot"), None)
    if taker is not None:
        return taker
    exhausted = sum(1 for event in events if event.kind == "exhaust" and event.player == active)
    left[active] -= ABILITY_LOSS_PER_TURN + ABILITY_LOSS_BY_EXHAUSTION * exhausted
    return waiting if skipped and left[active] <= 0 else None


def _validate_end_game(ability: Mapping[str, int], events: tuple[EndGameEvent, ...]) -> None:
    for player, left in ability.items():
        if type(left) is not int or abs(left) > MAX_ABILITY:
            raise ValueError(f"The ability of {player} cannot be {left!r}.")
    for event in events:
        if event.kind not in EVENT_KINDS:
            raise ValueError(
                f"{event.kind} is no event of End Game; known are {', '.join(sorted(EVENT_KINDS))}."
            )
        if event.player not in ability:
            raise ValueError(f"{event.player} does not play this game.")
        if type(event.turn) is not int or type(event.amount) is not int or event.amount < 0:
            raise ValueError("A turn and an amount must be whole numbers, the amount not below zero.")
