"""Random rounds and results.

They are paired, changed by hand, published, typed in, reported and corrected.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from tests.scenarios.day.model import DOUBLE_LOSS, OPEN, SCORES, Games
from tests.scenarios.day.pressing import Pressing, games_of, pick
from tournament.brackets.services import cut as cuts
from tournament.brackets.services.cut import remake_cut
from tournament.events.models.round import Match, Round
from tournament.pairing.services import drafts, rounds
from tournament.results.services import results
from tournament.setup.services import events

REFUSALS_OF_A_SCORE = ("way_needed", "game_loss_left_out", "match_loss_left_out")
WAYS = ("leave", "swap", "all", "cut", "fall")


class Playing(Pressing):
    """The tables: rounds, slips, corrections, the cut and the end."""

    @precondition(lambda self: self.notes.phase == "swiss")
    @rule()
    def a_round_is_paired(self) -> None:
        open_matches = [m for m in self._pairs() if m.pk not in self.notes.of_all_tables]
        had = self._draft() is not None
        has_happened, code = self._step(lambda: rounds.pair_next_round(self.event, self.olga))
        assert not (has_happened and open_matches and not had)
        assert code != "results_missing" or open_matches

    @precondition(lambda self: self.notes.phase == "swiss")
    @rule(one=pick, two=pick, again=st.booleans())
    def the_draft_is_changed(self, one: int, two: int, again: bool) -> None:
        draft = self._draft()
        if draft is None:
            return
        seated_players = [seat.player.number for seat in draft.seats.select_related("player").order_by("pk")]
        pair = seated_players[one % len(seated_players)], seated_players[two % len(seated_players)]
        if again:
            self._step(lambda: rounds.pair_round_again(draft, self.olga))
        elif pair[0] != pair[1]:
            self._step(lambda: drafts.swap_players(draft, self.olga, *pair))

    @precondition(lambda self: self.notes.phase == "swiss")
    @rule()
    def the_round_is_published(self) -> None:
        if (draft := self._draft()) is not None:
            tables = [m for m in self.matches if m.round_id == draft.pk]
            seated_players = {player for m in tables for player in (m.p1_id, m.p2_id)} - {None}

            def write() -> None:
                self.notes.forfeits.update({m.pk: games_of(m) for m in tables if m.forfeit})

            has_happened, _ = self._step(
                lambda: rounds.publish_round(draft, self.olga, is_confirmed=True), write
            )
            there = {pk for pk, person in self.notes.people.items() if self.notes.is_in(person)}
            if has_happened and draft.stage.kind == "robin":
                self._follows_the_schedule(tables, draft, there - seated_players)
            else:
                assert not has_happened or seated_players == there

    def _follows_the_schedule(self, tables: list[Match], scheduled_round: Round, resting: set[int]) -> None:
        """Require that in an odd group one player rests.

        A player who has left loses by forfeit, and two who left do not meet.
        """
        group_of = dict(scheduled_round.stage.entrants.values_list("player_id", "group"))
        assert max(Counter(group_of[player] for player in resting).values(), default=0) <= 1
        for match in tables:
            here = [pk for pk in (match.p1_id, match.p2_id) if self.notes.is_in(self.notes.people[pk])]
            assert match.forfeit == (len(here) == 1)
            assert group_of[match.p1_id] == group_of[match.p2_id]
            assert [match.winner_id] == (here if match.forfeit else [None])

    @rule(n=pick, score=st.sampled_from(SCORES), is_stale=st.booleans())
    def staff_types_a_result_in(self, n: int, score: Games, is_stale: bool) -> None:
        matches = self.matches
        if not matches:
            return
        match = matches[n % len(matches)]
        self._type_in(match, score, is_stale=is_stale and match.revision > 0)

    @rule(n=pick, score=st.sampled_from(SCORES), way=st.sampled_from(WAYS))
    def a_result_is_corrected(self, n: int, score: Games, way: str) -> None:
        """Correct a result rounds later.

        One of the offered ways is taken, and finished matches stay.
        """
        finished_matches = [match for match in self._pairs() if match.is_finished]
        if not finished_matches:
            return
        match, score = finished_matches[n % len(finished_matches)], self.notes.count_games(score)
        others = self._finished_besides(match, way)

        def act() -> None:
            results.enter_result(match, self.olga, reason="the slip says so", way=way, **_entry(score))

        has_happened, _ = self._step(act, lambda: self._accept(match, score))
        if has_happened:
            assert others.items() <= self._finished_besides(match, way).items()

    def _finished_besides(self, match: Match, way: str) -> dict[int, tuple[Any, ...]]:
        """Return the state of all other tables.

        Of a bracket nothing is returned if its matches may be removed.
        """
        return {
            each.pk: (each.p1_id, each.p2_id, each.table, *games_of(each))
            for each in self._pairs()
            if each.is_finished and each.pk != match.pk
            if not (each.round.stage.is_elimination and (way == "fall" or each.ending == "left"))
        }

    def _type_in(self, match: Match, score: Games, *, is_stale: bool = False) -> None:
        seen_revision, score = match.revision - is_stale, self.notes.count_games(score)
        values = _entry(score)

        def act() -> None:
            results.enter_result(match, self.olga, seen_revision=seen_revision, reason="slip", **values)

        has_happened, code = self._step(act, lambda: self._accept(match, score))
        if has_happened:
            assert not is_stale
            assert not match.is_bye
        elif score[0] != score[1] and not match.is_bye and not is_stale and not match.round.is_draft:
            is_expected = code in REFUSALS_OF_A_SCORE or match.round.stage.is_elimination
            assert is_expected or self.notes.results.get(match.pk) == score

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
        match, score = matches[n % len(matches)], self.notes.count_games(score)
        player = match.p2 if second else match.p1
        agreed_result: list[bool] = []
        self._step(
            lambda: results.report_result(
                match, player, **dict(zip(("p1_games", "p2_games", "draws"), score, strict=True))
            ),
            lambda: agreed_result.append(self.notes.add_report(match.pk, player.pk, score)),
        )
        if agreed_result == [True]:
            self._accept(match, score)

    @precondition(lambda self: self.notes.phase in ("swiss", "cut"))
    @rule(luck=st.lists(st.sampled_from(SCORES[:4]), min_size=6, max_size=6))
    def the_slips_come_in(self, luck: list[Games]) -> None:
        """Enter a result at every open table, one step each."""
        open_matches = [m for m in self._pairs() if not m.is_finished and not m.round.is_draft]
        for match, score in zip(open_matches, luck, strict=False):
            self._type_in(match, score)

    @precondition(lambda self: self.notes.phase not in OPEN)
    @rule(luck=st.lists(st.sampled_from(SCORES[:4]), min_size=6, max_size=6))
    def the_day_goes_on(self, luck: list[Games]) -> None:
        """Press the button of the next step."""
        self.the_slips_come_in(luck)
        if self._draft() is not None:
            self.the_round_is_published()
        elif self.notes.phase == "swiss":
            self.a_round_is_paired()
            if self._draft() is None:
                self.the_cut_is_made_or_the_event_ends(cut=self.event.has_bracket)

    @precondition(lambda self: self.notes.phase == "swiss")
    @rule(n=pick, declines=st.booleans())
    def the_cut_is_declined(self, n: int, declines: bool) -> None:
        if (player := self._player(n)) is not None:
            self._step(lambda: cuts.decline_cut(player, self.olga, has_declined=declines))

    @precondition(lambda self: self.notes.phase == "swiss")
    @rule(cut=st.booleans())
    def the_cut_is_made_or_the_event_ends(self, cut: bool) -> None:
        press = cuts.make_cut if cut else events.finish_event
        self._step(lambda: press(self.event, self.olga))

    @precondition(lambda self: self.notes.phase in ("cut", "finished"))
    @rule()
    def the_cut_is_made_again(self) -> None:
        played_matches = {m.pk for m in self._pairs() if m.round.stage.is_elimination and m.is_finished}
        played_matches -= {m.pk for m in self.matches if m.ending == "left"}
        has_happened, _ = self._step(
            lambda: remake_cut(self.event, self.olga), self._let_bracket_results_fall
        )
        assert not (has_happened and played_matches)


def _entry(score: Games) -> dict[str, Any]:
    if score == DOUBLE_LOSS:
        return {"p1_games": 0, "p2_games": 0, "double_loss": True}
    return dict(zip(("p1_games", "p2_games", "draws"), score, strict=True))
