"""End Game of Highlander, played turn by turn, phase by phase (HL-T03 to T05)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

ABILITY_LOSS_PER_TURN = 2

ABILITY_LOSS_BY_EXHAUSTION = 5

MAX_ABILITY = 1000

SWEEP, MAY_DO, DEFENSE, ATTACK, ADJUSTMENT, DRAW = PHASES = (
    "sweep", "may_do", "defense", "attack", "adjustment", "draw",
)  # fmt: skip
"""The sequence of play (l.180-194): the phases of a turn, in order."""

EVENT_KINDS = frozenset(
    {"head_shot", "damage", "exhaust", "skips_attack_phase", "prevent_damage", "gain_ability"}
)
"""What a player may do or suffer in a turn. Nothing is gained in End Game (l.2050)."""


@dataclass(frozen=True, slots=True)
class EndGameEvent:
    """Something that happens to `player` in a turn of End Game (counted from 1).

    `amount` is the damage suffered or prevented; `head_shot` means that `player` takes the other's head.
    Events of turn 0 happened before End Game and are still pending when it begins. Without a `phase`, an
    event comes where the rules let it come first: an attack succeeds in the Defense Phase of the player who
    did not defend, the active player attacks in the Attack Phase, all else is before the adjustment.
    """

    turn: int
    player: str
    kind: str
    amount: int = 0
    phase: str = ""

    def phase_of(self, active: str) -> str:
        """Return the phase of a turn of the `active` player in which this happens."""
        if self.phase:
            return self.phase
        return ATTACK if self.kind == "head_shot" and self.player == active else DEFENSE


@dataclass(frozen=True, slots=True)
class EndGameResult:
    """The winner of End Game, and its last turn."""

    winner: str
    turn: int


@dataclass(slots=True)
class _PlayerState:
    """The ability of a player, and what waits for the next adjustment.

    The player's next Ability Adjustment Phase applies it (l.192, 315).
    """

    ability: int
    damage: int = 0
    prevented_damage: int = 0
    loss: int = 0

    def take(self, event: EndGameEvent) -> None:
        """Let an event wait for the next adjustment."""
        if event.kind == "damage":
            self.damage += event.amount
        elif event.kind == "prevent_damage":
            self.prevented_damage += event.amount
        elif event.kind == "exhaust":
            self.loss += ABILITY_LOSS_BY_EXHAUSTION

    def adjust(self) -> None:
        """Lose what is pending. Prevention stops damage, never a loss of ability (l.261)."""
        self.ability -= max(0, self.damage - self.prevented_damage) + self.loss + ABILITY_LOSS_PER_TURN
        self.damage = self.prevented_damage = self.loss = 0


@dataclass(slots=True)
class _Turn:
    """One turn of the active player."""

    active_player: str
    waiting_player: str
    players: Mapping[str, _PlayerState]
    events: list[EndGameEvent] = field(default_factory=list)

    def play(self) -> str | None:
        """Return the winner, if the turn ends the game."""
        for phase in PHASES:
            winner = self._play_phase(phase)
            if winner is not None:
                return winner
        return None

    def _play_phase(self, phase: str) -> str | None:
        skips_attack = any(
            e.kind == "skips_attack_phase" and e.player == self.active_player for e in self.events
        )
        state = self.players[self.active_player]
        if phase == ATTACK and not skips_attack and state.ability <= 0:
            return self.waiting_player
        if phase == ADJUSTMENT:
            state.adjust()
            if skips_attack and state.ability <= 0:
                return self.waiting_player
        for event in self.events:
            if event.phase_of(self.active_player) == phase:
                if event.kind == "head_shot":
                    return event.player
                self.players[event.player].take(event)
        return None


def play_end_game(
    first: str, second: str, ability: Mapping[str, int], events: Iterable[EndGameEvent] = ()
) -> EndGameResult:
    """Play End Game to its end.

    `first` moves first, and `ability` is what each player has left when it begins. Raises ValueError for
    ability that is not a whole number from -1000 to 1000, for an unknown kind or phase of an event and for
    one of someone else.
    """
    happening = tuple(events)
    _validate({player: ability[player] for player in (first, second)}, happening)
    players = {player: _PlayerState(ability[player]) for player in (first, second)}
    for event in happening:
        if event.turn == 0:
            players[event.player].take(event)
    turn = 0
    while True:
        turn += 1
        active_player, waiting_player = (first, second) if turn % 2 else (second, first)
        winner = _Turn(
            active_player, waiting_player, players, [e for e in happening if e.turn == turn]
        ).play()
        if winner is not None:
            return EndGameResult(winner, turn)


def _validate(ability: Mapping[str, int], events: tuple[EndGameEvent, ...]) -> None:
    for player, ability_left in ability.items():
        if type(ability_left) is not int or abs(ability_left) > MAX_ABILITY:
            raise ValueError(f"The ability of {player} cannot be {ability_left!r}.")
    for event in events:
        if event.kind not in EVENT_KINDS:
            known_kinds = ", ".join(sorted(EVENT_KINDS))
            raise ValueError(f"{event.kind} is no event of End Game; known are {known_kinds}.")
        if event.phase and event.phase not in PHASES:
            raise ValueError(f"{event.phase} is no phase of a turn; they are {', '.join(PHASES)}.")
        if event.player not in ability:
            raise ValueError(f"{event.player} does not play this game.")
        if type(event.turn) is not int or type(event.amount) is not int or event.amount < 0:
            raise ValueError("A turn and an amount must be whole numbers, the amount not below zero.")
