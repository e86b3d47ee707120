"""Random actions of judges, clocks and drops, and their automatic effects."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from tests.scenarios.day.model import OPEN, GivenPenalty
from tests.scenarios.day.pressing import Pressing, games_of, pick
from tournament.clock import services as clock
from tournament.events.models.player import Player
from tournament.events.models.round import Match, Round
from tournament.judging.services.penalties import give_penalty, undo_penalty
from tournament.matches import get_match_decided_by
from tournament.registration import services as registration
from tournament.results.services import drops

DEGREES = ("note", "warning", "game_loss", "game_loss", "match_loss", "disqualification")
RUNNING = ("play", "play", "win", "swap", "all", "both")
CLOCKS = ("start", "start", "pause", "resume", "more", "less", "table", "call")
PLAYING = ("swiss", "cut")


class Judging(Pressing):
    """The tables: penalties, the clock, and drops during a match."""

    @rule(n=pick, degree=st.sampled_from(DEGREES), is_next=st.booleans())
    def a_judge_gives_a_penalty(self, n: int, degree: str, is_next: bool) -> None:
        if (player := self._player(n)) is None:
            return
        person = self._person(player)
        new_penalty = GivenPenalty(player.pk, degree, is_next, self._place_of(player))

        def write() -> None:
            self.notes.penalties.append(new_penalty)
            if degree == "disqualification":
                self.notes.is_thrown_out(person)
            self._let_bracket_results_fall()

        self._step(
            lambda: give_penalty(
                player, self.olga, infraction="other", degree=degree, note="seen", is_next=is_next
            ),
            write,
        )

    @precondition(lambda self: self.notes.penalties)
    @rule(n=pick)
    def a_penalty_was_a_mistake(self, n: int) -> None:
        """Undo a penalty, alone or with its effects.

        A player disqualified by it is back from then on.
        """
        rows = list(self.event.penalties.select_related("event", "player").order_by("pk"))
        assert [(g.player_id, g.degree) for g in rows] == [(g.player, g.degree) for g in self.notes.penalties]
        penalty = rows[n % len(rows)]
        if get_match_decided_by(penalty) is not None:  # a later match reopens too: more than one step
            return
        opened_calls: list[int] = []

        def act() -> None:
            stay = {match.pk for match in undo_penalty(penalty, self.olga, reason="the wrong player")}
            opened_calls.extend(self.notes.results.keys() - stay)

        self._step(act, lambda: self._note_mistake(n % len(rows), opened_calls))

    def _note_mistake(self, index: int, opened_calls: list[int]) -> None:
        penalty = self.notes.penalties.pop(index)
        finished_matches = {match.pk for match in self._pairs() if match.is_finished}
        was_decided = [pk for pk in opened_calls if pk not in finished_matches]
        assert len(was_decided) < 2 or self.event.phase in ("cut", "finished")
        for pk in was_decided:
            del self.notes.results[pk]
            self.notes.reopened.add(pk)
        self._let_bracket_results_fall()
        if penalty.degree == "disqualification":
            self._read_places(penalty.player)

    def _read_places(self, thrown_out: int) -> None:
        """Read the places again: the player gets the place back or waits for one.

        Others keep theirs, but the player who moved up may wait.
        """
        is_open = self.notes.phase in OPEN
        for player in self.event.players.all():
            person = self._person(player)
            stands = (player.status, player.dropped_after is not None, player.checked_in_at is not None)
            player_status = (person.status, person.has_dropped, person.is_here)
            assert stands == player_status or player.pk == thrown_out or is_open
            if (player.status, person.status) == ("waiting", "withdrawn"):
                self.notes.steps += 1
                person.since = self.notes.steps
            person.status, person.has_dropped = stands[:2]
            person.is_here = stands[2] if player.pk == thrown_out or is_open else person.is_here
        assert not (
            self.notes.is_disqualified(thrown_out) and self.notes.is_in(self.notes.people[thrown_out])
        )

    def _place_of(self, player: Player) -> tuple[int, int]:
        places = [self._where(m) for m in self._list_published() if player.pk in (m.p1_id, m.p2_id)]
        return max(places, default=(0, 0))

    def _list_published(self) -> list[Match]:
        return [match for match in self.matches if not match.round.is_draft]

    def _where(self, match: Match) -> tuple[int, int]:
        return match.round.stage.position, match.round.number

    def _hear(self) -> None:
        """Check that automatic results and the noted penalties follow from each other."""
        pairs = [match for match in self._list_published() if match.p2_id is not None]
        for match in pairs:
            losers = self._losers(match, pairs)
            if match.ending == "penalty" and match.pk not in self.notes.results:
                assert losers
                self._note_lost(match, losers)
            elif match.ending == "disqualified" and match.pk not in self.notes.results:
                assert any(map(self.notes.is_disqualified, (match.p1_id, match.p2_id)))
                self._note_lost(match, losers)
            elif not match.is_finished and match.pk not in self.notes.reopened:
                assert not losers or (len(losers) == 2 and match.round.stage.is_elimination)

    def _note_lost(self, match: Match, losers: list[int]) -> None:
        """Note a lost match.

        No disqualified player wins, but one player of a bracket match advances.
        """
        out = {pk for pk in (match.p1_id, match.p2_id) if pk in losers or self.notes.is_disqualified(pk)}
        beaten_players = {match.p1_id, match.p2_id} - {match.winner_id}
        assert beaten_players == out or (
            match.round.stage.is_elimination and len(out) == 2 and match.winner_id
        )
        self.notes.results[match.pk] = games_of(match)

    def _losers(self, match: Match, pairs: list[Match]) -> list[int]:
        """Return the players whose penalties decide this match.

        These are one match loss, or as many game losses as win it.
        """
        return [pk for pk in (match.p1_id, match.p2_id) if self._has_lost(pk, match, pairs)]

    def _has_lost(self, player: int, match: Match, pairs: list[Match]) -> bool:
        places = sorted(self._where(m) for m in pairs if player in (m.p1_id, m.p2_id))
        here = [
            penalty.degree
            for penalty in self.notes.penalties
            if penalty.player == player and penalty.counts_in(places) == self._where(match)
        ]
        return "match_loss" in here or here.count("game_loss") >= self.notes.games_to_win

    @precondition(lambda self: self.notes.phase in PLAYING)
    @rule(n=pick, act=st.sampled_from(CLOCKS))
    def staff_press_the_clock(self, n: int, act: str) -> None:
        open_match_policy = (
            Round.objects.filter(stage__event=self.event).select_related("stage__event").order_by("pk").last()
        )
        tables = [
            match for match in self._pairs() if open_match_policy and match.round_id == open_match_policy.pk
        ]
        if open_match_policy is None or not tables:
            return
        table = tables[n % len(tables)]
        acts = {
            "start": lambda: clock.start_clock(open_match_policy, self.olga),
            "pause": lambda: clock.pause_clock(open_match_policy, self.olga),
            "resume": lambda: clock.resume_clock(open_match_policy, self.olga),
            "more": lambda: clock.change_time(open_match_policy, self.olga, minutes=5),
            "less": lambda: clock.change_time(open_match_policy, self.olga, minutes=-5),
            "table": lambda: clock.change_time(
                open_match_policy, self.olga, minutes=3, match=table, reason="deck check"
            ),
            "call": lambda: clock.call_time(open_match_policy, self.olga),
        }
        credit = self._credit()
        self._step(acts[act])
        assert self._credit() == credit

    @rule(n=pick, open_match_policy=st.sampled_from(RUNNING))
    def player_drops(self, n: int, open_match_policy: str) -> None:
        player = self._player(n)
        if player is None or self.notes.phase in OPEN:
            return
        open_match = drops.find_open_match(player)
        if open_match_policy == "both" and open_match is None:
            return
        leaving_players = (
            [player] if open_match_policy != "both" else [p for p in (open_match.p1, open_match.p2) if p]
        )

        def write() -> None:
            for each in leaving_players:
                self._person(each).has_dropped = True
            self._forfeits_are_given(open_match)
            self._let_bracket_results_fall()

        before = self._credit()
        if open_match_policy == "both":
            has_happened, _ = self._step(lambda: drops.drop_both_players(open_match, self.olga), write)
        else:
            has_happened, _ = self._step(
                lambda: drops.drop(player, self.olga, open_match_policy=open_match_policy), write
            )
        if has_happened and open_match_policy == "play":
            assert self._credit() == before

    def _forfeits_are_given(self, match: Match | None) -> None:
        """Give the open match of a player who drops now as a forfeit win.

        If both left, it is a loss for both.
        """
        now = next((m for m in self.matches if match is not None and m.pk == match.pk), None)
        if now is None or now.round.stage.is_elimination or not now.forfeit:
            return
        here = [pk for pk in (now.p1_id, now.p2_id) if not self.notes.people[pk].has_dropped]
        assert [now.winner_id] == (here or [None])
        self.notes.forfeits[now.pk] = games_of(now)

    @rule(n=pick)
    def player_returns(self, n: int) -> None:
        player = self._player(n)
        if player is None or self.notes.phase in OPEN:
            return
        person = self._person(player)

        def write() -> None:
            person.has_dropped = False
            self._forfeits_are_taken_back(player)
            self._let_bracket_results_fall()

        has_happened, _ = self._step(lambda: registration.undo_drop(player, self.olga), write)
        assert not (has_happened and self.notes.is_disqualified(player.pk))

    def _forfeits_are_taken_back(self, player: Player) -> None:
        for match in self._pairs():
            if match.pk not in self.notes.forfeits or player.pk not in (match.p1_id, match.p2_id):
                continue
            if not match.is_finished:
                del self.notes.forfeits[match.pk]
                self.notes.reopened.add(match.pk)
            elif games_of(match) != self.notes.forfeits[match.pk]:
                assert match.winner_id == player.pk
                self.notes.forfeits[match.pk] = games_of(match)
