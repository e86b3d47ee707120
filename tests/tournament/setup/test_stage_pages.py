"""Pages of stages, pairing options and drafts, as staff and the public use them."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from rules.rendering import say
from tests.everyday import each_case
from tests.scenarios.factories import (
    add_players,
    built_once,
    make_event,
    open_matches,
    organizer,
    play_round,
    sign_in_organizer,
    started_event,
    win,
)
from tests.scenarios.html import html_of
from tests.scenarios.rollback import rolled_back
from tournament.brackets.services import stages
from tournament.events.models.event import Event
from tournament.events.models.player import ForbiddenPair
from tournament.events.models.round import Match, Round
from tournament.pairing.services import rounds
from tournament.setup.services import events

pytestmark = pytest.mark.django_db


@pytest.fixture
def desk() -> Client:
    """The console, with Olga signed in."""
    return sign_in_organizer()


@built_once
def create_started_event(players: int, plan: list[dict]) -> Event:
    event = make_event(plan=plan)
    add_players(event, players)
    events.start_event(event, organizer())
    return event


@built_once
def pair_draft(event: Event) -> Round:
    return rounds.pair_next_round(event, organizer())


@pytest.fixture
def draft() -> Round:
    """A first round of four players, not yet published."""
    return pair_draft(started_event(4))


def draft_address(draft: Round, action: str) -> str:
    return reverse("console_draft", args=[draft.stage.event.slug, 1, draft.number, action])


def page(client: Client, name: str, *args: object, **query: object) -> str:
    answer = client.get(reverse(name, args=args), query)
    assert answer.status_code == 200
    return html_of(answer)


def test_a_kind_of_event_is_taken_with_one_press(desk: Client) -> None:
    event = make_event()
    desk.post(reverse("console_stages", args=[event.slug]), {"preset": "groups"})
    event.refresh_from_db()
    assert [(stage["kind"], stage["groups"], stage["size"]) for stage in event.plan] == [
        ("robin", 4, None),
        ("single", 1, 8),
    ]


def test_a_new_event_of_a_kind_has_its_plan(desk: Client) -> None:
    form = {
        "name": "Bracket night",
        "starts_at": "2026-05-02T09:00",
        "time_zone": "UTC",
        "kind": "double",
        "match_form": "best_of_3_50min",
        "cut": "none",
        "short_cut": "shrink",
    }
    desk.post(reverse("console_new_event", args=["ufs", "constructed"]), form)
    assert [stage["kind"] for stage in Event.objects.get(name="Bracket night").plan] == ["double"]


def test_a_plan_is_written_stage_by_stage(desk: Client) -> None:
    event = make_event()
    form = {"stage0-kind": "swiss", "stage0-rounds": "3", "stage1-kind": "double", "stage1-size": "8"}
    desk.post(reverse("console_stages", args=[event.slug]), form)
    event.refresh_from_db()
    assert [(s["kind"], s["rounds"], s["size"]) for s in event.plan] == [
        ("swiss", 3, None),
        ("double", None, 8),
    ]
    assert (event.swiss_rounds, event.cut, event.cut_size) == (3, "top", 8)


@each_case(
    ("form", "sentence"),
    [
        ({"stage0-kind": ""}, "at least one stage."),
        (
            {"stage0-kind": "single", "stage1-kind": "swiss", "stage1-size": "4"},
            "Stage 1: no stage can follow a bracket.",
        ),
        ({"stage0-kind": "swiss", "stage0-rounds": "9" * 40}, "“rounds” must be a whole number from 1 to 30"),
        ({"stage0-kind": "\x00"}, "is not one of the choices."),
    ],
    around=rolled_back,
)
def test_a_plan_that_cannot_be_played_says_why(desk: Client, form: dict, sentence: str) -> None:
    event = make_event()
    answer = desk.post(reverse("console_stages", args=[event.slug]), form)
    assert (answer.status_code, sentence in html_of(answer)) == (200, True)
    assert Event.objects.get(pk=event.pk).plan == []


def test_pairing_options_and_tables_are_kept(desk: Client) -> None:
    event = make_event()
    form = {
        "first_round": "slide",
        "seeded_by": "rating",
        "apart": "wish",
        "apart_rounds": "1-2",
        "fresh_tables": "on",
        "hall": "Gym",
        "first_table": "21",
        "reserved_tables": "25, 23",
    }
    assert desk.post(reverse("console_pairing", args=[event.slug]), form).status_code == 302
    event.refresh_from_db()
    assert event.pairing_options == {
        "first_round": "slide",
        "seeded_by": "rating",
        "accelerated": False,
        "apart": "wish",
        "apart_rounds": [1, 2],
        "fresh_tables": True,
        "inside_pods": False,
    }
    assert (event.hall, event.first_table, event.reserved_tables) == ("Gym", 21, [23, 25])


def test_two_events_that_share_tables_see_it_in_their_settings(desk: Client) -> None:
    events_of = [make_event(hall="Gym", name=name) for name in ("Main", "Side")]
    for event in events_of:
        add_players(event, 4)
    assert "“Side” also uses tables 1–2" in page(desk, "console_pairing", events_of[0].slug)


def test_a_pair_is_forbidden_and_allowed_again(desk: Client) -> None:
    event = started_event(4)
    desk.post(reverse("console_forbid", args=[event.slug]), {"one": "1", "two": "2", "reason": "siblings"})
    pair = ForbiddenPair.objects.get()
    assert "Alice and Bob" in page(desk, "console_pairing", event.slug)
    desk.post(reverse("console_allow", args=[event.slug, pair.pk]))
    assert not ForbiddenPair.objects.exists()


def test_pairing_preferences_of_a_player_are_entered_on_their_page(desk: Client) -> None:
    event = started_event(4)
    form = {"club": "Dojo", "seed": "1", "fixed_table": "2", "first_byes": ""}
    desk.post(reverse("console_player_pairing", args=[event.slug, 1]), form)
    player = event.players.get(number=1)
    assert (player.club, player.seed, player.fixed_table, player.first_byes) == ("Dojo", 1, 2, 0)


def test_two_presses_let_two_players_change_places(desk: Client) -> None:
    draft = pair_draft(started_event(4))
    one, two = draft.matches.order_by("table").select_related("p1", "p2")
    shown_page = page(desk, "console_round", draft.stage.event.slug, 1, 1, pick=one.p1.number)
    assert f'name="two" value="{two.p2.number}"' in shown_page
    desk.post(draft_address(draft, "swap"), {"one": one.p1.number, "two": two.p2.number})
    one.refresh_from_db()
    assert one.p1 == two.p2


def test_a_match_is_moved_to_another_table(desk: Client) -> None:
    draft = pair_draft(started_event(4))
    first = draft.matches.get(table=1)
    assert 'name="wanted"' in page(desk, "console_round", draft.stage.event.slug, 1, 1, table=1)
    desk.post(draft_address(draft, "table"), {"table": "1", "wanted": "2"})
    first.refresh_from_db()
    assert first.table == 2


@each_case("action", ["swap", "bye", "table"])
@each_case("value", ["", "x", "9" * 40, "-1", "\x00", "777777"], around=rolled_back)
def test_a_change_that_makes_no_sense_changes_nothing(
    desk: Client, draft: Round, action: str, value: str
) -> None:
    before = list(draft.matches.order_by("pk").values_list("pk", "table", "p1", "p2"))
    form = {"one": value, "two": value, "player": value, "table": value, "wanted": value}
    assert desk.post(draft_address(draft, action), form).status_code == 302
    assert list(draft.matches.order_by("pk").values_list("pk", "table", "p1", "p2")) == before


def test_an_unknown_step_of_a_draft_is_not_found(desk: Client) -> None:
    assert desk.post(draft_address(pair_draft(started_event(4)), "burn")).status_code == 404


@each_case(
    "query", [{"pick": "999"}, {"pick": "9" * 40}, {"table": "x"}, {"pick": "\x00"}], around=rolled_back
)
def test_a_first_press_that_names_no_player_shows_the_draft(
    desk: Client, draft: Round, query: dict[str, str]
) -> None:
    assert "To change it, choose a player" in page(
        desk, "console_round", draft.stage.event.slug, 1, 1, **query
    )


def test_the_day_offers_the_next_stage(desk: Client) -> None:
    event = create_started_event(
        8, [{"kind": "robin", "groups": 2}, {"kind": "swiss", "rounds": 1, "size": 4}]
    )
    for _ in range(3):
        play_round(event)
    assert "Start next stage" in page(desk, "console_event", event.slug)
    desk.post(reverse("console_next_stage", args=[event.slug]))
    assert "Round 4 of 4 can be paired." in page(desk, "console_event", event.slug)


def test_public_page_explains_why_two_players_meet(client: Client) -> None:
    event = started_event(4)
    round_ = rounds.publish_round(pair_draft(event), organizer())
    match = round_.matches.first()
    match_page = client.get(reverse("match", args=[event.slug, match.pk]))
    shown_page = html_of(match_page)
    assert "Both have 0 points and have not played each other. They were paired at random." in shown_page
    assert match_page.context["meeting"].is_proved


def test_table_of_a_draft_has_no_public_page(client: Client) -> None:
    match = pair_draft(started_event(4)).matches.first()
    assert client.get(reverse("match", args=["spring-open", match.pk])).status_code == 404


def test_what_the_public_reads_of_a_hand_made_table_names_no_staff(desk: Client, client: Client) -> None:
    event = started_event(4)
    draft = pair_draft(event)
    one, two = draft.matches.order_by("table").select_related("p1", "p2")
    desk.post(draft_address(draft, "swap"), {"one": one.p1.number, "two": two.p1.number})
    desk.post(draft_address(draft, "publish"))
    shown_page = page(client, "match", event.slug, one.pk)
    assert say("reason", "paired_by_hand") in shown_page
    assert "olga@example.org" not in shown_page


def test_groups_show_every_result_against_every_other(client: Client) -> None:
    event = create_started_event(4, [{"kind": "robin", "groups": 2}])
    win(open_matches(rounds.publish_round(pair_draft(event), organizer()))[0], score=(2, 1))
    shown_page = page(client, "groups", event.slug)
    assert ("Group A" in shown_page, "2-1" in shown_page, "1-2" in shown_page) == (True, True, True)


def test_an_event_without_a_round_robin_has_no_groups(client: Client) -> None:
    assert client.get(reverse("groups", args=[started_event(4).slug])).status_code == 404


def test_the_final_ranking_shares_places_that_nothing_decides(client: Client) -> None:
    event = create_started_event(4, [{"kind": "single"}])
    assert not client.get(reverse("ranking", args=[event.slug])).context.get("ranking")
    while (match := Match.objects.filter(outcome="").first()) is not None:
        win(Match.objects.select_related("round__stage__event", "p1", "p2").get(pk=match.pk))
    assert page(client, "ranking", event.slug).count('3<span class="visually-hidden"> shared</span>') == 2


def test_a_double_elimination_shows_both_its_sides(client: Client) -> None:
    event = create_started_event(5, [{"kind": "double"}])
    shown_page = page(client, "bracket", event.slug).replace("&#x27;", "'")
    assert [part in shown_page for part in ("Winners' side", "Losers' side", "Grand final")] == [True] * 3
    assert reverse("standings", args=[event.slug]) not in shown_page


@pytest.mark.parametrize("players", [4, 20])
def test_the_page_of_a_table_takes_the_same_queries_in_any_field(
    client: Client, players: int, django_assert_num_queries
) -> None:
    event = started_event(players)
    match = rounds.publish_round(pair_draft(event), organizer()).matches.filter(p2__isnull=False).first()
    with django_assert_num_queries(5):
        client.get(reverse("match", args=[event.slug, match.pk]))


def test_stages_that_follow_are_begun_once_by_two_presses(desk: Client) -> None:
    event = create_started_event(4, [{"kind": "robin"}, {"kind": "single", "size": 2}])
    for _ in range(3):
        play_round(event)
    for _ in range(2):
        desk.post(reverse("console_next_stage", args=[event.slug]))
    assert [stage.kind for stage in event.stages.order_by("position")] == ["robin", "single"]
    assert stages.begin_next_stage(event, organizer()).position == 2


def test_player_with_one_loss_in_double_elimination_reads_that_they_play_on(client: Client) -> None:
    event = create_started_event(4, [{"kind": "double"}])
    match = Match.objects.filter(outcome="").order_by("table").select_related("p1", "p2").first()
    win(Match.objects.select_related("round__stage__event", "p1", "p2").get(pk=match.pk))
    assert "and continue in the bracket" in page(client, "player", match.p2.token)
    assert reverse("cut", args=[event.slug]) not in page(client, "event", event.slug)


def test_player_with_a_loss_in_single_elimination_reads_that_their_run_ends(client: Client) -> None:
    create_started_event(4, [{"kind": "single"}])
    match = Match.objects.filter(outcome="").order_by("table").select_related("p1", "p2").first()
    win(Match.objects.select_related("round__stage__event", "p1", "p2").get(pk=match.pk))
    assert "You are eliminated." in page(client, "player", match.p2.token)


def test_player_who_rests_in_a_round_robin_reads_so_on_their_page(client: Client) -> None:
    event = create_started_event(3, [{"kind": "robin"}])
    round_ = rounds.publish_round(pair_draft(event), organizer())
    bye_player = event.players.get(number=round_.pairing["resting"][0])
    assert client.get(reverse("player", args=[bye_player.token])).context["task"].kind == "rest"


def test_too_few_tables_for_the_players_are_pointed_out(desk: Client) -> None:
    event = started_event(8, table_count=3)
    assert "You need 1 more table" in page(desk, "console_pairing", event.slug)
