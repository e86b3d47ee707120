"""Limits of password guesses on every page.

A stranger cannot lock out a known device.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from allauth.account.adapter import get_adapter
from allauth.core import context
from allauth.mfa.models import Authenticator
from django.contrib.auth.hashers import MD5PasswordHasher
from django.contrib.auth.models import User
from django.core.cache import cache
from django.db import connection
from django.test import Client, RequestFactory

from config.env import accounts
from tests.everyday import each_case
from tests.scenarios.factories import make_user
from tests.scenarios.rollback import rolled_back
from tests.style.sources import CLONE
from tests.tournament.access.rights_table import TABLE
from tournament.accounts import known_devices

PASSWORD = "correct horse"
NEW = "seven wet boxing gloves"
HOME, ELSEWHERE = "192.0.2.7", "198.51.100.9"

pytestmark = pytest.mark.django_db


def sign_in(client: Client, password: str = PASSWORD, login: str = "olga@example.org") -> int:
    return client.post("/sign-in/", {"login": login, "password": password}).status_code


def stranger(address: str = ELSEWHERE, **headers: str) -> Client:
    return Client(REMOTE_ADDR=address, **headers)


def attack(tries: int = 12, **credentials: str) -> list[int]:
    """Try wrong passwords for Olga's account as a stranger from elsewhere."""
    return [sign_in(stranger(), "wrong", **credentials) for _ in range(tries)]


def known_device() -> Client:
    """Return Olga's own device, after signing in and out on it."""
    client = stranger(HOME)
    assert sign_in(client) == 302
    client.post("/sign-out/")
    return client


# ── Every door ───────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.both_databases
def test_eleventh_wrong_password_for_one_account_has_to_wait_even_if_it_is_right() -> None:
    make_user()
    assert attack(11, login="OLGA@example.org") == [200] * 10 + [429]
    assert sign_in(stranger()) == 429
    make_user("other@example.org")
    assert sign_in(stranger(), login="other@example.org") == 302


@pytest.mark.both_databases
def test_accounts_that_do_not_exist_are_counted_alike() -> None:
    assert attack(11) == [200] * 10 + [429]


def test_right_password_is_not_counted_and_forgets_no_wrong_one() -> None:
    make_user()
    attack(9)
    assert sign_in(stranger(HOME)) == 302
    assert attack(2) == [200, 429]


def test_hundred_wrong_passwords_from_one_network_address_stop_it_for_all_but_known_devices() -> None:
    make_user()
    judge = known_device()
    assert [sign_in(stranger(HOME), "x", f"p{n}@example.org") for n in range(101)] == [200] * 100 + [429]
    assert sign_in(stranger(), "x", "p200@example.org") == 200
    assert sign_in(judge) == 302


HEADERS = {
    "HTTP_X_FORWARDED_FOR": "203.0.113.{n}",
    "HTTP_FORWARDED": "for=203.0.113.{n}",
    "HTTP_X_REAL_IP": "203.0.113.{n}",
    "HTTP_HOST": "testserver:{n}",
    "HTTP_USER_AGENT": "Browser {n}",
    "HTTP_COOKIE": "known_device=made-up-{n}",
}
EACH_ALONE = pytest.mark.whole("a client that changes all headers at once")


@pytest.mark.parametrize(
    "headers",
    [
        pytest.param(HEADERS, id="all"),
        *(pytest.param({name: value}, id=name, marks=EACH_ALONE) for name, value in HEADERS.items()),
    ],
)
def test_no_header_of_a_client_gives_it_more_tries(headers: dict[str, str]) -> None:
    make_user()
    answers = [
        sign_in(stranger(**{name: value.format(n=100 + n) for name, value in headers.items()}), "wrong")
        for n in range(11)
    ]
    assert answers == [200] * 10 + [429]


