"""The staff of an event.

People join by a link, get other roles and leave. An event is never without an owner.
"""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from decks.shared.refusals import Refused
from tests.scenarios.factories import make_event, make_user, organizer, sign_in_organizer
from tests.scenarios.log_words import words_of
from tournament.access.models import Invitation
from tournament.access.permissions import Actor
from tournament.events.models.event import Event, StaffRole
from tournament.log.models import LogEntry
from tournament.log.services import undo_step
from tournament.staff import services as staff

pytestmark = pytest.mark.django_db


def roles(event: Event) -> dict[str, str]:
    return dict(event.staff.order_by("pk").values_list("user__username", "kind"))


def test_visitor_without_an_account_creates_one_and_returns_to_the_invitation(client: Client) -> None:
    event = make_event()
    link = staff.create_invitation(event, organizer(), kind="judge")
    page = client.get(f"/join/{link.token}/").content.decode()
    assert f"/sign-up/?next=/join/{link.token}/" in page
    answer = client.post(
        "/sign-up/",
        {"name": "Jo Judge", "email": "jo@example.org", "password1": "seven wet boxing gloves",
         "next": f"/join/{link.token}/"},
    )  # fmt: skip
    assert answer["Location"] == f"/join/{link.token}/"
    assert client.post(answer["Location"])["Location"] == f"/console/{event.slug}/"
    assert roles(event) == {"olga@example.org": "owner", "jo@example.org": "judge"}
    assert words_of(LogEntry.objects.first()) == "Jo Judge joined the staff as a judge."


def test_link_for_one_person_lets_one_person_in() -> None:
    event = make_event()
    link = staff.create_invitation(event, organizer(), kind="scorekeeper")
    staff.join_staff(link, make_user("first@example.org"))
    with pytest.raises(Refused) as excinfo:
        staff.join_staff(link, make_user("second@example.org"))
    assert excinfo.value.code == "invitation_over"
    assert sorted(roles(event).values()) == ["owner", "scorekeeper"]


def test_joining_twice_uses_the_link_once() -> None:
    event = make_event()
    link = staff.create_invitation(event, organizer(), kind="judge", uses=2)
    person = make_user("jo@example.org")
    assert staff.join_staff(link, person).pk == staff.join_staff(link, person).pk
    link.refresh_from_db()
    assert link.used == 1


@pytest.mark.parametrize("how", ["revoked", "over", "unknown"])
def test_link_that_leads_nowhere_says_so(client: Client, how: str) -> None:
    link = staff.create_invitation(make_event(), organizer(), kind="judge")
    token = link.token
    if how == "revoked":
        staff.revoke_invitation(link, organizer())
    elif how == "over":
        Invitation.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    else:
        token = "no-such-link"
    client.force_login(make_user("jo@example.org"))
    for answer in (client.get(f"/join/{token}/"), client.post(f"/join/{token}/")):
        assert answer.status_code == 404
        assert answer.templates[0].name == "tournament/staff/join_over.html"
    assert StaffRole.objects.count() == 1


def test_a_link_revoked_while_its_page_is_open_adds_no_staff(client: Client) -> None:
    event = make_event()
    link = staff.create_invitation(event, organizer(), kind="judge")
    client.force_login(make_user("jo@example.org"))
    assert client.get(f"/join/{link.token}/").status_code == 200
    staff.revoke_invitation(link, organizer())
    assert client.post(f"/join/{link.token}/").status_code == 404
    assert client.get(f"/console/{event.slug}/").status_code == 403
    assert StaffRole.objects.filter(event=event).count() == 1


def test_a_role_taken_away_in_the_middle_of_a_session_ends_with_the_next_press(client: Client) -> None:
    event = make_event()
    role = staff.join_staff(
        staff.create_invitation(event, organizer(), kind="judge"), make_user("jo@example.org")
    )
    client.force_login(role.user)
    assert client.get(f"/console/{event.slug}/").status_code == 200
    staff.remove_from_staff(role, organizer())
    for answer in (client.get(f"/console/{event.slug}/"), client.post(f"/console/{event.slug}/clock/start/")):
        assert answer.status_code == 403


def test_the_only_owner_can_neither_leave_nor_step_down() -> None:
    event = make_event()
    own = event.staff.get()
    for act in (
        lambda: staff.remove_from_staff(own, organizer()),
        lambda: staff.change_role(own, organizer(), "judge"),
    ):
        with pytest.raises(Refused) as excinfo:
            act()
        assert excinfo.value.code == "owner_needed"
    assert roles(event) == {"olga@example.org": "owner"}


