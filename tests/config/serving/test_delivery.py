"""Delivery of pages and files.

They are small, cached if allowed, and private where required.
"""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.contrib.staticfiles import finders
from django.test import Client

from tests.scenarios.factories import add_players, make_event

ZIPPED = {"Accept-Encoding": "gzip"}

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "path", ["/", "/leagues/", "/keyboard/", "/sign-in/", "/decks/check/", "/api/schema/"]
)
def test_page_is_sent_compressed_to_who_can_read_that(client: Client, path: str) -> None:
    packed_answer = client.get(path, headers=ZIPPED)
    assert packed_answer["Content-Encoding"] == "gzip"
    plain = gzip.decompress(packed_answer.content)
    assert len(packed_answer.content) < len(plain) / 2
    assert "Accept-Encoding" in packed_answer["Vary"]
    assert plain.lstrip().startswith(b"openapi:" if path == "/api/schema/" else b"<!DOCTYPE html>")


def test_page_is_sent_uncompressed_to_all_other_browsers(client: Client) -> None:
    answer = client.get("/leagues/")
    assert "Content-Encoding" not in answer
    assert answer.content.lstrip().startswith(b"<!DOCTYPE html>")


def test_gathered_file_is_kept_for_ever_and_sent_compressed(gathered_static: Path, client: Client) -> None:
    html = client.get("/leagues/").content.decode()
    matches = sorted(set(re.findall(r'(?:href|src)="(/static/[^"]+)"', html)))
    answers: dict[str, Any] = {name: client.get(name, headers=ZIPPED) for name in matches}
    assert sorted(re.sub(r"\.[0-9a-f]{12}", "", name) for name in matches) == [
        "/static/ringside/favicon.svg",
        "/static/ringside/pages.css",
        "/static/ringside/pages.js",
    ]
    assert {answer.status_code for answer in answers.values()} == {200}
    assert {answer["Cache-Control"] for answer in answers.values()} == {
        "max-age=315360000, public, immutable"
    }
    packed_answer = [name for name in matches if answers[name].get("Content-Encoding") == "gzip"]
    assert sorted(name.rpartition(".")[2] for name in packed_answer) == ["css", "js", "svg"]


def test_search_engines_leave_private_links_and_doors_of_staff_alone(client: Client) -> None:
    answer = client.get("/robots.txt")
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    lines = answer.content.decode().splitlines()
    assert lines[0] == "User-agent: *"
    assert {"Disallow: /p/", "Disallow: /console/", "Disallow: /judge/", "Disallow: /api/"} <= set(lines[1:])
    assert "Disallow: /" not in lines
    assert "Disallow: /e/" not in lines


def test_app_of_a_player_has_a_name_a_start_and_pictures_that_exist(client: Client) -> None:
    player = add_players(make_event(), 1)[0]
    description = json.loads(client.get(f"/p/{player.token}/app.webmanifest").content)
    assert (description["start_url"], description["display"]) == (f"/p/{player.token}/", "standalone")
    assert {"name", "short_name", "theme_color", "background_color"} <= description.keys()
    pictures = {(icon["sizes"], icon.get("purpose", "any")) for icon in description["icons"]}
    assert {("192x192", "any"), ("512x512", "any"), ("512x512", "maskable")} <= pictures
    for icon in description["icons"]:
        assert finders.find(icon["src"].removeprefix("/static/")) is not None
