"""Swiss rounds with exits: three wins in, three losses out.

They are tested on every page that names players.
"""

from __future__ import annotations

import json
from collections import Counter

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from decks.shared.refusals import Refused
from tests.everyday import each_case
from tests.scenarios.factories import (
    make_event,
    organizer,
    play_round,
    publish_next,
    sign_in_organizer,
    started_event,
)
from tests.scenarios.html import html_of
from tests.scenarios.rollback import rolled_back
from tournament.archive.export import export_event
from tournament.archive.restore import restore_event
from tournament.brackets.services import stages
from tournament.events.models.event import Event
from tournament.events.settings import get_plan
from tournament.log.services import undo_step
from tournament.pairing.services import rounds
from tournament.printing.request import PrintRequest
from tournament.printing.sheets.standings import build_standings
from tournament.results.services import drops
from tournament.screens.selectors import build_screen
from tournament.setup.services import events
from tournament.setup.services.extra_round import add_round
from tournament.standings.selectors.exits import (
    ExitCounts,
    count_event_exits,
    has_everyone_left,
    load_exits,
)
from tournament.standings.selectors.outlook import outlooks
from tournament.standings.selectors.table import standings_table

pytestmark = pytest.mark.django_db

EXITS = {"kind": "swiss", "wins_in": 3, "losses_out": 3}
SUDDEN = {"kind": "swiss", "wins_in": 1, "losses_out": 1}
FREE_FOR_ALL = {
    "game": "sf_miniatures", "format": "ffa", "rules_version": "1",
    "match_form": "one_round_25min", "round_minutes": 25,
}  # fmt: skip
TWO_STAGES = [EXITS, {"kind": "single", "size": 8}]


def play_all(event: Event) -> list[int]:
    """Play rounds until every player has left; return how many were paired in each."""
    seated_players = []
    while not has_everyone_left(event.stages.get(position=1)):
        round_ = play_round(event)
        seated_players.append(sum(1 if match.p2_id is None else 2 for match in round_.matches.all()))
    return seated_players


def count_exits(event: Event) -> dict[str, int]:
    return dict(Counter(load_exits(event.stages.get(position=1)).values()))


@pytest.mark.both_databases
def test_sixteen_players_are_paired_until_three_wins_or_three_losses() -> None:
    event = started_event(16, plan=TWO_STAGES)
    assert event.stages.get(position=1).planned_rounds == 5
    assert play_all(event) == [16, 16, 16, 12, 6]
    assert count_exits(event) == {"qualified": 8, "eliminated": 8}


def test_only_players_with_enough_wins_come_into_the_bracket() -> None:
    event = started_event(10, plan=TWO_STAGES)
    play_all(event)
    exits = load_exits(event.stages.get(position=1))
    qualified_rows = {player for player, exits_by_round in exits.items() if exits_by_round == "qualified"}
    stage = stages.begin_next_stage(event, organizer())
    assert set(stage.entrants.values_list("player_id", flat=True)) == qualified_rows
    assert 2 <= len(qualified_rows) < 8


def test_stage_ends_early_when_every_player_has_left() -> None:
    event = started_event(4, plan=[{**SUDDEN, "rounds": 5}, {"kind": "single", "size": 2}])
    play_round(event)
    client = sign_in_organizer()
    page = html_of(client.get(reverse("console_event", args=[event.slug])))
    assert f'href="{reverse("console_cut", args=[event.slug])}"' in page
    assert stages.begin_next_stage(event, organizer()).entrants.count() == 2


def test_last_player_without_an_opponent_has_a_bye() -> None:
    event = started_event(2, plan=[{**SUDDEN, "wins_in": 2}])
    play_round(event)
    second = publish_next(event)
    assert [(match.p2_id, match.outcome) for match in second.matches.all()] == [(None, "bye")]
    assert count_exits(event) == {"qualified": 1, "eliminated": 1}


def test_undone_result_brings_players_back_into_the_rounds() -> None:
    event = started_event(4, plan=[{**SUDDEN, "wins_in": 2, "rounds": 3}])
    play_round(event)
    assert count_exits(event) == {"eliminated": 2}
    line = event.log.filter(action="result_entered").order_by("pk").last()
    assert line is not None
    undo_step(line, organizer())
    assert count_exits(event) == {"eliminated": 1}


def test_standings_mark_players_who_have_left() -> None:
    event = started_event(4, plan=[SUDDEN, {"kind": "single", "size": 2}])
    play_round(event)
    rows = standings_table(event).rows
    assert [row.departure for row in rows] == ["qualified", "qualified", "eliminated", "eliminated"]
    assert outlooks(event) == {}
    waiting_event = started_event(
        4, name="Two wins", plan=[{**SUDDEN, "wins_in": 2}, {"kind": "single", "size": 2}]
    )
    play_round(waiting_event)
    assert [row.is_in for row in standings_table(waiting_event).rows] == [None] * 4
    page = html_of(Client().get(reverse("standings", args=[event.slug])))
    assert (page.count(">Qualified</span>"), page.count(">Eliminated</span>")) == (2, 2)


def test_phone_says_that_a_player_has_qualified_or_is_out(client: Client) -> None:
    event = started_event(8, plan=[SUDDEN, {"kind": "single", "size": 4}])
    match = play_round(event).matches.select_related("p1", "p2").order_by("table")[0]
    winner, loser = (match.p1, match.p2) if match.outcome == "p1" else (match.p2, match.p1)
    assert winner is not None
    assert loser is not None
    assert "You have qualified" in html_of(client.get(reverse("player", args=[winner.token])))
    assert "You are eliminated" in html_of(client.get(reverse("player", args=[loser.token])))


