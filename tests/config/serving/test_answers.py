"""Headers of every answer, and ways to sign in."""

from __future__ import annotations

import pytest
from django.conf import settings
from django.contrib.auth import authenticate
from django.contrib.auth.models import User
from django.core.checks import run_checks
from django.db import InterfaceError, OperationalError
from django.db.utils import ConnectionHandler

from config import checks
from config.env.database import sqlite_settings
from config.serving import database_away

pytestmark = pytest.mark.both_databases
ON_ONE_DATABASE = pytest.mark.one_database("headers of pages, whatever database the pages read")


@pytest.fixture
def ada(db):
    return User.objects.create_user("ada@example.org", password="a long enough one")


@pytest.mark.parametrize("typed_text", ["ada@example.org", "Ada@Example.ORG"])
def test_an_address_is_known_however_it_is_typed(ada, typed_text):
    assert authenticate(username=typed_text, password="a long enough one") == ada


@pytest.mark.parametrize(
    ("typed_text", "password"), [("ada@example.org", "wrong"), ("bob@example.org", "wrong"), ("", "")]
)
def test_no_other_account_signs_in(ada, typed_text, password):
    assert authenticate(username=typed_text, password=password) is None


def test_an_address_may_be_called_email_too(ada):
    assert authenticate(email="ADA@example.org", password="a long enough one") == ada


@ON_ONE_DATABASE
def test_every_page_carries_the_strict_policy(client, db):
    answer = client.get("/sign-in/")
    policy = dict(part.strip().split(" ", 1) for part in answer["Content-Security-Policy"].split(";"))
    assert policy["default-src"] == "'none'"
    assert {policy[name] for name in ("script-src", "style-src", "img-src", "connect-src")} == {"'self'"}
    assert "unsafe" not in answer["Content-Security-Policy"]
    assert "data:" not in answer["Content-Security-Policy"]
    assert (answer["X-Frame-Options"], answer["X-Content-Type-Options"]) == ("DENY", "nosniff")
    assert answer["Referrer-Policy"] == "same-origin"


@ON_ONE_DATABASE
def test_every_page_gives_away_what_no_page_needs_and_one_asks_for_the_camera(client, db):
    from tests.scenarios.factories import make_event, organizer

    assert client.get("/sign-in/")["Permissions-Policy"].startswith(
        "camera=(), microphone=(), geolocation=()"
    )
    assert client.get("/nowhere/")["Permissions-Policy"].startswith("camera=()")
    event = make_event()
    client.force_login(organizer().user)
    assert client.get(f"/console/{event.slug}/check-in/scan/")["Permissions-Policy"].startswith(
        "camera=(self)"
    )


class TestWithoutADatabase:
    """Answers while the database is unavailable; programming errors stay errors."""

    @pytest.fixture
    def broken_client(self, client, db, monkeypatch):
        """A client for pages and API that meet this error."""

        def meet(error):
            def fail(*args, **kwargs):
                raise error

            monkeypatch.setattr("django.db.models.query.QuerySet._fetch_all", fail)
            client.raise_request_exception = False
            return client

        return meet

    def test_a_page_says_so_with_a_sentence_and_when_to_come_back(self, broken_client):
        answer = broken_client(OperationalError("server closed the connection unexpectedly")).get("/")
        assert (answer.status_code, answer["Retry-After"]) == (503, "5")
        assert answer.templates[0].name == "503.html"

    def test_the_api_says_so_as_every_refusal(self, broken_client):
        answer = broken_client(InterfaceError("connection already closed")).get("/api/events/open/")
        assert answer.status_code == 503
        assert answer.json() == {
            "problems": [
                {
                    "code": "database_away",
                    "sentence": str(database_away.SENTENCE),
                    "fix": str(database_away.FIX),
                    "field": None,
                }
            ]
        }

    @pytest.mark.parametrize("error", [OperationalError("no such table: events"), ValueError("ours")])
    def test_a_mistake_of_ours_stays_one(self, broken_client, error):
        assert broken_client(error).get("/").status_code == 500


