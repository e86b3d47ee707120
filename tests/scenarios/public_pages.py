"""Helpers for tests of public pages.

They read a page, count queries, and provide an event with a cut.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.scenarios.factories import built_once, organizer, play_round, started_event
from tournament.brackets.services import cut as cuts
from tournament.events.models.event import Event

PAGES = ("", "players/", "pairings/", "standings/")
RECORD = "players/1/"


def text_of(answer: Any) -> str:
    """Return the page's text in one line, without the tags."""
    return strip_tags(answer.content.decode())


def strip_tags(html: str) -> str:
    """Return the text of a part of a page in one line."""
    words = re.sub(r"<(script|style)\b.*?</\1>", " ", html, flags=re.S)
    words = re.sub(r"<[^>]+>", " ", words)
    return " ".join(words.replace("&nbsp;", " ").split())


def get(client: Client, path: str) -> str:
    """Return the text of a page that answers with 200."""
    answer = client.get(path)
    assert answer.status_code == 200, f"{path}: {answer.status_code}"
    return text_of(answer)


def queries_of(act: Callable[[], Any]) -> int:
    """Return how many queries a call makes."""
    with CaptureQueriesContext(connection) as queries:
        act()
    return len(queries)


@built_once
def event_with_cut(players: int = 6, **values: Any) -> Event:
    """Return an event whose two Swiss rounds are over and whose cut of four is made."""
    event = started_event(players, swiss_rounds=2, cut_size=4, **{"cut": "diversity", **values})
    play_round(event)
    play_round(event)
    cuts.make_cut(event, organizer())
    return event
