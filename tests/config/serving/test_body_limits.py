"""Size limits of bodies, with real servers.

They are checked before the body is read, for every address.
"""

from __future__ import annotations

import asyncio
import http.client
import json
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.db import connections
from django.test import Client
from django.urls import resolve

from config.serving import request_bodies
from config.serving.body_limits import BODY_LIMITS, FORM, MEGABYTE, allow_anyone, find_limit
from config.serving.threads import Pages
from tests import machine
from tests.fixtures.servers import Live
from tests.scenarios.event_loop import run_aside
from tests.scenarios.factories import add_players, make_event, make_user, organizer
from tests.tournament.access.test_rights import routes
from tests.tournament.test_urls import SAMPLES

pytestmark = pytest.mark.one_database("a body is refused before a view asks the database")

PIECE = 64 * 1024


def paths() -> list[str]:
    """Return an address of every route; the values in it name nothing that exists."""
    sample = {"int": 7, "slug": "word", "str": "some-text", "path": "some/text"}
    sample["uuid"] = SAMPLES["UUIDConverter"]
    filled_paths = [re.sub(r"<(\w+):\w+>", lambda match: str(sample[match[1]]), route) for route in routes()]
    return [f"/{path}" for path in filled_paths] + ["/nowhere/", "/api/nowhere/", "/admin/login/"]


class Sender:
    """A client that sends a body in pieces; counts how much of it was read."""

    def __init__(self, size: int, *, has_length: bool) -> None:
        self.left, self.taken_bytes = size, 0
        self.length = (
            [(b"content-length", b"%d" % size)] if has_length else [(b"transfer-encoding", b"chunked")]
        )
        self.sent_messages: list[dict[str, Any]] = []

    async def receive(self) -> dict[str, Any]:
        piece = min(PIECE, self.left)
        self.left -= piece
        if not self.sent_messages:
            self.taken_bytes += piece
        return {"type": "http.request", "body": bytes(piece), "more_body": self.left > 0}

    async def send(self, message: dict[str, Any]) -> None:
        self.sent_messages.append(message)

    @property
    def status(self) -> int:
        return int(self.sent_messages[0]["status"])

    @property
    def body(self) -> bytes:
        return b"".join(message.get("body", b"") for message in self.sent_messages[1:])


def post(pages: Pages, path: str, sender: Sender, *headers: tuple[bytes, bytes]) -> None:
    """Send a POST request through the handler of our own server."""
    run_aside(_post(pages, path, sender, *headers))


async def _post(pages: Pages, path: str, sender: Sender, *headers: tuple[bytes, bytes]) -> None:
    scope = {
        "type": "http", "method": "POST", "path": path, "raw_path": path.encode(), "query_string": b"",
        "headers": [(b"host", b"localhost"), *sender.length, *headers], "client": ("127.0.0.1", 1),
    }  # fmt: skip
    await pages(scope, sender.receive, sender.send)


@pytest.fixture
def pages(transactional_db: None) -> Iterator[Pages]:
    """Our handler, whose thread leaves the database as it came."""
    handler = Pages(threads=1)
    yield handler
    handler._threads.submit(connections.close_all).result()
    handler._threads.shutdown()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where everything lies that is written beside the database."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def allowed_to_public(path: str) -> int:
    """Return the largest body that is taken from someone who is not signed in."""
    limit, _ = find_limit(path)
    return limit.most if limit.require is allow_anyone else FORM.most


REFUSED = {403, 404, 413}


@pytest.mark.parametrize("has_length", [True, False], ids=["with its length", "in chunks"])
def test_body_over_limit_of_public_is_refused_at_every_address_and_not_kept(
    pages: Pages, folder: Path, has_length: bool
) -> None:
    wrong = []

    async def post_to_each_address() -> None:
        # Every day, half of the addresses are asked in each way.
        for path in paths() if machine.whole() else paths()[has_length::2]:
            most_allowed = allowed_to_public(path)
            sender = Sender(most_allowed + 1, has_length=has_length)
            await _post(pages, path, sender)
            most_taken = 0 if has_length else most_allowed + PIECE
            if sender.status not in REFUSED or sender.taken_bytes > most_taken or list(folder.iterdir()):
                wrong.append((path, sender.status, sender.taken_bytes))

    run_aside(post_to_each_address())
    assert wrong == []


