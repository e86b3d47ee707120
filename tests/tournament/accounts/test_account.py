"""Places where people are signed in, passwords, and private links.

Tests cover forgotten passwords, private links that are replaced, and too many tries.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest
from allauth.usersessions.models import UserSession
from django.contrib.auth.models import User
from django.core import mail
from django.test import Client

from decks.shared.refusals import Refused
from tests.scenarios.factories import make_event, make_user, organizer, sign_in_organizer
from tests.scenarios.log_words import words_of
from tests.scenarios.sentences import PASSWORD_CHANGED
from tournament.access.permissions import Actor
from tournament.events.models.player import Player
from tournament.log.models import LogEntry
from tournament.log.undo_plan import plan_undo
from tournament.registration import services as registration
from tournament.registration.services import contact as links

pytestmark = pytest.mark.django_db
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
PASSWORD = "correct horse"


def browser(agent: str = FIREFOX) -> Client:
    """Return a browser in which Olga is signed in."""
    client = Client(headers={"user-agent": agent})
    answer = client.post("/sign-in/", {"login": "olga@example.org", "password": PASSWORD})
    assert answer.status_code == 302
    return client


def is_in(client: Client) -> bool:
    return client.get("/console/").status_code == 200


def test_browsers_are_listed_by_what_they_say_they_are() -> None:
    make_user()
    browser("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari/604.1")
    here = browser()
    page = here.get("/account/").content.decode()
    names = re.findall('<strong translate="no" dir="auto">(.*?)</strong>', page)
    assert names == ["Firefox on Linux", "Safari on iPhone"]
    assert page.count(">This device<") == 1


def test_one_browser_signed_out_from_another() -> None:
    make_user()
    lost_device, here = browser(), browser()
    device = UserSession.objects.order_by("pk").first()
    here.post(f"/account/sign-out/{device.pk}/")
    assert (is_in(lost_device), is_in(here)) == (False, True)


def test_signing_out_everywhere_keeps_this_browser() -> None:
    make_user()
    others, here = [browser() for _ in range(3)], browser()
    here.post("/account/")
    assert [is_in(other) for other in others] == [False] * 3
    assert is_in(here)
    assert UserSession.objects.count() == 1


def test_an_account_cannot_sign_out_the_browser_of_another() -> None:
    make_user()
    here = browser()
    stranger = Client()
    stranger.force_login(make_user("eve@example.org"))
    stranger.post(f"/account/sign-out/{UserSession.objects.get(user__username='olga@example.org').pk}/")
    assert is_in(here)


def test_new_password_signs_every_other_browser_out() -> None:
    make_user()
    other, here = browser(), browser()
    new = "seven wet boxing gloves"
    answer = here.post("/account/password/", {"oldpassword": PASSWORD, "password1": new, "password2": new})
    assert answer["Location"] == "/account/"
    assert (is_in(other), is_in(here)) == (False, True)
    assert [name for _, name in here.get("/account/").context["devices"]] == ["Firefox on Linux"]


def test_email_tells_that_the_password_was_changed(settings: object) -> None:
    settings.ACCOUNT_EMAIL_NOTIFICATIONS = True
    settings.BASE_URL = "https://ringside.example"
    make_user()
    new = "seven wet boxing gloves"
    browser().post("/account/password/", {"oldpassword": PASSWORD, "password1": new, "password2": new})
    (message,) = mail.outbox
    assert message.to == ["olga@example.org"]
    assert PASSWORD_CHANGED in message.body
    assert "Firefox on Linux, 127.0.0.1" in message.body
    assert "https://ringside.example/password/" in message.body


def test_forgotten_password_is_set_by_the_link_of_a_mail() -> None:
    make_user()
    lost_device = browser()
    client = Client()
    assert client.post("/password/", {"email": "olga@example.org"})["Location"] == "/password/sent/"
    link = re.search(r"http\S+(/password/\S+)", mail.outbox[0].body)
    assert link is not None
    form = client.get(link[1], follow=True)
    new = "seven wet boxing gloves"
    client.post(form.request["PATH_INFO"], {"password1": new, "password2": new})
    assert User.objects.get().check_password(new)
    assert (is_in(lost_device), is_in(client)) == (False, True)


def test_email_replaced_in_the_administration_neither_signs_in_nor_gets_links() -> None:
    make_user()
    admin = Client()
    admin.force_login(User.objects.create_superuser("root@example.org", "root@example.org", PASSWORD))
    olga = User.objects.get(username="olga@example.org")
    values = {"username": "new@example.org", "email": "New@example.org", "is_active": "on"}
    values |= {"date_joined_0": "2026-01-01", "date_joined_1": "10:00:00"}
    assert admin.post(f"/admin/auth/user/{olga.pk}/change/", values).status_code == 302
    for email, signs_in in (("olga@example.org", 200), ("new@example.org", 302)):
        answer = Client().post("/sign-in/", {"login": email, "password": PASSWORD})
        assert answer.status_code == signs_in
        Client().post("/password/", {"email": email})
    links = [message.to for message in mail.outbox if "/password/" in message.body]
    assert links == [["new@example.org"]]


@pytest.mark.parametrize(
    "path", ["/password/MQ/c0ffee-0123456789abcdef/", "/password/1/nonsense/", "/password/x/-/"]
)
def test_link_that_is_too_old_or_cut_off_says_so_and_leads_on(path: str) -> None:
    make_user()
    answer = Client().get(path, follow=True)
    assert answer.context["token_fail"]
    assert 'href="/password/"' in answer.content.decode()


def test_answer_is_the_same_whether_there_is_an_account_or_not() -> None:
    make_user()
    known_answer = Client().post("/password/", {"email": "olga@example.org"})
    unknown = Client().post("/password/", {"email": "nobody@example.org"})
    assert (known_answer.status_code, known_answer["Location"]) == (unknown.status_code, unknown["Location"])
    # Both take as long as an email takes.
    assert [(message.to, "no account" in message.body) for message in mail.outbox] == [
        (["olga@example.org"], False),
        (["nobody@example.org"], True),
    ]


def test_without_a_mail_server_the_page_says_how_the_administrator_does_it(settings: object) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
    page = Client().get("/password/").content.decode()
    assert "manage.py changepassword" in page
    assert Client().post("/password/", {"email": "olga@example.org"}).status_code == 200


def test_registration_stops_where_one_address_sends_more_than_a_hall(settings: object) -> None:
    settings.ACCOUNT_RATE_LIMITS = {**settings.ACCOUNT_RATE_LIMITS, "register": "2/10m/ip"}
    event = make_event()
    codes = [
        Client()
        .post(f"/e/{event.slug}/register/", {"name": f"P{n}", "email": f"p{n}@example.org"})
        .status_code
        for n in range(3)
    ]
    assert codes == [302, 302, 422]
    assert event.players.count() == 2


def register_player() -> Player:
    return registration.register(make_event(), name="Ann", email="ann@example.org")


def test_player_makes_a_new_link_and_the_old_one_says_so(client: Client) -> None:
    player = register_player()
    old = player.token
    answer = client.post(f"/p/{old}/new-link/")
    player.refresh_from_db()
    assert (answer["Location"], player.token != old) == (f"/p/{player.token}/", True)
    old_page = client.get(f"/p/{old}/")
    assert old_page.status_code == 404
    assert old_page.templates[0].name == "tournament/web/replaced.html"
    entry = LogEntry.objects.first()
    assert words_of(entry) == "Ann created a new private link for Ann."
    assert old not in str(entry.changes)


def test_staff_makes_a_new_link_and_no_undo_brings_the_old_one_back() -> None:
    player = register_player()
    links.renew_private_link(player, organizer())
    with pytest.raises(Refused) as excinfo:
        plan_undo(player.event, LogEntry.objects.first())
    assert excinfo.value.code == "nothing_to_take_back"


def test_private_link_goes_out_by_mail(settings: object) -> None:
    settings.BASE_URL = "https://ringside.example"
    player = register_player()
    links.send_private_link(player, organizer())
    private_link_email = links.build_private_link_email(player)
    assert private_link_email.to == ["ann@example.org"]
    assert f"https://ringside.example/p/{player.token}/" in private_link_email.body
    assert LogEntry.objects.first().action == "link_sent"


def test_private_link_is_not_sent_where_no_mail_leaves(settings: object) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
    with pytest.raises(Refused) as excinfo:
        links.send_private_link(register_player(), Actor(label="Olga"))
    assert excinfo.value.code == "no_mail_server"


SEEN = datetime(2026, 11, 22, 6, 30, tzinfo=UTC)


def show_device(client: Client) -> None:
    """Show the browser as a device that signed in and was seen then."""
    UserSession.objects.create(
        user=organizer().user,
        session_key=client.session.session_key,
        ip="192.0.2.1",
        created_at=SEEN,
        last_seen_at=SEEN,
    )


def times_on(page: str) -> list[str]:
    return re.findall(r"<time[^>]*>(.*?)</time>", page)


def test_the_account_tells_times_in_the_zone_of_ones_last_event() -> None:
    client = Client()
    make_event(time_zone="America/New_York")
    sign_in_organizer(client)
    show_device(client)
    page = client.get("/account/").content.decode()
    assert "Sun 22 Nov 2026, 01:30 (EST)" in times_on(page)


def test_before_the_first_event_the_device_tells_times_in_its_own_zone() -> None:
    client = Client()
    client.force_login(make_user())
    show_device(client)
    page = client.get("/account/").content.decode()
    text = "Sun 22 Nov 2026, 06:30 (UTC)"
    assert f'<time datetime="2026-11-22T06:30:00+00:00" data-time-here>{text}</time>' in page
