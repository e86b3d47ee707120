"""Archives of large events, judged while they stream past.

Other files are refused with a code.
"""

from __future__ import annotations

import http.client
import io
import json
import tracemalloc
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from decks.shared.refusals import Refused
from tests.fixtures.servers import Live
from tests.scenarios.factories import (
    add_players,
    make_event,
    make_user,
    sign_in_organizer,
    started_event,
)
from tests.tournament.archive.test_archive import rich_event, without_import
from tournament.archive import document
from tournament.archive.document import MAX_ARCHIVE_BYTES, read_archive
from tournament.archive.export import export_event
from tournament.events.models.event import Event

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]

MEGABYTE = 1024 * 1024


class CountedBody:
    """A streamed body: it can be read once, and counts the bytes read."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self.pieces, self.count, self.rest = pieces, 0, b""

    def read(self, size: int = -1) -> bytes:
        while len(self.rest) < size and (piece := next(self.pieces, b"")):
            self.rest += piece
        data, self.rest = self.rest[:size], self.rest[size:]
        self.count += len(data)
        return data


def test_file_and_stream_and_text_are_read_alike() -> None:
    text = json.dumps(export_event(rich_event()), ensure_ascii=False)
    expected_result = json.loads(text)
    assert read_archive(text) == expected_result
    assert read_archive(text.encode()) == expected_result
    assert read_archive(b"\xef\xbb\xbf" + text.encode()) == expected_result
    assert read_archive(io.BytesIO(text.encode())) == expected_result
    assert read_archive(CountedBody(iter([text.encode()]))) == expected_result


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ("[1, 2]", "not_an_archive"),
        ('{"a": 1}', "not_an_archive"),
        ('{"a": {"ringside_archive": 2}}', "not_an_archive"),
        ('{"ringside_archive": 2', "archive_not_json"),
        ('{"ringside_archive": 2} 7', "archive_not_json"),
        ('{"ringside_archive": 2, "event": NaN}', "archive_not_json"),
        (b'{"ringside_archive": 2, "event": "\xff"}', "archive_not_json"),
        ('{"ringside_archive": 99, "event": ' + "[" * 100_000, "archive_version_unknown"),
        ('{"ringside_archive": true}', "archive_version_unknown"),
        ('{"ringside_archive": {"x": 2}}', "archive_version_unknown"),
        ('{"ringside_archive": 2, "event": ' + "[" * 100_000, "archive_too_complex"),
    ],
)
def test_what_cannot_be_imported_is_refused_by_code(data: str | bytes, code: str) -> None:
    with pytest.raises(Refused) as excinfo:
        read_archive(data)
    assert excinfo.value.code == code


def test_archive_of_more_parts_than_any_event_has_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(document, "MAX_PARTS", 100)
    with pytest.raises(Refused) as excinfo:
        read_archive(json.dumps({"ringside_archive": 2, "log": [[]] * 100}))
    assert excinfo.value.code == "archive_too_complex"


def spaces(count: int) -> Iterator[bytes]:
    """Yield a document that continues with whitespace."""
    yield b'{"ringside_archive": 2'
    for _ in range(count):
        yield b" " * MEGABYTE


def test_stream_is_read_no_further_than_the_limit() -> None:
    stream = CountedBody(spaces(200))
    with pytest.raises(Refused) as excinfo:
        read_archive(stream)
    assert (excinfo.value.code, stream.count) == ("archive_too_large", MAX_ARCHIVE_BYTES + 1)


@pytest.mark.one_database("refused before a row is written")
def test_refused_archive_is_never_held_in_memory() -> None:
    hostile = b'{"ringside_archive": 2, "log": [' + b"[]," * (MEGABYTE // 4) + b"[]"
    tracemalloc.start()
    try:
        with pytest.raises(Refused) as excinfo:
            read_archive(io.BytesIO(hostile))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert excinfo.value.code == "archive_not_json"
    # In memory, its lists would take sixteen.
    assert peak < 4 * MEGABYTE


def large_document(size: int) -> bytes:
    """Return an archive of at least this size, with a long log."""
    exported_table: dict[str, Any] = export_event(started_event(4))
    line = {**exported_table["log"][0], "changes": [], "params": {"told": "x" * 3800}}
    exported_table["log"] += [line] * (size // len(json.dumps(line)))
    return json.dumps(exported_table).encode()


@pytest.mark.daily_on_postgres
def test_archive_larger_than_a_form_comes_in_through_page_and_api(client: Client) -> None:
    data = large_document(7 * MEGABYTE)
    sign_in_organizer(client)
    by_api = client.post("/api/archives/", data, content_type="application/json")
    by_page = client.post("/console/import/", {"archive": SimpleUploadedFile("a.json", data)})
    assert (by_api.status_code, by_page.status_code) == (201, 302)
    expected_result = json.loads(data)["log"]
    for event in Event.objects.order_by("-pk")[:2]:
        assert [line["params"] for line in without_import(export_event(event))["log"]] == [
            line["params"] for line in expected_result
        ]


def test_archive_that_is_too_large_is_refused_by_page_and_api(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(document, "MAX_ARCHIVE_BYTES", 1000)
    data = json.dumps(export_event(started_event(4))).encode()
    sign_in_organizer(client)
    by_api = client.post("/api/archives/", data, content_type="application/json")
    by_page = client.post("/console/import/", {"archive": SimpleUploadedFile("a.json", data)})
    assert (by_api.status_code, by_api.json()["problems"][0]["code"]) == (400, "archive_too_large")
    assert "larger than 64 MB" in by_page.content.decode()


@pytest.mark.parametrize("body", [b"", b"{}", b"[]", b"nothing"])
def test_api_without_an_archive_says_so(client: Client, body: bytes) -> None:
    client.force_login(make_user())
    answer = client.post("/api/archives/", body, content_type="application/json")
    assert (answer.status_code, answer.json()["problems"][0]["code"]) in [
        (400, "archive_not_json"),
        (400, "not_an_archive"),
    ]


def test_anonymous_archive_is_not_read(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(document, "read_archive", None)
    answer = client.post("/api/archives/", b"{}", content_type="application/json")
    assert (answer.status_code, answer.json()["problems"][0]["code"]) == (403, "not_authenticated")


@pytest.mark.whole("test_archive_larger_than_a_form_comes_in_through_page_and_api")
@pytest.mark.django_db(transaction=True)
def test_event_of_thousand_players_comes_back_through_the_real_server(live: Live) -> None:
    event = make_event()
    add_players(event, 1000)
    exported_table: dict[str, Any] = json.loads(json.dumps(export_event(event)))
    line = {**exported_table["log"][0], "changes": [], "params": {"told": "x" * 400}}
    exported_table["log"] += [line] * 98_000
    data = json.dumps(exported_table).encode()
    assert 50 * MEGABYTE < len(data) < MAX_ARCHIVE_BYTES
    browser = sign_in_organizer()
    cookies = {"sessionid": browser.cookies["sessionid"].value, "csrftoken": "a" * 32}
    headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in cookies.items())}
    headers |= {"X-CSRFToken": "a" * 32, "Content-Type": "application/json"}
    connection = http.client.HTTPConnection(urlsplit(live.url).netloc, timeout=300)
    connection.request("POST", "/api/archives/", data, headers)
    answer = json.loads(connection.getresponse().read())
    connection.close()
    back = Event.objects.get(slug=answer["slug"])
    assert back.players.count() == 1000
    assert back.log.count() == len(exported_table["log"]) + 1
