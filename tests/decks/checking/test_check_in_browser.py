"""The open pages as a browser shows them.

The verdict comes while typing, and all of it works without JavaScript.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from decks.catalogue.services.catalogue import import_catalogue
from tests.fixtures.browser import LAPTOP, LAPTOP_FIRST, PHONE, PHONE_FIRST
from tests.scenarios.catalogue import LEGAL, small_catalogue, write

pytestmark = pytest.mark.browser


@pytest.fixture(autouse=True)
def _catalogue(transactional_db: None) -> None:
    small_catalogue()


@pytest.mark.whole("the verdict on a phone, in tests/browser/test_player_path.py and test_whole_event.py")
def test_the_verdict_follows_the_typing(new_page):
    page = new_page(PHONE)
    page.goto("/decks/check/")
    page.fill("#id_text", LEGAL.replace("4 Granite Guard", "4 Granit Guard"))
    page.wait_for_selector("#verdict .badge-unknown")
    assert "Similar cards: Granite Guard" in " ".join(
        (page.text_content("#verdict .line-problem") or "").split()
    )
    page.fill("#id_text", LEGAL)
    page.wait_for_selector("#verdict .badge-legal")
    assert page.inner_text("#live-status") == "Legal\n60 main deck"
    page.select_option("#id_format", "ufs/sealed/1.9")
    page.wait_for_selector("#verdict >> text=Sealed")
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def wait_for_search(page, text: str) -> None:
    """Wait until the card search is done and no request is running."""
    page.type("#id_q", text, delay=300)
    page.wait_for_url(f"**/cards/?q={text}&*")
    with page.expect_response("**/cards/?*"):
        page.click("h1")
    expect(page.locator(".htmx-request")).to_have_count(0)


def ask_while_pressing(page, text: str) -> None:
    """Let the answer to other words arrive while the mouse button is down."""
    page.mouse.down()
    with page.expect_response(lambda answer: f"q={text}" in answer.url):
        page.evaluate("(q) => { id_q.value = q; id_q.form.requestSubmit(); }", text)
    expect(page.locator(".htmx-request")).to_have_count(0)


def test_a_press_on_a_result_arrives_though_the_next_answer_comes_before_it_is_let_go(new_page):
    page = new_page(LAPTOP)
    page.goto("/cards/")
    wait_for_search(page, "mar")
    page.locator("#found >> text=Mara ●●").hover()
    ask_while_pressing(page, "anvil")
    assert page.locator("#found >> text=Mara ●●").count() == 1
    page.mouse.up()
    page.wait_for_url("**/cards/ufs/**")
    assert page.inner_text("h1") == "Mara ●●"


@pytest.mark.whole("a press on a result that arrives, above")
def test_results_come_after_a_press_that_led_nowhere(new_page):
    page = new_page(LAPTOP)
    page.goto("/cards/")
    wait_for_search(page, "mar")
    page.locator("#found .card").hover(position={"x": 3, "y": 3})
    ask_while_pressing(page, "anvil")
    assert page.locator("#found >> text=Anvil Stance").count() == 0
    page.mouse.up()
    page.wait_for_url("**/cards/?q=anvil&*")
    assert page.locator("#found >> text=Anvil Stance").count() == 1


def test_the_check_works_without_javascript(new_page):
    page = new_page(LAPTOP, java_script_enabled=False)
    page.goto("/decks/check/")
    page.fill("#id_text", LEGAL + "\n1 Kubi Ori")
    page.click("main form .button-primary")
    assert page.inner_text("#verdict .badge-illegal") == "Not legal"
    assert page.input_value("#id_text").strip().endswith("1 Kubi Ori")


@pytest.mark.whole("a result of typed letters that is pressed, above")
def test_a_card_is_found_while_typing(new_page):
    page = new_page(LAPTOP)
    page.goto("/cards/")
    page.type("#id_q", "mraa")
    # The address follows the answer to the last letter; earlier answers would move what is pressed.
    page.wait_for_url("**/cards/?q=mraa*")
    page.click("#found >> text=Mara ●●")
    page.wait_for_url("**/cards/ufs/**")
    assert page.inner_text("h1") == "Mara ●●"


WHERE = """() => {
  const placeOf = (part) => document.querySelector(part).getBoundingClientRect();
  const [offers, line] = [".card-offers", ".lined-rows > li:last-child"].map(placeOf);
  const [edge, end] = [innerHeight + 1, offers.top + 1];
  return { offers: offers.bottom <= edge, line: line.top >= 0, meets: line.bottom <= end };
}"""


@pytest.mark.parametrize("size", PHONE_FIRST)
def test_the_cards_offered_at_the_last_line_are_in_view(new_page, size):
    page = new_page(size)
    page.goto("/decks/check/")
    page.select_option("#id_format", "ufs/constructed/1.9")
    page.fill("#id_text", "1 Mara ●●\n" * 5 + "5 Anvil Stance\n" * 25)
    page.wait_for_selector("#verdict .badge-illegal")
    page.locator("#id_text").press("ControlOrMeta+End")
    page.keyboard.type("4 Gran", delay=20)
    page.wait_for_selector(".card-offers > li >> text=Granite Guard")
    assert page.evaluate(WHERE) == {"offers": True, "line": True, "meets": True}
    assert page.locator(".line-ask.is-docked").locator("visible=true").count() == 0


@pytest.mark.whole("offered cards that are in view, above")
def test_the_nearest_names_stay_at_a_line_that_has_no_room_for_all(new_page):
    names = [f"Warden of the {each} Gate" for each in ("Northern", "Amber", "Ashen", "Iron", "Old")]
    cards = {f"ZZ9-{at:03d}": {"name": name, "set": "ZZ9", "number": at} for at, name in enumerate(names, 1)}
    import_catalogue(write(cards))
    page = new_page(LAPTOP)
    page.goto("/decks/check/")
    # The first line with a note opens automatically.
    page.fill("#id_text", "5 Anvil Stance\n4 Warden of the Nothern Gate")
    note = page.locator(".line-ask-open")
    expect(note.get_by_role("button", name=names[0])).to_be_visible()
    expect(note.get_by_role("button")).not_to_have_count(len(names))
    page.locator(".line-mark-open").click()
    expect(note.get_by_role("button")).to_have_count(len(names))


@pytest.mark.whole("a question at its line, in tests/browser/test_questions_of_a_list.py")
@pytest.mark.parametrize("size", LAPTOP_FIRST)
def test_a_list_is_numbered_and_marked_again_after_a_visit_to_a_card(new_page, size):
    page = new_page(size)
    page.goto("/decks/check/")
    page.fill("#id_text", LEGAL + "\n1 Kubi Ori")
    page.wait_for_selector(".lined-rows > li[data-state=error]")
    rows = page.locator(".lined-rows > li").all_inner_texts()
    page.goto("/cards/")
    page.go_back()
    page.wait_for_selector(".lined-rows > li[data-state=error]")
    assert page.locator(".lined-rows > li").all_inner_texts() == rows


DROP = """([text, name]) => {
  const moved = new DataTransfer();
  moved.items.add(new File([text], name));
  document.getElementById("id_text").dispatchEvent(
    new DragEvent("drop", { dataTransfer: moved, bubbles: true, cancelable: true }));
}"""


def test_a_file_is_dropped_on_the_list_or_uploaded_from_a_phone_and_taken_away(new_page, tmp_path):
    page = new_page(PHONE)
    page.goto("/decks/check/")
    page.evaluate(DROP, [LEGAL, "list.txt"])
    page.wait_for_selector("#verdict .badge-legal")
    assert page.input_value("#id_text") == LEGAL
    other = tmp_path / "list.csv"
    other.write_text("qty,name\n1,Kubi Ori\n")
    page.set_input_files("#id_file", other)
    page.wait_for_selector("#verdict .badge-illegal")
    page.select_option("#kind", "octgn")
    page.fill("#id_text", "1 Kubi Ori\n4 Loner\n")
    page.wait_for_selector("#verdict >> text=Loner")
    assert page.input_value("#kind") == "octgn"
    with page.expect_download() as download:
        page.click("#verdict >> text=Download")
    assert download.value.suggested_filename == "list.o8d"
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
