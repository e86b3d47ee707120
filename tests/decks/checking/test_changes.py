"""Changes to press.

They are cards at unclear lines, fixes of findings, and the steps of a plan.
"""

from __future__ import annotations

import random

import pytest
from django.urls import reverse
from hypothesis import example, given, settings
from hypothesis import strategies as st

from decks.catalogue.services.catalogue import import_catalogue
from decks.checking.check import check_text
from decks.checking.result import CheckedList
from decks.importers.answers import apply_edits, find_edits
from tests import machine
from tests.scenarios.catalogue import LEGAL, import_once, list_of, small_catalogue, write
from tests.scenarios.html import html_of

pytestmark = pytest.mark.django_db
FORMAT = "ufs/constructed/1.9"
TWINS = {
    "SF03-015": {"name": "Dark Hado", "set": "SF03", "number": 15, "distinct_from": ["SF04-070"]},
    "SF04-070": {"name": "Dark Hado", "set": "SF04", "number": 70, "distinct_from": ["SF03-015"]},
}


@pytest.fixture(autouse=True)
def _catalogue(db: None) -> None:
    small_catalogue()
    import_once(write(TWINS))


def check_with_changes(text: str, **more: object) -> CheckedList:
    return check_text("ufs", "constructed", text, rules_version="1.9", with_changes=True, **more)


@pytest.mark.parametrize(
    ("line", "offered_card", "now"),
    [
        ("4 Granit Guard", "Granite Guard", "4 Granite Guard"),
        ("4x Granit Guard", "Granite Guard", "4x Granite Guard"),
        ("4 Dark Hado", "Dark Hado (SF04 70)", "4 Dark Hado (SF04 70)"),
        ("1 Mara", "Mara ●●", "1 Mara ●●"),
    ],
)
def test_a_card_offered_at_a_line_changes_this_line_alone(line: str, offered_card: str, now: str) -> None:
    text = f"{line}\n{LEGAL}"
    change = next(each for each in check_with_changes(text).changes.cards[1] if each.words == offered_card)

    assert apply_edits(text, change.edits) == f"{now}\n{LEGAL}"


def test_a_fix_takes_a_banned_card_out_and_changes_a_count() -> None:
    text = list_of("1 Mara ●", "2 Kubi Ori", "6 Paper Tiger", fillers=55)
    checked_text = check_with_changes(text)
    says = {
        each.number: (each.state, each.says, [part.words for part in each.changes])
        for each in checked_text.sheet
    }

    assert says[2] == ("error", "Banned", ["Remove line"])
    assert says[3] == ("error", "6 copies, maximum 4", ["4 Paper Tiger"])
    assert says[4][0] == "ok"


def test_each_line_of_a_fix_can_be_pressed_alone() -> None:
    text = f"{LEGAL}\n5 Paper Tiger\n5 Oto ●●●"
    sheet = {each.line.text: [part.words for part in each.changes] for each in check_with_changes(text).sheet}

    assert sheet["5 Paper Tiger"] == ["4 Paper Tiger"]
    assert sheet["5 Oto ●●●"] == ["4 Oto ●●●"]


def test_a_fix_that_sets_the_count_of_a_heading_is_pressed_as_a_whole() -> None:
    text = f"Main deck (65)\n{LEGAL}\n5 Paper Tiger"
    result = check_with_changes(text)
    [change] = result.sheet[-1].changes
    after = check_with_changes(apply_edits(text, change.edits))

    assert (change.words, after.asking_lines, after.outcome) == ("Apply fix", (), "legal")


def test_what_leaves_the_card_open_has_no_button() -> None:
    assert not check_with_changes(list_of(fillers=58)).changes.fixes


def test_each_step_of_a_plan_is_a_change_of_its_own() -> None:
    plan = check_with_changes(list_of("1 Mara ●", "2 Kubi Ori", fillers=57), with_plan=True).planned_list
    assert plan is not None
    words = [(words, change.key if change else None) for _, words, change in plan.steps_to_press]

    assert words == [("Remove 2", "plan:0"), ("Add 2", "plan:1")]
    assert plan.totals == ("60 main deck",)


def test_a_plan_that_declares_fills_the_field_of_it(client) -> None:
    form_values = {"format": FORMAT, "text": LEGAL, "character": "Oto"}
    html = html_of(
        client.post(reverse("deck_check"), {**form_values, "plan": "show"}, headers={"HX-Request": "true"})
    )
    response = client.post(reverse("deck_check"), {**form_values, "plan": "apply"})

    assert "&quot;character&quot;: &quot;Mara&quot;" in html
    assert response.context["form"]["character"].value() == "Mara"
    assert response.context["checked_list"].outcome == "legal"


def test_a_fix_declares_a_character_without_a_script(client) -> None:
    form_values = {"format": FORMAT, "text": LEGAL, "character": "Oto", "change": "plan:0"}
    answer = client.post(reverse("deck_check"), form_values)

    assert answer.context["form"]["character"].value() == "Mara"
    assert answer.context["checked_list"].outcome == "legal"