def test_no_request_holds_a_transaction_open():
    assert settings.DATABASES["default"].get("ATOMIC_REQUESTS", False) is False
    assert settings.USE_TZ is True


def test_static_files_are_answered_whole(client, db):
    answer = client.get("/static/django_htmx/django-htmx.js")
    assert (answer.status_code, answer.streaming) == (200, False)
    assert answer["Content-Type"].startswith("text/javascript")
    assert len(answer.content) == int(answer["Content-Length"])


def test_sqlite_is_set_up_for_many_writers(tmp_path, django_db_blocker):
    # Not the database of the tests, whose writes need not be on the disk.
    connections = ConnectionHandler({"default": sqlite_settings(tmp_path / "ringside.sqlite3")})
    pragmas = {}
    with django_db_blocker.unblock(), connections["default"].cursor() as cursor:
        for pragma in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout"):
            cursor.execute(f"PRAGMA {pragma}")
            pragmas[pragma] = cursor.fetchone()[0]
    connections.close_all()
    assert pragmas == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "busy_timeout": 20000}


def test_a_data_folder_that_cannot_be_written_is_an_error(settings, tmp_path):
    (tmp_path / "file").write_text("")
    settings.DATA_DIR = tmp_path / "file" / "data"
    errors = [message for message in run_checks() if message.id == "ringside.E001"]
    assert [message.msg for message in errors] == [
        f"The folder {tmp_path / 'file' / 'data'} cannot be written by this user."
    ]


def test_missing_paper_libraries_are_a_warning_with_the_line_to_type(monkeypatch):
    monkeypatch.setattr(checks, "can_load", lambda name: False)
    [message] = checks.paper_libraries_are_there(None)
    assert message.id == "ringside.W001"
    assert message.hint.startswith("sudo apt-get install libpangoft2-1.0-0 libharfbuzz-subset0")


@pytest.mark.parametrize("spec", ["libnowhere.so.0", __file__, None])
def test_a_library_that_is_listed_but_cannot_be_loaded_is_missing(monkeypatch, spec):
    monkeypatch.setattr(checks, "find_library", lambda name: spec)
    assert not checks.can_load("nowhere")


def test_a_library_that_nothing_lists_but_that_can_be_loaded_is_there(monkeypatch):
    monkeypatch.setattr(checks, "find_library", lambda name: None)
    monkeypatch.setattr(checks, "CDLL", lambda name: name)
    assert checks.can_load("pangoft2-1.0")


def test_a_broker_that_does_not_answer_is_a_warning(settings):
    settings.CELERY_BROKER_URL = "redis://127.0.0.1:1/0"
    settings.CELERY_BROKER_TRANSPORT_OPTIONS = {}
    [message] = checks.broker_answers(None)
    assert message.id == "ringside.W002"
    assert message.msg.startswith("The message broker at 127.0.0.1 does not answer: ")


def test_files_as_a_broker_always_answer():
    assert checks.broker_answers(None) == []


def test_a_production_without_a_public_address_is_warned(settings):
    settings.BASE_URL = ""
    assert [message.id for message in checks.address_is_known(None)] == ["ringside.W003"]
    settings.BASE_URL = "https://ringside.example"
    assert checks.address_is_known(None) == []


def test_mails_whose_links_a_visitor_could_choose_are_an_error(settings):
    settings.BASE_URL, settings.ALLOWED_HOSTS = "", ["*"]
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    assert [message.id for message in checks.mails_lead_to_an_own_address(None)] == ["ringside.E002"]
    settings.ALLOWED_HOSTS = ["ringside.example"]
    assert checks.mails_lead_to_an_own_address(None) == []
    settings.ALLOWED_HOSTS, settings.BASE_URL = ["*"], "https://ringside.example"
    assert checks.mails_lead_to_an_own_address(None) == []
