"""The bytes that a phone has to fetch.

They are for pages of a large event with styles, scripts and pictures, compressed.
"""

from __future__ import annotations

import gzip
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from django.contrib.staticfiles import finders
from django.test import Client

from config.serving.static import MINIFIERS, minify, page_styles
from tests.everyday import each_case
from tests.scenarios.factories import CHARACTERS, make_event, organizer, publish_next
from tests.scenarios.rollback import rolled_back
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Match
from tournament.setup.services import events

pytestmark = pytest.mark.django_db

PLAYERS = 200
MOST_BYTES = 60 * 1024
FILE = re.compile(r'(?:href|src)="(/static/[^"?]+\.(?:css|js|svg|png))"')


@pytest.fixture(scope="module")
def large(django_db_setup: None, django_db_blocker: Any) -> Any:
    """Yield an event of 200 players, with two rounds played and the third published.

    It is removed after the last test.
    """
    from django.db import transaction

    with django_db_blocker.unblock(), transaction.atomic():
        yield _large()
        transaction.set_rollback(True)


def _large() -> Event:
    event = make_event(cut="diversity", cut_size=8, swiss_rounds=5)
    Player.objects.bulk_create(
        Player(
            event=event,
            number=number,
            lot=number * 104729 % 1009,
            registered_at=event.starts_at,
            name=f"Player Number {number * 7919:07}",
            email=f"p{number}@example.org",
            character=CHARACTERS[number % len(CHARACTERS)],
        )
        for number in range(1, PLAYERS + 1)
    )
    event.refresh_from_db()
    events.start_event(event, organizer())
    for _ in range(2):
        _publish(event).matches.filter(p2__isnull=False).update(
            outcome="p1", p1_games=2, p2_games=1, result_at=event.starts_at
        )
        event.stages.get().rounds.update(state="finished")
    _publish(event)
    return event


def _publish(event: Event) -> Any:
    return publish_next(event)


@cache
def size_of(path: str) -> int:
    """Return what a static file weighs on its way."""
    file = Path(finders.find(path.removeprefix("/static/")))
    is_minified = path.startswith("/static/ringside/") and file.suffix in MINIFIERS
    return len(gzip.compress(minify(path, file.read_text()).encode() if is_minified else file.read_bytes()))


def weight(answer: Any) -> int:
    """Return what a page and all that it names weigh on their way.

    An installation gathers all styles in a file.
    """
    is_packed = answer.headers.get("Content-Encoding") == "gzip"
    html = gzip.decompress(answer.content) if is_packed else answer.content
    files = set(FILE.findall(html.decode()))
    styles = sorted(file for file in files if file.endswith(".css"))
    scripts = sum(map(size_of, files.difference(styles)))
    all_styles = minify("all.css", _gather_styles(styles)).encode()
    return len(gzip.compress(html)) + len(gzip.compress(all_styles)) + scripts


def _gather_styles(paths: list[str]) -> str:
    """Return the gathered styles of every page, and those of the page alone.

    They are gathered as in an installation.
    """
    gathered_styles = page_styles()
    own_styles = [Path(finders.find(path.removeprefix("/static/"))).read_text() for path in paths]
    return gathered_styles + "".join(style for style in own_styles if style not in gathered_styles)


PUBLIC = ("", "players/", "players/7/", "pairings/", "pairings/?by=name", "pairings/2/", "standings/",
          "standings/2/", "cut/", "characters/", "screen/", "screen/pairings,standings,clock/")  # fmt: skip


@each_case("page", PUBLIC, around=rolled_back)
def test_no_public_page_of_200_players_weighs_more_than_60_kilobytes(large: Event, page: str) -> None:
    assert weight(Client().get(f"/e/{large.slug}/{page}")) <= MOST_BYTES


def test_no_page_of_a_player_and_no_way_in_weighs_more_than_60_kilobytes(large: Event) -> None:
    player = large.players.get(number=7)
    match = Match.objects.filter(round__stage__event=large).first()
    paths = (
        "/", "/leagues/", "/sign-in/", "/keyboard/", f"/e/{large.slug}/matches/{match.pk}/",
        *(f"/p/{player.token}/{rest}" for rest in ("", "list/", "report/")),
    )  # fmt: skip
    weights = {path: weight(Client().get(path)) for path in paths}
    assert {path: weight for path, weight in weights.items() if weight > MOST_BYTES} == {}
