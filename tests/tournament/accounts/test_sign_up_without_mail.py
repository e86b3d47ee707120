"""Creation of accounts without email.

They are created on the machine itself, or with an invitation to a staff.
"""

from __future__ import annotations

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import User
from django.test import Client

from tests.everyday import each_case
from tests.scenarios.factories import make_event, make_user, organizer
from tests.scenarios.rollback import rolled_back
from tournament.access.models import Invitation
from tournament.events.models.event import Event
from tournament.staff import services as staff

pytestmark = pytest.mark.django_db

GOOD = {"name": "Jo Judge", "email": "jo@example.org", "password1": "seven wet boxing gloves"}
PHONE, LAPTOP = "192.168.1.77", "192.168.1.5"


@pytest.fixture
def phone() -> Client:
    """Someone in the venue's network."""
    return Client(REMOTE_ADDR=PHONE, SERVER_NAME=LAPTOP, HTTP_HOST="testserver")


@pytest.fixture
def event() -> Event:
    return make_event()


def behind(link: Invitation, **more: str) -> dict[str, str]:
    return {**GOOD, "next": f"/join/{link.token}/", **more}


def test_a_stranger_learns_from_no_answer_whether_an_address_has_an_account(phone: Client) -> None:
    make_user("olga@example.org")
    answers = [phone.post("/sign-up/", {**GOOD, "email": mail}) for mail in ("olga@example.org", "no@b.org")]
    assert [answer.status_code for answer in answers] == [403, 403]
    pages = [answer.content.decode() for answer in answers]
    assert "Accounts by invitation" in pages[0]
    assert "olga@example.org" not in pages[0]
    assert "<form" not in pages[0].split("<main")[1].split("</main")[0]
    assert User.objects.count() == 1


def test_page_tells_a_stranger_how_to_get_an_account(phone: Client) -> None:
    page = phone.get("/sign-up/").content.decode()
    assert "ask the organizer for an invitation link" in page
    assert 'name="password1"' not in page


@pytest.mark.parametrize("address", ["127.0.0.1", "::1", LAPTOP])
def test_who_sits_at_the_machine_opens_accounts_by_any_of_its_names(address: str) -> None:
    client = Client(REMOTE_ADDR=address, SERVER_NAME=LAPTOP, HTTP_HOST="testserver")
    assert client.post("/sign-up/", GOOD)["Location"] == "/console/"
    assert User.objects.get().username == "jo@example.org"


@each_case("header", ["X_FORWARDED_FOR", "FORWARDED", "X_REAL_IP", "VIA"], around=rolled_back)
def test_a_proxy_on_the_machine_does_not_count_as_a_local_user(header: str) -> None:
    client = Client(REMOTE_ADDR="127.0.0.1", **{f"HTTP_{header}": PHONE})
    assert client.post("/sign-up/", GOOD).status_code == 403


@pytest.mark.parametrize(
    ("forwarded_address", "status"), [(PHONE, 403), ("127.0.0.1", 302), ("no address", 403)]
)
def test_behind_a_proxy_the_address_that_it_sends_counts(
    settings: object, forwarded_address: str, status: int
) -> None:
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    client = Client(REMOTE_ADDR="127.0.0.1", HTTP_X_FORWARDED_FOR=forwarded_address)
    assert client.post("/sign-up/", GOOD).status_code == status


def test_invited_person_creates_an_account_on_a_phone_and_joins(phone: Client, event: Event) -> None:
    link = staff.create_invitation(event, organizer(), kind="judge")
    assert 'name="password1"' in phone.get(f"/sign-up/?next=/join/{link.token}/").content.decode()
    answer = phone.post("/sign-up/", behind(link))
    assert answer["Location"] == f"/join/{link.token}/"
    assert EmailAddress.objects.filter(email="jo@example.org").values_list("verified", "primary").get() == (
        True,
        True,
    )
    assert phone.post(answer["Location"])["Location"] == f"/console/{event.slug}/"


def test_a_link_that_is_revoked_or_used_up_opens_no_account(phone: Client, event: Event) -> None:
    revoked_invitation, accepted_invitation = (
        staff.create_invitation(event, organizer(), kind="judge") for _ in range(2)
    )
    staff.revoke_invitation(revoked_invitation, organizer())
    staff.join_staff(accepted_invitation, make_user("first@example.org"))
    for link in (revoked_invitation, accepted_invitation):
        assert phone.post("/sign-up/", behind(link)).status_code == 403
    assert not User.objects.filter(username="jo@example.org").exists()


@pytest.mark.parametrize("then", ["/console/", "/join/none/", "//evil.example/join/x/", "nonsense", "\x00"])
def test_no_other_page_opens_an_account(phone: Client, then: str) -> None:
    assert phone.post("/sign-up/", {**GOOD, "next": then}).status_code == 403


def test_one_invitation_asks_for_five_addresses_an_hour(phone: Client, event: Event) -> None:
    make_user("known@example.org")
    link = staff.create_invitation(event, organizer(), kind="judge")
    tries = [phone.post("/sign-up/", behind(link, email="known@example.org")) for _ in range(6)]
    assert [list(answer.context["form"].errors) for answer in tries] == [["email"]] * 5 + [["__all__"]]
    assert tries[-1].status_code == 429
