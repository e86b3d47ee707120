"""The public pages: what everybody sees of an event, and what nobody may see."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.db.models import EmailField, Value
from django.db.models.functions import Concat
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.tournament.factories import (
    add_players,
    make_event,
    make_user,
    open_matches,
    organizer,
    play_round,
    started_event,
    win,
)
from tournament.models import Event, Player
from tournament.services import cuts, events, registration, results, rounds

pytestmark = pytest.mark.django_db

PAGES = ("", "players/", "pairings/", "standings/")
RECORD = "players/1/"


def text_of(answer: Any) -> str:
    """The page's text in one line, without the tags."""
    import re

    words = re.sub(r"<(script|style)\b.*?</\1>", " ", answer.content.decode(), flags=re.S)
    words = re.sub(r"<[^>]+>", " ", words)
    return " ".join(words.replace("&nbsp;", " ").split())


def get(client: Client, path: str) -> str:
    """The text of a page that answers with 200."""
    answer = client.get(path)
    assert answer.status_code == 200, f"{path}: {answer.status_code}"
    return text_of(answer)


def queries_of(act: Callable[[], Any]) -> int:
    """How many queries a call makes."""
    with CaptureQueriesContext(connection) as seen:
        act()
    return len(seen)


def event_with_cut(players: int = 6, **values: Any) -> Event:
    """An event whose two Swiss rounds are over and whose cut of four is made."""
    event = started_event(players, swiss_rounds=2, cut_size=4, **{"cut": "diversity", **values})
    play_round(event)
    play_round(event)
    cuts.make_cut(event, organizer())
    return event


def test_home_without_events_says_what_ringside_is_and_where_to_go(client: Client) -> None:
    page = get(client, "/")
    assert "From sign-up to champion." in page
    assert "No event is open right now" in page
    for door in ("You play", "You organize", "You judge"):
        assert door in page


def test_home_sorts_events_by_what_can_be_done(client: Client) -> None:
    make_event(name="To come")
    started_event(2, name="Running")
    make_event(name="Secret", open_registration=False)
    page = get(client, "/")
    assert page.index("At the tables now") < page.index("Running") < page.index("Open for registration")
    assert page.index("Open for registration") < page.index("To come")
    assert "Secret" not in page


@pytest.mark.parametrize("page", [*PAGES, "register/", "cut/", "bracket/", "version", "me/"])
def test_events_in_preparation_are_not_there_for_the_public(client: Client, page: str) -> None:
    event = make_event(open_registration=False, cut="top", cut_size=4)
    assert client.get(f"/e/{event.slug}/{page}").status_code == 404


def test_event_page_tells_time_in_the_zone_of_the_place(client: Client) -> None:
    page = get(client, f"/e/{make_event().slug}/")
    assert "Saturday 2 May 2026, 11:00 (CEST)" in page
    assert "Town hall" in page


def test_event_page_publishes_every_condition(client: Client) -> None:
    event = make_event(cut="diversity", cut_size=8, decklists_required=True, notes="Bring a pen.")
    page = get(client, f"/e/{event.slug}/")
    assert "Universal Fighting System: Constructed" in page
    assert "UFS Tournament Rules v1.9" in page
    assert "Best of three games in 50 minutes. (100.4)" in page
    assert "Diversity cut to 8: of each character only the best player plays on" in page
    assert "Needed from every player before round 1 starts. Only you and the staff see yours." in page
    assert "Draws are played, not agreed." in page
    assert "Players bring their own dice, counters and paper. (100.6)" in page
    assert "Bring a pen." in page


def test_event_page_says_where_a_round_length_differs_from_the_document(client: Client) -> None:
    page = get(client, f"/e/{make_event(round_minutes=40).slug}/")
    assert "Best of three games in 50 minutes. A round lasts 40 minutes here." in page


