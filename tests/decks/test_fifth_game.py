"""A game that is only a folder.

Its catalogue, card pages, lists and ban list are on the site as it is.
"""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from decks.catalogue.models import Card, Printing
from decks.catalogue.services.catalogue import import_catalogue
from decks.checking.check import check_text
from decks.checking.declarations import format_declarations, read_declarations, required_declarations
from decks.editions.models import ListEdition
from rules import load_format
from tests.scenarios.fifth_game import write_tidewater
from tests.scenarios.html import html_of

pytestmark = pytest.mark.django_db

CATALOGUE = """\
name,type,port,tonnage,sails_with,painter,set,number
Captain Anna,captain,Aber,,,Ida,TW1,1
Captain Anna,captain,Aber,,,Jon,TW2,1
Jolly Boat,boat,Aber,12,Captain Anna; Sailor 1,Ida,TW1,2
Jolly Boat,boat,Brest,9,,Ida,TW1,3
Skiff,boat,Aber,,,Ida,TW1,4
Gig,boat,Aber,3,,Ida,TW1,5
""" + "".join(f"Sailor {number},sailor,Aber,,,Ida,TW1,{number + 5}\n" for number in range(1, 20))
SAILORS = "\n".join(f"2 Sailor {number}" for number in range(1, 18))
BOATS = "1 Jolly Boat (TW1 2)\n1 Jolly Boat (TW1 3)\n2 Skiff\n1 Gig"
LIST = f"Captains (1)\n1 Captain Anna\nBoats (5)\n{BOATS}\nCrew\n{SAILORS}"


