"""Run, record and verify one step of the random event."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine

from decks.shared.refusals import Refused
from tests.scenarios.day.model import DOUBLE_LOSS, Games, Person, Visitor
from tests.scenarios.day.rows import Rows, all_rows, difference
from tests.scenarios.factories import make_event
from tournament.access.permissions import Actor
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Match, Round
from tournament.log.models import LogEntry

pick = st.integers(0, 30)


@dataclass
class Done:
    """A step that is in effect, and the state before it."""

    entry: int
    rows: Rows
    notes: Visitor


@dataclass
class Undone:
    """A step that undid others: what they were, and the state before it."""

    entry: int
    rows: Rows
    notes: Visitor
    steps: list[Done] = field(default_factory=list)


class Pressing(RuleBasedStateMachine):
    """The press of a button.

    An accepted step is noted, and a refused one must have changed nothing.
    """

    event: Event
    olga: Actor
    notes: Visitor
    done: list[Done]
    undone_steps: list[Undone]

    def _look(self) -> None:
        self.event = Event.objects.get(pk=self.event.pk)
        self.rows = all_rows()
        self.version = self.event.version
        matches = Match.objects.filter(round__stage__event=self.event)
        self.matches = list(matches.select_related("round__stage__event", "p1", "p2").order_by("pk"))
        self.is_looked_at = False
        self.newest = LogEntry.objects.filter(event=self.event, head=None).latest("pk").pk

    def _try(self, act: Callable[[], Any]) -> tuple[bool, str]:
        """Return whether the step changed something, or the code of the refusal.

        A refusal must have changed nothing.
        """
        newest, version, rows = self.newest, self.version, self.rows
        code = ""
        try:
            act()
        except Refused as refusal:
            code = refusal.problems[0].code
        self._look()
        has_happened = self.newest != newest
        assert self.version == version + has_happened
        if not has_happened:
            self._assert_as_before(rows)
        assert not (code and has_happened)
        return has_happened, code

    def _assert_as_before(self, rows: Rows) -> None:
        found_difference = difference(self.rows, rows)
        assert not found_difference, found_difference

    def _step(self, act: Callable[[], Any], note: Callable[[], Any] = lambda: None) -> tuple[bool, str]:
        """Make a step forward, and note it to be undone."""
        rows, notes = self.rows, deepcopy(self.notes)
        has_happened, code = self._try(act)
        if has_happened:
            note()
            self._hear()
            self.notes.phase = self.event.phase
            self.done.append(Done(self.newest, rows, notes))
            self.undone_steps.clear()
        return has_happened, code

    def _hear(self) -> None:
        """Note what happened automatically."""

    def _player(self, n: int) -> Player | None:
        players = list(self.event.players.select_related("event", "deck_list").order_by("number"))
        return players[n % len(players)] if players else None

    def _person(self, player: Player) -> Person:
        return self.notes.people[player.pk]

    def _pairs(self) -> list[Match]:
        return [match for match in self.matches if match.p2_id is not None]

    def _draft(self) -> Round | None:
        drafts = Round.objects.filter(stage__event=self.event, state="draft")
        return drafts.select_related("stage__event").first()

    def _accept(self, match: Match, score: Games | None) -> None:
        """Accept a result.

        In a bracket, later matches may be removed with it, so those are read again.
        """
        self.notes.forfeits.pop(match.pk, None)
        if score is None:
            self.notes.results.pop(match.pk, None)
            self.notes.reopened.add(match.pk)
        else:
            self.notes.results[match.pk] = score
        self._let_bracket_results_fall()

    def _let_bracket_results_fall(self) -> None:
        """Remove results that no longer follow from earlier results of a bracket.

        The log says which ones.
        """
        tables = {m.pk for m in self.matches if not m.round.stage.is_elimination}
        finished_ids = {m.pk for m in self.matches if m.is_finished and not m.forfeit}
        for pk in self.notes.results.keys() - tables - finished_ids:
            assert self.event.phase in ("cut", "finished")
            del self.notes.results[pk]

    def _credit(self) -> Counter[int]:
        tables = [m for m in self.matches if not m.round.stage.is_elimination and not m.round.is_draft]
        sides = {m.pk: (m.p1_id, m.p2_id) for m in tables if m.p2_id is not None}
        return self.notes.credit(sides, [m.p1_id for m in tables if m.outcome == "bye"])


def event_of_seed(seed: int, actor: Actor, **values: Any) -> Event:
    """Return an event with a fixed `seed`.

    This way the same random day can be repeated.
    """
    event = make_event(actor, **values)
    Event.objects.filter(pk=event.pk).update(seed=seed)
    event.refresh_from_db()
    return event


def games_of(match: Match) -> Games:
    """Return the result in the notation of the model."""
    if match.outcome == "double_loss":
        return DOUBLE_LOSS
    return match.p1_games, match.p2_games, match.draws


def character_of(name: str) -> str:
    """Return the character of a player.

    Three characters among all, so that a diversity cut has some of them twice.
    """
    return ("Ken", "Ryu", "Chun-Li")[sum(map(ord, name.casefold())) % 3]
