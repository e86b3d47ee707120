"""Staff by program.

They are invited, given other roles and taken off. A player's link is made again as well.
"""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from tests.scenarios.factories import add_players, make_event, make_user, sign_in_organizer
from tournament.access.models import Invitation
from tournament.events.models.event import Event, StaffRole

pytestmark = pytest.mark.django_db


@pytest.fixture
def event() -> Event:
    return make_event()


def as_role(event: Event, kind: str) -> Client:
    client = Client()
    if kind == "owner":
        sign_in_organizer(client)
    else:
        user = make_user(f"{kind}@example.org")
        StaffRole.objects.create(event=event, user=user, kind=kind)
        client.force_login(user)
    return client


def send(client: Client, event: Event, method: str, address: str, body: Any = None, expect: int = 200) -> Any:
    address = f"/api/events/{event.slug}/{address}"
    answer = getattr(client, method)(address, body or {}, content_type="application/json")
    assert answer.status_code == expect, answer.content
    return answer.json() if answer.content else None


def test_a_judge_is_invited_joins_and_is_listed(event: Event) -> None:
    owner = as_role(event, "owner")
    league_data = send(owner, event, "post", "invitations/", {"kind": "judge", "note": "for Jan"}, 201)
    jan = Client()
    jan.force_login(make_user("jan@example.org"))
    jan.post(league_data["link"].removeprefix("http://testserver"))
    staff = owner.get(f"/api/events/{event.slug}/staff/").json()
    assert sorted((row["name"], row["kind"]) for row in staff) == [
        ("jan@example.org", "judge"),
        ("olga@example.org", "owner"),
    ]
    assert owner.get(f"/api/events/{event.slug}/invitations/").json() == []


def test_a_revoked_invitation_leads_nowhere(event: Event) -> None:
    owner = as_role(event, "owner")
    league_data = send(owner, event, "post", "invitations/", {"kind": "judge"}, 201)
    send(owner, event, "delete", f"invitations/{league_data['id']}/", expect=204)
    assert Client().get(league_data["link"].removeprefix("http://testserver")).status_code == 404
    assert Invitation.objects.get().revoked_at is not None


def test_a_co_organizer_appoints_judges_and_no_organizers(event: Event) -> None:
    client = as_role(event, "organizer")
    send(client, event, "post", "invitations/", {"kind": "organizer"}, 403)
    send(client, event, "post", "invitations/", {"kind": "judge"}, 201)
    judge = StaffRole.objects.create(event=event, user=make_user("jan@example.org"), kind="judge")
    send(client, event, "patch", f"staff/{judge.pk}/", {"kind": "organizer"}, 403)
    assert (
        send(client, event, "patch", f"staff/{judge.pk}/", {"kind": "scorekeeper"})["kind"] == "scorekeeper"
    )
    send(client, event, "delete", f"staff/{judge.pk}/", expect=204)
    assert not StaffRole.objects.filter(pk=judge.pk).exists()


def test_the_only_owner_stays(event: Event) -> None:
    owner = as_role(event, "owner")
    role = StaffRole.objects.get(event=event, kind="owner")
    error_data = send(owner, event, "delete", f"staff/{role.pk}/", expect=400)
    assert error_data["problems"][0]["code"] == "owner_needed"


def test_judge_leaves_the_staff_alone(event: Event) -> None:
    client = as_role(event, "judge")
    own = StaffRole.objects.get(event=event, kind="judge")
    send(client, event, "delete", f"staff/{own.pk}/", expect=204)
    send(client, event, "get", "staff/", expect=403)


def test_a_new_private_link_retires_the_old_one(event: Event) -> None:
    (player,) = add_players(event, 1)
    error_data = send(as_role(event, "organizer"), event, "post", "players/1/private-link/")
    assert Client().get(error_data["link"].removeprefix("http://testserver")).status_code == 200
    assert Client().get(f"/p/{player.token}/").status_code == 404
