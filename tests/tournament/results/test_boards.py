"""Matches of teams on boards.

They are entered, reported seat by seat, corrected, disputed and undone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from decks.shared.refusals import Refused
from tests.everyday import each_case
from tests.scenarios.factories import built_once, make_event, organizer, publish_next
from tests.scenarios.rollback import rolled_back
from tournament.engine.boards import (
    count_boards,
    has_contradiction,
    merge_boards,
    swap_boards,
)
from tournament.events.models.event import Event
from tournament.events.models.match_result import Ending, Outcome
from tournament.events.models.round import Match, Round
from tournament.log.models import LogEntry
from tournament.log.services import undo_step
from tournament.log.wording import show_entry
from tournament.matches import build_result
from tournament.registration import services as registration
from tournament.results.forms import parse_slip
from tournament.results.services.results import clear_result, enter_result, report_result
from tournament.setup.services import events
from tournament.shared import coded_texts

pytestmark = pytest.mark.django_db

WON = [[2, 1, 0], [0, 2, 0], [2, 0, 0]]
DRAWN = [[2, 1, 0], [0, 2, 0], [1, 1, 1]]
TRIOS: dict[str, Any] = {"name": "Trios", "team_size": 3, "has_boards": True}
NAMES = ("Foxes", "Owls", "Bears", "Wolves", "Crows", "Hares", "Lynxes", "Moles")


@built_once
def make_team_event(teams: int = 4, **values: Any) -> Event:
    """Return an event that has started, for teams with members such as “Foxes A”."""
    event = make_event(**{**TRIOS, **values})
    for name in NAMES[:teams]:
        members = [f"{name} {letter}" for letter in "ABCDEF"[: event.team_size or 0]]
        registration.add_player(event, organizer(), name=name, members=members)
    events.start_event(event, organizer())
    return event


@pytest.fixture
@built_once
def match() -> Match:
    return first_match(publish_next(make_team_event()))


def first_match(round_: Round) -> Match:
    matches = round_.matches.select_related("p1", "p2", "round__stage__event")
    return matches.exclude(p2=None).order_by("table")[0]


def facts(match: Match) -> tuple[str, str, object]:
    match.refresh_from_db()
    return match.outcome, match.score, match.boards


def report(match: Match, side: str, boards: Sequence[Any], **further: Any) -> Match:
    return report_result(match, getattr(match, side), boards=boards, **further)


def refused_codes(step: Any) -> list[str]:
    with pytest.raises(Refused) as excinfo:
        step()
    return [problem.code for problem in excinfo.value.problems]


@each_case(
    ("boards", "outcome", "score"),
    [
        (WON, "p1", "2-1"),
        (swap_boards(WON), "p2", "1-2"),
        (DRAWN, "draw", "1-1-1"),
        ([[1, 1, 0], [0, 0, 0], [2, 2, 0]], None, ""),
        ([[0, 0, 0]] * 3, "draw", "0-0-3"),
        ([[2, 0, 0]] * 3, "p1", "3-0"),
    ],
    around=rolled_back,
)
def test_team_with_more_boards_wins(
    match: Match, boards: list[list[int]], outcome: str | None, score: str
) -> None:
    if outcome is None:
        assert refused_codes(lambda: enter_result(match, organizer(), boards=boards)) == ["board_impossible"]
        return
    enter_result(match, organizer(), boards=boards)
    assert facts(match) == (outcome, score, boards)


@each_case(
    ("boards", "codes"),
    [
        ([], ["boards_missing"]),
        ([[2, 0, 0], [2, 0, 0]], ["boards_missing"]),
        ([[2, 0, 0], None, [2, 0, 0]], ["boards_missing"]),
        ([[3, 0, 0], [2, 0, 0], [2, 2, 0]], ["board_impossible", "board_impossible"]),
    ],
    around=rolled_back,
)
def test_boards_that_cannot_be_are_refused(match: Match, boards: list[Any], codes: list[str]) -> None:
    assert refused_codes(lambda: enter_result(match, organizer(), boards=boards)) == codes
    assert facts(match) == ("", "0-0", [])


def test_games_without_boards_are_refused(match: Match) -> None:
    assert refused_codes(lambda: enter_result(match, organizer(), p1_games=2)) == ["boards_missing"]


def test_boards_without_seats_are_refused() -> None:
    match = first_match(publish_next(make_team_event(has_boards=False)))
    codes = refused_codes(lambda: enter_result(match, organizer(), boards=WON))
    assert codes == ["boards_without_seats"]
    enter_result(match, organizer(), p1_games=2, p2_games=1)
    assert facts(match) == ("p1", "2-1", [])


def test_forfeit_gives_all_boards(match: Match) -> None:
    enter_result(match, organizer(), ending=Ending.CONCESSION, loser="p1", consent=True)
    assert facts(match) == ("p2", "0-3", [[0, 2, 0]] * 3)


def test_agreed_draw_draws_all_boards() -> None:
    match = first_match(publish_next(make_team_event(intentional_draws=True)))
    enter_result(match, organizer(), ending=Ending.AGREED_DRAW)
    assert facts(match) == ("draw", "0-0-3", [[0, 0, 0]] * 3)


def test_double_loss_needs_no_boards(match: Match) -> None:
    enter_result(match, organizer(), double_loss=True)
    assert facts(match) == ("double_loss", "0-0", [])


def test_bye_wins_all_boards() -> None:
    bye = publish_next(make_team_event(3)).matches.get(p2=None)
    assert (bye.outcome, bye.score) == ("bye", "3-0")


def test_correction_changes_boards_alone_and_undo_brings_them_back(match: Match) -> None:
    enter_result(match, organizer(), boards=WON)
    corrected_boards = [[2, 0, 0], *WON[1:]]
    enter_result(match, organizer(), boards=corrected_boards, reason="misread")
    assert facts(match) == ("p1", "2-1", corrected_boards)
    event = match.round.stage.event
    entry = LogEntry.objects.filter(event=event, action="result_entered").order_by("-pk")[0]
    assert "A 2-0, B 0-2, C 2-0" in show_entry(entry).sentence
    undo_step(entry, organizer())
    assert facts(match) == ("p1", "2-1", WON)
    clear_result(
        Match.objects.select_related("round__stage__event", "p1", "p2").get(pk=match.pk), organizer()
    )
    assert facts(match) == ("", "0-0", [])


def test_boards_reported_one_by_one_and_confirmed_make_the_result(match: Match) -> None:
    report(match, "p1", [WON[0], None, None])
    report(match, "p1", [None, None, WON[2]])
    assert match.reports.get().boards == [WON[0], None, WON[2]]
    report(match, "p2", [WON[0], WON[1], WON[2]])
    assert facts(match)[0] == ""
    report(match, "p1", [None, WON[1], None])
    assert facts(match) == ("p1", "2-1", WON)
    assert match.result_by == coded_texts.BY_BOTH_PLAYERS


def test_open_boards_are_no_dispute_and_different_ones_are(match: Match) -> None:
    report(match, "p1", [WON[0], None, None])
    report(match, "p2", [None, WON[1], None])
    assert not Match.objects.get(pk=match.pk).is_disputed
    report(match, "p2", [[1, 2, 0], None, None])
    assert Match.objects.get(pk=match.pk).is_disputed
    assert refused_codes(lambda: enter_result(match, organizer(), boards=WON)) == ["reason_needed"]
    enter_result(match, organizer(), boards=WON, reason="asked both")
    assert facts(match) == ("p1", "2-1", WON)


def test_report_of_what_stands_is_accepted_and_another_refused(match: Match) -> None:
    enter_result(match, organizer(), boards=WON)
    report(match, "p2", [WON[0], None, None])
    assert refused_codes(lambda: report(match, "p2", [[0, 2, 0], None, None])) == ["result_stands"]


def test_drawn_match_in_a_bracket_is_refused() -> None:
    match = first_match(publish_bracket())
    assert refused_codes(lambda: enter_result(match, organizer(), boards=DRAWN)) == ["winner_needed"]
    enter_result(match, organizer(), boards=WON)
    assert facts(match)[0] == "p1"


def publish_bracket() -> Round:
    event = make_team_event(plan=[{"kind": "single"}])
    return Round.objects.get(stage__event=event)


@pytest.mark.parametrize(
    ("values", "codes"),
    [
        ({"team_size": None}, ["boards_need_teams"]),
        (
            {
                "game": "sf_miniatures", "format": "2v2v2", "team_size": 2, "rules_version": "1",
                "match_form": "one_round_25min", "round_minutes": 25,
            },
            ["boards_need_two_sides"],
        ),
    ],
)  # fmt: skip
def test_boards_without_two_teams_are_refused(values: dict[str, Any], codes: list[str]) -> None:
    assert refused_codes(lambda: make_event(**{**TRIOS, **values})) == codes


@each_case(
    ("line", "boards"),
    [
        ("4 2-1 0-2 2-0", WON),
        ("4: 2-1, 0:2; 2/0", WON),
        ("4 2-1 0-2 1-1-1", DRAWN),
        ("4 2-1", [[2, 1, 0]]),
    ],
    around=rolled_back,
)
def test_line_says_all_boards(line: str, boards: list[list[int]]) -> None:
    slip = parse_slip(line, board_count=3)
    assert (slip.table, slip.entry) == (4, {"boards": boards})


def test_line_with_marks_says_what_else_there_is() -> None:
    slip = parse_slip("4 2-1 0-2 2-0 d2", board_count=3)
    assert (slip.entry["boards"], slip.drop) == (WON, ("p2",))
    assert parse_slip("4 n2", board_count=3).entry["loser"] == "p2"
    assert parse_slip("4 dl", board_count=3).entry["double_loss"]


@each_case("line", ["4 2 1 2", "4 2-1 x", "4 2-1 -", "4 2-", "4 2-1 0-2 2"], around=rolled_back)
def test_line_without_scores_is_refused(line: str) -> None:
    with pytest.raises(Refused) as excinfo:
        parse_slip(line, board_count=3)
    assert excinfo.value.code == "line_not_understood"


board = st.tuples(*[st.integers(0, 2)] * 2, st.integers(0, 1)).map(list)
boards_of_teams = st.integers(2, 6).flatmap(lambda count: st.lists(board, min_size=count, max_size=count))


@given(boards=boards_of_teams)
def test_team_result_is_the_majority_of_its_boards(boards: list[list[int]]) -> None:
    event = Event(team_size=len(boards), has_boards=True, game="ufs", match_form="best_of_3_50min")
    result = build_result(event, boards=boards)
    wins = [first > second for first, second, _ in boards].count(True)
    losses = [first < second for first, second, _ in boards].count(True)
    expected_outcome = Outcome.P1 if wins > losses else Outcome.P2 if losses > wins else Outcome.DRAW
    assert result.outcome == expected_outcome
    assert (result.p1_games, result.p2_games, result.draws) == (wins, losses, len(boards) - wins - losses)
    assert count_boards(swap_boards(boards)) == (losses, wins, len(boards) - wins - losses)


@given(boards=boards_of_teams, data=st.data())
def test_reports_of_single_boards_make_the_whole(boards: list[list[int]], data: st.DataObject) -> None:
    reported_boards: list[Any] = []
    for at in data.draw(st.permutations(range(len(boards)))):
        one_board = [board if at == place else None for place, board in enumerate(boards)]
        reported_boards = merge_boards(one_board, reported_boards)
        assert not has_contradiction(reported_boards, boards)
    assert reported_boards == boards
