"""Every address, asked by every role, against the one table in `rights_table.py`.

A new address without a line there fails the first test. No one is let in by a role in another event. Who is
let in with the fewest rights of all is shown every day by `test_bodies.py`, which reads what they get.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from django.db import transaction
from django.template.backends.django import Template
from django.test import Client
from django.urls import get_resolver
from django.urls.resolvers import URLResolver

from tests import machine
from tests.fixtures.databases import clear_row_caches
from tests.scenarios.factories import make_event, make_user, organizer, play_round, started_event
from tests.tournament.access.rights_table import TABLE, WORDS
from tournament.access.permissions import RIGHTS_BY_ROLE, Right
from tournament.events.models.event import Event, StaffRole
from tournament.events.models.round import Match
from tournament.registration.services import contact as links
from tournament.staff import services as staff

pytestmark = pytest.mark.django_db

ROLES = ("owner", "organizer", "judge", "scorekeeper")
OPEN = ("public", "link")
ELSEWHERE = "every role in other events"
ASKING = ("organizer", "scorekeeper", "judge", "keeper", "player", "public")
# The schema names every code there is: `test_bodies.py` leaves it out.
WITHOUT_MARKS = frozenset({"api/schema/"})
# Steps are undone by those who may do all that they did, leagues are changed by those who keep them, and a
# printed sheet is for those who may read it.
BY_CONTENT = re.compile("/(undo|restore)/$|leagues/|^print/jobs/")
# Rights do not depend on the database. The owner has all rights, and so covers every query.
ASKED_ALIKE = (*ROLES[1:], ELSEWHERE, "player", "public")
OWNER = pytest.param("owner", marks=pytest.mark.daily_on_postgres)
IDENTITIES = (OWNER, *(ASKED_ALIKE if machine.on_sqlite() or machine.whole() else ()))


@pytest.fixture(autouse=True)
def silent(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Disable logging and the rendering of templates.

    A thousand refusals would fill the log, and access is decided before a page is rendered. Parts of pages
    that were not rendered are not kept.
    """
    monkeypatch.setattr(Template, "render", lambda *_, **__: "")
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)
    clear_row_caches()


@cache
def routes() -> dict[str, tuple[str, ...]]:
    """Return every address except those of the administration, with its methods.

    The address is as the code writes it. The methods are those that it may know.
    """
    routes = _walk(get_resolver())
    return {route: methods for route, methods in routes if not route.startswith(("admin", "api/^"))}


def _walk(resolver: URLResolver, before: str = "") -> Iterator[tuple[str, tuple[str, ...]]]:
    for pattern in resolver.url_patterns:
        route = f"{before}{pattern.pattern}"
        if isinstance(pattern, URLResolver):
            yield from _walk(pattern, route)
        else:
            yield route, _methods(pattern.callback)


def _methods(view: Any) -> tuple[str, ...]:
    """Return the methods of an API class; pages have two at most, and declare them."""
    if not hasattr(view, "cls"):
        return "get", "post"
    return tuple(name for name in ("get", "post", "put", "patch", "delete") if hasattr(view.cls, name))


def test_every_address_has_a_line_in_the_table_and_every_line_an_address() -> None:
    assert sorted(TABLE) == sorted(routes())


def test_every_line_says_what_there_is_a_word_for() -> None:
    log_words = {word for line in TABLE.values() for word in line.split()}
    assert log_words <= WORDS | {right.value for right in Right}


class FinishedVenue:
    """An event with a finished round and everything that an address may name."""

    def __init__(self) -> None:
        self.event = started_event(4)
        play_round(self.event)
        self.player = self.event.players.get(number=1)
        self.invitation = staff.create_invitation(self.event, organizer(), kind="judge", uses=9)
        match = Match.objects.filter(round__stage__event=self.event).first()
        self.values = {
            "slug": self.event.slug, "number": 1, "stage": 1, "version": 1, "match_id": match and match.pk,
            "entry": self.event.log.filter(action="result_entered").first().pk, "step": "finish",
            "role": self.event.staff.first().pk, "invitation": self.invitation.pk, "device": 1, "pair": 1,
            "game": "ufs", "format_key": "constructed", "kind": "text", "sheet": "standings", "key": "ken",
            "check": 1, "card": 1, "uidb64": "MQ", "page": "tutorial/your-first-event",
        }  # fmt: skip

    def client(self, identity: str) -> Client:
        """Return a client signed in as a user."""
        client = Client()
        if identity in ROLES or identity == ELSEWHERE:
            user = make_user("somebody@example.org")
            roles = {self.event: identity} if identity in ROLES else {make_event(name=r): r for r in ROLES}
            for event, role in roles.items():
                StaffRole.objects.create(event=event, user=user, kind=role)
            client.force_login(user)
        elif identity == "player":
            session = client.session
            session["players"] = {str(self.event.pk): self.player.token}
            session.save()
        return client

    def address(self, route: str) -> str:
        """Return a real address of a route."""
        values = {
            **self.values,
            "action": ACTIONS.get(route, "check-in"),
            "token": self.invitation.token if route.startswith("join") else self.player.token,
        }

        def fill(match: re.Match[str]) -> str:
            converter, _, name = match[1].partition(":")
            if converter == "uuid":
                return "00000000-0000-4000-8000-000000000000"
            return str(values.get(name, 1))

        return f"/{re.sub('<([^>]+)>', fill, route)}"


ACTIONS = {
    "console/<slug:slug>/rounds/<int:stage>/<int:number>/<slug:action>/": "publish",
    "api/events/<slug:slug>/rounds/<int:stage>/<int:number>/<slug:action>/": "publish",
    "console/<slug:slug>/staff/<int:role>/<slug:action>/": "hand-over",
}


