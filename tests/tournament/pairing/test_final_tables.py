"""Final tables.

The best of rounds with more than two sides go on to fewer tables, and to one.
"""

from __future__ import annotations

import json

import pytest
from django.test import Client
from django.urls import reverse

from decks.shared.refusals import Refused
from tests.scenarios.factories import (
    built_once,
    make_event,
    organizer,
    publish_next,
    sign_in_organizer,
    started_event,
)
from tests.scenarios.html import html_of
from tests.tournament.pairing.test_pods_played import FREE, TEAMS, tables, win
from tournament.archive.export import export_event
from tournament.archive.restore import restore_event
from tournament.brackets.selectors.bracket import champion_of_event, final_ranking
from tournament.brackets.services import stages
from tournament.events.models.event import Event
from tournament.events.models.round import Round
from tournament.events.presets import list_presets
from tournament.events.settings import get_plan, get_sides
from tournament.log.models import LogEntry
from tournament.log.services import undo_step
from tournament.setup.services import events
from tournament.standings.selectors.standings import standings

pytestmark = pytest.mark.django_db

FINAL = [{"kind": "swiss", "rounds": 1}, {"kind": "swiss", "rounds": 1, "size": 4}]
SEMI_FINALS = [FINAL[0], {"kind": "swiss", "rounds": 1, "size": 16}, FINAL[1]]


def play(event: Event) -> Round:
    """Play a round; the player with the lowest number wins each table."""
    round_ = publish_next(event)
    for match in tables(round_):
        win(match, min(match.sides, key=lambda side: side.player.number).number)
    return round_


@built_once
def final_table(players: int) -> Event:
    """Return an event whose final table is about to be seated."""
    event = started_event(players, **{**FREE, "swiss_rounds": None}, plan=FINAL)
    play(event)
    stages.begin_next_stage(event, organizer())
    return event


@pytest.mark.both_databases
def test_best_four_play_at_one_table_and_its_winner_is_champion() -> None:
    event = final_table(13)
    entrants = set(event.stages.get(position=2).entrants.values_list("player_id", flat=True))
    assert entrants == {line.player.pk for line in standings(event, after_round=1)[:4]}
    final = publish_next(event)
    assert [match.side_count for match in tables(final)] == [4]
    assert set(final.seats.values_list("player_id", flat=True)) == entrants
    assert [line.row.points for line in standings(event)] == [0, 0, 0, 0]
    winner = win(tables(final)[0], 2).sides[1].player
    events.finish_event(event, organizer())
    event.refresh_from_db()
    assert champion_of_event(event) == winner
    places = final_ranking(event)
    assert [places[0].player, len(places)] == [winner, 13]
    assert {place.player.pk for place in places[:4]} == entrants


def test_winners_of_four_semi_final_tables_meet_in_the_final() -> None:
    event = started_event(18, **{**FREE, "swiss_rounds": None}, plan=SEMI_FINALS)
    play(event)
    stages.begin_next_stage(event, organizer())
    semi_finals = play(event)
    assert [match.side_count for match in tables(semi_finals)] == [4, 4, 4, 4]
    winners = {match.winner_id for match in tables(semi_finals)}
    stages.begin_next_stage(event, organizer())
    assert set(event.stages.get(position=3).entrants.values_list("player_id", flat=True)) == winners


@pytest.mark.both_databases
def test_final_table_is_undone_and_archived() -> None:
    event = final_table(9)
    undo_step(LogEntry.objects.filter(event=event, action__startswith="cut_made").get(), organizer())
    assert event.stages.count() == 1
    stages.begin_next_stage(Event.objects.get(pk=event.pk), organizer())
    win(tables(publish_next(event))[0], 3)
    copy = restore_event(json.dumps(export_event(event)), organizer())
    assert [line.exact_points for line in standings(copy)] == [line.exact_points for line in standings(event)]


@pytest.mark.parametrize("values", [FREE, TEAMS])
def test_structures_of_the_mode_can_be_chosen(values: dict[str, object], client: Client) -> None:
    event = make_event(**values)
    sign_in_organizer(client)
    address = reverse("console_stages", args=[event.slug])
    assert 'value="final_table"' in html_of(client.get(address))
    client.post(address, {"preset": "final_table"})
    event.refresh_from_db()
    assert [stage.size for stage in get_plan(event)] == [None, get_sides(event).usual]
    sizes = [[stage.size for stage in preset.plan] for preset in list_presets(get_sides(event))]
    usual = get_sides(event).usual
    assert sizes == [[], [None, usual], [None, usual**2, usual]]


def test_final_with_fewer_players_than_sides_is_refused() -> None:
    with pytest.raises(Refused) as refusal:
        make_event(**TEAMS, plan=[{"kind": "swiss"}, {"kind": "swiss", "size": 2}])
    assert [problem.code for problem in refusal.value.problems] == ["plan_wrong"]


def test_pages_show_the_final_table(client: Client) -> None:
    event = final_table(9)
    final = publish_next(event)
    names = [side.player.name for side in tables(final)[0].sides]
    sign_in_organizer(client)
    console = reverse("console_round", args=[event.slug, 2, 2])
    for address in (console, reverse("pairings", args=[event.slug]), reverse("standings", args=[event.slug])):
        page = html_of(client.get(address))
        assert all(name in page for name in names), address
    outside = event.players.exclude(name__in=names).first()
    assert outside is not None
    for name, kind in ((names[0], "playing"), (outside.name, "missed_stage")):
        token = event.players.get(name=name).token
        assert Client().get(reverse("player", args=[token])).context["task"].kind == kind
