"""The hall as a machine of random steps; after each of them everything that must hold is looked at."""

from __future__ import annotations

from collections import Counter
from copy import deepcopy
from typing import Any

from django.db import transaction
from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, precondition, rule

from benchmarks.kill.checks import inconsistencies
from tests.tournament.day.model import DOUBLE_LOSS, KINDS, NAMES, OPEN, SCORES, Games, Person, Visitor
from tests.tournament.day.pressing import Done, Pressing, Undone
from tests.tournament.day.standings import assert_standings_are_recomputed
from tests.tournament.factories import make_event, organizer
from tournament.models import Event, LogEntry, Match, Player, Seat
from tournament.selectors.undo import in_effect
from tournament.services import cuts, drafts, events, registration, results, rounds
from tournament.services.actor import Actor
from tournament.services.undo import restore, undo

pick = st.integers(0, 30)


class Day(Pressing):
    """One event from the first registration to the champion, with everybody pressing anything at any time."""

    @initialize(
        kind=st.sampled_from(KINDS),
        capacity=st.sampled_from((None, 3, 4, 6)),
        crowd=st.integers(0, 8),
        starts=st.booleans(),
    )
    def open_the_doors(self, kind: dict[str, Any], capacity: int | None, crowd: int, starts: bool) -> None:
        self.rollback = transaction.atomic()
        self.rollback.__enter__()
        self.olga = organizer()
        self.event = make_event(self.olga, capacity=capacity, intentional_draws=True, **kind)
        self.notes = Visitor(capacity)
        self.done: list[Done] = []
        self.undone: list[Undone] = []
        self._look()
        for name in NAMES[:crowd]:
            self.registers(name, by_staff=False, shares_mail=False)
        if starts:
            self.the_event_starts(drops=False)

    def teardown(self) -> None:
        if not hasattr(self, "rollback"):
            return
        try:
            if hasattr(self, "rows"):
                assert list(inconsistencies(Event.objects.get(pk=self.event.pk))) == []
        finally:
            transaction.set_rollback(True)
            self.rollback.__exit__(None, None, None)

    # ── Registration ─────────────────────────────────────────────────────────────────────────────────────
    @rule(name=st.sampled_from(NAMES), by_staff=st.booleans(), shares_mail=st.booleans())
    def registers(self, name: str, by_staff: bool, shares_mail: bool) -> None:
        mail = "home@example.org" if shares_mail else f"{name}@example.org"
        before = set(self.notes.people)
        was = self.notes.phase

        def write() -> None:
            (pk,) = set(self.event.players.values_list("pk", flat=True)) - before
            person = Person(name, mail)
            if was in OPEN:
                self.notes.seat(person)
            self.notes.people[pk] = person
            self._read_byes_that_became_matches()

        if by_staff:
            act = lambda: registration.add_player(self.event, self.olga, name=name, email=mail)  # noqa: E731
        else:
            act = lambda: registration.register(self.event, name=name, email=mail)  # noqa: E731
        known = self.notes.known(name, mail)
        happened, _ = self._step(act, write)
        assert not (happened and known)
        if was in OPEN:
            assert happened != known
        elif not by_staff:
            assert not happened

    def _read_byes_that_became_matches(self) -> None:
        assert not self.notes.results.keys() & {m.pk for m in self.matches if not m.is_finished}

    @precondition(lambda self: self.notes.phase in OPEN)
    @rule(n=pick)
    def withdraws(self, n: int) -> None:
        if (player := self._player(n)) is not None:
            person = self._person(player)
            happened, _ = self._step(
                lambda: registration.withdraw(player, self.olga), lambda: self.notes.withdraws(person)
            )
            assert happened or person.status == "withdrawn"

    @precondition(lambda self: self.notes.phase in OPEN)
    @rule(n=pick)
    def comes_back(self, n: int) -> None:
        if (player := self._player(n)) is None:
            return
        person = self._person(player)
        is_double = self.notes.known(person.name, person.email, player.pk)

        def write() -> None:
            person.dropped = False
            self.notes.seat(person)

        was_out = person.status == "withdrawn"
        happened, _ = self._step(lambda: registration.restore(player, self.olga), write)
        assert happened == (was_out and not is_double)

    @precondition(lambda self: self.notes.phase == "check_in")
    @rule(n=pick)
    def is_checked_in(self, n: int) -> None:
        if (player := self._player(n)) is not None:
            person = self._person(player)
            was = person.is_here or person.status == "withdrawn"
            happened, _ = self._step(
                lambda: registration.check_in(player, Actor.of_player(player)),
                lambda: self.notes.arrives(person),
            )
            assert happened != was

    @precondition(lambda self: self.notes.phase == "check_in")
    @rule(n=pick)
    def check_in_was_a_mistake(self, n: int) -> None:
        if (player := self._player(n)) is not None:
            person = self._person(player)
            self._step(
                lambda: registration.undo_check_in(player, self.olga),
                lambda: setattr(person, "is_here", False),
            )

    @precondition(lambda self: self.notes.phase in OPEN)
    @rule(opens=st.booleans())
    def check_in_opens_or_closes(self, opens: bool) -> None:
        press = events.open_check_in if opens else events.close_check_in
        self._step(lambda: press(self.event, self.olga))

    @precondition(lambda self: self.notes.phase == "check_in")
    @rule()
    def the_missing_are_dropped(self) -> None:
        self._step(lambda: registration.drop_missing(self.event, self.olga), self.notes.drop_missing)

    @precondition(lambda self: self.notes.phase in OPEN)
    @rule(drops=st.booleans())
    def the_event_starts(self, drops: bool) -> None:
        drops = drops and self.notes.phase == "check_in"
        write = self.notes.drop_missing if drops else lambda: None
        self._step(lambda: events.start_event(self.event, self.olga, drop_missing=drops), write)

    # ── Rounds ───────────────────────────────────────────────────────────────────────────────────────────
    @precondition(lambda self: self.notes.phase == "swiss")
    @rule()
    def a_round_is_paired(self) -> None:
        waiting = [m for m in self._pairs() if m.pk not in self.notes.results]
        had = self._draft() is not None
        happened, code = self._step(lambda: rounds.pair_next_round(self.event, self.olga))
        assert not (happened and waiting and not had)
        assert code != "results_missing" or waiting

    @precondition(lambda self: self.notes.phase == "swiss")
    @rule(one=pick, two=pick, again=st.booleans())
    def the_draft_is_changed(self, one: int, two: int, again: bool) -> None:
        draft = self._draft()
        if draft is None:
            return
        seated = [seat.player.number for seat in draft.seats.select_related("player").order_by("pk")]
        pair = seated[one % len(seated)], seated[two % len(seated)]
        if again:
            self._step(lambda: rounds.pair_again(draft, self.olga))
        elif pair[0] != pair[1]:
            self._step(lambda: drafts.swap(draft, self.olga, *pair))

    @precondition(lambda self: self.notes.phase == "swiss")
    @rule()
    def the_round_is_published(self) -> None:
        if (draft := self._draft()) is not None:
            tables = [m for m in self.matches if m.round_id == draft.pk]
            sitting = {player for m in tables for player in (m.p1_id, m.p2_id)} - {None}
            happened, _ = self._step(lambda: rounds.publish(draft, self.olga, confirmed=True))
            there = {pk for pk, person in self.notes.people.items() if self.notes.is_in(person)}
            assert not happened or sitting == there

    @rule(n=pick, score=st.sampled_from(SCORES), is_stale=st.booleans())
    def staff_types_a_result_in(self, n: int, score: Games, is_stale: bool) -> None:
        matches = self.matches
        if not matches:
            return
        match = matches[n % len(matches)]
        self._type_in(match, score, is_stale=is_stale and match.revision > 0)

    def _type_in(self, match: Match, score: Games, *, is_stale: bool = False) -> None:
        seen = match.revision - is_stale
        values: dict[str, Any] = dict(zip(("p1_games", "p2_games", "draws"), score, strict=True))
        if score == DOUBLE_LOSS:
            values = {"p1_games": 0, "p2_games": 0, "double_loss": True}

        def act() -> None:
            results.enter_result(match, self.olga, seen_revision=seen, reason="slip", **values)

        happened, _ = self._step(act, lambda: self._accept(match, score))
        if happened:
            assert not is_stale
            assert not match.is_bye
        elif score[0] != score[1] and not match.is_bye and not is_stale and not match.round.is_draft:
            assert self.notes.results.get(match.pk) == score or match.round.stage.is_elimination

    @rule(n=pick)
    def a_result_is_taken_back(self, n: int) -> None:
        matches = self._pairs()
        if matches:
            match = matches[n % len(matches)]
            self._step(
                lambda: results.clear_result(match, self.olga, reason="wrong table"),
                lambda: self._accept(match, None),
            )

    @rule(n=pick, second=st.booleans(), score=st.sampled_from(SCORES[:4]))
    def a_player_reports(self, n: int, second: bool, score: Games) -> None:
        matches = self._pairs()
        if not matches:
            return
        match = matches[n % len(matches)]
        player = match.p2 if second else match.p1
        agreed: list[bool] = []
        self._step(
            lambda: results.report_result(
                match, player, **dict(zip(("p1_games", "p2_games", "draws"), score, strict=True))
            ),
            lambda: agreed.append(self.notes.reported(match.pk, player.pk, score)),
        )
        if agreed == [True]:
            self._accept(match, score)

    def _accept(self, match: Match, score: Games | None) -> None:
        """A result was accepted; in a bracket later matches may fall with it, so those are read again."""
        if score is None:
            self.notes.results.pop(match.pk, None)
        else:
            self.notes.results[match.pk] = score
        self._let_bracket_results_fall()

    def _let_bracket_results_fall(self) -> None:
        """What no longer follows from earlier results of a bracket falls; the log says so."""
        tables = {m.pk for m in self.matches if not m.round.stage.is_elimination}
        standing = {m.pk for m in self.matches if m.is_finished and not m.forfeit}
        for pk in self.notes.results.keys() - tables - standing:
            assert self.event.phase in ("cut", "finished")
            del self.notes.results[pk]

    @precondition(lambda self: self.notes.phase in ("swiss", "cut"))
    @rule(luck=st.lists(st.sampled_from(SCORES[:4]), min_size=6, max_size=6))
    def the_slips_come_in(self, luck: list[Games]) -> None:
        """Every open table of what is published gets a result, one step each."""
        waiting = [m for m in self._pairs() if not m.is_finished and not m.round.is_draft]
        for match, score in zip(waiting, luck, strict=False):
            self._type_in(match, score)

    @precondition(lambda self: self.notes.phase not in OPEN)
    @rule(luck=st.lists(st.sampled_from(SCORES[:4]), min_size=6, max_size=6))
    def the_day_goes_on(self, luck: list[Games]) -> None:
        """What an organizer presses next when all goes well."""
        self.the_slips_come_in(luck)
        if self._draft() is not None:
            self.the_round_is_published()
        elif self.notes.phase == "swiss":
            self.a_round_is_paired()
            if self._draft() is None:
                self.the_cut_is_made_or_the_event_ends(cut=self.event.has_bracket)

    # ── Leaving and coming while rounds run ──────────────────────────────────────────────────────────────
    @rule(n=pick, back=st.booleans())
    def somebody_drops_or_returns(self, n: int, back: bool) -> None:
        player = self._player(n)
        if player is None or self.notes.phase in OPEN:
            return
        person = self._person(player)

        def write() -> None:
            person.dropped = not back
            self._let_bracket_results_fall()

        act = registration.undo_drop if back else registration.drop
        before = self._credit()
        happened, _ = self._step(lambda: act(player, self.olga), write)
        if happened:
            assert self._credit() == before

    # ── Cut and end ──────────────────────────────────────────────────────────────────────────────────────
    @precondition(lambda self: self.notes.phase == "swiss")
    @rule(n=pick, declines=st.booleans())
    def the_cut_is_declined(self, n: int, declines: bool) -> None:
        if (player := self._player(n)) is not None:
            self._step(lambda: cuts.decline_cut(player, self.olga, declined=declines))

    @precondition(lambda self: self.notes.phase == "swiss")
    @rule(cut=st.booleans())
    def the_cut_is_made_or_the_event_ends(self, cut: bool) -> None:
        press = cuts.make_cut if cut else events.finish_event
        self._step(lambda: press(self.event, self.olga))

    # ── Taking back ──────────────────────────────────────────────────────────────────────────────────────
    @precondition(lambda self: self.done)
    @rule()
    def the_last_step_is_taken_back(self) -> None:
        last = self.done[-1]
        rows, notes = self.rows, self.notes
        happened, code = self._try(lambda: undo(LogEntry.objects.get(pk=last.entry), self.olga))
        assert (happened, code) == (True, "")
        self._assert_as_before(last.rows)
        self.notes = deepcopy(last.notes)
        self.undone.append(Undone(self.newest, rows, notes, [self.done.pop()]))

    @precondition(lambda self: self.undone)
    @rule()
    def what_was_taken_back_is_done_again(self) -> None:
        last = self.undone.pop()
        happened, code = self._try(lambda: undo(LogEntry.objects.get(pk=last.entry), self.olga))
        assert (happened, code) == (True, "")
        self._assert_as_before(last.rows)
        self.notes = deepcopy(last.notes)
        self.done += last.steps

    @precondition(lambda self: self.done)
    @rule(n=pick)
    def any_step_is_taken_back_and_done_again(self, n: int) -> None:
        steps = list(in_effect(self.event, 0))
        rows = self.rows
        happened, _ = self._try(lambda: undo(steps[n % len(steps)], self.olga))
        if happened:
            self._sound()
            happened, code = self._try(lambda: undo(LogEntry.objects.get(pk=self.newest), self.olga))
            assert (happened, code) == (True, "")
        self._assert_as_before(rows)

    @precondition(lambda self: self.notes.phase in ("swiss", "cut", "finished"))
    @rule(n=st.integers(1, 3))
    def the_event_is_brought_back_to_before_a_round(self, n: int) -> None:
        rows, notes = self.rows, self.notes
        happened, _ = self._try(lambda: restore(self.event, self.olga, stage=1, number=n))
        if not happened:
            return
        taken = set(LogEntry.objects.get(pk=self.newest).takes_back)
        at = next(index for index, step in enumerate(self.done) if step.entry in taken)
        first = self.done[at]
        self._assert_as_before(first.rows)
        self.notes = deepcopy(first.notes)
        self.undone.append(Undone(self.newest, rows, notes, self.done[at:]))
        del self.done[at:]

    # ── What always holds ────────────────────────────────────────────────────────────────────────────────
    @invariant()
    def everybody_is_where_he_was_told(self) -> None:
        if hasattr(self, "rows") and not self.is_looked_at:
            told = {pk: (p.status, p.dropped) for pk, p in self.notes.people.items()}
            players = Player.objects.filter(event=self.event)
            assert {p.pk: (p.status, p.dropped_after is not None) for p in players} == told
            assert self.notes.capacity is None or sum(
                map(self.notes.is_in, self.notes.people.values())
            ) <= max(self.notes.capacity, 0)

    @invariant()
    def no_result_is_lost_and_none_counts_twice(self) -> None:
        if not hasattr(self, "rows") or self.is_looked_at:
            return
        self.is_looked_at = True
        stand = {m.pk: _games(m) for m in self._pairs() if m.is_finished and not m.forfeit}
        assert stand == self.notes.results
        self._sound()
        assert_standings_are_recomputed(self.event, self.notes.results, self._credit())

    def _sound(self) -> None:
        seats = Counter(
            Seat.objects.filter(round__stage__event=self.event).values_list("round_id", "player_id")
        )
        sides = Counter(
            (m.round_id, player) for m in self.matches for player in (m.p1_id, m.p2_id) if player is not None
        )
        assert seats == sides
        assert set(seats.values()) <= {1}

    def _credit(self) -> Counter[int]:
        tables = [m for m in self.matches if m.round.stage.kind == "swiss" and not m.round.is_draft]
        sides = {m.pk: (m.p1_id, m.p2_id) for m in tables if m.p2_id is not None}
        return self.notes.credit(sides, [m.p1_id for m in tables if m.outcome == "bye"])


def _games(match: Match) -> Games:
    if match.outcome == "double_loss":
        return DOUBLE_LOSS
    return match.p1_games, match.p2_games, match.draws