@each_case(
    "plan",
    [
        [{"kind": "robin", "wins_in": 3}],
        [{"kind": "single", "losses_out": 2}],
        [{"kind": "swiss", "wins_in": 0}],
        [{"kind": "swiss", "losses_out": 16}],
        [{"kind": "swiss", "losses_out": True}],
    ],
    around=rolled_back,
)
def test_exits_that_no_stage_can_have_are_refused(plan: list[dict[str, object]]) -> None:
    with pytest.raises(Refused) as refusal:
        make_event(plan=plan)
    assert refusal.value.problems[0].code == "plan_wrong"


def test_plan_says_its_exits_in_words() -> None:
    event = make_event(plan=TWO_STAGES)
    assert get_plan(event)[0].words == "Swiss rounds, 3 wins qualify, 3 losses eliminate"


def test_archive_and_api_keep_the_exits() -> None:
    event = started_event(4, plan=TWO_STAGES)
    copy = restore_event(json.dumps(export_event(event)), organizer())
    assert copy.stages.values_list("wins_in", "losses_out").get() == (3, 3)
    client = sign_in_organizer()
    [stage] = client.get(reverse("api_stages", args=[event.slug])).json()
    assert (stage["wins_in"], stage["losses_out"]) == (3, 3)
    assert (stage["consolation"], stage["reset"]) == (False, True)


def test_form_of_the_plan_takes_both_numbers() -> None:
    event = make_event()
    client = sign_in_organizer()
    address = reverse("console_stages", args=[event.slug])
    client.post(address, {"stage0-kind": "swiss", "stage0-wins_in": "3", "stage0-losses_out": "2"})
    event.refresh_from_db()
    assert [(stage.wins_in, stage.losses_out, stage.most_rounds) for stage in get_plan(event)] == [(3, 2, 4)]


def test_exits_are_refused_where_tables_have_more_than_two_sides() -> None:
    event = make_event(**FREE_FOR_ALL)
    with pytest.raises(Refused) as refusal:
        events.update_event(event, organizer(), {"plan": [EXITS]})
    assert [problem.code for problem in refusal.value.problems] == ["plan_wrong"]
    with pytest.raises(Refused) as refusal:
        make_event(**FREE_FOR_ALL, name="Brawl", plan=[EXITS])
    assert [problem.code for problem in refusal.value.problems] == ["plan_wrong"]


def test_exits_are_counted_and_follow_a_round(client: Client) -> None:
    event = started_event(8, plan=[{**SUDDEN, "wins_in": 2, "losses_out": 2}, {"kind": "single", "size": 2}])
    for _ in range(2):
        play_round(event)
    counts = [count_event_exits(event, after_round=number) for number in (1, 2, None)]
    assert counts == [ExitCounts(0, 0, 8), ExitCounts(2, 2, 4), ExitCounts(2, 2, 4)]
    address = reverse("api_standings", args=[event.slug])
    exits_by_round = [[row["left"] for row in client.get(address, {"after": n}).json()] for n in (1, 2)]
    assert [Counter(each) for each in exits_by_round] == [
        Counter({None: 8}), Counter({None: 4, "qualified": 2, "eliminated": 2}),
    ]  # fmt: skip
    assert [Counter(row.departure for row in standings_table(event, after_round=1).rows)] == [
        Counter({None: 8})
    ]


def test_a_dropped_player_does_not_play_on() -> None:
    event = started_event(4, plan=[{**SUDDEN, "wins_in": 2, "losses_out": 2}])
    play_round(event)
    drops.drop(event.players.get(number=1), organizer())
    assert count_event_exits(event) == ExitCounts(0, 0, 3)


@pytest.mark.both_databases
def test_player_with_the_bye_of_a_draft_cannot_leave() -> None:
    event = started_event(3, plan=[SUDDEN])
    draft = rounds.pair_next_round(event, organizer())
    assert load_exits(draft.stage) == {}
    rounds.publish_round(draft, organizer())
    assert list(load_exits(draft.stage).values()) == ["qualified"]


def test_overview_screen_and_paper_say_who_has_left(client: Client) -> None:
    event = started_event(8, plan=[{**SUDDEN, "rounds": 3}, {"kind": "single", "size": 4}])
    round_ = play_round(event)
    sign_in_organizer(client)
    words = "4 qualified, 4 eliminated, 0 playing on"
    for name in ("console_event", "console_standings", "standings"):
        assert words in html_of(client.get(reverse(name, args=[event.slug])))
    screen = build_screen(event, ["standings"])
    assert (screen.exits, screen.is_between) == (ExitCounts(4, 4, 0), False)
    page = html_of(client.get(reverse("screen", args=[event.slug, "standings"])))
    assert (page.count(">In</b>"), page.count(">Out</b>"), words in page) == (4, 4, True)
    sheet = build_standings(PrintRequest(event, round_, "A4", timezone.now()))
    names = [word.text for page in sheet["pages"] for block in page.blocks for word in block.lines]
    assert sum(name.endswith(" (qualified)") for name in names) == 4
    assert sum(name.endswith(" (eliminated)") for name in names) == 4
    assert words in sheet["words"]


def test_no_round_follows_when_every_player_has_left(client: Client) -> None:
    event = started_event(4, plan=[{**SUDDEN, "rounds": 3}, {"kind": "single", "size": 2}])
    play_round(event)
    with pytest.raises(Refused) as refusal:
        rounds.pair_next_round(event, organizer())
    assert refusal.value.code == "everyone_left"
    with pytest.raises(Refused) as refusal:
        add_round(event, organizer())
    assert "enough wins or losses" in str(refusal.value)
    sign_in_organizer(client)
    page = html_of(client.get(reverse("console_event", args=[event.slug])))
    assert reverse("console_extra_round", args=[event.slug]) not in page
    assert "so no round can be added." in page
