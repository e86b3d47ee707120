"""A game without code on the site.

Its limits and points have forms, count, and show on card pages.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from decks.catalogue.services.catalogue import import_catalogue
from decks.checking.check import check_text
from decks.editions.models import ListEdition
from tests.scenarios.fifth_game import EMBERHOLD, write_files
from tests.scenarios.html import html_of

pytestmark = pytest.mark.django_db

HOLDINGS = "1 Mill\n2 Old Road\n1 Night Market\n1 Mirror Gate"
DECK = f"1 Banner of the Fox\n{HOLDINGS}\n3 Fox Knight\n2 Owl Sage\n1 Ember Crown"


@pytest.fixture(autouse=True)
def emberhold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RINGSIDE_GAMES_DIR", str(write_files(tmp_path, EMBERHOLD)))
    pool = json.loads(EMBERHOLD["emberhold/cases.json"])["pools"]["vale"]
    import_catalogue(json.dumps(pool).encode(), game="emberhold")


@pytest.fixture
def keeper(client: Client) -> Client:
    lena = User.objects.create_user("lena@example.org", first_name="Lena")
    lena.groups.add(Group.objects.get(name="Ban list editors"))
    client.force_login(lena)
    return client


def publish(keeper: Client, kind: str, **entry: object) -> None:
    """Draft and publish the next list of the kind.

    An entry is added by form, and the list is published for today.
    """
    keeper.post(reverse("list_start", args=["emberhold", kind]))
    draft = ListEdition.objects.get(state="draft")
    keeper.post(reverse("list_entry_new", args=[draft.pk]), {"revision": draft.revision, **entry})
    draft.refresh_from_db()
    day = timezone.localdate().isoformat()
    details = {"name": "News", "document": "Letter", "clause": "1", "in_force": day}
    keeper.post(reverse("list_draft", args=[draft.pk]), {"revision": draft.revision, **details})
    draft.refresh_from_db()
    keeper.post(
        reverse("list_publish", args=[draft.pk]), {"revision": draft.revision, "accept_warnings": "on"}
    )


def broken_rules() -> list[str]:
    return [finding.rule for finding in check_text("emberhold", "duel", DECK).verdict.errors]


def test_published_limits_and_points_count_and_show(keeper: Client) -> None:
    assert broken_rules() == []
    publish(keeper, "limits", card="Mill", copies=0, clause="2")
    publish(keeper, "points", card="Fox Knight", points=2, clause="2")
    limits, points = ListEdition.objects.order_by("kind")
    assert (limits.state, limits.entries[-1]["copies"], len(limits.entries)) == ("published", 0, 4)
    assert (points.state, points.entries[-1]["points"], len(points.entries)) == ("published", 2, 3)
    assert broken_rules() == ["EH-8", "EH-9"]
    assert "Limited: at most 2 copies." in html_of(keeper.get("/cards/emberhold/old-road/"))
    assert "Mill: no copies" in html_of(keeper.get("/lists/emberhold/limits/2/"))
