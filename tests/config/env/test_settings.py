"""The settings made from the environment, part by part."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from config.env import broker, database, mail, secret
from rules.library import GAMES_DIR
from tests.everyday import each_case

CLONE = Path(__file__).resolve().parents[3]
PAGE = CLONE / "docs" / "reference" / "environment.md"
DEFAULT = Path("/data/ringside.sqlite3")


def test_without_a_url_the_data_is_in_sqlite_set_up_for_many_writers():
    settings, problems = database.parse("", default=DEFAULT)
    assert problems == []
    assert settings == {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": "/data/ringside.sqlite3",
        "OPTIONS": {
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON;",
        },
        "CONN_MAX_AGE": 600,
    }


def test_a_postgresql_url_is_taken_apart():
    settings, problems = database.parse("postgresql://ada:p%40ss@db.example:5433/hall", default=DEFAULT)
    assert problems == []
    assert {name: settings[name] for name in ("ENGINE", "USER", "PASSWORD", "HOST", "PORT", "NAME")} == {
        "ENGINE": "django.db.backends.postgresql",
        "USER": "ada",
        "PASSWORD": "p@ss",
        "HOST": "db.example",
        "PORT": 5433,
        "NAME": "hall",
    }


def test_a_postgresql_socket_is_named_as_an_option():
    settings, problems = database.parse(
        "postgresql://ringside@/ringside?host=/run/postgresql", default=DEFAULT
    )
    assert (problems, settings["HOST"], settings["OPTIONS"]) == ([], "", {"host": "/run/postgresql"})


def test_a_pool_takes_the_place_of_kept_connections():
    settings, _ = database.parse("postgresql://h/n", default=DEFAULT, keep_seconds=60, pool=True)
    assert (settings["CONN_MAX_AGE"], settings["OPTIONS"]) == (0, {"pool": True})


@pytest.mark.parametrize(
    "url", ["nonsense", "mysql://h/n", "postgresql://h:port/n", "postgresql://h", "oracle://h/n"]
)
def test_a_database_url_that_cannot_be_used_is_told_with_the_shape_it_needs(url):
    settings, [problem] = database.parse(url, default=DEFAULT)
    assert settings == database.sqlite_settings(DEFAULT)
    assert problem.code == "database-url"
    assert problem.sentence.startswith("DATABASE_URL cannot be used: ")
    assert "postgresql://user:password@host:5432/name" in problem.fix


@each_case(
    ("url", "host", "port", "tls", "ssl"),
    [
        ("smtp://mail.example", "mail.example", 25, False, False),
        ("smtp+tls://ada:pw@mail.example", "mail.example", 587, True, False),
        ("smtps://mail.example", "mail.example", 465, False, True),
        ("smtp://mail.example:2525", "mail.example", 2525, False, False),
    ],
)
def test_mail_urls(url, host, port, tls, ssl):
    settings, problems = mail.parse(url, folder=Path("/data/mail"))
    assert problems == []
    assert (settings["EMAIL_HOST"], settings["EMAIL_PORT"]) == (host, port)
    assert (settings["EMAIL_USE_TLS"], settings["EMAIL_USE_SSL"]) == (tls, ssl)


@pytest.mark.parametrize("url", ["", "file:"])
def test_without_a_server_mails_are_kept(url):
    assert mail.parse(url, folder=Path("/data/mail")) == (
        {
            "EMAIL_BACKEND": "django.core.mail.backends.filebased.EmailBackend",
            "EMAIL_FILE_PATH": "/data/mail",
        },
        [],
    )


@pytest.mark.parametrize("url", ["pigeon://h", "smtp://", "smtp://h:many"])
def test_a_mail_url_that_cannot_be_used_is_told(url):
    _, [problem] = mail.parse(url, folder=Path("/data/mail"))
    assert problem.code == "email-url"


def test_without_a_broker_messages_travel_through_one_folder(tmp_path):
    settings, problems = broker.parse("", folder=tmp_path / "queue")
    options = settings["CELERY_BROKER_TRANSPORT_OPTIONS"]
    assert (problems, settings["CELERY_BROKER_URL"]) == ([], "filesystem://")
    assert options["data_folder_in"] == options["data_folder_out"] == str(tmp_path / "queue" / "messages")
    assert options["polling_interval"] == 0.1
    broker.make_folders(options)
    assert sorted(path.name for path in (tmp_path / "queue").iterdir()) == ["control", "messages"]


@pytest.mark.parametrize("url", ["redis://h:6379/0", "rediss://h/0", "redis+socket:///run/redis.sock"])
def test_redis_makes_messages_visible_again_after_fifteen_minutes(url):
    settings, problems = broker.parse(url, folder=Path("/data/queue"))
    assert (problems, settings["CELERY_BROKER_URL"]) == ([], url)
    assert settings["CELERY_BROKER_TRANSPORT_OPTIONS"]["visibility_timeout"] == 900


def test_rabbitmq_needs_no_options():
    settings, problems = broker.parse("amqp://h//", folder=Path("/data/queue"))
    assert (problems, settings["CELERY_BROKER_TRANSPORT_OPTIONS"]) == ([], {})


@pytest.mark.parametrize("url", ["sqla+sqlite:///x", "kafka://h", "localhost:6379"])
def test_an_unknown_broker_is_told(url):
    _, [problem] = broker.parse(url, folder=Path("/data/queue"))
    assert problem.code == "broker-url"


def test_the_key_is_made_once_for_its_owner_alone(tmp_path):
    first, problems = secret.read_or_make(tmp_path / "data")
    assert (problems, len(first) >= 50) == ([], True)
    assert (tmp_path / "data" / "secret-key").stat().st_mode & 0o777 == 0o600
    assert secret.read_or_make(tmp_path / "data") == (first, [])


def test_many_first_starts_at_once_read_one_key(tmp_path):
    gate, made_values = threading.Barrier(8), []

    def read():
        gate.wait()
        made_values.append(secret.read_or_make(tmp_path))

    threads = [threading.Thread(target=read) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(map(str, made_values))) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["secret-key"]


def test_a_key_that_is_too_short_is_not_used(tmp_path):
    (tmp_path / "secret-key").write_text("short")
    _, [problem] = secret.read_or_make(tmp_path)
    assert problem.sentence == (
        f"The signing key in {tmp_path / 'secret-key'} cannot be used: it is shorter than 50 characters."
    )


def test_a_folder_that_cannot_be_made_is_told(tmp_path):
    (tmp_path / "file").write_text("")
    _, [problem] = secret.read_or_make(tmp_path / "file" / "data")
    assert problem.code == "secret-key"


def test_all_faults_are_told_at_once_and_without_a_traceback(tmp_path):
    environment = {name: value for name, value in os.environ.items() if not name.startswith("RINGSIDE_")}
    wrong = {
        "RINGSIDE_DATA_DIR": str(tmp_path),
        "RINGSIDE_BASE_URL": "ringside.example",
        "RINGSIDE_LOG_FORMAT": "xml",
        "RINGSIDE_LOG_LEVEL": "LOUD",
        "RINGSIDE_SECRET_KEY": "short",
        "DATABASE_URL": "mysql://h/n",
        "EMAIL_URL": "pigeon://h",
        "CELERY_BROKER_URL": "kafka://h",
    }
    ran = subprocess.run(
        [sys.executable, "manage.py", "check"],
        cwd=CLONE,
        env={**environment, **wrong, "DJANGO_SETTINGS_MODULE": "config.settings"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.returncode, ran.stdout) == (2, "")
    assert re.findall(r"^  ([a-z-]+): ", ran.stderr, re.MULTILINE) == [
        "log-format",
        "log-level",
        "base-url",
        "secret-key",
        "database-url",
        "email-url",
        "broker-url",
    ]
    assert "Traceback" not in ran.stderr


def test_every_variable_that_the_settings_read_is_in_the_documentation_and_no_other():
    read_names = set(re.findall(r'env\.\w+\("(\w+)"', (CLONE / "config" / "settings.py").read_text()))
    documented = set(re.findall(r"^\| `(\w+)` \|", PAGE.read_text(), re.MULTILINE))
    assert documented == {*read_names, GAMES_DIR}


def test_every_check_is_in_the_documentation():
    matches = set(re.findall(r'id="(ringside\.\w+)"', (CLONE / "config" / "checks.py").read_text()))
    documented = set(re.findall(r"`(ringside\.[EW]\d+)`", PAGE.read_text()))
    assert documented == matches
