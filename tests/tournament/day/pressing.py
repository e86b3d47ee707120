"""How a step of the day is taken, noted and looked at."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

from hypothesis.stateful import RuleBasedStateMachine

from tests.tournament.day.model import Person, Visitor
from tests.tournament.day.rows import Rows, all_rows, difference
from tournament.errors import Refused
from tournament.models import Event, LogEntry, Match, Player, Round


@dataclass
class Done:
    """A step that is in effect, and how everything stood before it."""

    entry: int
    rows: Rows
    notes: Visitor


@dataclass
class Undone:
    """A step that took others back: what they were, and how everything stood before it."""

    entry: int
    rows: Rows
    notes: Visitor
    steps: list[Done] = field(default_factory=list)


class Pressing(RuleBasedStateMachine):
    """Somebody presses something: what happened is noted, what was refused must have changed nothing."""

    event: Event
    notes: Visitor
    done: list[Done]
    undone: list[Undone]

    def _look(self) -> None:
        self.event = Event.objects.get(pk=self.event.pk)
        self.rows = all_rows()
        self.version = self.event.version
        found = Match.objects.filter(round__stage__event=self.event)
        self.matches = list(found.select_related("round__stage__event", "p1", "p2").order_by("pk"))
        self.is_looked_at = False
        self.newest = LogEntry.objects.filter(event=self.event, head=None).latest("pk").pk

    def _try(self, act: Callable[[], Any]) -> tuple[bool, str]:
        """Whether something happened, or the code of the refusal, which must have changed nothing."""
        newest, version, rows = self.newest, self.version, self.rows
        code = ""
        try:
            act()
        except Refused as refusal:
            code = refusal.problems[0].code
        self._look()
        happened = self.newest != newest
        assert self.version == version + happened
        if not happened:
            self._assert_as_before(rows)
        assert not (code and happened)
        return happened, code

    def _assert_as_before(self, rows: Rows) -> None:
        found = difference(self.rows, rows)
        assert not found, found

    def _step(self, act: Callable[[], Any], note: Callable[[], Any] = lambda: None) -> tuple[bool, str]:
        """A step forward: noted, kept for being taken back."""
        rows, notes = self.rows, deepcopy(self.notes)
        happened, code = self._try(act)
        if happened:
            note()
            self.notes.phase = self.event.phase
            self.done.append(Done(self.newest, rows, notes))
            self.undone.clear()
        return happened, code

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
