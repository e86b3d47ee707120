"""Refusal by the API of what it does not read.

It refuses unknown parameters, unknown fields, and bodies of steps without one.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import get_resolver
from django.urls.resolvers import URLPattern, URLResolver
from rest_framework import serializers
from rest_framework.test import APIClient

from decks.shared.api_requests import StrictFields, StrictView
from tests.everyday import each_case
from tests.scenarios.factories import make_event, make_user, organizer
from tests.scenarios.rollback import rolled_back
from tournament.events.models.event import Event
from tournament.setup.services import events

pytestmark = pytest.mark.django_db

VALUES = {
    "slug": "no-such-event",
    "event": "no-such-event",
    "token": "x" * 32,
    "import_id": "00000000-0000-0000-0000-000000000000",
    "job_id": "00000000-0000-0000-0000-000000000000",
    "kind": "bans",
    "game": "ufs",
    "step": "start",
    "act": "start",
    "action": "drop",
}
ROOT = Path(__file__).resolve().parents[3]
WITH_BODY = ("post", "put", "patch")


@cache
def doors() -> tuple[tuple[str, type[Any]], ...]:
    """Return every address of the API that a room has, filled in, with its view."""
    return tuple(_walk(get_resolver()))


def _walk(resolver: URLResolver, before: str = "") -> Iterator[tuple[str, type[Any]]]:
    for pattern in resolver.url_patterns:
        route = f"{before}{pattern.pattern}"
        if isinstance(pattern, URLResolver):
            yield from _walk(pattern, route)
        elif route.startswith("api/") and "^" not in route:
            yield f"/{_fill_route(pattern, route)}", pattern.callback.cls


def _fill_route(pattern: URLPattern, route: str) -> str:
    for name in pattern.pattern.converters:
        for word in (f"<{kind}:{name}>" for kind in ("slug", "int", "str", "uuid")):
            route = route.replace(word, str(VALUES.get(name, 1)))
    return route


def operations() -> list[tuple[str, str, type[Any]]]:
    """Return every method at every address."""
    methods = ("get", *WITH_BODY, "delete")
    return [(address, each, view) for address, view in doors() for each in methods if hasattr(view, each)]


def request_serializer(view: type[Any], method: str) -> Any:
    """Return what the description says of a body; None if there is none."""
    if not hasattr(view, method):
        return None
    schema = getattr(view, method).kwargs["schema"]()
    schema.view, schema.method = view(), method.upper()
    schema.view.request, schema.view.kwargs, schema.view.format_kwarg = None, {}, None
    return schema.get_request_serializer() if method in WITH_BODY else None


@pytest.fixture
def owner() -> APIClient:
    """Someone who passes every door."""
    client = APIClient()
    client.force_authenticate(make_user("root@example.org", is_superuser=True))
    return client


def problems(answer: Any) -> list[tuple[str, str | None, str]]:
    """Code, field and fix of each problem."""
    assert answer.status_code == 400, answer.content
    return [(each["code"], each["field"], each["fix"]) for each in answer.data["problems"]]


def test_every_view_of_the_api_is_strict() -> None:
    assert [view for _, view in doors() if not issubclass(view, StrictView)] == []


def test_every_serializer_of_the_api_is_strict() -> None:
    for module in {view.__module__ for _, view in doors()}:
        import_module(module)
    ours = [
        each for each in _subclasses(serializers.Serializer) if each.__module__.startswith(("decks", "tour"))
    ]
    assert len(ours) > 100
    assert [each for each in ours if not issubclass(each, StrictFields)] == []


def _subclasses(cls: type[Any]) -> Iterator[type[Any]]:
    for each in cls.__subclasses__():
        yield each
        yield from _subclasses(each)


@each_case(("address", "method", "view"), operations(), around=rolled_back)
def test_every_operation_refuses_an_unknown_parameter(
    owner: APIClient, address: str, method: str, view: type[Any]
) -> None:
    answer = getattr(owner, method)(f"{address}?afterr=1")
    assert [each[:2] for each in problems(answer)] == [("unknown_parameter", "afterr")]


BODIES = [
    (view, method, shape) for _, method, view in operations() if (shape := request_serializer(view, method))
]


@each_case(("view", "method", "shape"), BODIES, around=rolled_back)
def test_every_body_refuses_an_unknown_field(view: type[Any], method: str, shape: Any) -> None:
    if not isinstance(shape, type):
        shape = type(getattr(shape, "child", shape))
    if not issubclass(shape, serializers.BaseSerializer):
        pytest.skip("any object: the archive checks its own names")
    serializer = shape(data={"nosuch": 1})
    assert not serializer.is_valid()
    assert [detail.code for detail in serializer.errors["nosuch"]] == ["unknown_field"]


@each_case(
    ("address", "method"),
    [(a, m) for a, m, view in operations() if m not in ("get",) and request_serializer(view, m) is None],
    around=rolled_back,
)
def test_every_step_without_a_body_refuses_one(owner: APIClient, address: str, method: str) -> None:
    answer = getattr(owner, method)(address, {"reason": "because"}, format="json")
    assert problems(answer) == [("unknown_field", "reason", "Remove it.")]


def test_nearest_name_is_offered(owner: APIClient) -> None:
    answer = owner.post("/api/events/", {"nmae": "Cup", "game": "ufs", "slug": "cup"}, format="json")
    problem_list = problems(answer)
    assert ("unknown_field", "nmae", "Did you mean “name”?") in problem_list
    assert ("read_only_field", "slug", "Remove it.") in problem_list
    assert ("required", "name", "") in problem_list
    params = {each["code"]: each.get("params") for each in answer.json()["problems"]}
    assert params["unknown_field"]["nearest"] == "name"
    parameter = owner.get("/api/events/", {"limt": 5})
    assert problems(parameter) == [("unknown_parameter", "limt", "Did you mean “limit”?")]


def test_field_in_a_part_of_a_body_is_named_with_its_place(owner: APIClient) -> None:
    event = make_event()
    prizes = [
        {"words": "Playmat", "first": 1, "last": 1},
        {"wrods": "Pin", "words": "Pin", "first": 2, "last": 2},
    ]
    answer = owner.put(f"/api/events/{event.slug}/prizes/", prizes, format="json")
    assert problems(answer) == [("unknown_field", "1.wrods", "Did you mean “words”?")]


def test_settings_that_were_read_may_be_sent_back(owner: APIClient) -> None:
    event = make_event()
    address = f"/api/events/{event.slug}/"
    settings = owner.get(address).json()
    assert owner.patch(address, settings, format="json").status_code == 200
    answer = owner.patch(address, {"phase": "finished"}, format="json")
    assert problems(answer) == [("read_only_field", "phase", "Remove it.")]
    assert Event.objects.get(pk=event.pk).phase == event.phase


def test_steps_refuse_fields_of_other_steps(owner: APIClient) -> None:
    event = make_event()
    answer = owner.post(f"/api/events/{event.slug}/steps/finish/", {"drop_missing": True}, format="json")
    assert [each[0] for each in problems(answer)] == ["unknown_field"]
    answer = owner.post(f"/api/events/{event.slug}/clock/start/", {"minutes": 50}, format="json")
    assert [each[0] for each in problems(answer)] == ["unknown_field"]


@each_case(
    "query",
    ["limit=abc", "limit=-1", "limit=0", "limit=1001", "limit=", "offset=-1", "offset=x", "limit=٣"],
    around=rolled_back,
)
def test_page_of_events_that_cannot_be_is_refused(client: Client, query: str) -> None:
    answer = client.get(f"/api/events/?{query}")
    assert [each[:2] for each in problems(answer)] == [("number_wrong", query.partition("=")[0])]


def test_parameter_given_twice_is_refused(client: Client) -> None:
    assert [each[0] for each in problems(client.get("/api/events/?limit=1&limit=2"))] == [
        "repeated_parameter"
    ]


@pytest.mark.parametrize("query", ["game=chess", "game=", f"q={'x' * 101}"])
def test_search_that_cannot_be_is_refused(client: Client, query: str) -> None:
    assert [each[1] for each in problems(client.get(f"/api/cards/?{query}"))] == [query.partition("=")[0]]


def test_links_in_answers_lead_to_the_set_address(owner: APIClient, settings: Any) -> None:
    settings.BASE_URL = "https://ringside.example"
    first, *_ = [_public_event(number) for number in range(3)]
    page = owner.get("/api/events/?limit=1&offset=1", headers={"host": "evil.example"}).json()
    assert page["next"] == "https://ringside.example/api/events/?limit=1&offset=2"
    assert page["previous"] == "https://ringside.example/api/events/?limit=1"
    invitation = owner.post(f"/api/events/{first.slug}/invitations/", {"kind": "judge"}, format="json")
    assert invitation.json()["link"].startswith("https://ringside.example/join/")
    owner.post(f"/api/events/{first.slug}/players/", {"name": "Ada"}, format="json")
    link = owner.post(f"/api/events/{first.slug}/players/1/private-link/").json()["link"]
    assert link.startswith("https://ringside.example/p/")


def _public_event(number: int) -> Event:
    event = make_event(name=f"Cup {number}")
    events.open_registration(event, organizer())
    return event


def test_no_link_takes_its_address_from_the_request() -> None:
    sources = [path for app in ("decks", "tournament", "config") for path in (ROOT / app).rglob("*.py")]
    assert [path for path in sources if "build_absolute_uri" in path.read_text("utf-8")] == []
