"""The standings on paper.

Tests cover what the venue calls them, and the final places when the event is over.
"""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from tests.scenarios.factories import built_once, open_matches, play_round, publish_next, started_event, win
from tournament.events.models.event import Event
from tournament.events.models.round import Round
from tournament.printing.registry import SHEETS, say_title, sheet_title
from tournament.printing.request import PrintRequest, find_round
from tournament.printing.selectors import find_missing
from tournament.printing.sheets.standings import build_standings

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 5, 2, 9, 30, tzinfo=UTC)


def over(event: Event) -> Event:
    """Return the same event when it is finished."""
    Event.objects.filter(pk=event.pk).update(phase=Event.Phase.FINISHED)
    return Event.objects.get(pk=event.pk)


def standings_title(event: Event, shown_round: Round | None) -> str:
    """Return the title of the standings after a round."""
    return say_title(sheet_title(SHEETS["standings"], event, shown_round))


def columns(event: Event) -> list[list[str]]:
    """Return places, names and figures as they are printed after the last round."""
    standings = build_standings(PrintRequest(event, find_round(event, None, None), "A4", NOW))
    return [[word.text for word in block.lines] for block in standings["pages"][0].blocks]


@built_once
def played_bracket() -> Event:
    """Return a bracket of four, its first players always winning."""
    event = started_event(4, plan=[{"kind": "single"}])
    while open_matches(find_round(event, None, None)):
        win(open_matches(find_round(event, None, None))[0])
    return event


def test_standings_are_called_by_their_round_until_the_event_is_over() -> None:
    event = started_event(4)
    play_round(event)
    play_round(event)
    first, last = Round.objects.filter(stage__event=event)
    assert [standings_title(event, shown_round) for shown_round in (None, first, last)] == [
        "Standings",
        "Standings after round 1",
        "Standings after round 2",
    ]
    assert [standings_title(over(event), shown_round) for shown_round in (None, first, last)] == [
        "Final standings",
        "Standings after round 1",
        "Final standings",
    ]


def test_standings_say_that_their_round_is_still_played_and_how_many_tables_miss() -> None:
    event = started_event(4)
    published_round = publish_next(event)
    draft = Round(stage=published_round.stage, number=2)
    win(open_matches(published_round)[0])
    foot = build_standings(PrintRequest(event, published_round, "A4", NOW))["words"][0]
    assert (standings_title(event, published_round), foot) == (
        "Standings during round 1",
        "Round 1 is still in progress: 1 table has no result yet.",
    )
    win(open_matches(published_round)[0])
    assert [standings_title(event, each) for each in (published_round, draft)] == [
        "Standings after round 1",
        "Standings before round 2",
    ]


def test_the_report_is_called_final_only_when_the_event_is_over() -> None:
    event = started_event(4)
    assert [say_title(sheet_title(SHEETS["report"], each, None)) for each in (event, over(event))] == [
        "Report so far",
        "Final report",
    ]


def test_final_standings_give_a_shared_place_to_who_went_out_together() -> None:
    event = played_bracket()
    places, names, figures = columns(over(event))
    assert (places, figures) == (["1", "2", "3", "3"], [])
    assert sorted(names) == sorted(event.players.values_list("name", flat=True))


def test_a_bracket_alone_has_no_standings_before_its_end() -> None:
    event = played_bracket()
    rounds = list(Round.objects.filter(stage__event=event).select_related("stage"))
    running_event = Event.objects.get(pk=event.pk)
    running_event.phase = Event.Phase.CUT
    lacks = [find_missing(SHEETS["standings"], each, rounds) for each in (running_event, over(event))]
    assert [bool(each) for each in lacks] == [True, False]
