"""Console pages of results, as scorekeepers and judges use them."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import strip_tags

from decks.shared.refusals import Refused
from rules import get_game
from tests.everyday import each_case, each_nth
from tests.scenarios.factories import (
    make_user,
    open_matches,
    organizer,
    play_round,
    publish_next,
    sign_in_organizer,
    started_event,
    win,
)
from tests.scenarios.html import html_of
from tests.scenarios.rollback import rolled_back
from tournament.events.models.event import Event, StaffRole
from tournament.events.models.round import Match, Round
from tournament.results.forms import parse_slip
from tournament.results.services import results

pytestmark = pytest.mark.django_db


@pytest.fixture
def event() -> Event:
    running_event = started_event(8, swiss_rounds=3)
    play_round(running_event)
    publish_next(running_event)
    return running_event


@pytest.fixture
def desk(client: Client, event: Event) -> Client:
    """A client signed in as Olga."""
    return sign_in_organizer(client)


def tables(number: int) -> list[Match]:
    rows = Match.objects.filter(round__number=number).select_related("round__stage__event", "p1", "p2")
    return list(rows.order_by("table"))


def type_slip(desk: Client, event: Event, line: str, **more: str) -> object:
    return desk.post(reverse("console_quick_result", args=[event.slug, 1, 2]), {"line": line}, **more)


@each_case(
    ("line", "table", "entry", "drop"),
    [
        ("12 2 1", 12, {"p1_games": 2, "p2_games": 1, "draws": 0}, ()),
        ("12 2 1 d2", 12, {"p1_games": 2, "p2_games": 1, "draws": 0}, ("p2",)),
        ("12 21 d", 12, {"p1_games": 2, "p2_games": 1, "draws": 0}, ("p1", "p2")),
        ("12 dl d12", 12, {"p1_games": 0, "p2_games": 0, "double_loss": True}, ("p1", "p2")),
        ("12 n2 d2", 12, {"p1_games": 0, "p2_games": 0, "draws": 0, "ending": "no_show",
                          "loser": "p2"}, ("p2",)),
        ("12 n", 12, {"p1_games": 0, "p2_games": 0, "draws": 0, "ending": "no_show", "loser": "both"}, ()),
        ("12 1 0 c1 ok", 12, {"p1_games": 1, "p2_games": 0, "draws": 0, "ending": "concession", "loser": "p1",
                              "consent": True}, ()),
        ("12 1 1 id", 12, {"p1_games": 1, "p2_games": 1, "draws": 0, "ending": "agreed_draw"}, ()),
        ("12 1-0 h3", 12, {"p1_games": 1, "p2_games": 0, "draws": 0, "ending": "head_shot",
                           "details": {"quickenings": 3}}, ()),
    ], around=rolled_back,
)  # fmt: skip
def test_a_slip_is_one_line(line: str, table: int, entry: dict[str, object], drop: tuple[str, ...]) -> None:
    slip = parse_slip(line, get_game("highlander"))
    assert (slip.table, slip.entry, slip.drop) == (table, entry, drop)


@each_case(
    "line", ["", "12", "12 d1", "2 1", "12 211", "12 two one", "d1 12 2 1", "12 2 1 d3"], around=rolled_back
)
def test_a_line_that_is_no_result_says_how_to_write_one(line: str) -> None:
    if line == "2 1":
        line = "2 x1"
    with pytest.raises(Refused) as excinfo:
        parse_slip(line)
    assert excinfo.value.code == "line_not_understood"


def test_a_drop_mark_on_the_slip_drops_with_the_result(desk: Client, event: Event) -> None:
    match = tables(2)[0]
    type_slip(desk, event, f"{match.table} 2 1 d2")
    match = Match.objects.select_related("p1", "p2").get(pk=match.pk)
    assert (match.score, match.p1.dropped_after, match.p2.dropped_after) == ("2-1", None, 2)


def test_two_scorekeepers_with_the_same_slip_are_at_peace(desk: Client, event: Event) -> None:
    for _ in range(2):
        type_slip(desk, event, "1 2 1")
    assert tables(2)[0].revision == 1


def test_another_slip_for_the_same_table_is_asked_about(desk: Client, event: Event) -> None:
    type_slip(desk, event, "1 2 1")
    answer = type_slip(desk, event, "1 0 2")
    match = tables(2)[0]
    assert match.score == "2-1"
    assert answer.url.startswith(reverse("console_match", args=[event.slug, match.pk]))
    page = html_of(desk.get(answer.url))
    assert "already has 2-1, entered by olga@example.org. The new entry is 0-2." in strip_tags(page)
    assert 'name="p2_games" value="2"' in page


def test_a_judge_decides_between_two_reports_and_says_why(desk: Client, event: Event) -> None:
    match = tables(2)[0]
    results.report_result(match, match.p1, p1_games=2, p2_games=1)
    results.report_result(match, match.p2, p1_games=1, p2_games=2)
    tables_page = html_of(desk.get(reverse("console_tables", args=[event.slug])))
    assert f"{match.p1} says: {match.p1} won 2-1; {match.p2} says: {match.p2} won 2-1" in tables_page
    page = reverse("console_match", args=[event.slug, match.pk])
    unsaid = html_of(desk.post(page, {"p1_games": "2", "p2_games": "1", "revision": "0"}))
    assert Refused("reason_needed.dispute").fix in unsaid
    desk.post(page, {"p1_games": "2", "p2_games": "1", "revision": "0", "reason": "the life pad shows it"})
    assert Match.objects.get(pk=match.pk).score == "2-1"
    assert event.log.get(action="result_entered", reason="the life pad shows it")


def test_a_late_correction_shows_what_it_touches_before_anything_is_written(
    desk: Client, event: Event
) -> None:
    first = tables(1)[0]
    answer = desk.post(
        reverse("console_match_result", args=[event.slug, first.pk]), {"score": "0-2", "revision": "1"}
    )
    page = desk.get(answer.url)
    correction = page.context["impact"]
    assert (correction.repairs.round.number, len(correction.repairs.swap.changes)) == (2, 2)
    assert tables(1)[0].score == "2-0"
    body = html_of(page)
    moves_section = body.partition('id="moves"')[2].partition("</section>")[0]
    assert [move.player.name in moves_section for move in correction.standings_changes] == [True] * len(
        correction.standings_changes
    )
    assert correction.standings_changes
    for words in ("Keep the pairings", "Smallest change", "Re-pair open tables"):
        assert words in body
    assert (body.count('name="reason"'), body.count("Recommended"), correction.ordered_ways[0]) == (
        1,
        1,
        "swap",
    )
    response = desk.post(
        reverse("console_correction", args=[event.slug, first.pk]),
        {"p1_games": "0", "p2_games": "2", "revision": "1", "way": "swap", "reason": "slip",
         "seen-swap": correction.repairs.swap.mark},
    )  # fmt: skip
    assert response.url == reverse("console_round", args=[event.slug, 1, 1])
    assert (tables(1)[0].score, Round.objects.get(number=2).amended_at is not None) == ("0-2", True)


def test_a_page_older_than_another_entry_overwrites_nothing(desk: Client, event: Event) -> None:
    match = tables(2)[0]
    win(match)
    page = reverse("console_match", args=[event.slug, match.pk])
    body = html_of(desk.post(page, {"p1_games": "0", "p2_games": "2", "revision": "0"}))
    assert "It is now 2-0, entered by olga@example.org. Check the slip" in body
    assert Match.objects.get(pk=match.pk).score == "2-0"


def test_who_leaves_in_the_middle_of_a_round_has_four_ways_to_go(desk: Client, event: Event) -> None:
    match = tables(2)[0]
    page = html_of(desk.get(reverse("console_leave", args=[event.slug, match.p1.number])))
    for way in ("play", "win", "both"):
        assert f'name="running" value="{way}"' in page
    assert match.p1.dropped_after is None
    desk.post(reverse("console_leave", args=[event.slug, match.p1.number]), {"running": "win"})
    match.refresh_from_db()
    assert (match.outcome, match.ending, match.forfeit) == ("p2", "left", True)


def test_a_judge_enters_results_but_cannot_drop_players(client: Client, event: Event) -> None:
    judge = make_user("judge@example.org")
    StaffRole.objects.create(event=event, user=judge, kind="judge")
    client.force_login(judge)
    assert type_slip(client, event, "1 2 1 d2").status_code == 403
    assert type_slip(client, event, "1 2 1").status_code == 302
    assert tables(2)[0].p2.dropped_after is None


@each_case("value", each_nth(2, ["\0", "-1", "9" * 40, "1.5", "x"]), around=rolled_back)
def test_nonsense_in_a_form_or_an_address_is_never_an_error(desk: Client, event: Event, value: str) -> None:
    match = tables(2)[0]
    for name in ("console_match", "console_correction"):
        address = reverse(name, args=[event.slug, match.pk])
        assert desk.get(address, {"p1_games": value, "loser": value, "revision": value}).status_code < 400
        assert desk.post(address, {"p1_games": value, "way": value, "revision": value}).status_code < 400
    assert type_slip(desk, event, f"1 {value}").status_code == 302
    desk.post(
        reverse("console_leave", args=[event.slug, match.p1.number]), {"running": value, "reason": value}
    )
    match.refresh_from_db()
    assert match.outcome == ""


def test_the_list_of_open_tables_costs_the_same_for_few_and_many(
    desk: Client, event: Event, django_assert_num_queries
) -> None:
    address = reverse("console_tables", args=[event.slug])
    desk.get(address)
    for won_matches in ([], open_matches(Round.objects.get(number=2))[:3]):
        for match in won_matches:
            win(match)
        with django_assert_num_queries(9):
            desk.get(address)


def test_a_conceded_match_opened_and_saved_again_stays_conceded(desk: Client, event: Event) -> None:
    match = tables(2)[0]
    results.enter_result(match, organizer(), p1_games=1, ending="concession", loser="p1")
    page = reverse("console_match", args=[event.slug, match.pk])
    form = desk.get(page).context["form"]
    assert (form.initial["ending"], form.initial["loser"], form.initial["p1_games"]) == (
        "concession",
        "p1",
        1,
    )
    form_values = {name: value for name, value in form.initial.items() if value not in (None, False)}
    assert desk.post(page, form_values).status_code == 302
    assert Match.objects.get(pk=match.pk).revision == 1
