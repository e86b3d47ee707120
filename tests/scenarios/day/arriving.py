"""Random registrations, withdrawals and check-ins, and the model's notes on them."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from tests.scenarios.day.model import MEMBERS, NAMES, OPEN, Person
from tests.scenarios.day.pressing import Pressing, character_of, pick
from tournament.access.permissions import Actor
from tournament.registration import services as registration
from tournament.setup.services import events


class Arriving(Pressing):
    """Arrivals: registrations, withdrawals and check-ins, until the event starts."""

    @rule(
        name=st.sampled_from(NAMES),
        by_staff=st.booleans(),
        shares_mail=st.booleans(),
        missed_outcome=st.sampled_from(("loss", "bye")),
        partners=st.lists(st.sampled_from(MEMBERS), min_size=1, max_size=3),
    )
    def registers(
        self, name: str, by_staff: bool, shares_mail: bool, partners: list[str], missed_outcome: str = "loss"
    ) -> None:
        mail = "home@example.org" if shares_mail else f"{name}@example.org"
        members = tuple(partners) if self.notes.team_size else ()
        person = Person(name, mail, members)
        before = set(self.notes.people)
        was = self.notes.phase

        def write() -> None:
            (pk,) = set(self.event.players.values_list("pk", flat=True)) - before
            if was in OPEN:
                self.notes.seat(person)
            self.notes.people[pk] = person
            self._read_byes_that_became_matches()

        sent_values = {"name": name, "email": mail, "members": members, "character": character_of(name)}
        if by_staff:
            values = {**sent_values, "missed_handling": missed_outcome}
            act = lambda: registration.add_player(self.event, self.olga, **values)  # noqa: E731
        else:
            act = lambda: registration.register(self.event, **sent_values)  # noqa: E731
        fits = not self.notes.is_known(person) and self.notes.is_a_team(members)
        has_happened, _ = self._step(act, write)
        assert fits or not has_happened
        if was in OPEN:
            assert has_happened == fits
        elif not by_staff:
            assert not has_happened

    def _read_byes_that_became_matches(self) -> None:
        assert not self.notes.results.keys() & {m.pk for m in self.matches if not m.is_finished}

    @rule(n=pick, missed_outcome=st.sampled_from(("loss", "bye")))
    def who_waits_is_let_in(self, n: int, missed_outcome: str) -> None:
        """Add a late player or a dropped no-show once rounds run.

        Before the start, the waiting list moves automatically.
        """
        people = self.notes.people.items()
        waiting_players = [pk for pk, person in people if person.status == "waiting" or person.has_dropped]
        if not waiting_players:
            return
        player = self.event.players.select_related("event").get(pk=waiting_players[n % len(waiting_players)])
        has_room = self.notes.free() > 0
        seated_players = {pk for match in self.matches for pk in (match.p1_id, match.p2_id)}

        def write() -> None:
            person = self._person(player)
            assert person.status == "waiting" or player.pk not in seated_players
            person.status, person.has_dropped = "registered", False
            self._read_byes_that_became_matches()

        has_happened, _ = self._step(
            lambda: registration.admit_player(player, self.olga, missed_handling=missed_outcome), write
        )
        assert not has_happened or (has_room and not self.notes.is_disqualified(player.pk))

    @precondition(lambda self: self.notes.phase in OPEN)
    @rule(n=pick)
    def withdraws(self, n: int) -> None:
        if (player := self._player(n)) is not None:
            person = self._person(player)
            has_happened, _ = self._step(
                lambda: registration.withdraw(player, self.olga), lambda: self.notes.withdraws(person)
            )
            assert has_happened or person.status == "withdrawn"

    @precondition(lambda self: self.notes.phase in OPEN)
    @rule(n=pick)
    def comes_back(self, n: int) -> None:
        if (player := self._player(n)) is None:
            return
        person = self._person(player)
        is_double = self.notes.is_known(person, player.pk)

        def write() -> None:
            person.has_dropped = False
            self.notes.seat(person)

        was_out = person.status == "withdrawn"
        has_happened, _ = self._step(lambda: registration.undo_withdrawal(player, self.olga), write)
        assert has_happened == (was_out and not is_double and not self.notes.is_disqualified(player.pk))

    @precondition(lambda self: self.notes.phase == "check_in")
    @rule(n=pick)
    def is_checked_in(self, n: int) -> None:
        if (player := self._player(n)) is not None:
            person = self._person(player)
            was = person.is_here or person.status == "withdrawn"
            has_happened, _ = self._step(
                lambda: registration.check_in(player, Actor.of_player(player)),
                lambda: self.notes.arrives(person),
            )
            assert has_happened != was

    @precondition(lambda self: self.notes.phase == "check_in")
    @rule(n=pick)
    def check_in_was_a_mistake(self, n: int) -> None:
        if (player := self._player(n)) is not None:
            person = self._person(player)
            self._step(
                lambda: registration.undo_check_in(player, self.olga),
                lambda: setattr(person, "is_here", False),
            )

    @precondition(lambda self: self.notes.team_size)
    @rule(n=pick, partners=st.lists(st.sampled_from(MEMBERS), min_size=1, max_size=3))
    def a_team_names_other_members(self, n: int, partners: list[str]) -> None:
        if (player := self._player(n)) is None:
            return
        person, members = self._person(player), tuple(partners)
        other = Person(person.name, person.email, members)
        is_double = self.notes.is_known(other, player.pk) and members != person.members
        sent_values = {
            "name": person.name,
            "email": person.email,
            "character": character_of(person.name),
            "members": members,
        }
        has_happened, _ = self._step(
            lambda: registration.change_details(player, self.olga, **sent_values),
            lambda: setattr(person, "members", members),
        )
        assert not (has_happened and is_double and person.status != "withdrawn")
        assert not has_happened or self.notes.is_a_team(members)

    @precondition(lambda self: self.notes.phase in OPEN)
    @rule(opens=st.booleans())
    def check_in_opens_or_closes(self, opens: bool) -> None:
        press = events.open_check_in if opens else events.close_check_in
        self._step(lambda: press(self.event, self.olga))

    @precondition(lambda self: self.notes.phase == "check_in")
    @rule()
    def the_missing_are_dropped(self) -> None:
        self._step(lambda: registration.drop_no_shows(self.event, self.olga), self.notes.drop_missing)

    @precondition(lambda self: self.notes.phase in OPEN)
    @rule(drops=st.booleans())
    def the_event_starts(self, drops: bool) -> None:
        drops = drops and self.notes.phase == "check_in"
        write = self.notes.drop_missing if drops else lambda: None
        self._step(lambda: events.start_event(self.event, self.olga, drop_missing=drops), write)