@pytest.fixture(autouse=True)
def tidewater(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = write_tidewater(tmp_path)
    monkeypatch.setenv("RINGSIDE_GAMES_DIR", str(folder))
    import_catalogue(CATALOGUE.encode(), game="tidewater")
    return folder


@pytest.fixture
def keeper(client: Client) -> Client:
    lena = User.objects.create_user("lena@example.org", first_name="Lena")
    lena.groups.add(Group.objects.get(name="Ban list editors"))
    client.force_login(lena)
    return client


def judge(text: str = LIST) -> tuple[str, list[str]]:
    checked_list = check_text("tidewater", "crew", text)
    return checked_list.outcome, [finding.rule for finding in checked_list.verdict.errors]


def publish_ban(keeper: Client, **day: Any) -> Any:
    """Draft and publish the next ban list, with a ban of the boat of one port.

    The ban is added by form.
    """
    keeper.post(reverse("list_start", args=["tidewater", "bans"]))
    draft = ListEdition.objects.get(state="draft")
    entry = {"card": "Jolly Boat (TW1 2)", "one_printing": "on", "coast": "north", "clause": "News of today"}
    keeper.post(reverse("list_entry_new", args=[draft.pk]), {"revision": draft.revision, **entry})
    draft.refresh_from_db()
    details = {"name": "News", "document": "Tidewater news", "clause": "News", **day}
    keeper.post(reverse("list_draft", args=[draft.pk]), {"revision": draft.revision, **details})
    draft.refresh_from_db()
    form_values = {"revision": draft.revision, "accept_warnings": "on", "announced_before": "on"}
    return keeper.post(reverse("list_publish", args=[draft.pk]), form_values)


def test_columns_are_read_and_cards_told_apart_as_it_declares() -> None:
    boats = Card.objects.filter(game="tidewater", name="Jolly Boat").order_by("identity")
    assert [(boat.identity, boat.attributes["tonnage"]) for boat in boats] == [
        ("jolly boat|aber", 12),
        ("jolly boat|brest", 9),
    ]
    assert boats[0].attributes["sails_with"] == ["Captain Anna", "Sailor 1"]
    painters = Printing.objects.filter(card__name="Captain Anna").order_by("key")
    assert [printing.attributes["painter"] for printing in painters] == ["Ida", "Jon"]


def test_card_page_asks_for_the_facts_of_its_types(client: Client) -> None:
    facts = {
        name: client.get(f"/cards/tidewater/{name}/").context["page"].facts for name in ("skiff", "sailor-1")
    }
    assert [fact.name for fact in facts["skiff"] if fact.value is None] == ["tonnage"]
    assert [fact.name for fact in facts["sailor-1"] if fact.value is None] == []
    assert "sails together with" in html_of(client.get("/cards/tidewater/jolly-boat/"))


def test_its_lists_are_read_with_its_headings_and_judged_by_its_rules() -> None:
    checked_list = check_text("tidewater", "crew", LIST)
    assert [line.text for line in checked_list.lines if line.kind == "section"] == [
        "Captains (1)",
        "Boats (5)",
        "Crew",
    ]
    assert [line.text for line in checked_list.lines if not line.is_resolved] == []
    assert judge() == ("legal", [])
    assert judge(LIST.replace("2 Sailor 17", "1 Sailor 17\n1 Gig")) == ("illegal", ["TW-4"])


def test_page_and_api_of_the_deck_check_offer_it(client: Client) -> None:
    page = client.post(reverse("deck_check"), {"format": "tidewater/crew/2", "text": LIST})
    form_values = {"game": "tidewater", "format": "crew", "text": LIST}
    answer = client.post("/api/decks/check/", form_values, content_type="application/json")
    assert '<span class="badge badge-legal">Legal</span>' in html_of(page)
    assert answer.json()["outcome"] == "legal"


def test_its_lists_register_what_it_declares() -> None:
    declarations = required_declarations(load_format("tidewater", "crew"))
    declared_values = read_declarations({"flag": True, "ballast": {"Bow": 3}}, declarations, "tidewater")
    assert (declarations, declared_values, format_declarations(declared_values, "tidewater")) == (
        {"flag", "ballast"},
        {"flag": True, "ballast": {"B": 3}},
        {"Flag": "flies", "Ballast": "Bow 3"},
    )


def test_a_ban_is_drafted_by_its_form_published_and_counts(keeper: Client) -> None:
    today = timezone.localdate()
    publish_ban(keeper, in_force=today.isoformat())
    published_edition = ListEdition.objects.get()
    ban = {"name": "Jolly Boat", "set": "TW1", "number": 2}
    assert (
        published_edition.state,
        published_edition.entries[-1]["card"],
        published_edition.entries[-1]["coast"],
    ) == (
        "published",
        ban,
        "north",
    )
    assert judge() == ("illegal", ["TW-5"])
    assert "In force" in html_of(keeper.get("/lists/tidewater/"))


def test_its_entry_forms_hold_what_it_declares(keeper: Client) -> None:
    for kind in ("bans", "tides"):
        keeper.post(reverse("list_start", args=["tidewater", kind]))
    bans, tides = (
        keeper.get(reverse("list_entry_new", args=[ListEdition.objects.get(kind=kind).pk])).context["form"]
        for kind in ("bans", "tides")
    )
    assert bans.fields["coast"].choices == [("", "Every coast"), ("north", "North"), ("south", "South")]
    assert bans.fields["card"].help_text == "Such as “Captain Anna” or “TW1 12”."
    assert [(field.name, field.label, field.field.required) for field in tides][:2] == [
        ("name", "Port", True),
        ("hours", "Hours", False),
    ]


def test_an_edition_waits_as_long_as_it_declares(keeper: Client) -> None:
    day = timezone.localdate() + timedelta(days=13)
    keeper.post(reverse("list_start", args=["tidewater", "bans"]))
    draft = ListEdition.objects.get()
    details = {"name": "News", "document": "Tidewater news", "in_force": day.isoformat()}
    page = keeper.post(
        reverse("list_draft", args=[draft.pk]), {"revision": draft.revision, **details}, follow=True
    )
    assert "Tidewater updates take effect after 2 weeks (News 3)." in html_of(page)


def test_the_command_line_explains_its_rules(tidewater: Path) -> None:
    stdout = subprocess.run(
        [sys.executable, "-m", "rules", "explain", "--game", "tidewater", "--format", "crew"],
        env={**os.environ, "RINGSIDE_GAMES_DIR": str(tidewater)},
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert "At most 5 boats for each captain." in stdout