@pytest.mark.both_databases
def test_event_handed_over_has_one_owner_and_keeps_the_former_one() -> None:
    event = make_event()
    heir = staff.join_staff(
        staff.create_invitation(event, organizer(), kind="judge"), make_user("jo@example.org")
    )
    staff.transfer_ownership(heir, organizer())
    assert roles(event) == {"olga@example.org": "organizer", "jo@example.org": "owner"}


def test_undoing_a_hand_over_never_leaves_the_event_without_an_owner() -> None:
    event = make_event()
    heir = staff.join_staff(
        staff.create_invitation(event, organizer(), kind="judge"), make_user("jo@example.org")
    )
    staff.transfer_ownership(heir, organizer())
    undo_step(LogEntry.objects.get(event=event, action="handed_over"), organizer())
    assert roles(event) == {"olga@example.org": "owner", "jo@example.org": "judge"}


def signed_in(event: Event, kind: str) -> Client:
    client = Client()
    user = make_user(f"{kind}@example.org")
    StaffRole.objects.create(event=event, user=user, kind=kind)
    client.force_login(user)
    return client


def test_co_organizer_appoints_judges_but_neither_organizers_nor_owners() -> None:
    event = make_event()
    client = signed_in(event, "organizer")
    judge = StaffRole.objects.create(event=event, user=make_user("jo@example.org"), kind="judge")
    address = f"/console/{event.slug}/staff/"
    assert client.post(address, {"kind": "organizer", "uses": 1, "days": 7}).status_code == 200
    assert client.post(address, {"kind": "judge", "uses": 1, "days": 7}).status_code == 302
    assert list(event.invitations.values_list("kind", flat=True)) == ["judge"]
    change = f"{address}{judge.pk}"
    assert client.post(f"{change}/role/", {"kind": "owner"}).status_code == 403
    assert client.post(f"{change}/hand-over/").status_code == 403
    assert client.post(f"{change}/role/", {"kind": "scorekeeper"}).status_code == 302
    owner = event.staff.get(kind="owner")
    assert client.post(f"{address}{owner.pk}/remove/").status_code == 403
    assert roles(event) == {
        "olga@example.org": "owner", "organizer@example.org": "organizer", "jo@example.org": "scorekeeper",
    }  # fmt: skip


@pytest.mark.both_databases
def test_judge_can_leave_and_is_out() -> None:
    event = make_event()
    client = signed_in(event, "judge")
    own = event.staff.get(kind="judge")
    answer = client.post(f"/console/{event.slug}/staff/{own.pk}/remove/")
    assert answer["Location"] == "/console/"
    assert client.get(f"/console/{event.slug}/").status_code == 403


def test_scorekeeper_cannot_undo_what_only_owners_may_do() -> None:
    event = make_event()
    client = signed_in(event, "scorekeeper")
    person = make_user("jo@example.org")
    staff.join_staff(staff.create_invitation(event, organizer(), kind="judge"), person)
    joined_entry = LogEntry.objects.get(event=event, action="staff_joined")
    page = client.get(f"/console/{event.slug}/log/{joined_entry.pk}/undo/")
    assert len(page.context["beyond"]) == 1
    assert 'name="seen"' not in page.content.decode()
    assert client.post(f"/console/{event.slug}/log/{joined_entry.pk}/undo/", {"seen": ""}).status_code == 403


def test_wrong_invitations_are_refused_with_every_reason() -> None:
    with pytest.raises(Refused) as excinfo:
        staff.create_invitation(make_event(), organizer(), kind="owner", uses=0, days=1000)
    codes = ["role_unknown", "uses_out_of_range", "days_out_of_range"]
    assert [problem.code for problem in excinfo.value.problems] == codes


@pytest.mark.both_databases
def test_staff_page_lists_open_links_and_revokes_them(client: Client) -> None:
    event = make_event()
    sign_in_organizer(client)
    link = staff.create_invitation(event, organizer(), kind="judge", note="for Jo")
    assert f"/join/{link.token}/" in client.get(f"/console/{event.slug}/staff/").content.decode()
    client.post(f"/console/{event.slug}/invitations/{link.pk}/revoke/")
    assert f"/join/{link.token}/" not in client.get(f"/console/{event.slug}/staff/").content.decode()


def test_log_never_shows_the_link_of_an_invitation() -> None:
    event = make_event()
    link = staff.create_invitation(event, Actor.of_user(organizer().user), kind="judge")
    assert link.token not in str(list(LogEntry.objects.values("params", "changes")))