@pytest.mark.parametrize(
    ("forwarded_address", "expected_result"),
    [("203.0.113.1", "203.0.113.1"), ("6.6.6.6, 203.0.113.1", "203.0.113.1"), ("", ELSEWHERE)],
)
def test_behind_a_proxy_the_address_that_the_proxy_saw_counts(
    settings: object, forwarded_address: str, expected_result: str
) -> None:
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    request = RequestFactory(REMOTE_ADDR=ELSEWHERE, HTTP_X_FORWARDED_FOR=forwarded_address).get("/")
    assert get_adapter().get_client_ip(request) == expected_result


@pytest.mark.parametrize(
    ("address", "expected_result"),
    [
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8::1", "2001:db8::1"),
        ("192.0.2.7", "192.0.2.7"),
    ],
)
def test_devices_of_one_venue_are_told_apart_in_either_notation(address: str, expected_result: str) -> None:
    assert get_adapter().get_client_ip(RequestFactory(REMOTE_ADDR=address).get("/")) == expected_result


def test_request_from_an_unknown_address_is_refused() -> None:
    assert sign_in(stranger("")) == 403


PASSWORD_PAGES = {"/sign-in/", "/sign-up/", "/password/MQ/set-password/"}
STAFF_PAGES = {"/account/password/", "/account/confirm/", "/admin/auth/user/add/"}


def test_no_other_page_asks_for_a_password() -> None:
    client = Client()
    client.force_login(make_user(is_staff=True, is_superuser=True))
    addresses = [f"/{route}" for route in (*TABLE, "admin/", "admin/login/", "admin/auth/user/add/")]
    found_addresses = {
        address
        for address in addresses
        if "<" not in address and address != "/api/schema/"
        for visitor in (Client(), client)
        if b'type="password"' in visitor.get(address).content
    }
    assert found_addresses <= PASSWORD_PAGES | STAFF_PAGES


OWN_DOORS = re.compile(
    r"contrib\.auth import .*\b(authenticate|login)\b|\bcheck_password\(|AuthenticationForm"
)


@pytest.mark.parametrize("package", ["config", "decks", "tournament"])
def test_no_code_of_ours_reads_a_password(package: str) -> None:
    files = (CLONE / package).rglob("*.py")
    assert [file.name for file in files if OWN_DOORS.search(file.read_text("utf-8"))] == []


def test_api_knows_sessions_alone(settings: object) -> None:
    assert settings.REST_FRAMEWORK["DEFAULT_AUTHENTICATION_CLASSES"] == [
        "rest_framework.authentication.SessionAuthentication"
    ]


def administration(client: Client) -> int:
    """Sign in to the administration with the values of its form; return the status."""
    answer = client.post("/admin/login/?next=/admin/", {"username": "olga@example.org", "password": PASSWORD})
    assert "_auth_user_id" not in client.session
    return answer.status_code


def test_administration_has_no_door_of_its_own() -> None:
    make_user(is_staff=True, is_superuser=True)
    assert administration(stranger()) == 403
    answer = stranger().get("/admin/")
    assert answer["Location"] == "/admin/login/?next=/admin/"
    assert stranger().get(answer["Location"])["Location"] == "/sign-in/?next=%2Fadmin%2F"
    client = stranger()
    answer = client.post("/sign-in/?next=/admin/", {"login": "olga@example.org", "password": PASSWORD})
    assert (answer["Location"], client.get("/admin/").status_code) == ("/admin/", 200)


def test_administration_is_closed_to_accounts_that_are_not_its_staff() -> None:
    client = Client()
    client.force_login(make_user())
    assert client.get("/admin/login/?next=/admin/").status_code == 403


def change_password(client: Client, password: str) -> int:
    values = {"oldpassword": password, "password1": NEW, "password2": NEW}
    return client.post("/account/password/", values).status_code


def change_password_in_administration(client: Client, password: str) -> int:
    values = {"old_password": password, "new_password1": NEW, "new_password2": NEW}
    answer = client.post("/admin/password_change/", values)
    assert answer["Location"] == "/account/password/"
    return change_password(client, password)


def confirm(client: Client, password: str) -> int:
    return client.post("/account/confirm/?next=/account/protection/", {"password": password}).status_code