def test_event_page_offers_the_next_step_of_each_phase(client: Client) -> None:
    event = make_event(cut="top", cut_size=2, swiss_rounds=1)
    assert "Registration is open." in get(client, f"/e/{event.slug}/")
    add_players(event, 4)
    events.open_check_in(event, organizer())
    assert "Check-in is running; you can still register." in get(client, f"/e/{event.slug}/")
    events.start_event(event, organizer())
    assert "Round 1 appears here as soon as it is published." in get(client, f"/e/{event.slug}/")
    play_round(event)
    assert "Round 1 of 1 is finished." in get(client, f"/e/{event.slug}/")
    stage = cuts.make_cut(event, organizer())
    assert "The cut is being played." in get(client, f"/e/{event.slug}/")
    final = win(open_matches(stage.rounds.get())[0])
    page = get(client, f"/e/{event.slug}/")
    assert f"Champion {final.p1.name}" in page


def test_full_event_offers_the_waiting_list(client: Client) -> None:
    event = make_event(capacity=2)
    add_players(event, 2)
    assert "All 2 places are taken." in get(client, f"/e/{event.slug}/")
    assert "Join the waiting list" in get(client, f"/e/{event.slug}/register/")


def test_registering_leads_to_the_players_own_page(client: Client) -> None:
    event = make_event()
    answer = client.post(f"/e/{event.slug}/register/", {"name": "Alice", "email": "alice@example.org"})
    player = Player.objects.get()
    assert (answer.status_code, answer["Location"]) == (302, f"/p/{player.token}/?new=1")
    page = get(client, answer["Location"])
    assert "You are registered as number 1." in page


def test_registration_refused_says_why_beside_each_field(client: Client) -> None:
    event = make_event(cut="diversity", cut_size=4)
    answer = client.post(f"/e/{event.slug}/register/", {"name": " ", "email": "alice@", "character": ""})
    assert answer.status_code == 422
    form = answer.context["form"]
    assert form.errors["name"] == ["A player needs a name."]
    assert form.errors["email"] == ["“alice@” is not an e-mail address."]
    assert "100.5.1" in form.errors["character"][0]
    assert answer.content.count(b'aria-invalid="true"') == 3
    assert Player.objects.count() == 0


def test_second_registration_with_one_address_is_refused_beside_the_address(client: Client) -> None:
    event = make_event()
    client.post(f"/e/{event.slug}/register/", {"name": "Alice", "email": "alice@example.org"})
    answer = client.post(f"/e/{event.slug}/register/", {"name": "Alicia", "email": "ALICE@example.org"})
    assert "already registered" in answer.context["form"].errors["email"][0]
    assert Player.objects.count() == 1


def test_closed_registration_shows_no_form_and_takes_nothing(client: Client) -> None:
    event = started_event(2)
    assert "Registration is closed" in get(client, f"/e/{event.slug}/register/")
    answer = client.post(f"/e/{event.slug}/register/", {"name": "Late", "email": "late@example.org"})
    assert answer.status_code == 422
    assert not Player.objects.filter(name="Late").exists()


def test_public_pages_point_out_the_visitor_who_registered_here(client: Client) -> None:
    event = make_event()
    client.post(f"/e/{event.slug}/register/", {"name": "Alice", "email": "alice@example.org"})
    page = client.get(f"/e/{event.slug}/")
    token = Player.objects.get().token
    assert "You are registered, Alice." in text_of(page)
    assert token not in page.content.decode()
    assert client.get(f"/e/{event.slug}/me/")["Location"] == f"/p/{token}/"
    assert b"is-me" in client.get(f"/e/{event.slug}/players/").content


def test_my_page_of_a_stranger_is_the_registration(client: Client) -> None:
    event = make_event()
    assert client.get(f"/e/{event.slug}/me/")["Location"] == f"/e/{event.slug}/register/"


def test_players_page_names_players_and_the_waiting_list_in_order(client: Client) -> None:
    event = make_event(capacity=2)
    add_players(event, 4)
    page = get(client, f"/e/{event.slug}/players/")
    assert "2 of 2 players, 2 waiting." in page
    assert page.index("Waiting list") < page.index("Carol") < page.index("Dave")


def test_withdrawn_players_are_not_listed(client: Client) -> None:
    event = make_event()
    alice, _ = add_players(event, 2)
    registration.withdraw(alice, organizer())
    assert "Alice" not in get(client, f"/e/{event.slug}/players/")


