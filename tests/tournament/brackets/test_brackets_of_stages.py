"""Consolation brackets and single grand finals as stages.

They are played, ranked, drawn, printed and archived.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest
from django.test import Client
from django.urls import reverse

from decks.shared.refusals import Refused
from tests.everyday import each_case
from tests.scenarios.factories import (
    add_players,
    built_once,
    make_event,
    make_user,
    organizer,
    started_event,
    win,
)
from tests.scenarios.html import html_of
from tests.scenarios.rollback import rolled_back
from tournament.archive.export import export_event
from tournament.archive.restore import restore_event
from tournament.brackets.selectors.bracket import champion_of_event, final_ranking, load_bracket_state
from tournament.brackets.selectors.picture import load_bracket_view
from tournament.engine.brackets.layout import BracketMatch
from tournament.events.models.event import Event, Stage
from tournament.events.models.round import Match
from tournament.events.selectors import get_bracket_stage
from tournament.events.settings import get_plan
from tournament.log.services import undo_step
from tournament.printing.request import PrintRequest
from tournament.printing.sheets.bracket import build_bracket
from tournament.results.services.drops import drop_both_players
from tournament.setup.services import events

pytestmark = pytest.mark.django_db

CONSOLATION = {"kind": "single", "third_place": True, "consolation": True}
ONE_FINAL = {"kind": "double", "reset": False}
NOW = datetime(2026, 5, 2, 9, 30, tzinfo=UTC)


def open_match(event: Event, number: int | None = None) -> Match | None:
    open_matches = Match.objects.filter(round__stage__event=event, outcome="")
    if number is not None:
        open_matches = open_matches.filter(bracket_match=number)
    ordered_entrants = open_matches.select_related("round__stage__event", "p1", "p2").order_by(
        "bracket_match"
    )
    return ordered_entrants.first()


def play_to_the_end(event: Event, *upsets: int) -> list[int]:
    """Let better seeds win, except in the matches named.

    Returns the matches in their order.
    """
    matches = []
    while (match := open_match(event)) is not None:
        matches.append(match.bracket_match or 0)
        win(match, "p2" if match.bracket_match in upsets else "p1")
    event.refresh_from_db()
    return matches


def stage_of(event: Event) -> Stage:
    stage = get_bracket_stage(event)
    assert stage is not None
    return stage


def test_consolation_bracket_is_played_and_ranks_places_five_to_eight() -> None:
    event = started_event(8, plan=[CONSOLATION])
    sides, numbers = {match.id: match.side for match in _layout(event)}, []
    while (match := _open_match_outside(event, sides, "C")) is not None:
        numbers.append(win(match).bracket_match)
    event.refresh_from_db()
    # The event waits for the last consolation match.
    assert event.phase == "cut"
    assert sorted([*numbers, *play_to_the_end(event)]) == list(range(1, 12))
    assert event.phase == "finished"
    assert [(each.place, each.is_shared) for each in final_ranking(event)] == [
        (1, False), (2, False), (3, False), (4, False), (5, False), (6, False), (7, True), (7, True),
    ]  # fmt: skip
    assert {entrant.seed for entrant in stage_of(event).entrants.all()} == set(range(1, 9))


def _layout(event: Event) -> tuple[BracketMatch, ...]:
    return load_bracket_state(stage_of(event)).bracket.matches


def _open_match_outside(event: Event, sides: dict[int, str], side: str) -> Match | None:
    matches = Match.objects.filter(round__stage__event=event, outcome="").select_related(
        "round__stage__event", "p1", "p2"
    )
    return next((match for match in matches if sides[match.bracket_match or 0] != side), None)


@built_once
def play_to_the_consolation_final() -> Match:
    """Return the last match of a consolation bracket; both semi-finals are open."""
    event = started_event(8, plan=[{"kind": "single", "consolation": True}])
    last = max(match.id for match in _layout(event) if match.side == "C")
    for number in [m.id for m in _layout(event) if m.id != last and (m.side == "C" or m.round == 1)]:
        match = open_match(event, number)
        assert match is not None
        win(match)
    final = open_match(event, last)
    assert final is not None
    return final


def test_consolation_match_between_two_who_dropped_goes_to_the_better_seed() -> None:
    final = play_to_the_consolation_final()
    event = final.round.stage.event
    drop_both_players(final, organizer())
    play_to_the_end(event)
    final.refresh_from_db()
    assert (event.phase, final.forfeit) == ("finished", True)


def test_single_grand_final_is_not_repeated_when_the_unbeaten_player_loses() -> None:
    event = started_event(4, plan=[ONE_FINAL])
    last = max(match.id for match in _layout(event))
    assert play_to_the_end(event, last) == [1, 2, 3, 4, 5, 6]
    assert event.phase == "finished"
    final = Match.objects.get(round__stage__event=event, bracket_match=last)
    assert champion_of_event(event) == final.p2


def test_consolation_bracket_is_left_out_when_too_few_players_come() -> None:
    event = started_event(5, plan=[CONSOLATION])
    assert {match.side for match in _layout(event)} == {"W", "3P"}
    play_to_the_end(event)
    assert event.phase == "finished"


@each_case(
    ("plan", "code"),
    [
        ([{"kind": "double", "consolation": True}], "plan_wrong"),
        ([{"kind": "single", "reset": False}], "plan_wrong"),
        ([{"kind": "swiss", "consolation": True}], "plan_wrong"),
        ([{"kind": "swiss"}, {"kind": "single", "size": 9, "consolation": True}], "plan_wrong"),
        ([{"kind": "single", "consolation": 1}], "plan_wrong"),
    ],
    around=rolled_back,
)
def test_bracket_that_cannot_be_played_is_refused(plan: list[dict[str, object]], code: str) -> None:
    with pytest.raises(Refused) as refusal:
        make_event(plan=plan)
    assert [problem.code for problem in refusal.value.problems] == [code]


def test_begun_bracket_keeps_its_consolation_and_final() -> None:
    event = started_event(8, plan=[CONSOLATION])
    with pytest.raises(Refused) as refusal:
        events.update_event(event, organizer(), {"plan": [{"kind": "single", "third_place": True}]})
    assert refusal.value.problems[0].code == "stage_begun"


def test_picture_and_paper_show_the_consolation_side() -> None:
    event = started_event(8, plan=[CONSOLATION])
    parts = load_bracket_view(stage_of(event))
    shapes = [(part.name, [len(column.slots) for column in part.columns]) for part in parts]
    assert shapes == [("", [4, 2, 1]), ("Third place", [1]), ("Consolation", [2, 1])]
    assert [column.name for column in parts[2].columns] == ["Round 1", "Round 2"]
    pages = list(build_bracket(PrintRequest(event, None, "A4", NOW))["pictures"])
    assert sum(len(page.boxes) for page in pages) == 11


def test_phone_of_the_consolation_winner_says_that_it_was_the_last_match(client: Client) -> None:
    match = win(play_to_the_consolation_final())
    page = html_of(client.get(reverse("player", args=[match.p1.token])))
    assert "That was your last match in the bracket." in page


def test_archive_and_undo_keep_the_consolation_bracket() -> None:
    event = started_event(8, plan=[CONSOLATION])
    copy = restore_event(json.dumps(export_event(event)), organizer())
    stage = stage_of(copy)
    assert (stage.consolation, stage.reset, get_plan(copy)[0].consolation) == (True, True, True)
    undo_step(event.log.get(action="event_started"), organizer())
    assert not event.stages.exists()


def test_form_of_the_plan_offers_consolation_and_one_final() -> None:
    event = make_event(plan=[CONSOLATION])
    add_players(event, 2)
    client = Client()
    client.force_login(make_user("ole@example.org", is_superuser=True))
    address = reverse("console_stages", args=[event.slug])
    page = html_of(client.get(address))
    assert 'name="stage0-consolation"' in page
    client.post(address, {"stage0-kind": "double", "stage0-groups": "", "stage0-one_final": "on"})
    event.refresh_from_db()
    assert [(stage.kind, stage.reset, stage.consolation) for stage in get_plan(event)] == [
        ("double", False, False)
    ]