def test_what_no_field_declares_has_no_button() -> None:
    plan = check_with_changes(
        LEGAL, with_plan=True, options={"diversity": True, "declared_character": "Oto"}
    ).planned_list
    assert plan is not None

    assert [change for _, _, change in plan.steps_to_press] == [None]


def test_the_declared_character_is_that_of_a_battle_deck(client) -> None:
    cards = {
        f"{owner} {number}": {"name": f"{owner} {number}", "kind": "attack", "owner": owner}
        for owner in ("Ken", "Ryu")
        for number in range(1, 9)
    }
    import_catalogue(write(cards, game="sf_miniatures"))
    text = "\n".join(f"5 Ryu {number}" for number in range(1, 9))
    form_values = {"format": "sf_miniatures/battle_deck/1", "text": text, "character": "Ken"}
    answer = client.post(reverse("deck_check"), form_values)
    fixes = answer.context["checked_list"].findings_with_fixes
    [fix] = [change for finding, change, _ in fixes if finding.rule == "SFM-L05"]

    assert (fix.words, fix.values, fix.edits) == ("Declare Ryu", {"character": "Ryu"}, ())
    pressed = client.post(reverse("deck_check"), {**form_values, "change": fix.key})
    assert pressed.context["form"]["character"].value() == "Ryu"


@pytest.mark.parametrize(
    ("key", "line", "now"),
    [("card:1:0", "4 Granit Guard", "4 Granite Guard"), ("fix:UFS-L03", "5 Anvil Stance", "")],
)
def test_without_a_script_the_server_makes_the_change(client, key: str, line: str, now: str) -> None:
    text = f"{line}\n{LEGAL}" if key.startswith("card") else f"{LEGAL}\n{line}"
    answer = client.post(reverse("deck_check"), {"format": FORMAT, "text": text, "change": key})
    rows = answer.context["form"]["text"].value().splitlines()

    assert line not in rows
    assert not now or now in rows


def test_a_finding_without_a_fix_has_no_button_beside_a_fault_of_the_same_rule(client) -> None:
    text = LEGAL.replace("4 Anvil Stance", "5 Anvil Stance") + "\n5 Mara"
    answer = client.post(reverse("deck_check"), {"format": FORMAT, "text": text})
    findings_with_fixes = answer.context["checked_list"].findings_with_fixes

    assert [
        (each.severity, change is not None)
        for each, change, _ in findings_with_fixes
        if each.rule == "UFS-L03"
    ] == [
        ("error", True),
        ("unknown", False),
    ]


def test_fixes_that_do_not_add_up_are_marked_as_alternatives(client) -> None:
    text = list_of("1 Mara ●", "2 Kubi Ori", "6 Paper Tiger", fillers=53)
    answer = client.post(reverse("deck_check"), {"format": FORMAT, "text": text})
    findings_with_fixes = answer.context["checked_list"].findings_with_fixes

    assert [(finding.code, is_alternative) for finding, _, is_alternative in findings_with_fixes] == [
        ("too-many-copies", True),
        ("banned-card", True),
    ]
    assert not any(change.is_certain for _, change, _ in findings_with_fixes)
    assert html_of(answer).count('<span class="badge badge-plain">Alternative</span>') == 2


FAULTS = (
    "2 Kubi Ori",
    "6 Paper Tiger",
    "5 Oto ●●●",
    "5 Night Market",
    "3 Mara ●●",
    "Sideboard\n5 Iron Lung\n5 Jade Focus",
)
SIZES = st.sampled_from((47, 50, 55, 58))


def count_changes(checked_list: CheckedList) -> int:
    """Return the number of changes of the plan.

    There are none for a legal list, and many if no plan is found.
    """
    plan = checked_list.planned_list
    return (plan.changes or 99) if plan else 0


@settings(max_examples=machine.examples(2), deadline=None)
@given(st.sets(st.sampled_from(FAULTS), min_size=2, max_size=4), SIZES, st.randoms())
def test_pressed_fixes_that_add_up_never_make_a_worse_list(
    faults: set[str], size: int, chance: random.Random
) -> None:
    text = "\n".join((list_of("1 Mara ●", fillers=size), *sorted(faults)))
    result = check_with_changes(text, with_plan=True)
    together = [each.rule for each, change, is_other in result.findings_with_fixes if change and not is_other]
    for rule in chance.sample(together, len(together)):
        errors, changes = len(result.verdict.errors), count_changes(result)
        change = result.changes.fixes.get(rule)
        if change is None:  # Another press has fixed it.
            continue
        text = apply_edits(text, change.edits)
        result = check_with_changes(text, with_plan=True)
        assert len(result.verdict.errors) <= errors
        assert count_changes(result) < changes or changes == 99


LINES = st.lists(st.sampled_from(["4 A", "3 B", "", "Sideboard", "2 C"]), max_size=8)


@given(LINES, LINES)
@example([""], ["4 A"])
def test_edits_make_one_text_the_other(before: list[str], after: list[str]) -> None:
    old = "\n".join(before or ["x"])
    edited_text = apply_edits(old, find_edits(old, "\n".join(after)))

    assert [row for row in edited_text.splitlines() if row] == [row for row in after if row]
