"""The venue as a machine of random steps.

After each of them, all invariants are checked.
"""

from __future__ import annotations

from collections import Counter
from copy import deepcopy
from typing import Any

from django.db import transaction
from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, precondition, rule

from benchmarks.kill.checks import inconsistencies
from tests import machine
from tests.scenarios.day.arriving import Arriving
from tests.scenarios.day.judging import Judging
from tests.scenarios.day.merging import Merging
from tests.scenarios.day.model import KINDS, NAMES, Games, Visitor
from tests.scenarios.day.playing import Playing
from tests.scenarios.day.pressing import Done, Undone, event_of_seed, games_of, pick
from tests.scenarios.day.rows import all_rows, difference
from tests.scenarios.day.standings import assert_standings_are_recomputed
from tests.scenarios.event_rows import archive_of
from tests.scenarios.factories import organizer
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Seat
from tournament.log.models import LogEntry
from tournament.log.services import roll_back_event, undo_step
from tournament.log.undo_plan import iter_steps_in_effect
from tournament.shared.hashes import MAX_SEED


class Day(Arriving, Merging, Playing, Judging):
    """One event from the first registration to the champion.

    In it, everyone does anything at any time.
    """

    @initialize(
        kind=st.sampled_from(KINDS),
        capacity=st.sampled_from((None, 3, 4, 6)),
        crowd=st.integers(0, 8),
        starts=st.booleans(),
        seed=st.integers(0, MAX_SEED),
    )
    def open_the_doors(
        self, kind: dict[str, Any], capacity: int | None, crowd: int, starts: bool, seed: int
    ) -> None:
        self.rollback = transaction.atomic()
        self.rollback.__enter__()
        self.olga = organizer()
        self.event = event_of_seed(seed, self.olga, capacity=capacity, intentional_draws=True, **kind)
        self.notes = Visitor(capacity, kind.get("team_size"))
        self.done: list[Done] = []
        self.undone_steps: list[Undone] = []
        self._look()
        self.beginning = self.rows
        for name in NAMES[:crowd]:
            self.registers(name, by_staff=False, shares_mail=False, partners=[f"{name} A", f"{name} B"])
        if starts:
            self.the_event_starts(drops=False)

    def teardown(self) -> None:
        if not hasattr(self, "rollback"):
            return
        try:
            if hasattr(self, "rows"):
                assert list(inconsistencies(Event.objects.get(pk=self.event.pk))) == []
                self._all_the_way_back_and_again()
        finally:
            transaction.set_rollback(True)
            self.rollback.__exit__(None, None, None)

    # ── Taking back ──────────────────────────────────────────────────────────────────────────────────────
    @precondition(lambda self: self.done)
    @rule()
    def the_last_step_is_taken_back(self) -> None:
        last = self.done[-1]
        rows, notes = self.rows, self.notes
        has_happened, code = self._try(lambda: undo_step(LogEntry.objects.get(pk=last.entry), self.olga))
        assert (has_happened, code) == (True, "")
        self._assert_as_before(last.rows)
        self.notes = deepcopy(last.notes)
        self.undone_steps.append(Undone(self.newest, rows, notes, [self.done.pop()]))

    @precondition(lambda self: self.undone_steps)
    @rule()
    def what_was_taken_back_is_done_again(self) -> None:
        last = self.undone_steps.pop()
        has_happened, code = self._try(lambda: undo_step(LogEntry.objects.get(pk=last.entry), self.olga))
        assert (has_happened, code) == (True, "")
        self._assert_as_before(last.rows)
        self.notes = deepcopy(last.notes)
        self.done += last.steps

    @precondition(lambda self: self.done)
    @rule(n=pick)
    def any_step_is_taken_back_and_done_again(self, n: int) -> None:
        steps = list(iter_steps_in_effect(self.event, 0))
        rows = self.rows
        has_happened, _ = self._try(lambda: undo_step(steps[n % len(steps)], self.olga))
        if has_happened:
            self._sound()
            has_happened, code = self._try(lambda: undo_step(LogEntry.objects.get(pk=self.newest), self.olga))
            assert (has_happened, code) == (True, "")
        self._assert_as_before(rows)

    @precondition(lambda self: self.notes.phase in ("swiss", "cut", "finished"))
    @rule(n=st.integers(1, 3))
    def the_event_is_brought_back_to_before_a_round(self, n: int) -> None:
        rows, notes = self.rows, self.notes
        has_happened, _ = self._try(lambda: roll_back_event(self.event, self.olga, stage=1, number=n))
        if not has_happened:
            return
        undone_ids = set(LogEntry.objects.get(pk=self.newest).takes_back)
        at = next(index for index, step in enumerate(self.done) if step.entry in undone_ids)
        first = self.done[at]
        self._assert_as_before(first.rows)
        self.notes = deepcopy(first.notes)
        self.undone_steps.append(Undone(self.newest, rows, notes, self.done[at:]))
        del self.done[at:]

    def _all_the_way_back_and_again(self) -> None:
        """Undo to the start of the event step by step, and redo everything.

        The archive is the same afterwards.
        """
        if not machine.whole():
            return
        before, archive = all_rows(), archive_of(self.event)
        undos = []
        while steps := [step for step in iter_steps_in_effect(self.event, 0) if not step.is_undo]:
            undos.append(undo_step(steps[-1], self.olga))
        assert not difference(all_rows(), self.beginning)
        for undo in reversed(undos):
            undo_step(LogEntry.objects.get(pk=undo.pk), self.olga)
        assert not difference(all_rows(), before)
        assert archive_of(self.event) == archive

    # ── What always holds ────────────────────────────────────────────────────────────────────────────────
    @invariant()
    def everyone_is_at_their_table(self) -> None:
        if hasattr(self, "rows") and not self.is_looked_at:
            status_by_pk = {pk: (p.status, p.has_dropped) for pk, p in self.notes.people.items()}
            players = Player.objects.filter(event=self.event)
            assert {p.pk: (p.status, p.dropped_after is not None) for p in players} == status_by_pk
            assert self.notes.capacity is None or sum(
                map(self.notes.is_in, self.notes.people.values())
            ) <= max(self.notes.capacity, 0)

    @invariant()
    def no_result_is_lost_and_none_counts_twice(self) -> None:
        if not hasattr(self, "rows") or self.is_looked_at:
            return
        self.is_looked_at = True
        stand = {m.pk: games_of(m) for m in self._pairs() if m.is_finished and not m.forfeit}
        assert stand == self.notes.results
        assert self._given_up() == self.notes.forfeits
        self._sound()
        assert_standings_are_recomputed(self.event, self.notes.of_all_tables, self._credit())

    def _given_up(self) -> dict[int, Games]:
        tables = [m for m in self._pairs() if not m.round.stage.is_elimination and not m.round.is_draft]
        return {m.pk: games_of(m) for m in tables if m.forfeit}

    def _sound(self) -> None:
        seats = Counter(
            Seat.objects.filter(round__stage__event=self.event).values_list("round_id", "player_id")
        )
        sides = Counter(
            (m.round_id, player) for m in self.matches for player in (m.p1_id, m.p2_id) if player is not None
        )
        assert seats == sides
        assert set(seats.values()) <= {1}
