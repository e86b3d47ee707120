"""The sample for nginx takes what Ringside takes.

It refuses the rest in Ringside's own words.
"""

from __future__ import annotations

import http.client
import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.test import Client
from django.urls import resolve

from config.serving.body_limits import BODY_LIMITS, FORM, MEGABYTE
from tests.config.serving.test_body_limits import PIECE, paths
from tests.config.serving.test_nginx_logs import adapt
from tests.fixtures.ports import find_free_ports, takes_connections
from tests.fixtures.servers import Live
from tests.fixtures.workers import wait_for
from tests.scenarios.factories import organizer

SAMPLE = Path(__file__).resolve().parents[3] / "deploy" / "nginx.conf"
LOCATION = re.compile(r"^ *location ~ (\S+) \{\n *client_max_body_size (\d+)m;", re.MULTILINE)


def limit_of_nginx(path: str) -> int:
    """Return what the sample takes at an address."""
    text = SAMPLE.read_text()
    sizes = [int(size) for pattern, size in LOCATION.findall(text) if re.search(pattern, path)]
    [everywhere] = re.findall(r"^ {8}client_max_body_size (\d+)m;", text, re.MULTILINE)
    return (sizes or [int(everywhere)])[0] * MEGABYTE


def test_sample_takes_at_every_address_what_ringside_takes_and_little_more() -> None:
    for path in paths():
        if path in ("/nowhere/", "/api/nowhere/"):
            continue
        most = BODY_LIMITS.get(resolve(path).view_name, FORM).most
        assert most <= limit_of_nginx(path) <= max(most, 5 * MEGABYTE) + MEGABYTE, path


@pytest.fixture
def nginx(live: Live, tmp_path: Path) -> Iterator[str]:
    """Yield the address of a real nginx with the sample configuration.

    It runs without the sample's certificate, in front of a real server.
    """
    program = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
    if program is None:
        pytest.skip("nginx is not installed")
    ports = find_free_ports(2)
    sample = adapt(SAMPLE.read_text(), ports, tmp_path)
    sample = re.sub(r"proxy_pass \S+;", f"proxy_pass {live.url};", sample)
    (tmp_path / "nginx.conf").write_text(f"daemon off;\n{sample}")
    command = [program, "-p", str(tmp_path), "-e", f"{tmp_path}/error.log", "-c", f"{tmp_path}/nginx.conf"]
    with subprocess.Popen(command) as nginx:
        try:
            wait_for(lambda: takes_connections(ports[1]), 60, "nginx did not start")
            yield f"127.0.0.1:{ports[1]}"
        finally:
            nginx.terminate()


def send(address: str, path: str, size: int, **headers: str) -> tuple[int, str]:
    """Send a body to its end and read the answer."""
    connection = http.client.HTTPConnection(urlsplit(f"//{address}").netloc, timeout=60)
    pieces = (b" " * PIECE for _ in range(size // PIECE))
    connection.request("POST", path, pieces, {"Content-Length": str(size // PIECE * PIECE), **headers})
    answer = connection.getresponse()
    try:
        return answer.status, answer.read().decode()
    finally:
        connection.close()


@pytest.mark.parametrize(
    ("path", "size", "limit"), [("/decks/check/", 6, "4 MB"), ("/console/import/", 150, "64 MB")]
)
def test_page_over_limit_names_it(nginx: str, path: str, size: int, limit: str) -> None:
    status, text = send(nginx, path, size * MEGABYTE)
    assert (status, 'data-code="body_too_large"' in text, limit in text) == (413, True, True)


@pytest.mark.parametrize(
    ("path", "size", "limit"), [("/api/decks/check/", 6, "4 MB"), ("/api/archives/", 70, "64 MB")]
)
def test_program_over_limit_reads_json(nginx: str, path: str, size: int, limit: str) -> None:
    status, text = send(nginx, path, size * MEGABYTE)
    [problem] = json.loads(text)["problems"]
    assert (status, problem["code"], limit in problem["sentence"]) == (413, "body_too_large", True)


def test_anonymous_archive_is_refused_before_it_is_taken(nginx: str, tmp_path: Path) -> None:
    status, text = send(nginx, "/api/archives/", 60 * MEGABYTE)
    assert (status, json.loads(text)["problems"][0]["code"]) == (403, "not_authenticated")
    assert [file for file in (tmp_path / "client_body").rglob("*") if file.is_file()] == []


def test_sixty_megabytes_of_signed_in_person_arrive(nginx: str) -> None:
    browser = Client()
    browser.force_login(organizer().user)
    cookie = f"sessionid={browser.cookies['sessionid'].value}; csrftoken={'a' * 32}"
    headers = {"Cookie": cookie, "X-CSRFToken": "a" * 32, "Content-Type": "application/json"}
    status, text = send(nginx, "/api/archives/", 60 * MEGABYTE, **headers)
    assert (status, json.loads(text)["problems"][0]["code"]) == (400, "archive_not_json")
