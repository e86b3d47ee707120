"""The body of every answer for each role, searched for planted marks.

Pages, API, sheets and files are covered. `marked_event.py` plants a mark in everything that is not for all
eyes, and says which right lets someone read it. Each address of the resolver is asked, to look and to change,
by the role with the fewest rights of all that it lets in. If a role is refused, a page says so and no more,
and `test_rights.py` shows who is. In the whole run every role asks every address, and changes what each of
them names; every day it changes what the last one names.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from http import HTTPStatus

import pytest
from django.contrib.auth.models import Group
from django.db import transaction
from django.test import Client

from tests import machine
from tests.scenarios.factories import make_event, make_user
from tests.tournament.access.marked_event import EventMark, MarkedEvent
from tests.tournament.access.test_rights import (
    ELSEWHERE,
    ROLES,
    WITHOUT_MARKS,
    is_asked_for_its_body,
    lets_in_for_sure,
    routes,
)
from tournament.access.permissions import RIGHTS_BY_ROLE, RIGHTS_OF_A_PRIVATE_LINK, Right
from tournament.events.models.event import StaffRole

pytestmark = pytest.mark.django_db

OF_LEAST_VALUE = pytest.mark.whole("an owner reads all but hidden events; a co-organizer is asked every day")
OWNER = pytest.param("owner", marks=OF_LEAST_VALUE)
GUEST = pytest.param(ELSEWHERE, marks=pytest.mark.whole("a keeper has every role in other events too"))
IDENTITIES = (OWNER, *ROLES[1:], GUEST, "keeper", "player", "public")
BY_LINK = ("p/", "api/me/")
# A person with the link makes a new one, and sees it once.
NEW_OWN_LINK = frozenset({"p/<str:token>/new-link/"})
SENT = {
    "api/events/<slug:slug>/players/": {"name": "Newcomer", "email": "new@example.org"},
    "api/events/<slug:slug>/matches/<int:match_id>/result/": {"p1_games": 2, "p2_games": 1},
}


@pytest.fixture(autouse=True)
def silent() -> Iterator[None]:
    """Thousands of refusals would fill the log."""
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


def client_of(identity: str, marked_event: MarkedEvent) -> Client:
    """Return a client signed in as a user."""
    client = Client(raise_request_exception=False)
    if identity == "player":
        client.get(f"/p/{marked_event.player('Anna').token}/")
        session = client.session
        session["players"] = {str(marked_event.event.pk): marked_event.player("Anna").token}
        session.save()
    if identity in ("player", "public"):
        return client
    user = make_user("somebody@example.org")
    if identity == "keeper":
        user.groups.set(Group.objects.all())
    if identity in ROLES:
        StaffRole.objects.create(event=marked_event.event, user=user, kind=identity)
    if identity not in ROLES:
        for role in ROLES:
            StaffRole.objects.create(event=make_event(name=role), user=user, kind=role)
    client.force_login(user)
    return client


def is_read(route: str, method: str, identity: str) -> bool:
    """Return whether the role asks a route.

    Every day, the role with the fewest rights of those let in does.
    """
    if route in WITHOUT_MARKS or (route.startswith(BY_LINK) and identity != "public"):
        return False
    return machine.whole() or is_asked_for_its_body(route, method, identity)


def read(client: Client, method: str, route: str, address: str) -> tuple[int, str]:
    """Return status and body of an answer, with the address that it redirects to.

    What the answer changed is undone.
    """
    is_json = route.startswith("api/") and method != "get"
    form_values = {"data": SENT.get(route, {}), "content_type": "application/json"} if is_json else {}
    with transaction.atomic():
        answer = getattr(client, method)(address, **form_values)
        body = b"".join(answer.streaming_content) if answer.streaming else answer.content
        transaction.set_rollback(True)
    return answer.status_code, body.decode("utf-8", "replace") + answer.headers.get("Location", "")


def iter_answers(
    client: Client, marked_event: MarkedEvent, route: str, method: str
) -> Iterator[tuple[str, int, str]]:
    """Yield each address of a route with status and body of its answer.

    No address after one that has no such method is asked.
    """
    addresses = list(marked_event.addresses(route))
    for address in addresses if method == "get" or machine.whole() else addresses[-1:]:
        status, body = read(client, method, route, address)
        yield address, status, body
        if status == HTTPStatus.METHOD_NOT_ALLOWED:
            return


def is_refused(status: int, body: str) -> bool:
    """Return whether an answer says that someone has no right, or has to sign in."""
    return status in (401, 403) or body.startswith("/sign-in/?")


def may_read(mark: EventMark, route: str, identity: str) -> bool:
    """Return whether a mark may be in an answer."""
    if mark.right in RIGHTS_BY_ROLE.get(identity, ()):
        return True
    own = mark.own or (mark.name == "a private link" and route in NEW_OWN_LINK)
    return own and (route.startswith(BY_LINK) or identity == "player")


@pytest.mark.parametrize("identity", IDENTITIES)
def test_no_body_shows_what_its_reader_may_not_read(identity: str) -> None:
    marked_event = MarkedEvent()
    client, marks = client_of(identity, marked_event), marked_event.marks()
    wrong, broken_routes, shut_routes, seen_marks = set(), set(), set(), set()
    for route, method in sorted((route, each) for route, methods in routes().items() for each in methods):
        if not is_read(route, method, identity):
            continue
        answers = list(iter_answers(client, marked_event, route, method))
        broken_routes |= {f"{method} {address}: {status}" for address, status, _ in answers if status >= 500}
        if lets_in_for_sure(route, method, identity) and all(is_refused(*answer) for _, *answer in answers):
            shut_routes.add(f"{method} {route}")
        found_marks = [mark for mark in marks if any(mark.pattern.search(body) for *_, body in answers)]
        seen_marks |= {mark.name for mark in found_marks}
        wrong |= {
            f"{method} {route}: {mark.name}" for mark in found_marks if not may_read(mark, route, identity)
        }
    assert (sorted(wrong), sorted(broken_routes), sorted(shut_routes)) == ([], [], [])
    # Every mark that a role may read is found somewhere: the marks are planted in the right places.
    rights = RIGHTS_BY_ROLE.get(identity, frozenset())
    readable = {mark.name for mark in marks if mark.right in rights and mark.right is not Right.LINKS}
    assert readable <= seen_marks or not machine.whole()


def test_staff_who_see_private_links_have_all_rights_of_such_a_link() -> None:
    with_links = [rights for rights in RIGHTS_BY_ROLE.values() if Right.LINKS in rights]
    assert len(with_links) == 2
    assert all(rights >= RIGHTS_OF_A_PRIVATE_LINK for rights in with_links)


def test_staff_who_download_the_archive_may_see_private_links() -> None:
    assert all(Right.LINKS in rights for rights in RIGHTS_BY_ROLE.values() if Right.EXPORT in rights)
