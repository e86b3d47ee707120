"""A season as a machine of random steps.

Events with points in a league are changed at every moment. After each step the table is compared with a slow
second calculation of places, people and points.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from decks.shared.refusals import Refused
from tests.scenarios.day.model import NAMES
from tests.scenarios.day.pressing import event_of_seed, pick
from tests.scenarios.day.season_table import expected_table
from tests.scenarios.factories import organizer, play_round
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Match
from tournament.judging.services.penalties import give_penalty
from tournament.leagues import services as leagues_services
from tournament.leagues.models import League, LeagueEvent, LeagueLine
from tournament.leagues.selectors import league_table
from tournament.leagues.services import undo_league_change
from tournament.log.services import undo_step
from tournament.log.undo_plan import iter_steps_in_effect
from tournament.registration import services as registration
from tournament.results.services import results
from tournament.setup.services import events
from tournament.shared.awards import parse_points

EVENTS, CROWD = 3, 4
POINTS = ("", "1: 10\n2: 7\nothers: 1", "1-2: 5", "3: 9\nothers: 0")
MAILS = ("", "", "home@example.org", "own")
State = tuple[Any, ...]


class Season(RuleBasedStateMachine):
    """A league in which the owner, judges and scorekeepers do anything at any time."""

    @initialize(
        casts=st.lists(
            st.lists(st.sampled_from(NAMES[:6]), min_size=CROWD, max_size=CROWD, unique=True),
            min_size=EVENTS,
            max_size=EVENTS,
        ),
        mails=st.lists(st.sampled_from(MAILS), min_size=CROWD, max_size=CROWD),
    )
    def the_season_begins(self, casts: list[list[str]], mails: list[str]) -> None:
        self.rollback = transaction.atomic()
        self.rollback.__enter__()
        self.olga = organizer()
        assert isinstance(self.olga.user, User)
        self.league = leagues_services.create_league(self.olga.user, name="Season", notes="")
        self.events = [self._play_event(n, cast, mails) for n, cast in enumerate(casts)]
        for event in self.events[:2]:
            leagues_services.add_event(self.league, self.olga.user, event)
        self.before: dict[int, State] = {}

    def _play_event(self, n: int, cast: list[str], mails: list[str]) -> Event:
        event = event_of_seed(n, self.olga, name=f"Event {n}", swiss_rounds=1)
        used_names: set[str] = set()
        for who, mail in zip(cast, mails, strict=True):
            address = f"{who}@example.org" if mail == "own" else mail
            address = "" if address in used_names else address
            used_names.add(address)
            registration.add_player(event, self.olga, name=who, email=address)
        events.start_event(event, self.olga)
        play_round(event)
        events.finish_event(event, self.olga)
        return event

    def teardown(self) -> None:
        if hasattr(self, "rollback"):
            transaction.set_rollback(True)
            self.rollback.__exit__(None, None, None)

    # ── The league ───────────────────────────────────────────────────────────────────────────────────────
    @rule(n=pick, inside=st.booleans())
    def an_event_is_put_in_or_taken_out(self, n: int, inside: bool) -> None:
        event = self.events[n % EVENTS]
        entry = LeagueEvent.objects.filter(league=self.league, event=event).first()
        if inside:
            self._change(lambda: leagues_services.add_event(self.league, self.olga.user, event))
        elif entry is not None:
            self._change(lambda: leagues_services.remove_event(self.league, self.olga, entry.pk))

    @rule(best_of=st.sampled_from((None, 1, 2)), points=st.sampled_from(POINTS))
    def the_points_are_changed(self, best_of: int | None, points: str) -> None:
        values = {"best_of": best_of, "points": parse_points(points)}
        self._change(lambda: leagues_services.update_league(self.league, self.olga, **values))

    @rule(one=pick, two=pick)
    def two_are_said_to_be_one_person(self, one: int, two: int) -> None:
        ids = list(Player.objects.filter(event__in=self.events).order_by("pk").values_list("pk", flat=True))
        if ids:
            pair = ids[one % len(ids)], ids[two % len(ids)]
            self._change(lambda: leagues_services.mark_same_person(self.league, self.olga, *pair))

    @rule(n=pick)
    def they_are_two_after_all(self, n: int) -> None:
        words = list(self.league.persons.order_by("pk").values_list("pk", flat=True))
        if words:
            self._change(
                lambda: leagues_services.unmark_same_person(self.league, self.olga, words[n % len(words)])
            )

    @precondition(lambda self: self.before)
    @rule()
    def the_last_change_is_taken_back(self) -> None:
        line = LeagueLine.objects.filter(league=self.league, undone_by=None).select_related("league").first()
        if line.pk in self.before:
            then = self.before[line.pk]
            here = set(Player.objects.filter(event__in=self.events).values_list("pk", flat=True))
            # No one can be said to be one person with a registration that was undone since.
            can_be = all(here.issuperset(pair) for pair in then[2])
            assert self._change(lambda: undo_league_change(line, self.olga)) == can_be
            assert not can_be or self._state() == then

    @rule(n=pick)
    def any_change_is_taken_back(self, n: int) -> None:
        lines = list(LeagueLine.objects.filter(league=self.league).select_related("league"))
        self._change(lambda: undo_league_change(lines[n % len(lines)], self.olga))

    def _change(self, act: Callable[[], Any]) -> bool:
        """Return whether the league changed.

        A refusal or a second press leaves it, and its log, as they were.
        """
        self.league.refresh_from_db()
        state, lines = self._state(), self.league.log.count()
        try:
            act()
        except Refused:
            assert self._state() == state
        self.league.refresh_from_db()
        has_happened = self.league.log.count() != lines
        assert self.league.log.count() == lines + has_happened
        if has_happened:
            self.before[self.league.log.first().pk] = state
        else:
            assert self._state() == state
        return has_happened

    def _state(self) -> State:
        row = League.objects.get(pk=self.league.pk)
        return (
            (row.name, row.notes, row.best_of, str(row.points)),
            frozenset(row.entries.values_list("event_id", flat=True)),
            frozenset(row.persons.values_list("one_id", "two_id")),
        )

    # ── The events meanwhile ─────────────────────────────────────────────────────────────────────────────
    @rule(n=pick, table=pick, first_wins=st.booleans())
    def a_result_is_corrected_after_the_event(self, n: int, table: int, first_wins: bool) -> None:
        tables = Match.objects.filter(round__stage__event=self.events[n % EVENTS]).order_by("pk")
        paired_matches = [m for m in tables.select_related("round__stage__event", "p1", "p2") if m.p2_id]
        if not paired_matches:
            return
        match = paired_matches[table % len(paired_matches)]
        p1, p2 = (2, 1) if first_wins else (0, 2)
        self._try(lambda: results.enter_result(match, self.olga, p1_games=p1, p2_games=p2, reason="the slip"))

    @rule(n=pick, who=pick)
    def player_is_disqualified(self, n: int, who: int) -> None:
        if (player := self._player_of(n, who)) is None:
            return
        self._try(
            lambda: give_penalty(
                player, self.olga, infraction="other", degree="disqualification", note="seen"
            )
        )

    @rule(n=pick, who=pick, name=st.sampled_from(NAMES[:6]), mail=st.sampled_from(MAILS[1:]))
    def a_name_or_an_address_is_corrected(self, n: int, who: int, name: str, mail: str) -> None:
        if (player := self._player_of(n, who)) is None:
            return
        address = f"{name}@example.org" if mail == "own" else mail
        self._try(
            lambda: registration.change_details(player, self.olga, name=name, email=address, character="")
        )

    @rule(n=pick)
    def a_step_of_an_event_is_taken_back(self, n: int) -> None:
        """Undo a step of an event.

        This includes its end: the event is then not over, and does not count until it ends again. A removed
        registration no longer belongs to any person.
        """
        event = self.events[n % EVENTS]
        row, entries, persons = self._state()
        with suppress(Refused):
            undo_step(next(iter(iter_steps_in_effect(event, 0))), self.olga)
        here = set(Player.objects.filter(event__in=self.events).values_list("pk", flat=True))
        assert self._state() == (row, entries, frozenset(pair for pair in persons if here.issuperset(pair)))

    @rule(n=pick)
    def an_event_ends_again(self, n: int) -> None:
        self._try(lambda: events.finish_event(self.events[n % EVENTS], self.olga))

    def _player_of(self, n: int, who: int) -> Player | None:
        found_players = Player.objects.filter(event=self.events[n % EVENTS]).select_related("event")
        players = list(found_players.order_by("number"))
        return players[who % len(players)] if players else None

    def _try(self, act: Callable[[], Any]) -> None:
        state = self._state()
        with suppress(Refused):
            act()
        assert self._state() == state

    # ── What always holds ────────────────────────────────────────────────────────────────────────────────
    @invariant()
    def the_table_is_what_the_places_are_worth(self) -> None:
        if not hasattr(self, "before"):
            return
        league = League.objects.get(pk=self.league.pk)
        rows = league_table(league).rows
        row_counts = Counter(
            (
                row.rank,
                row.name,
                row.points,
                frozenset((cell.event.pk, cell.place, cell.points) for cell in row.results if cell),
            )
            for row in rows
        )
        assert row_counts == expected_table(league)
        assert [row.rank for row in rows] == sorted(row.rank for row in rows)
        for row in rows:
            cells = [cell for cell in row.results if cell]
            counting_points = [cell.points for cell in cells if cell.counts]
            assert sum(counting_points) == row.points
            assert len(counting_points) == min(len(cells), league.best_of or len(cells))
