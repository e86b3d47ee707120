"""A list with open questions, answered while typing.

They are answered by tap on the phone, and by keyboard.
"""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from decks.submissions.models import DeckVersion
from rules.rendering import say
from tests.decks.checking.test_list_questions import OPENED
from tests.fixtures.browser import until
from tests.scenarios import labels
from tests.scenarios.catalogue import small_catalogue
from tests.scenarios.factories import add_players, make_event

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
TEXT = OPENED["Italian"]
ANSWERED = TEXT.replace("Riserva:", "Sideboard")


def field(page: Page) -> Any:
    return page.locator("#id_text")


def test_a_tap_answers_undoes_and_the_answered_list_is_submitted(phone: Page, live: Any) -> None:
    small_catalogue()
    alice = add_players(make_event(), 2)[0]
    phone.goto(f"/p/{alice.token}/list/")
    field(phone).fill(TEXT)
    expect(phone.locator("#verdict")).to_contain_text("Line 17 needs an answer.")
    expect(phone.locator("#verdict")).not_to_contain_text("No problems found")

    side = phone.get_by_role("button", name=say("answer", "sideboard"))
    assert (side.bounding_box() or {})["height"] >= 44
    side.click()
    expect(field(phone)).to_have_value(ANSWERED)
    expect(phone.locator("#verdict")).to_contain_text("No problems found")
    expect(phone.locator("#answered")).to_be_focused()

    phone.get_by_role("button", name=labels.UNDO).click()
    expect(field(phone)).to_have_value(TEXT)
    side.click()
    expect(phone.locator("#verdict")).to_contain_text("No problems found")
    phone.get_by_role("button", name=labels.SUBMIT_DECKLIST).click()
    expect(phone.get_by_text("is submitted and counts.")).to_be_visible()
    assert [version.source_text.replace("\r", "") for version in DeckVersion.objects.all()] == [ANSWERED]


@pytest.mark.whole("other questions of the same list")
def test_answers_are_given_by_keyboard_one_after_another(laptop: Page, live: Any) -> None:
    small_catalogue()
    laptop.goto("/decks/check/")
    laptop.select_option("#id_format", "ufs/constructed/1.9")
    field(laptop).fill(f"{TEXT}\nTotal: 90")
    side = laptop.get_by_role("button", name=say("answer", "sideboard"))
    side.press("Enter")
    count = laptop.get_by_role("button", name="60 is right")
    expect(count).to_be_focused()
    laptop.keyboard.press("Enter")
    expect(field(laptop)).to_have_value(f"{ANSWERED}\nTotal: 60")
    expect(laptop.locator("#verdict")).to_contain_text("No problems found")


def test_an_answer_to_lines_that_were_typed_since_is_never_put_elsewhere(laptop: Page, live: Any) -> None:
    small_catalogue()
    laptop.goto("/decks/check/")
    laptop.select_option("#id_format", "ufs/constructed/1.9")
    field(laptop).fill(TEXT)
    side = laptop.get_by_role("button", name=say("answer", "sideboard"))
    expect(side).to_be_visible()
    field(laptop).evaluate("(area, text) => { area.value = text; }", f"4 Jade Focus\n{TEXT}")
    side.click()
    expect(laptop.get_by_text("Line 17 needs no answer.").first).to_be_visible()
    expect(field(laptop)).to_have_value(f"4 Jade Focus\n{TEXT}")


def middle_of_line(page: Page, number: int) -> float:
    """Return how far below the top of the field one of its lines is.

    The distance is calculated from the height of its lines.
    """
    return float(
        field(page).evaluate(
            """(area, number) => {
                const style = getComputedStyle(area);
                const height = parseFloat(style.lineHeight);
                return parseFloat(style.paddingTop) + (number - 0.5) * height - area.scrollTop;
            }""",
            number,
        )
    )


def below(page: Page, question: Any) -> float:
    """Return the distance of a question from the top of the field."""
    return float(question.bounding_box()["y"] - field(page).bounding_box()["y"])