def test_every_limit_is_of_an_address_that_takes_something() -> None:
    names = {resolve(path).view_name for path in paths() if path not in ("/nowhere/", "/api/nowhere/")}
    assert set(BODY_LIMITS) <= names


def test_forms_are_taken_from_everyone(pages: Pages) -> None:
    sender = Sender(FORM.most, has_length=True)
    post(pages, "/api/decks/check/", sender, (b"content-type", b"application/json"))
    assert (sender.status, sender.taken_bytes) == (400, FORM.most)
    assert json.loads(sender.body)["problems"][0]["code"] == "parse_error"


@pytest.mark.parametrize(
    ("path", "code"),
    [("/api/decks/check/", "body_too_large"), ("/api/archives/", "not_authenticated")],
)
def test_program_reads_code_and_sentence(pages: Pages, path: str, code: str) -> None:
    sender = Sender(find_limit(path)[0].most + (code == "body_too_large"), has_length=True)
    post(pages, path, sender)
    [problem] = json.loads(sender.body)["problems"]
    assert problem["code"] == code
    assert problem["sentence"].endswith(".")
    if code == "body_too_large":
        assert "4 MB" in problem["sentence"]


def test_page_names_limit_and_leads_back(pages: Pages) -> None:
    sender = Sender(PIECE + find_limit("/decks/check/")[0].most, has_length=True)
    post(pages, "/decks/check/", sender)
    text = sender.body.decode()
    assert (sender.status, 'data-code="body_too_large"' in text, "4 MB" in text) == (413, True, True)
    assert 'href="/decks/check/?typed=again"' in text


def signed_in(email: str, **values: Any) -> tuple[bytes, bytes]:
    """Return the header of a browser in which someone is signed in."""
    client = Client()
    client.force_login(make_user(email, **values))
    return b"cookie", f"sessionid={client.cookies['sessionid'].value}".encode()


def test_stranger_of_event_sends_no_table_of_players_and_owner_does(pages: Pages) -> None:
    event = make_event()
    path = f"/api/events/{event.slug}/players/table/"
    stranger, owner = Sender(MEGABYTE, has_length=True), Sender(MEGABYTE, has_length=True)
    post(pages, path, stranger, signed_in("stranger@example.org"))
    client = Client()
    client.force_login(organizer().user)
    cookie = f"sessionid={client.cookies['sessionid'].value}".encode()
    post(pages, path, owner, (b"cookie", cookie), (b"content-type", b"text/plain"))
    assert (stranger.status, stranger.taken_bytes) == (403, 0)
    assert owner.taken_bytes == MEGABYTE


def test_private_link_that_is_none_sends_no_large_list(pages: Pages) -> None:
    player = add_players(make_event(), 1)[0]
    player_sender, stranger_sender = Sender(MEGABYTE, has_length=False), Sender(MEGABYTE, has_length=False)
    post(pages, f"/api/me/{player.token}/list/", player_sender, (b"content-type", b"text/plain"))
    post(pages, "/api/me/nobody/list/", stranger_sender, (b"content-type", b"text/plain"))
    assert player_sender.taken_bytes == MEGABYTE
    assert (stranger_sender.status, stranger_sender.taken_bytes <= FORM.most + PIECE) == (404, True)


def test_form_in_chunks_arrives_whole(pages: Pages) -> None:
    """Check that a form with a chunked body arrives whole.

    A form parser relies on the length in the head, which a chunked body lacks.
    """
    body = b'--x\r\nContent-Disposition: form-data; name="email"\r\n\r\nada@example.org\r\n--x--\r\n'
    sender = Sender(len(body), has_length=False)

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": body, "more_body": False}

    sender.receive = receive  # type: ignore[method-assign]
    post(pages, "/sign-in/", sender, (b"content-type", b"multipart/form-data; boundary=x"))
    assert "ada@example.org" in sender.body.decode()


