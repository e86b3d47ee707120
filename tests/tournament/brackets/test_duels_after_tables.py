"""Swiss rounds at tables of more than two sides, then a bracket of duels.

The bracket is between the best.
"""

from __future__ import annotations

import json

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

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
from tournament.brackets.services import cut, stages
from tournament.events.models.event import Event
from tournament.events.models.round import Match, Round
from tournament.log.models import LogEntry
from tournament.log.services import undo_step
from tournament.pairing.selectors.pairings import load_round_view
from tournament.printing.request import PrintRequest
from tournament.printing.sheets.slips import build_slips
from tournament.results.services import results
from tournament.standings.selectors.outlook import outlooks

pytestmark = pytest.mark.django_db


@built_once
def play_to_the_cut(values: dict[str, object]) -> Event:
    event = started_event(9, **{**values, "swiss_rounds": 1}, cut="top", cut_size=4)
    for match in tables(publish_next(event)):
        win(match)
    stages.begin_next_stage(event, organizer())
    return Event.objects.get(pk=event.pk)


def list_duels(event: Event) -> list[Match]:
    duels = Match.objects.filter(round__stage__event=event, round__stage__position=2)
    return list(duels.select_related("round__stage__event", "p1", "p2").order_by("pk"))


@pytest.mark.parametrize("values", [FREE, TEAMS], ids=["free-for-all", "2v2v2"])
@pytest.mark.both_databases
def test_best_four_of_nine_play_duels_to_the_champion(values: dict[str, object]) -> None:
    event = play_to_the_cut(values)
    semi_finals = list_duels(event)
    assert [(duel.side_count, duel.table) for duel in semi_finals] == [(2, 1), (2, 2)]
    for duel in semi_finals:
        results.enter_result(duel, organizer(), p1_games=1)
    final = list_duels(event)[-1]
    results.enter_result(final, organizer(), p2_games=1)
    event.refresh_from_db()
    assert (event.phase, champion_of_event(event)) == (Event.Phase.FINISHED, final.p2)
    assert [place.player for place in final_ranking(event)][:2] == [final.p2, final.p1]


def test_nothing_is_said_of_chances_before_duels() -> None:
    event = started_event(9, **{**FREE, "swiss_rounds": 2}, cut="top", cut_size=4)
    for match in tables(publish_next(event)):
        win(match)
    publish_next(event)
    assert outlooks(event) == {}
    page = Client().get(reverse("player", args=[event.players.all()[0].token]))
    assert (page.status_code, page.context["outlook"]) == (200, None)


def test_cut_to_duels_is_made_again_after_a_correction() -> None:
    event = play_to_the_cut(FREE)
    first = tables(Round.objects.get(stage__event=event, stage__position=1))[0]
    corrected_match = win(first, 2, overwrite=True)
    cut.remake_cut(event, organizer())
    assert corrected_match.sides[1].player.pk in event.stages.get(position=2).entrants.values_list(
        "player", flat=True
    )


def test_cut_to_duels_is_undone_and_archived() -> None:
    event = play_to_the_cut(FREE)
    results.enter_result(list_duels(event)[0], organizer(), p1_games=1)
    copy = restore_event(json.dumps(export_event(event)), organizer())
    assert [duel.outcome for duel in list_duels(copy)] == ["p1", ""]
    undo_step(LogEntry.objects.filter(event=event, action="cut_made").get(), organizer())
    assert (event.stages.count(), list_duels(event)) == (1, [])


def test_duel_is_entered_on_the_line_and_reported_on_a_phone(client: Client) -> None:
    event = play_to_the_cut(FREE)
    first, second = list_duels(event)
    sign_in_organizer(client)
    address = reverse("console_round", args=[event.slug, 2, first.round.number])
    page = html_of(client.get(address))
    assert 'placeholder="12 1 0"' in page
    points = {row.match.pk: row.p1_points for row in load_round_view(first.round).rows}
    assert points == {first.pk: 3, second.pk: 3}
    client.post(f"{address}result/", {"line": "1 2 0"})
    assert Match.objects.get(pk=first.pk).outcome == ""
    client.post(f"{address}result/", {"line": "1 0 1"})
    assert Match.objects.get(pk=first.pk).outcome == "p2"
    for player, opponent, score in ((second.p1, second.p2, "1-0"), (second.p2, second.p1, "0-1")):
        phone = Client()
        assert f'value="{score}"' in html_of(phone.get(reverse("player", args=[player.token])))
        report = {"match": second.pk, "opponent": opponent.number, "score": score}
        phone.post(f"/p/{player.token}/report/", report)
    assert Match.objects.get(pk=second.pk).outcome == "p1"


def test_bracket_pairings_and_slips_of_duels_are_shown(client: Client) -> None:
    event = play_to_the_cut(FREE)
    names = [name for duel in list_duels(event) for name in (duel.p1.name, duel.p2.name)]
    for address in ("bracket", "pairings"):
        page = html_of(client.get(reverse(address, args=[event.slug])))
        assert all(name in page for name in names), address
    round_ = list_duels(event)[0].round
    slips = build_slips(PrintRequest(event, round_, "A4", timezone.now()))
    printed_names = " ".join(slip.names_html for page in slips["pages"] for slip in page.slips)
    assert all(name in printed_names for name in names)


@pytest.mark.parametrize("kind", ["robin", "groups"])
def test_schedule_of_pairs_is_refused_after_tables(kind: str) -> None:
    plan = [{"kind": "swiss"}, {"kind": kind, "size": 4}, {"kind": "single", "size": 2}]
    with pytest.raises(Refused) as excinfo:
        make_event(**FREE, plan=plan)
    assert [problem.code for problem in excinfo.value.problems] == ["sides_need_swiss"]