@pytest.mark.parametrize(
    "device", [pytest.param("phone", marks=pytest.mark.whole("the same way on a laptop")), "laptop"]
)
def test_a_question_stands_at_its_line_and_an_answer_pressed_there_settles_it(
    request: pytest.FixtureRequest, live: Any, device: str
) -> None:
    page: Page = request.getfixturevalue(device)
    small_catalogue()
    page.goto("/decks/check/")
    page.select_option("#id_format", "ufs/constructed/1.9")
    field(page).fill(TEXT)
    question_group = page.get_by_role("group", name="Question in line 17")
    expect(question_group).to_be_visible()
    area, box = field(page).bounding_box(), question_group.bounding_box()
    if device == "laptop":
        until(page, lambda: 0 < below(page, question_group) - middle_of_line(page, 17) < 30)
    assert area["x"] <= box["x"]
    assert box["x"] + box["width"] <= area["x"] + area["width"]
    question_group.get_by_role("button", name=say("answer", "sideboard")).click()
    expect(field(page)).to_have_value(ANSWERED)
    expect(page.locator("#verdict")).to_contain_text("No problems found")
    expect(question_group).to_have_count(0)


# How far the open question is above the edge of the screen or its bar, and how far below the last line.
ROOM = """() => {
    const box = document.querySelector(".line-ask.is-docked").getBoundingClientRect();
    const bar = document.querySelector(".sticky-action").getBoundingClientRect();
    const last = document.querySelector(".lined-rows > li:last-child").getBoundingClientRect();
    return [Math.round(bar.top - box.bottom), Math.round(box.top - last.bottom)];
}"""


@pytest.mark.whole("a question at its line, above")
def test_open_question_on_a_phone_stays_in_sight_and_covers_no_line_for_good(phone: Page, live: Any) -> None:
    small_catalogue()
    alice = add_players(make_event(), 2)[0]
    phone.goto(f"/p/{alice.token}/list/")
    field(phone).fill(TEXT + "\n" * 30)
    question_box = phone.get_by_role("group", name="Question in line 17")
    expect(question_box).to_be_visible()
    phone.evaluate("document.querySelector('.lined').scrollIntoView({ block: 'start' })")
    above_bar, _ = phone.evaluate(ROOM)
    assert 0 <= above_bar < 16
    question_box.evaluate("box => box.parentElement.scrollIntoView({ block: 'end' })")
    phone.mouse.wheel(0, 200)
    until(phone, lambda: phone.evaluate(ROOM)[1] >= 0)


@pytest.mark.whole("other questions of the same list")
def test_of_two_questions_one_is_open_and_marks_open_the_other(phone: Page, live: Any) -> None:
    small_catalogue()
    phone.goto("/decks/check/")
    phone.select_option("#id_format", "ufs/constructed/1.9")
    field(phone).fill(f"{TEXT}\nTotal: 90")
    first = phone.get_by_role("group", name="Question in line 17")
    second = phone.get_by_role("group", name="Question in line 21")
    expect(first).to_be_visible()
    expect(second).to_be_hidden()
    # On a phone an open question is over the lines below it.
    phone.keyboard.press("Escape")
    expect(first).to_be_hidden()
    phone.get_by_role("button", name="Show the question in line 21").click()
    expect(second).to_be_visible()
    phone.keyboard.press("Escape")
    expect(second).to_be_hidden()
    expect(phone.get_by_role("button", name="Show the question in line 21")).to_be_focused()


def test_a_list_pasted_before_the_scripts_have_come_is_checked(laptop: Page, live: Any) -> None:
    small_catalogue()
    held_requests: list[Any] = []
    laptop.route("**/htmx-2.min*.js", lambda route: held_requests.append(route))
    laptop.goto("/decks/check/", wait_until="commit")
    laptop.select_option("#id_format", "ufs/constructed/1.9")
    field(laptop).fill(TEXT)
    until(laptop, lambda: bool(held_requests))
    held_requests[0].continue_()
    expect(laptop.get_by_role("group", name="Question in line 17")).to_be_visible()