@pytest.mark.parametrize("door", [change_password, change_password_in_administration, confirm])
def test_open_browser_of_another_is_no_way_to_guess_the_password(door: Callable[[Client, str], int]) -> None:
    client = Client()
    client.force_login(make_user(is_staff=True))
    assert [door(client, "wrong") for _ in range(11)][-1] == 429
    assert door(client, PASSWORD) == 429
    assert User.objects.get().check_password(PASSWORD)


def test_api_takes_no_password() -> None:
    make_user()
    answer = Client().post(
        "/api/events/",
        {},
        "application/json",
        headers={"authorization": "Basic b2xnYUBleGFtcGxlLm9yZzpjb3JyZWN0IGhvcnNl"},
    )
    assert answer.status_code == 403


@pytest.mark.both_databases
def test_cache_keeps_no_email_and_no_password() -> None:
    make_user()
    attack(3)
    with connection.cursor() as cursor:
        cursor.execute("SELECT cache_key, value FROM ringside_cache")
        rows = str(cursor.fetchall())
    assert "login_failed" in rows
    assert [secret for secret in ("olga", "wrong") if secret in rows] == []


# ── Known devices ────────────────────────────────────────────────────────────────────────────────────────


def test_known_device_signs_in_during_an_attack() -> None:
    make_user()
    judge = known_device()
    assert attack()[-1] == 429
    assert sign_in(stranger(HOME)) == 429
    assert sign_in(judge) == 302


def test_known_device_has_a_limit_of_its_own() -> None:
    make_user()
    device = known_device()
    assert [sign_in(device, "wrong") for _ in range(11)] == [200] * 10 + [429]
    assert sign_in(device) == 429
    assert sign_in(stranger(HOME)) == 302


def test_device_is_known_to_the_accounts_that_signed_in_there_alone() -> None:
    make_user()
    make_user("eve@example.org")
    eve = stranger()
    assert sign_in(eve, login="eve@example.org") == 302
    eve.post("/sign-out/")
    attack()
    assert sign_in(eve) == 429
    assert sign_in(eve, login="eve@example.org") == 302


def test_device_knows_five_accounts_and_forgets_the_oldest() -> None:
    device = Client()
    names = [f"p{n}@example.org" for n in range(6)]
    for name in names:
        make_user(name)
        assert sign_in(device, login=name) == 302
        device.post("/sign-out/")
    request = RequestFactory().get("/")
    request.COOKIES[known_devices.COOKIE] = device.cookies[known_devices.COOKIE].value
    assert [known_devices.get_limit_key(request, name) is not None for name in names] == [False] + [True] * 5


def test_wrong_password_makes_no_device_known() -> None:
    make_user()
    device = Client()
    sign_in(device, "wrong")
    assert known_devices.COOKIE not in device.cookies


def test_cookie_of_a_known_device_is_out_of_reach_of_scripts() -> None:
    make_user()
    cookie = known_device().cookies[known_devices.COOKIE]
    assert (cookie["httponly"], cookie["samesite"], cookie["max-age"]) == (True, "Lax", 365 * 86400)
    assert "olga" not in cookie.value


def test_new_password_keeps_the_device_known_that_set_it_and_no_other() -> None:
    make_user()
    other, here = known_device(), known_device()
    sign_in(here)
    change_password(here, PASSWORD)
    here.post("/sign-out/")
    attack()
    assert (sign_in(other, NEW), sign_in(here, NEW)) == (429, 302)


@pytest.mark.both_databases
@pytest.mark.parametrize("counted_in", ["database", "redis"])
@pytest.mark.django_db(transaction=True)
def test_limit_holds_for_tries_at_the_same_moment(
    settings: object, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest, counted_in: str
) -> None:
    if counted_in == "redis":
        url = request.getfixturevalue("redis_url").replace("redis+socket://", "unix://")
        backend = "django.core.cache.backends.redis.RedisCache"
        settings.CACHES = {"default": {"BACKEND": backend, "LOCATION": url}}
    cache.clear()
    make_user()
    read_moments = []
    monkeypatch.setattr(User, "check_password", lambda *_: read_moments.append(1) and False)

    def try_once(number: int) -> int:
        try:
            return sign_in(stranger(f"203.0.113.{number}"), "wrong")
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(try_once, range(40)))
    assert 0 < len(read_moments) <= 10
    assert set(answers) <= {200, 429}
    cache.clear()


