"""The plan for a typed list.

It is in the verdict, on the page, in the API, and written into the text.
"""

from __future__ import annotations

import pytest
from django.urls import reverse

from decks.checking.check import check_text
from decks.checking.plans import PlannedList
from rules.rendering import say
from tests.scenarios.catalogue import LEGAL, list_of, small_catalogue
from tests.scenarios.html import html_of

pytestmark = pytest.mark.django_db
FORMAT = "ufs/constructed/1.9"
BANNED = list_of("1 Mara ●", "2 Kubi Ori", fillers=57)


@pytest.fixture(autouse=True)
def _catalogue(db: None) -> None:
    small_catalogue()


def plan(text: str) -> PlannedList:
    plan_found = check_text("ufs", "constructed", text, rules_version="1.9", with_plan=True).planned_list
    assert plan_found is not None
    return plan_found


def check(client, text: str, **more: str):
    form_values = {"format": FORMAT, "text": text, **more}
    return client.post(reverse("deck_check"), form_values, headers={"HX-Request": "true"})


def test_a_plan_changes_counts_and_takes_lines_out() -> None:
    plan_found = plan(BANNED)

    assert plan_found.sentences == (
        "Remove 2 Kubi Ori from the main deck.",
        "Add 2 Oaken Will to the main deck.",
    )
    assert plan_found.text == BANNED.replace("2 Kubi Ori\n", "").replace("1 Oaken Will", "3 Oaken Will")


@pytest.mark.parametrize(
    ("text", "planned_text"),
    [
        (LEGAL.replace("4 Anvil Stance", "Anvil Stance x5"), "Anvil Stance x4"),
        (LEGAL.replace("4 Anvil Stance", "[5] Anvil Stance"), "[4] Anvil Stance"),
        (LEGAL.replace("4 Anvil Stance", "5x Anvil Stance // best"), "4x Anvil Stance // best"),
        (f"Main deck (61)\n{LEGAL}\n1 Anvil Stance", "Main deck (60)"),
        (f"{LEGAL}\n1 Anvil Stance\nTotal: 61", "Total: 60"),
        (f"{LEGAL}\nSideboard\n4 Paper Tiger\n4 Mara ●●\n2 Oto ●●●", "4 Paper Tiger\n4 Mara ●●"),
        (f"{LEGAL}\nSideboard\n4 Paper Tiger\n2 Mara ●●\n1 Oto ●●●", "4 Paper Tiger\n3 Mara ●●\n1 Oto"),
    ],
)
def test_a_plan_is_written_as_the_list_is(text: str, planned_text: str) -> None:
    plan_found = plan(text)

    assert planned_text in (plan_found.text or "")
    assert check_text("ufs", "constructed", plan_found.text or "", rules_version="1.9").outcome == "legal"


def test_a_card_that_is_new_stands_behind_the_last_of_its_zone() -> None:
    text = f"{list_of(fillers=60)}\n\nSideboard\n4 Paper Tiger\n4 Mara ●●"
    plan_found = plan(text)

    assert plan_found.sentences == ("Add 1 Mara ● to the main deck.",)
    assert "\n4 Oaken Will\n1 Mara ●\n\nSideboard\n" in (plan_found.text or "")


def test_a_plan_for_a_table_is_written_as_a_typed_list() -> None:
    rows = [f"{qty},{name}" for qty, _, name in (line.partition(" ") for line in BANNED.splitlines())]
    plan_found = plan("\n".join(("qty,name", *rows)))

    after = check_text("ufs", "constructed", plan_found.text or "", rules_version="1.9")
    assert (after.source_format, after.outcome, after.counts) == ("text", "legal", {"main": 60})


def test_a_plan_for_a_file_that_was_not_read_whole_is_shown_and_not_written() -> None:
    rows = [f"{qty},{name}" for qty, _, name in (line.partition(" ") for line in BANNED.splitlines())]

    assert plan("\n".join(("qty,name", *rows, "4,"))).text is None


def test_an_open_list_has_no_plan_yet() -> None:
    plan_found = plan(BANNED.replace("4 Granite Guard", "4 Granit Guard"))

    assert plan_found.status == "open"
    assert plan_found.sentences == (say("plan", "no-plan.open"),)


def test_a_list_too_far_from_legal_has_no_plan() -> None:
    plan_found = plan("1 Mara ●\n4 Anvil Stance")

    assert plan_found.sentences == (say("plan", "no-plan", most=24),)


def test_a_legal_list_needs_none() -> None:
    assert check_text("ufs", "constructed", LEGAL, rules_version="1.9", with_plan=True).planned_list is None


def test_the_verdict_comes_without_a_plan_and_asks_for_it_afterwards(client) -> None:
    part = html_of(check(client, BANNED))

    assert 'hx-trigger="load delay:600ms"' in part
    assert "Apply plan" not in part


def test_the_plan_comes_alone_with_its_buttons(client) -> None:
    part = html_of(check(client, BANNED, plan="show"))

    assert "Plan to make the decklist legal: 4 changes" in part
    # One for each step, one for all, and this one beside the button of a phone once more.
    assert part.count("<button") == 2 + 1 + 1
    assert "badge" not in part


def test_without_a_script_the_button_writes_the_plan(client) -> None:
    form_values = {"format": FORMAT, "text": BANNED, "plan": "apply"}
    page = html_of(client.post(reverse("deck_check"), form_values))

    assert "3 Oaken Will" in page
    assert '<span class="badge badge-legal">Legal</span>' in page


def test_the_api_plans_when_asked(client) -> None:
    form_values = {"game": "ufs", "format": "constructed", "rules": "1.9", "text": BANNED}
    answers = [
        client.post(
            reverse("api_deck_check"), {**form_values, **more}, content_type="application/json"
        ).json()
        for more in ({}, {"plan": True})
    ]

    assert "plan" not in answers[0]
    assert [answers[1]["plan"][part] for part in ("status", "changes")] == ["found", 4]
    assert [step["action"] for step in answers[1]["plan"]["steps"]] == ["remove", "add"]