def test_characters_stay_hidden_until_the_event_starts(client: Client) -> None:
    event = make_event(cut="diversity", cut_size=4)
    add_players(event, 3)
    assert "Chun-Li" not in get(client, f"/e/{event.slug}/players/")
    events.start_event(event, organizer())
    assert "Chun-Li" in get(client, f"/e/{event.slug}/players/")


def test_drafts_are_never_public(client: Client) -> None:
    event = started_event(4)
    draft = rounds.pair_next_round(event, organizer())
    assert "No round is published yet" in get(client, f"/e/{event.slug}/pairings/")
    assert client.get(f"/e/{event.slug}/pairings/1/").status_code == 404
    assert client.get(f"/e/{event.slug}/standings/1/").status_code == 404
    rounds.publish(draft, organizer())
    assert "Round 1" in get(client, f"/e/{event.slug}/pairings/1/")


def test_pairings_by_table_show_results_points_and_the_bye(client: Client) -> None:
    event = started_event(5)
    played = play_round(event)
    results.enter_result(played.matches.get(table=1), organizer(), p1_games=1, p2_games=2)
    rounds.publish(rounds.pair_next_round(event, organizer()), organizer())
    first = client.get(f"/e/{event.slug}/pairings/1/").context
    assert [table.number for table in first["tables"]] == [1, 2, None]
    assert [table.result_words for table in first["tables"]] == ["1–2", "2–0", "Bye"]
    second = client.get(f"/e/{event.slug}/pairings/").context
    assert second["shown"].number == 2
    assert second["tables"][0].result_words == "playing"
    sides = [side for table in second["tables"] for side in (table.red, table.blue) if side]
    assert sorted(side.points for side in sides) == [0, 0, 3, 3, 3]


def test_pairings_by_name_list_everybody_once_with_his_own_games_first(client: Client) -> None:
    event = started_event(4)
    played = play_round(event)
    seats = client.get(f"/e/{event.slug}/pairings/?by=name").context["seatings"]
    assert [seat.player.name for seat in seats] == ["Alice", "Bob", "Carol", "Dave"]
    winners = set(played.matches.values_list("p1__name", flat=True))
    assert {seat.player.name for seat in seats if seat.score == "2–0"} == winners
    assert sum(seat.score == "0–2" for seat in seats) == 2


@pytest.mark.parametrize(
    ("query", "found"), [("1", {1}), ("99", set()), ("ALI", {1, 2}), (" bob ", {1, 2}), ("xyz", set())]
)
def test_pairings_are_searched_by_table_and_by_any_part_of_a_name(
    client: Client, query: str, found: set[int]
) -> None:
    event = started_event(4)
    play_round(event)
    shown = {
        table.number for table in client.get(f"/e/{event.slug}/pairings/", {"q": query}).context["tables"]
    }
    assert shown <= found
    assert bool(shown) == bool(found)


def test_search_without_a_hit_says_so_and_shows_the_way_back(client: Client) -> None:
    event = started_event(4)
    play_round(event)
    page = get(client, f"/e/{event.slug}/pairings/?q=<b>nobody")
    assert "Nobody and no table matches “&lt;b&gt;nobody”" in page


def test_standings_explain_each_column_and_say_that_it_is_ours(client: Client) -> None:
    event = started_event(4)
    play_round(event)
    answer = client.get(f"/e/{event.slug}/standings/")
    page = text_of(answer)
    assert "Ringside default." in page
    assert "the UFS tournament documents name no points and no tiebreakers" in page
    assert "Opponents' match-win percentage" in page.replace("&#x27;", "'")
    assert [column.key for column in answer.context["table"].columns] == ["omw", "gw", "ogw"]


def test_standings_of_a_past_round_stay_what_they_were(client: Client) -> None:
    event = started_event(4)
    play_round(event)
    before = text_of(client.get(f"/e/{event.slug}/standings/1/"))
    play_round(event)
    after = text_of(client.get(f"/e/{event.slug}/standings/1/"))
    assert [w for w in before.split() if w in {"Alice", "Bob", "Carol", "Dave"}] == [
        w for w in after.split() if w in {"Alice", "Bob", "Carol", "Dave"}
    ]


