"""End Game compared with a slow simulation.

The simulation plays every phase of every turn in the order of the document.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules import timed
from rules.games.highlander.end_game import EVENT_KINDS, PHASES, EndGameEvent, play_end_game
from tests import machine
from tests.everyday import each_case

SEQUENCE = ("sweep", "may do/must do", "defense", "attack", "ability adjustment", "draw/discard")


class Simulation:
    """A simulated game: one counter for each player, and notes about pending changes."""

    def __init__(self, abilities: dict[str, int], events: Sequence[EndGameEvent]) -> None:
        self.abilities = dict(abilities)
        self.events = list(events)
        self.damage_notes = [e for e in events if e.turn == 0 and e.kind == "damage"]
        self.shields = [e for e in events if e.turn == 0 and e.kind == "prevent_damage"]
        self.exhausted = [e.player for e in events if e.turn == 0 and e.kind == "exhaust"]

    def play(self, first: str, second: str) -> tuple[str, int]:
        turn = 1
        while True:
            active_player, waiting_player = (first, second) if turn % 2 == 1 else (second, first)
            for phase in SEQUENCE:
                winner = self.play_phase(phase, turn, active_player, waiting_player)
                if winner:
                    return winner, turn
            turn += 1

    def play_phase(self, phase: str, turn: int, active: str, waiting_player: str) -> str | None:
        skips_phase = any(
            (e.turn, e.kind, e.player) == (turn, "skips_attack_phase", active) for e in self.events
        )
        if phase == "attack" and not skips_phase and self.abilities[active] < 1:
            return waiting_player
        if phase == "ability adjustment":
            self.adjust(active)
            if skips_phase and self.abilities[active] < 1:
                return waiting_player
        for event in self.events:
            if event.turn == turn and self.phase_of(event, active) == phase:
                if event.kind == "head_shot":
                    return event.player
                self.note(event)
        return None

    def phase_of(self, event: EndGameEvent, active: str) -> str:
        if event.phase:
            return SEQUENCE[PHASES.index(event.phase)]
        if event.kind == "head_shot" and event.player == active:
            return "attack"
        return "defense"

    def note(self, event: EndGameEvent) -> None:
        if event.kind == "damage":
            self.damage_notes.append(event)
        if event.kind == "prevent_damage":
            self.shields.append(event)
        if event.kind == "exhaust":
            self.exhausted.append(event.player)

    def adjust(self, player: str) -> None:
        """Apply the notes of the player, one point at a time."""
        shield = sum(note.amount for note in self.shields if note.player == player)
        for note in [note for note in self.damage_notes if note.player == player]:
            for _ in range(note.amount):
                if shield:
                    shield -= 1
                else:
                    self.abilities[player] -= 1
        for _ in range(self.exhausted.count(player)):
            self.abilities[player] -= 5
        self.abilities[player] -= 2
        self.damage_notes = [note for note in self.damage_notes if note.player != player]
        self.shields = [note for note in self.shields if note.player != player]
        self.exhausted = [other for other in self.exhausted if other != player]


EVENTS = st.builds(
    EndGameEvent,
    st.integers(0, 9),
    st.sampled_from("AB"),
    st.sampled_from(sorted(EVENT_KINDS)),
    st.integers(0, 9),
    st.sampled_from(("", "", *PHASES)),
)


@settings(max_examples=machine.examples(25), deadline=None)
@given(st.integers(-3, 20), st.integers(-3, 20), st.lists(EVENTS, max_size=8))
def test_end_game_goes_as_when_every_phase_is_played(a: int, b: int, events: list[EndGameEvent]) -> None:
    abilities = {"A": a, "B": b}
    end_game = play_end_game("A", "B", abilities, events)

    assert (end_game.winner, end_game.turn) == Simulation(abilities, events).play("A", "B")


@settings(max_examples=machine.examples(6), deadline=None)
@given(st.integers(1, 40), st.integers(1, 40))
def test_the_first_to_move_loses_with_equal_ability_or_less(a: int, b: int) -> None:
    end_game = play_end_game("A", "B", {"A": a, "B": b})

    if a <= b:
        assert end_game.winner == "B"
    assert end_game.turn == min(2 * ((a + 1) // 2) + 1, 2 * ((b + 1) // 2) + 2)


@each_case("phase", ["", "defense", "sweep"])
def test_damage_of_a_turn_does_not_stop_the_attack_of_that_turn(phase: str) -> None:
    hit = EndGameEvent(1, "A", "damage", 2, phase)

    assert play_end_game("A", "B", {"A": 2, "B": 9}, [hit]).turn == 3
    assert play_end_game("A", "B", {"A": 2, "B": 9}, [hit, EndGameEvent(1, "A", "head_shot")]).winner == "A"


def test_a_phase_that_no_turn_has_is_refused() -> None:
    with pytest.raises(ValueError, match="sweep, may_do, defense, attack, adjustment, draw"):
        play_end_game("A", "B", {"A": 2, "B": 2}, [EndGameEvent(1, "A", "damage", 1, "lunch")])


def test_the_steps_cite_the_line_of_each_part() -> None:
    clauses = [step.clause for step in timed.end_steps("highlander", None, "swiss")]

    assert [clause[clause.index("(") :] for clause in clauses] == [
        "(l.2050)",
        "(l.2050)",
        "(l.2050)",
        "(l.261)",
        "(l.192)",
        "(l.315)",
        "(l.201)",
        "(l.201)",
    ]
