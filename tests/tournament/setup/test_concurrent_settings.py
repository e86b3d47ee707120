"""Two people who press Save in the same moment.

The second request is compared with the values of the first.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Event as Signal
from typing import Any

import pytest
from django.db import connection, transaction
from django.http import HttpResponse
from django.test import Client

from tests.scenarios.factories import make_event, make_user, organizer, sign_in_organizer
from tests.tournament.setup.test_concurrent_forms import open_form
from tournament.clock import services as clock
from tournament.closing.services import set_prizes
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.leagues import services as leagues_services
from tournament.leagues.models import League
from tournament.pairing.services import player_facts as pairing_facts
from tournament.registration import services as registration
from tournament.screens import services as screen
from tournament.setup.services import events
from tournament.setup.services.settings import set_local_rules
from tournament.shared.awards import parse_prizes
from tournament.staff import services as staff

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db(transaction=True)]
PATIENCE = 20


@pytest.fixture
def event() -> Event:
    return make_event(capacity=8)


@pytest.fixture
def second(event: Event) -> Client:
    """The browser of a co-organizer."""
    link = staff.create_invitation(event, organizer(), kind="organizer")
    other = make_user("jo@example.org")
    staff.join_staff(link, other)
    client = Client()
    client.force_login(other)
    return client


def pressed_while_another_saves(
    client: Client, address: str, form_values: dict[str, Any], row: Event | League, save: Callable[[], object]
) -> HttpResponse:
    """Send a form that reaches the lock while another save holds it.

    It gets as far as the lock before the other has written and released the lock.
    """
    at_the_lock = Signal()

    def watch(execute: Any, sql: str, *rest: Any) -> Any:
        if "FOR UPDATE" in sql or sql.startswith("BEGIN"):
            at_the_lock.set()
        return execute(sql, *rest)

    def press() -> HttpResponse:
        try:
            with connection.execute_wrapper(watch):
                return client.post(address, form_values)
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        with lock_row(row):
            answer = pool.submit(press)
            assert at_the_lock.wait(PATIENCE)
            save()
        return answer.result(PATIENCE)


@contextmanager
def lock_row(row: Event | League) -> Any:
    with transaction.atomic():
        type(row).objects.select_for_update().get(pk=row.pk)
        yield


def change(**values: Any) -> Callable[[Event], object]:
    return lambda event: events.update_event(event, organizer(), values)


BOTH = [
    ("settings/", "name", change(capacity=12), {"place": "Mill"}, {"capacity": 12, "place": "Mill"}),
    ("pairing/", "first_table", change(first_table=11), {"hall": "Mill"},
     {"first_table": 11, "hall": "Mill"}),
    ("clock/settings/", "warning", lambda e: clock.set_clock_options(e, organizer(), {"warning": 7}),
     {"elimination": "40"}, {"clock_options": {"warning": 7, "elimination": 40}}),
]  # fmt: skip


@pytest.mark.parametrize(("page", "has", "save", "form_values", "stands"), BOTH)
def test_what_another_changed_in_the_same_moment_stays(
    event: Event,
    second: Client,
    page: str,
    has: str,
    save: Callable[[Event], object],
    form_values: dict[str, str],
    stands: dict[str, object],
) -> None:
    address = f"/console/{event.slug}/{page}"
    form = {**open_form(second, address, has), **form_values}
    answer = pressed_while_another_saves(second, address, form, event, lambda: save(event))
    assert answer.status_code == 302
    event.refresh_from_db()
    assert {name: getattr(event, name) for name in stands} == stands


KEN_IS_BANNED = {"bans": [{"name": "Ken"}]}
ASKED = [
    ("settings/", "name", change(capacity=12), {"capacity": "10"}, "capacity", "12"),
    ("rules/", "bans", lambda e: set_local_rules(e, organizer(), KEN_IS_BANNED), {"bans": "Ryu"},
     "bans", "Ken"),
    ("prizes/", "prizes", lambda e: set_prizes(e, organizer(), parse_prizes("1: a cup")),
     {"prizes": "1: a hat"}, "prizes", "1: a cup"),
    ("screen/", "views", lambda e: screen.choose_views(e, organizer(), ["clock"]),
     {"views": ["standings"]}, "views", "clock"),
]  # fmt: skip


@pytest.mark.parametrize(("page", "has", "save", "form_values", "field", "now"), ASKED)
def test_what_both_changed_in_the_same_moment_is_asked_about(
    event: Event,
    second: Client,
    page: str,
    has: str,
    save: Callable[[Event], object],
    form_values: dict[str, Any],
    field: str,
    now: str,
) -> None:
    address = f"/console/{event.slug}/{page}"
    form = {**open_form(second, address, has), **form_values}
    answer = pressed_while_another_saves(second, address, form, event, lambda: save(event))
    assert answer.context["form"].errors[field] == [
        f"Someone changed this after you opened the page. It is now “{now}”. Send yours again to replace it."
    ]


@pytest.mark.parametrize(
    ("page", "has", "save", "form_values", "stands"),
    [
        ("", "name",
         lambda p: registration.change_details(p, organizer(), name="Ann", email="", character=""),
         {"email": "ann@example.org"}, {"name": "Ann", "email": "ann@example.org"}),
        ("pairing/", "club", lambda p: pairing_facts.change_player_facts(p, organizer(), club="Dojo"),
         {"fixed_table": "3"}, {"club": "Dojo", "fixed_table": 3}),
    ],
)  # fmt: skip
def test_one_player_corrected_by_two_in_the_same_moment_has_both(
    event: Event,
    second: Client,
    page: str,
    has: str,
    save: Callable[[Player], object],
    form_values: dict[str, str],
    stands: dict[str, object],
) -> None:
    registration.add_player(event, organizer(), name="An")
    player = event.players.select_related("event").get()
    address = f"/console/{event.slug}/players/1/{page}"
    form = {**open_form(second, address, has), **form_values}
    answer = pressed_while_another_saves(second, address, form, event, lambda: save(player))
    assert answer.status_code == 302
    player.refresh_from_db()
    assert {name: getattr(player, name) for name in stands} == stands


def test_a_league_changed_by_two_in_the_same_moment_has_both() -> None:
    league = leagues_services.create_league(organizer().user, name="Autumn", notes="")
    client = sign_in_organizer()
    address = f"/leagues/{league.slug}/edit/"
    form = {**open_form(client, address, "best_of"), "notes": "Every month."}
    answer = pressed_while_another_saves(
        client, address, form, league, lambda: leagues_services.update_league(league, organizer(), best_of=4)
    )
    assert answer.status_code == 302
    league.refresh_from_db()
    assert (league.best_of, league.notes) == (4, "Every month.")