def test_standings_mark_who_would_be_in_the_cut_and_draw_the_line(client: Client) -> None:
    event = started_event(8, cut="top", cut_size=4, swiss_rounds=3)
    play_round(event)
    table = client.get(f"/e/{event.slug}/standings/").context["table"]
    assert [row.is_in for row in table.rows] == [True] * 4 + [False] * 4
    assert [row.is_last_in for row in table.rows].index(True) == 3


def test_standings_before_a_round_is_finished_mark_nobody(client: Client) -> None:
    event = started_event(8, cut="top", cut_size=4)
    rounds.publish(rounds.pair_next_round(event, organizer()), organizer())
    table = client.get(f"/e/{event.slug}/standings/").context["table"]
    assert {row.is_in for row in table.rows} == {None}


def test_cut_page_gives_every_player_a_reason(client: Client) -> None:
    event = event_with_cut()
    answer = client.get(f"/e/{event.slug}/cut/")
    rows = answer.context["decisions"]
    assert len(rows) == 6
    assert all(row["reason"] for row in rows)
    assert sum(row["in"] for row in rows) == 4
    assert "The cut is made." in text_of(answer)


def test_cut_page_of_undeclared_characters_says_what_is_missing(client: Client) -> None:
    event = make_event(cut="diversity", cut_size=2)
    for name in ("Alice", "Bob"):
        registration.add_player(event, organizer(), name=name)
    events.start_event(event, organizer())
    play_round(event)
    assert "The cut cannot be seen yet: " in get(client, f"/e/{event.slug}/cut/")
    assert get(client, f"/e/{event.slug}/standings/")


@pytest.mark.parametrize("page", ["cut/", "bracket/"])
def test_events_without_a_cut_have_no_cut_pages(client: Client, page: str) -> None:
    event = started_event(4)
    assert client.get(f"/e/{event.slug}/{page}").status_code == 404


def test_bracket_shows_open_tables_results_and_the_champion(client: Client) -> None:
    event = event_with_cut(cut="top")
    stage = event.stages.get(position=2)
    assert "Semi-finals" in get(client, f"/e/{event.slug}/bracket/")
    for match in open_matches(stage.rounds.get(number=1)):
        win(match)
    final = win(open_matches(stage.rounds.get(number=2))[0], score=(2, 1))
    page = get(client, f"/e/{event.slug}/bracket/")
    assert f"Champion {final.p1.name}" in page


