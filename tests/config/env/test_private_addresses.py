"""Keys of private addresses are in no line of any log."""

from __future__ import annotations

import io
import logging
import logging.config
import sys
from collections.abc import Iterator

import pytest
from django.urls import URLResolver, get_resolver

from config.env.logs import logging_settings
from config.env.private_addresses import hide_keys, is_private
from tests.everyday import each_case

KEY = "Zq3_-kkkkkkkkkkkkkkk"
ADDRESSES = [
    f"/p/{KEY}/", f"/p/{KEY}/list/2/text/", f"/api/me/{KEY}/", f"/api/me/{KEY}/players/3/list/",
    f"/join/{KEY}/", f"/sign-up/{KEY}/", f"/password/MQ/{KEY}/", f"/sign-in/?next=/join/{KEY}/",
    f"/sign-in/?next=%2Fjoin%2F{KEY}%2F", f"https://ringside.example/p/{KEY}", f"/P/{KEY}/",
    f"/p/{KEY}", f"//p/{KEY}//", f"/p/{KEY}?x=1",
]  # fmt: skip


def _routes(resolver: URLResolver, before: str = "") -> Iterator[str]:
    for pattern in resolver.url_patterns:
        route = f"{before}{pattern.pattern}"
        yield from _routes(pattern, route) if isinstance(pattern, URLResolver) else (route,)


@each_case("address", ADDRESSES)
def test_key_is_hidden_and_the_rest_of_the_address_stays(address: str) -> None:
    assert is_private(address)
    assert hide_keys(f"Not Found: {address} at 12:00") == f"Not Found: {address} at 12:00".replace(KEY, "***")


def test_every_address_with_a_token_is_known_as_private() -> None:
    with_token = [route for route in _routes(get_resolver()) if "token>" in route or "<key>" in route]
    assert with_token
    assert [r for r in with_token if not is_private("/" + r.replace("<str:token>", KEY))] == []


@each_case("address", ["/e/spring/", "/api/events/spring/rounds/", "/account/", "/static/p.js"])
def test_other_addresses_stay_as_they_are(address: str) -> None:
    assert not is_private(address)
    assert hide_keys(f"GET {address}") == f"GET {address}"


def test_key_that_a_database_names_is_hidden() -> None:
    error_detail = f'DETAIL:  Key (token)=({KEY}) already exists. token = "{KEY}"'
    assert KEY not in hide_keys(error_detail)


@pytest.fixture(params=["console", "json"])
def written_log(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[io.StringIO]:
    """The log that one kind has written so far."""
    output = io.StringIO()
    monkeypatch.setattr(sys, "stderr", output)
    settings = logging_settings(level="DEBUG", kind=request.param)
    # The loggers of the tests themselves stay as they are.
    loggers = {name: settings["loggers"][name] for name in ("gunicorn.error", "uvicorn.error")}
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    logging.config.dictConfig({**settings, "loggers": loggers})
    yield output
    root.handlers[:], root.level = handlers, level


@pytest.mark.parametrize("name", ["django.request", "gunicorn.error", "uvicorn.error", "celery.worker", "x"])
def test_no_logger_writes_a_key(written_log: io.StringIO, name: str) -> None:
    path = f"/p/{KEY}/"
    try:
        raise ValueError(f"bad page {path}")
    except ValueError:
        logging.getLogger(name).exception("Failed: %s", path, extra={"request": path})
    assert "bad page /p/***/" in written_log.getvalue()
    assert KEY not in written_log.getvalue()


def test_server_that_brought_a_handler_of_its_own_writes_through_ours(written_log: io.StringIO) -> None:
    own = io.StringIO()
    logging.getLogger("gunicorn.error").addHandler(logging.StreamHandler(own))
    settings = logging_settings(level="DEBUG", kind="console")
    loggers = {"gunicorn.error": settings["loggers"]["gunicorn.error"]}
    logging.config.dictConfig({**settings, "loggers": loggers})
    logging.getLogger("gunicorn.error").error("Error handling request /p/%s/", KEY)
    assert (own.getvalue(), KEY in written_log.getvalue()) == ("", False)
