"""Random doubles: two registrations that turn out to be one person."""

from __future__ import annotations

from dataclasses import replace

from hypothesis.stateful import precondition, rule

from tests.scenarios.day.model import Person
from tests.scenarios.day.pressing import Pressing, pick
from tournament.events.models.event import StageEntrant
from tournament.registration import services as registration


class Merging(Pressing):
    """The desk, where two registrations of one person are merged.

    They are merged under the number that has played.
    """

    @precondition(lambda self: len(self.notes.people) > 1)
    @rule(one=pick, two=pick)
    def two_registrations_become_one(self, one: int, two: int) -> None:
        player, double = self._player(one), self._player(two)
        if player is None or double is None:
            return
        pair = {player.pk, double.pk}
        played_pair = pair & self._find_seated()
        stays = double if double.pk in played_pair else player
        may = len(pair) == 2 and len(played_pair) < 2 and all(map(self._may_merge, pair))

        def write() -> None:
            goes = (pair - {stays.pk}).pop()
            self._joins(self._person(player), self._person(double), self.notes.people[stays.pk])
            merged_person = self.notes.people[goes]
            merged_person.status, merged_person.is_here = "withdrawn", False
            mine = (replace(g, player=stays.pk) if g.player == goes else g for g in self.notes.penalties)
            self.notes.penalties = list(mine)
            if self.notes.phase in ("registration", "check_in"):
                self.notes.move_up()

        has_happened, _ = self._step(lambda: registration.merge_players(player, double, self.olga), write)
        assert has_happened == may

    def _may_merge(self, pk: int) -> bool:
        return self.notes.people[pk].status != "withdrawn" and not self.notes.is_disqualified(pk)

    def _find_seated(self) -> set[int]:
        """Return who has a match in what is published, or is in a schedule or bracket."""
        out = [match for match in self.matches if not match.round.is_draft]
        later_entrants = StageEntrant.objects.filter(stage__event=self.event).exclude(stage__kind="swiss")
        player_ids = set(later_entrants.values_list("player_id", flat=True))
        return player_ids | {pk for match in out for pk in (match.p1_id, match.p2_id) if pk is not None}

    def _joins(self, kept_person: Person, double: Person, stays: Person) -> None:
        """Merge two registrations.

        The result has the details of the kept one and the better place, and is checked in if one of them is.
        """
        both = (kept_person, double)
        waiting_times = [person.since for person in both if person.status == "waiting"]
        merged_player = replace(
            kept_person,
            email=kept_person.email or double.email,
            members=kept_person.members or double.members,
            status="registered" if any(p.status == "registered" for p in both) else "waiting",
            is_here=any(p.is_here for p in both),
            has_dropped=stays.has_dropped,
            since=min(waiting_times, default=stays.since),
        )
        vars(stays).update(vars(merged_player))