@pytest.mark.both_databases
def test_default_installation_counts_in_the_database_that_all_processes_share(settings: object) -> None:
    assert settings.CACHES["default"]["BACKEND"] == "django.core.cache.backends.db.DatabaseCache"
    with context.request_context(RequestFactory().get("/")):
        attack(1)
    with connection.cursor() as cursor:
        cursor.execute("SELECT COUNT(*) FROM ringside_cache")
        assert cursor.fetchone()[0] >= 2


# ── What takes how long ──────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def read_passwords(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every hashed password, which is the slow part."""
    password_hash: list[str] = []
    encode = MD5PasswordHasher.encode
    monkeypatch.setattr(
        MD5PasswordHasher,
        "encode",
        lambda *args, **hasher_name: password_hash.append("one") or encode(*args, **hasher_name),
    )
    return password_hash


@pytest.mark.parametrize(
    "login", ["olga@example.org", "nobody@example.org", "keeper", "nobody", "closed@example.org"]
)
def test_wrong_password_takes_as_long_whether_there_is_an_account_or_not(
    read_passwords: list[str], login: str
) -> None:
    make_user()
    make_user("closed@example.org", is_active=False)
    User.objects.create_user("keeper", "keeper@example.org", PASSWORD)
    read_passwords.clear()
    assert sign_in(stranger(), "wrong", login) == 200
    assert len(read_passwords) == 1


@pytest.mark.parametrize("is_known", [True, False])
def test_new_account_takes_as_long_whether_there_is_one_already(
    settings: object, read_passwords: list[str], is_known: bool
) -> None:
    for name, value in accounts.settings(verifies_email=True, behind_proxy=False).items():
        setattr(settings, name, value)
    if is_known:
        make_user()
    read_passwords.clear()
    client = Client()
    client.post("/sign-up/", {"name": "Olga", "email": "olga@example.org", "password1": NEW})
    assert len(read_passwords) == 1


def test_closed_account_says_so_after_the_right_password_alone() -> None:
    make_user(is_active=False)
    assert sign_in(Client(), "wrong") == 200
    answer = Client().post("/sign-in/", {"login": "olga@example.org", "password": PASSWORD})
    assert answer["Location"] == "/account/closed/"


def test_wrong_logins_of_any_shape_are_refused_in_words() -> None:
    for login in ("\0", "a" * 10_000, "@", " ", "💥", "olga@example.org\0"):
        assert sign_in(Client(), "wrong", login) in (200, 429)


CREDENTIALS = [
    "", "nonsense", "null", "1", "[]", "{}", '"x"', '{"id": 1}', '{"response": null}', '{"response": []}',
    '{"id": "AA", "rawId": "AA", "type": "public-key", "response": {"userHandle": null}}',
    '{"id": "AA", "rawId": "AA", "type": "public-key", "clientExtensionResults": {}, "response": '
    '{"clientDataJSON": "e30", "authenticatorData": "AA", "signature": "AA", "userHandle": "enp6eno"}}',
    '{"id": "AA", "rawId": "AA", "type": "public-key", "clientExtensionResults": {}, "response":'
    ' {"clientDataJSON": "e30", "attestationObject": "AA"}}',
]  # fmt: skip


@each_case("path", ["/sign-in/passkey/", "/account/protection/passkeys/add/"], around=rolled_back)
def test_passkey_of_any_shape_is_refused_in_words(path: str) -> None:
    client = Client()
    if path.startswith("/account/"):
        client.force_login(make_user())
        client.post("/account/confirm/?next=/account/", {"password": PASSWORD})
    for credential in CREDENTIALS:
        answer = client.get(path, headers={"accept": "application/json"})
        assert answer.status_code == 200
        answer = client.post(path, {"name": "x", "credential": credential})
        assert (credential, answer.status_code in (200, 302)) == (credential, True)
    assert not Authenticator.objects.exists()
