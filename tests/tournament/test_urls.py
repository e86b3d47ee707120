"""Every address and its page.

Each leads to its own page, and no general pattern takes an address of another room.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from django.urls import URLPattern, get_resolver, resolve, reverse
from django.urls.resolvers import URLResolver

import decks
import decks.urls
import tournament
import tournament.urls

SAMPLES: dict[str, Any] = {
    "IntConverter": 7,
    "SlugConverter": "word",
    "StringConverter": "some text",
    "PathConverter": "some/text",
    "UUIDConverter": "0f8fad5b-d9cb-469f-a165-70867728950e",
}


def named_routes() -> dict[str, tuple[URLPattern, dict[str, Any]]]:
    """Return every named address, each with arguments that fit it.

    Those of the administration are left out.
    """
    routes = _walk(get_resolver())
    return {route: (pattern, sample) for route, pattern, sample in routes if not route.startswith("admin/")}


def _walk(resolver: URLResolver, before: str = "") -> Iterator[tuple[str, URLPattern, dict[str, Any]]]:
    for pattern in resolver.url_patterns:
        route = f"{before}{pattern.pattern}"
        if isinstance(pattern, URLResolver):
            yield from _walk(pattern, route)
        elif pattern.name is not None:
            converters = pattern.pattern.converters.items()
            yield route, pattern, {name: SAMPLES.get(type(kind).__name__) for name, kind in converters}


ROUTES = named_routes()


def test_named_route_reversed_resolves_to_itself() -> None:
    for route, (pattern, arguments) in ROUTES.items():
        match = resolve(reverse(pattern.name, kwargs=arguments))
        assert (match.route, match.url_name, match.func) == (route, pattern.name, pattern.callback)


@pytest.mark.parametrize("app", [decks, tournament])
def test_list_of_addresses_in_room_is_collected(app: Any) -> None:
    rooms = [file.parent.name for file in Path(app.__file__).parent.glob("*/urls.py")]
    assert sorted(app.urls.ROOMS) == sorted(f"{app.__name__}.{room}" for room in rooms)
    routed_patterns = {id(pattern) for group in app.urls.urlpatterns for pattern in group.url_patterns}
    for room in app.urls.ROOMS:
        lists = [value for value in vars(import_module(f"{room}.urls")).values() if isinstance(value, list)]
        assert all(id(pattern) in routed_patterns for patterns in lists for pattern in patterns)