def test_version_is_told_briefly_and_not_at_all_while_it_stands(client: Client) -> None:
    event = make_event()
    first = client.get(f"/e/{event.slug}/version")
    assert first.json() == {"version": event.version}
    again = client.get(f"/e/{event.slug}/version", headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    add_players(event, 1)
    assert client.get(f"/e/{event.slug}/version", headers={"If-None-Match": first["ETag"]}).status_code == 200


def test_version_costs_one_query(client: Client) -> None:
    slug = make_event().slug
    assert queries_of(lambda: client.get(f"/e/{slug}/version")) == 1


def test_public_pages_set_no_cookie(client: Client) -> None:
    event = started_event(4)
    play_round(event)
    for page in ("/", *(f"/e/{event.slug}/{page}" for page in PAGES)):
        assert client.get(page).cookies == {}, page


def test_no_public_page_shows_an_address_or_a_private_link(client: Client) -> None:
    event = event_with_cut()
    address = Concat(Value("private"), "number", Value("@example.org"), output_field=EmailField())
    Player.objects.filter(event=event).update(email=address)
    tokens = list(Player.objects.values_list("token", flat=True))
    for page in (*PAGES, "pairings/?by=name", RECORD, "cut/", "bracket/"):
        content = client.get(f"/e/{event.slug}/{page}").content.decode()
        assert "@example.org" not in content, page
        assert not [token for token in tokens if token in content], page


def test_number_of_queries_does_not_depend_on_the_number_of_players(client: Client) -> None:
    pages = (*PAGES, "pairings/?by=name", RECORD, "cut/")
    counts = []
    for players in (3, 24):
        event = started_event(players, name=f"Event of {players}", cut="top", cut_size=2, swiss_rounds=3)
        play_round(event)
        paths = [f"/e/{event.slug}/{page}" for page in pages]
        counts.append(
            {page: queries_of(lambda p=path: client.get(p)) for page, path in zip(pages, paths, strict=True)}
        )
    assert counts[0] == counts[1]
    assert max(counts[0].values()) <= 17


def test_home_asks_the_database_twice_however_many_events_there_are(client: Client) -> None:
    make_event()
    once = queries_of(lambda: client.get("/"))
    for n in range(8):
        make_event(name=f"Event {n}")
    assert queries_of(lambda: client.get("/")) == once == 2


def test_names_are_shown_as_text_never_as_markup(client: Client) -> None:
    event = make_event()
    registration.add_player(event, organizer(), name="<script>alert(1)</script>")
    assert b"<script>alert(1)" not in client.get(f"/e/{event.slug}/players/").content


def test_unknown_addresses_get_a_page_that_helps(client: Client) -> None:
    answer = client.get("/e/nowhere/")
    assert answer.status_code == 404
    assert "There is nothing here" in text_of(answer)


def test_every_component_is_shown_on_one_page(client: Client) -> None:
    page = client.get("/styleguide/").content.decode()
    for name in (
        "button-primary",
        "card-accent",
        "badge-legal",
        "alert-error",
        "stepper",
        "versus",
        "bracket-match",
    ):
        assert name in page


def test_an_error_of_ours_has_its_page_without_any_context() -> None:
    from django.template.loader import render_to_string

    assert "Something broke, and it is our mistake" in render_to_string("500.html", {"user": AnonymousUser()})
    assert "Something broke" in render_to_string("500.html")


def test_record_of_a_player_shows_rounds_place_and_the_arithmetic(client: Client) -> None:
    event = started_event(4, swiss_rounds=2)
    winner = play_round(event).matches.select_related("p1", "p2").get(table=1)
    answer = client.get(f"/e/{event.slug}/players/{winner.p1.number}/")
    page = text_of(answer)
    assert f"1 {winner.p2.name} Won 2–0" in page
    worked = {each.explanation.tiebreaker.key: each for each in answer.context["worked"]}
    assert list(worked) == ["points", "omw", "gw", "ogw"]
    assert worked["omw"].explanation.working == "(1/3) / 1 = 1/3"
    assert [step.opponent for step in worked["omw"].steps] == [winner.p2.name]
    assert worked["omw"].shown == "33.33 %"


def test_record_needs_a_round_and_a_player_who_did_not_withdraw(client: Client) -> None:
    event = make_event()
    alice, *_ = add_players(event, 5)
    assert client.get(f"/e/{event.slug}/players/2/").status_code == 404
    registration.withdraw(alice, organizer())
    events.start_event(event, organizer())
    play_round(event)
    assert client.get(f"/e/{event.slug}/players/1/").status_code == 404
    assert client.get(f"/e/{event.slug}/players/2/").status_code == 200
    assert client.get(f"/e/{event.slug}/players/99/").status_code == 404


def test_record_shows_no_report_that_is_not_agreed(client: Client) -> None:
    event = started_event(2)
    rounds.publish(rounds.pair_next_round(event, organizer()), organizer())
    match = open_matches(event.stages.get().rounds.get())[0]
    results.report_result(match, match.p1, p1_games=2, p2_games=1)
    page = get(client, f"/e/{event.slug}/players/1/")
    assert "Playing" in page
    assert "2–1" not in page


def test_staff_sees_an_event_in_preparation_and_is_told_that_others_do_not(client: Client) -> None:
    event = make_event(open_registration=False)
    client.force_login(organizer().user)
    for page in PAGES:
        assert "Only staff sees this page" in get(client, f"/e/{event.slug}/{page}")
    client.force_login(make_user("stranger@example.org"))
    assert client.get(f"/e/{event.slug}/").status_code == 404