def ask(client: Client, method: str, address: str) -> str:
    """Return "in", "out", or "nothing", and undo whatever the request changes.

    The answer is "nothing" if the address does not know the method.
    """
    json = {"content_type": "application/json"} if method != "get" and address.startswith("/api/") else {}
    with transaction.atomic():
        answer = getattr(client, method)(address, **json)
        transaction.set_rollback(True)
    if answer.status_code == 405:
        return "nothing"
    sent_away = answer.status_code == 302 and answer["Location"].startswith("/sign-in/?")
    return "out" if sent_away or answer.status_code in (401, 403) else "in"


def expected_answer(word: str, identity: str) -> str:
    """Return what a word of the table means for someone."""
    if word == "-":
        return "nothing"
    if word in OPEN:
        return "in"
    signed_in = identity not in ("player", "public")
    if word == "signed-in":
        return "in" if signed_in else "out"
    if word in ("keepers", "editors"):
        return "out"
    return "in" if identity in ROLES and Right(word) in RIGHTS_BY_ROLE[identity] else "out"


def is_telling(word: str, identity: str) -> bool:
    """Return whether no other answer includes this one.

    This applies where one right or group guards each page. Of the roles that are let in, those that have the
    fewest rights tell that the others are, and of those that are not, those that have the most. A player's
    session is that of someone unknown.
    """
    if identity not in ROLES:
        return identity != "player" or word == "signed-in"
    answer = expected_answer(word, identity)
    alike = [RIGHTS_BY_ROLE[role] for role in ROLES if expected_answer(word, role) == answer]
    own = RIGHTS_BY_ROLE[identity]
    return not any(other < own if answer == "in" else other > own for other in alike)


def lets_in(route: str, method: str, identity: str) -> bool:
    """Return whether the answer is more than a refusal.

    Roles with nearly all rights only read.
    """
    look, change = TABLE[route].split()
    word = look if method == "get" else change
    if identity == "organizer" and method != "get":
        return False
    return expected_answer(word, identity) == "in" or (
        identity == "keeper" and word in ("keepers", "editors")
    )


def is_asked_for_its_body(route: str, method: str, identity: str) -> bool:
    """Return whether `test_bodies.py` asks by this role.

    No other that the address lets in has fewer rights. Of equal roles, the first in the alphabet counts.
    """
    let_in = [each for each in ASKING if lets_in(route, method, each)]
    return identity == min(let_in, key=lambda each: (len(RIGHTS_BY_ROLE.get(each, ())), each), default=None)


def lets_in_for_sure(route: str, method: str, identity: str) -> bool:
    """Return whether the role is let in whatever the event holds."""
    return not BY_CONTENT.search(route) and lets_in(route, method, identity)


def is_shown_by_its_body(route: str, method: str, identity: str) -> bool:
    """Return whether `test_bodies.py` shows that the role is let in."""
    return (
        route not in WITHOUT_MARKS
        and lets_in_for_sure(route, method, identity)
        and is_asked_for_its_body(route, method, identity)
    )


def test_addresses_are_asked_by_the_roles_at_the_edge_of_each_right() -> None:
    roles_by_right = {
        right: [role for role in ROLES if is_telling(right, role)]
        for right in ("see", "judge", "pair", "manage", "own", "keepers", "signed-in")
    }
    assert roles_by_right == {
        "see": ["judge", "scorekeeper"],
        "judge": ["judge", "scorekeeper"],
        "pair": ["judge", "scorekeeper"],
        "manage": ["organizer", "judge", "scorekeeper"],
        "own": ["owner", "organizer"],
        "keepers": ["owner"],
        "signed-in": ["judge", "scorekeeper"],
    }


@pytest.mark.both_databases
@pytest.mark.parametrize("identity", IDENTITIES)
def test_every_address_lets_in_whom_the_table_says(identity: str) -> None:
    hall = FinishedVenue()
    client = hall.client(identity)
    known_routes, wrong = routes(), []
    whole = machine.whole() or not machine.on_sqlite()
    for route, line in sorted(TABLE.items()):
        address = hall.address(route)
        look, change = line.split()
        for method in known_routes[route]:
            word = look if method == "get" else change
            if word in OPEN and identity != "public":
                continue  # a visitor without a role that is let in is let in
            if not whole and (
                not is_telling(word, identity) or is_shown_by_its_body(route, method, identity)
            ):
                continue
            response = ask(client, method, address)
            if response not in (expected_answer(word, identity), "nothing"):
                wrong.append(f"{method} {route}: {response}, the table says {word}")
    assert wrong == []


def test_link_that_is_not_one_opens_nothing() -> None:
    hall = FinishedVenue()
    addresses = [hall.address(route) for route in routes() if route.startswith(("p/", "api/me/"))]
    links.renew_private_link(hall.player, organizer())
    answers = {
        method(address).status_code for address in addresses for method in (Client().get, Client().post)
    }
    assert answers <= {404, 405}


def test_site_administrator_counts_as_owner_everywhere() -> None:
    hall = FinishedVenue()
    client = Client()
    client.force_login(make_user("root@example.org", is_superuser=True))
    assert client.get(f"/console/{hall.event.slug}/staff/").status_code == 200


def test_event_in_preparation_is_hidden_from_all_but_its_staff() -> None:
    event: Event = make_event(name="Secret", open_registration=False)
    addresses: list[Any] = [f"/e/{event.slug}/", f"/api/events/{event.slug}/", f"/e/{event.slug}/players/"]
    assert [Client().get(address).status_code for address in addresses] == [404] * 3