class TestWsgi:
    """The same behind a server that reads nothing by itself."""

    @pytest.mark.django_db
    @pytest.mark.parametrize("path", ["/decks/check/", "/console/import/", "/api/archives/", "/sign-in/"])
    def test_nothing_of_body_over_limit_is_parsed(self, client: Client, folder: Path, path: str) -> None:
        body = b"text=" + b"x" * allowed_to_public(path)
        answer = client.post(path, body, content_type="application/x-www-form-urlencoded")
        assert answer.status_code in (403, 413)
        assert not answer.wsgi_request.POST
        assert list(folder.iterdir()) == []

    @pytest.mark.django_db
    def test_signed_out_person_with_large_file_is_told_to_sign_in(self, client: Client) -> None:
        answer = client.post("/console/import/", b"x" * MEGABYTE, content_type="multipart/form-data")
        assert (answer.status_code, answer["X-Ringside-Why"]) == (403, "signed-out")


@pytest.mark.django_db
def test_body_that_proxy_refused_is_answered_as_ours(client: Client) -> None:
    api = client.post("/api/archives/", headers={"x-body-refused": "1"})
    page = client.post("/console/import/", headers={"x-body-refused": "1"})
    assert (api.status_code, api.json()["problems"][0]["code"]) == (413, "body_too_large")
    assert page.status_code == 413
    assert "64 MB" in page.content.decode()


@pytest.mark.django_db
def test_form_with_too_many_fields_is_named_as_such(client: Client) -> None:
    answer = client.post("/sign-in/", "a=1&" * 1500, content_type="application/x-www-form-urlencoded")
    assert answer.status_code == 400
    assert 'data-code="too_many_fields"' in answer.content.decode()


@pytest.mark.django_db
def test_text_that_is_no_file_and_too_large_is_a_body_too_large(client: Client, settings: Any) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1000
    page = client.post("/sign-in/", {"email": "x" * 2000})
    program = client.post("/api/decks/check/", {"text": "x" * 2000}, content_type="application/json")
    assert page.status_code == 413
    assert (program.status_code, program.json()["problems"][0]["code"]) == (413, "body_too_large")


@pytest.mark.django_db
def test_request_for_another_host_is_answered_as_all_refusals(client: Client, settings: Any) -> None:
    settings.ALLOWED_HOSTS = ["localhost"]
    program = client.post("/api/decks/check/", headers={"host": "evil.example"})
    page = client.post("/sign-in/", headers={"host": "evil.example"})
    assert (program.status_code, program.json()["problems"][0]["code"]) == (400, "bad_request")
    assert (page.status_code, b"<h1>This request is not valid</h1>" in page.content) == (400, True)


def ask(live: Live, path: str, size: int, *, chunked: bool) -> tuple[int, bytes]:
    """Send a body to its end and read the answer, as browsers do."""
    connection = http.client.HTTPConnection(urlsplit(live.url).netloc, timeout=60)
    pieces = (bytes(PIECE) for _ in range(size // PIECE))
    headers = {} if chunked else {"Content-Length": str(size // PIECE * PIECE)}
    connection.request("POST", path, body=pieces, headers=headers, encode_chunked=chunked)
    answer = connection.getresponse()
    try:
        return answer.status, answer.read()
    finally:
        connection.close()


@pytest.mark.parametrize("chunked", [False, True])
def test_refusal_arrives_though_whole_body_is_sent(live: Live, folder: Path, chunked: bool) -> None:
    size = (150 if machine.whole() else 40) * MEGABYTE
    status, body = ask(live, "/decks/check/", size, chunked=chunked)
    assert status == 413
    assert b'data-code="body_too_large"' in body
    assert list(folder.iterdir()) == []


def test_sender_who_stops_midway_is_not_waited_for_long(
    pages: Pages, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(request_bodies, "IDLE_DISCARD_SECONDS", 0.05)
    sender = Sender(FORM.most + 1, has_length=True)

    async def receive() -> dict[str, Any]:
        await asyncio.sleep(30)
        return {}

    sender.receive = receive  # type: ignore[method-assign]
    post(pages, "/sign-in/", sender)
    assert sender.status == 413
