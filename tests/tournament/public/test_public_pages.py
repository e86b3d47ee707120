"""The public pages: what everyone sees of an event, and what no one may see."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db.models import EmailField, Value
from django.db.models.functions import Concat
from django.test import Client

from rules.rendering import say
from tests.everyday import each_case
from tests.scenarios.factories import (
    add_players,
    make_event,
    make_user,
    open_matches,
    organizer,
    play_round,
    sign_in_organizer,
    started_event,
    win,
)
from tests.scenarios.html import html_of
from tests.scenarios.public_pages import PAGES, RECORD, event_with_cut, get, queries_of, text_of
from tests.scenarios.rollback import rolled_back
from tests.scenarios.sentences import REGISTER_DURING_CHECK_IN, ROUND_1_APPEARS
from tournament.brackets.services import cut as cuts
from tournament.events.models.player import Player
from tournament.registration import services as registration
from tournament.setup.services import events

pytestmark = pytest.mark.django_db


def test_home_without_events_says_what_ringside_is_and_where_to_go(client: Client) -> None:
    answer = client.get("/")
    assert 'class="empty"' in html_of(answer)
    for words in ("Card-game events", "Organizers", "Players", "Judges and staff"):
        assert words in text_of(answer)


def test_home_sorts_events_by_what_can_be_done(client: Client) -> None:
    make_event(name="To come")
    started_event(2, name="Running")
    make_event(name="Secret", open_registration=False)
    page = get(client, "/")
    assert page.index("In progress") < page.index("Running") < page.index("Open for registration")
    assert page.index("Open for registration") < page.index("To come")
    assert "Secret" not in page


@each_case("page", [*PAGES, "register/", "cut/", "bracket/", "version", "me/"], around=rolled_back)
def test_events_in_preparation_are_not_there_for_the_public(client: Client, page: str) -> None:
    event = make_event(open_registration=False, cut="top", cut_size=4)
    assert client.get(f"/e/{event.slug}/{page}").status_code == 404


def test_event_page_tells_time_in_the_zone_of_the_place(client: Client) -> None:
    page = get(client, f"/e/{make_event().slug}/")
    assert "Sat 2 May 2026, 11:00 (CEST)" in page
    assert "Town hall" in page


def test_event_page_publishes_every_condition(client: Client) -> None:
    event = make_event(cut="diversity", cut_size=8, decklists_required=True, notes="Bring a pen.")
    page = get(client, f"/e/{event.slug}/")
    assert "Universal Fighting System: Constructed" in page
    assert "UFS Tournament Rules v1.9" in page
    assert "Best of three games in 50 minutes. UFS 100.4" in page
    assert "Diversity cut to 8: the best player of each character qualifies" in page
    assert "Required before round 1 starts. Only you and staff can see it." in page
    assert "Intentional draws" in page
    assert "Players need their own dice, counters and paper. UFS 100.6" in page
    assert "Bring a pen." in page


def test_event_page_says_where_a_round_length_differs_from_the_document(client: Client) -> None:
    page = get(client, f"/e/{make_event(round_minutes=40).slug}/")
    assert "Best of three games in 50 minutes. Rounds of this event last 40 minutes." in page


def test_event_page_offers_the_next_step_of_each_phase(client: Client) -> None:
    event = make_event(cut="top", cut_size=2, swiss_rounds=1)
    assert "Registration is open" in get(client, f"/e/{event.slug}/")
    add_players(event, 4)
    events.open_check_in(event, organizer())
    assert REGISTER_DURING_CHECK_IN in get(client, f"/e/{event.slug}/")
    events.start_event(event, organizer())
    assert ROUND_1_APPEARS in get(client, f"/e/{event.slug}/")
    play_round(event)
    assert "Round 1 of 1 is finished" in get(client, f"/e/{event.slug}/")
    stage = cuts.make_cut(event, organizer())
    assert "Cut in progress" in get(client, f"/e/{event.slug}/")
    final = win(open_matches(stage.rounds.get())[0])
    page = get(client, f"/e/{event.slug}/")
    assert f"Champion {final.p1.name}" in page


def test_full_event_offers_the_waiting_list(client: Client) -> None:
    event = make_event(capacity=2)
    add_players(event, 2)
    assert "All 2 places are taken" in get(client, f"/e/{event.slug}/")
    assert "Join waiting list" in get(client, f"/e/{event.slug}/register/")


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
    assert form.errors["name"] == [say("refusal", "name_missing.player")]
    assert form.errors["email"] == ["“alice@” is not an email address."]
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
    assert "You are registered, Alice" in text_of(page)
    assert token not in page.content.decode()
    assert client.get(f"/e/{event.slug}/me/")["Location"] == f"/p/{token}/"
    assert b"is-me" in client.get(f"/e/{event.slug}/players/").content


def test_my_page_of_a_stranger_sends_the_link_again(client: Client) -> None:
    event = make_event()
    page = client.get(f"/e/{event.slug}/me/")
    assert (page.status_code, page.context["can_send"], page.context["is_open"]) == (200, False, True)
    assert b'name="email"' not in page.content


def test_every_public_page_leads_to_the_own_page(client: Client) -> None:
    event = make_event()
    for path in ("", "players/"):
        assert f'href="/e/{event.slug}/me/"' in client.get(f"/e/{event.slug}/{path}").content.decode()


def test_players_page_names_players_and_the_waiting_list_in_order(client: Client) -> None:
    event = make_event(capacity=2)
    add_players(event, 4)
    page = get(client, f"/e/{event.slug}/players/")
    assert "2 of 2 players · 2 on the waiting list" in page
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
    for players in (3, 12):
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
    assert "Page not found" in text_of(answer)


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

    for context in ({"user": AnonymousUser()}, None):
        assert render_to_string("500.html", context).count("<h1") == 1


def test_staff_sees_an_event_in_preparation_and_is_told_that_others_do_not(client: Client) -> None:
    event = make_event(open_registration=False)
    sign_in_organizer(client)
    for page in PAGES:
        assert "Only staff can see this page" in get(client, f"/e/{event.slug}/{page}")
    client.force_login(make_user("stranger@example.org"))
    assert client.get(f"/e/{event.slug}/").status_code == 404


@each_case(
    ("plan", "words"),
    [
        ([{"kind": "robin", "groups": 2}, {"kind": "single", "size": 2}], "Round robin"),
        ([{"kind": "robin"}, {"kind": "swiss", "rounds": 1, "size": 2}], "Rounds"),
        ([{"kind": "single"}], "Bracket"),
        ([], "Swiss rounds"),
    ],
    around=rolled_back,
)
def test_phase_of_an_event_is_called_as_the_hall_calls_it(
    client: Client, plan: list[dict[str, object]], words: str
) -> None:
    event = started_event(4, plan=plan)
    assert event.phase_words == words
    assert f"{words} 4 players" in get(client, "/")
