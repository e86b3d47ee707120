"""A list with an open question is not legal, and shows the question."""

from __future__ import annotations

import csv
import io
import json
from typing import Any
from xml.sax.saxutils import quoteattr

import pytest
from django.test import Client
from django.urls import reverse
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from decks.checking.check import check_text
from decks.checking.questions import answer_questions
from decks.checking.result import CheckedList
from decks.importers.parsing import parse
from decks.shared.refusals import Refused
from rules.rendering import say
from tests import machine
from tests.everyday import each_nth
from tests.scenarios.catalogue import FILLERS, LEGAL, list_of, small_catalogue
from tests.scenarios.html import html_of

pytestmark = pytest.mark.django_db
FORMAT = "ufs/constructed/1.9"
EIGHT = "1 Oaken Will\n3 Oto ●●●\n4 Paper Tiger"
MAIN = list_of("1 Mara ●", fillers=59)
OPENED = {
    "a blank line": f"{MAIN}\n\n{EIGHT}",
    "a rule": f"{MAIN}\n-----\n{EIGHT}",
    "misspelt": f"{MAIN}\nSideborad:\n{EIGHT}",
    "Italian": f"{MAIN}\nRiserva:\n{EIGHT}",
    "Japanese": f"{MAIN}\nサイドボード:\n{EIGHT}",
    "forum code": f"{MAIN}\n[b]Reserva[/b]\n{EIGHT}",
    "a remark": f"{MAIN}\n// Sideborad\n{EIGHT}",
}


@pytest.fixture(autouse=True)
def _catalogue(db: None) -> None:
    small_catalogue()


def check(text: str | bytes, **more: Any) -> CheckedList:
    return check_text("ufs", "constructed", text, rules_version="1.9", **more)


@pytest.mark.parametrize("text", OPENED.values(), ids=OPENED)
def test_a_part_that_no_heading_names_cannot_be_checked(text: str) -> None:
    checked_list = check(text)
    assert (checked_list.outcome, checked_list.verdict.outcome) == ("unknown", "unknown")
    assert [question.line for question in checked_list.questions] == [
        line.number for line in checked_list.unresolved_lines
    ]


@pytest.mark.parametrize("text", OPENED.values(), ids=OPENED)
def test_each_answer_settles_the_part(text: str) -> None:
    (question,) = check(text).questions
    outcomes = {}
    for answer in question.answers:
        answered_text, _ = answer_questions("ufs", [(question.line, answer.code)], text=text)
        checked_list = check(answered_text)
        outcomes[answer.code] = (
            checked_list.outcome,
            {total.zone: total.cards for total in checked_list.totals},
        )
    as_main = ("legal", {"main": 68})
    assert outcomes["sideboard"] == ("legal", {"main": 60, "sideboard": 8})
    assert outcomes["main"] == as_main
    assert outcomes.get("title", as_main) == as_main
    assert "pregame" not in outcomes


def test_each_answer_has_a_message_for_its_code() -> None:
    texts = (*OPENED.values(), f"{MAIN}\nTotal: 64")
    answers = [answer for text in texts for question in check(text).questions for answer in question.answers]
    assert {answer.code for answer in answers} == {"sideboard", "main", "aside", "title", "count"}
    assert [answer.code for answer in answers if answer.words == answer.code] == []
    assert {answer.words for answer in answers if answer.code == "count"} == {"60 is right"}


@pytest.mark.parametrize(
    ("unknown", "expected_notice"),
    [
        (0, ""),
        (1, "Line 1 cannot be checked."),
        (3, "Lines 1, 2 and 3 cannot be checked."),
        (6, "Lines 1, 2, 3, 4, 5 and 6 cannot be checked."),
        (7, "7 lines cannot be checked."),
    ],
)
def test_lines_that_fit_no_card_are_named_as_far_as_there_are_few(unknown: int, expected_notice: str) -> None:
    lines = [f"1 Qwxyz {letter}" for letter in "bcdfghj"[:unknown]]
    assert check("\n".join([*lines, "1 Mara ●"])).unresolved_words == expected_notice


def test_entries_of_one_line_are_named_as_one() -> None:
    main = [{"card": f"Qwxyz {letter}", "qty": 1} for letter in "bcd"]
    assert check(json.dumps({"main": main})).unresolved_words == "Line 1 cannot be checked."


def test_lines_that_ask_are_named() -> None:
    assert check(f"{MAIN}\nTotal: 64").question_words == "Line 17 needs an answer."


def test_a_total_that_differs_cannot_be_checked_until_it_is_answered() -> None:
    text = f"{MAIN}\nTotal: 64"
    assert check(text).outcome == "unknown"
    answered_text, _ = answer_questions("ufs", [(text.count("\n") + 1, "count")], text=text)
    assert answered_text.endswith("\nTotal: 60")
    assert check(answered_text).outcome == "legal"


def test_four_cards_of_sixty_are_not_called_too_few() -> None:
    checked_list = check("4 Oto ●●●\nTotal: 60")
    assert checked_list.outcome == "unknown"
    assert checked_list.verdict.errors == ()
    assert "deck-too-small" in {finding.code for finding in checked_list.findings}


def test_what_every_reading_breaks_stays_broken() -> None:
    checked_list = check(f"{MAIN}\n1 Kubi Ori\n\n{EIGHT}")
    assert checked_list.outcome == "illegal"
    assert [finding.code for finding in checked_list.verdict.errors] == ["banned-card"]


def test_what_one_reading_breaks_is_left_open() -> None:
    checked_list = check(f"{MAIN}\n\n1 Kubi Ori")
    assert (checked_list.outcome, checked_list.verdict.errors) == ("unknown", ())


def test_a_file_that_breaks_off_is_not_legal() -> None:
    cards = "".join(f'<card qty="4" id="x">{card["name"]}</card>' for card in FILLERS.values())
    file = (
        f'<deck game="g"><section name="Main"><card qty="1" id="y">Mara ●</card>{cards}</section><section na'
    )
    checked_list = check(file)
    assert checked_list.outcome == "unknown"
    assert len(checked_list.problems) == 1


def test_the_pool_asks_too_and_is_answered_in_its_own_text() -> None:
    checked_list = check_text("ufs", "sealed", LEGAL, pool="4 Oto ●●●\nTotal: 90")
    (question,) = checked_list.questions
    assert (question.line, question.field) == (LEGAL.count("\n") + 4, "pool")
    text, pool = answer_questions("ufs", [(question.line, "count")], text=LEGAL, pool="4 Oto ●●●\nTotal: 90")
    assert text == LEGAL
    assert pool != "4 Oto ●●●\nTotal: 90"


@pytest.mark.parametrize(("line", "answer"), [(1, "sideboard"), (17, "pool"), (900, "main"), (17, "")])
def test_an_answer_to_nothing_is_refused(line: int, answer: str) -> None:
    with pytest.raises(Refused) as refusal:
        answer_questions("ufs", [(line, answer)], text=OPENED["Italian"])
    assert refusal.value.code == "answer_unknown"


# No list of any type is legal despite a notice that is not shown.

NAMES = [card["name"] for card in FILLERS.values()]
WORDS = [
    "", "", "----", "Main deck", "Sideboard", "Sideborad:", "Riserva:", "[b]Reserva[/b]", "// Sideborad",
    "Attacks:", "Foundations (59)", "Total: 60", "Total: 68", "Kill turn:", "2 Sideboard", "Reserve", "Maybe",
    "# see below",
    "4 Oaken Will [Riserva]", "4 Paper Tiger # side", "SB: 4 Paper Tiger", "4 Night Market", "Mirror Pace",
    "Oaken Will\t4", "Reserva (8)", "4 Nobody Knows", "-2 Iron Lung", "Pool", "[Maybe]", "Deck: 60", "•",
]  # fmt: skip
zone_words = st.sampled_from(["main", "sideboard", "Sideboard", "riserva", "side", "", "Sideborad", "maybe"])
typed_lists = st.lists(st.sampled_from(WORDS), max_size=5).flatmap(
    lambda words: (
        st.permutations([*LEGAL.splitlines(), *words]).map("\n".join) | st.just("\n".join([LEGAL, *words]))
    )
)
entries = st.lists(st.tuples(st.sampled_from(NAMES), st.integers(0, 4), zone_words), max_size=6)


def whole(extra: list[tuple[str, int, str]]) -> list[tuple[str, int, str]]:
    return [("Mara ●", 1, "main"), *((name, 4, "main") for name in NAMES[:15]), *extra]


def as_csv(rows: list[tuple[str, int, str]], column: str) -> str:
    out = io.StringIO()
    csv.writer(out).writerows([("name", "qty", column), *rows])
    return out.getvalue()


def as_json(rows: list[tuple[str, int, str]], key: str) -> str:
    return json.dumps([{"card": name, "qty": qty, key: zone} for name, qty, zone in rows])


def as_xml(rows: list[tuple[str, int, str]], key: str) -> str:
    parts = "".join(
        f'<{key} name={quoteattr(zone)}><card qty="{qty}" id="" number="{qty}" name={quoteattr(name)}>'
        f"{'' if key == 'zone' else name}</card></{key}>"
        for name, qty, zone in rows
    )
    root = "cockatrice_deck" if key == "zone" else "deck"
    return f"<{root}>{parts}</{root}>"


structured = st.builds(
    lambda extra, write: write(whole(extra)),
    entries,
    st.sampled_from(
        [
            *(
                lambda rows, column=column: as_csv(rows, column)
                for column in ("zone", "bereich", "pile", "x")
            ),
            *(lambda rows, key=key: as_json(rows, key) for key in ("zone", "bereich", "board", "note")),
            *(lambda rows, key=key: as_xml(rows, key) for key in ("section", "zone", "superzone")),
        ]
    ),
)


@settings(max_examples=machine.examples(19), deadline=None, suppress_health_check=list(HealthCheck))
@given(
    typed_lists
    | structured
    | structured.map(str.encode)
    | typed_lists.map(lambda text: text.encode("utf-16"))
)
def test_no_input_gives_a_legal_verdict_over_a_notice_that_is_not_shown(text: str | bytes) -> None:
    checked_list, parsed_deck = check(text), parse(text)
    shown_text = " ".join(
        [
            *checked_list.problem_words,
            *checked_list.notice_words,
            *(n for line in checked_list.lines for n in line.notes),
        ]
    )
    assert [
        notice
        for notice in (*parsed_deck.problems, *parsed_deck.notices)
        if notice.sentence not in shown_text
    ] == []
    assert [(line.number, line.text) for line in checked_list.lines] == [
        (line.number, line.text) for line in parsed_deck.lines
    ]
    if parsed_deck.questions or parsed_deck.problems:
        assert checked_list.outcome != "legal"
    if parsed_deck.notices:
        assert not checked_list.is_plainly_read
    if checked_list.outcome == "legal":
        assert all(line.is_resolved for line in checked_list.lines)


# The pages and the API.


def post(client: Client, text: str, *, partial: bool = False, **more: Any) -> str:
    headers = {"HX-Request": "true"} if partial else {}
    return html_of(
        client.post(reverse("deck_check"), {"format": FORMAT, "text": text, **more}, headers=headers)
    )


def test_the_page_asks_at_the_line_and_offers_answers(client: Client) -> None:
    part = post(client, OPENED["Italian"], partial=True)
    assert '<li class="line-question" data-line="17" data-state="ask">' in part
    assert "Line 17 needs an answer." in part
    assert "No problems found" not in part
    for words in (say("answer", "sideboard"), say("answer", "main"), say("answer", "title")):
        assert words in part
    assert 'name="answer" value="17:sideboard"' in part


def test_a_blank_line_asks_on_the_page_as_well(client: Client) -> None:
    assert '<li class="line-question" data-line="17" data-state="ask">' in post(
        client, OPENED["a blank line"], partial=True
    )


def test_an_answer_is_taken_without_a_script(client: Client) -> None:
    page = post(client, OPENED["Italian"], answer="17:sideboard")
    assert "\nSideboard\n" in page
    assert '<span class="badge badge-legal">Legal</span>' in page


def test_an_answer_to_a_list_that_has_changed_is_refused_in_words(client: Client) -> None:
    page = post(client, LEGAL, answer="17:sideboard")
    assert "Line 17 needs no answer." in page
    assert "1 Mara ●" in page


def test_a_notice_that_asks_nothing_is_shown_in_place_of_every_line_was_understood(client: Client) -> None:
    part = post(client, LEGAL.replace("1 Mara ●", "Mara ●"), partial=True)
    assert "badge-legal" in part
    assert "There is no number of copies, so one copy was read." in part
    assert "Check below how your decklist was read." in part


def ask(client: Client, **body: Any) -> Any:
    body = {"game": "ufs", "format": "constructed", "rules": "1.9", **body}
    return client.post("/api/decks/check/", body, content_type="application/json")


def test_the_api_names_the_questions_and_takes_answers(client: Client) -> None:
    payload = ask(client, text=OPENED["misspelt"]).json()
    (question,) = payload["questions"]
    assert (payload["outcome"], question["line"], question["code"]) == ("unknown", 17, "heading_unknown")
    assert [each["answer"] for each in question["answers"]] == ["sideboard", "main", "aside", "title"]
    answered_body = ask(client, text=OPENED["misspelt"], answers=[{"line": 17, "answer": "sideboard"}]).json()
    assert (answered_body["outcome"], answered_body["questions"]) == ("legal", [])
    assert answered_body["text"] == OPENED["misspelt"].replace("Sideborad:", "Sideboard")


def test_the_api_refuses_an_answer_to_nothing(client: Client) -> None:
    answer = ask(client, text=LEGAL, answers=[{"line": 3, "answer": "sideboard"}])
    assert answer.status_code == 400
    assert [each["code"] for each in answer.json()["problems"]] == ["answer_unknown"]


def test_a_file_of_an_open_list_is_refused(client: Client) -> None:
    body = {"format": FORMAT, "text": OPENED["Italian"], "kind": "csv"}
    answer = client.post(reverse("deck_export"), body)
    assert answer.status_code == 422
    assert "Line 17 needs an answer." in html_of(answer)


# Structured files: every question has answers that settle it, on the page and in the API.


def entry(name: str, qty: int, **more: object) -> dict[str, object]:
    return {"card": name, "qty": qty, **more}


MAIN_ROWS = [("Mara ●", 1), *((name, 4) for name in NAMES[:14]), (NAMES[14], 3)]
SIDE_ROWS = [("Oaken Will", 1), ("Oto ●●●", 3), ("Paper Tiger", 4)]
PLAIN = [entry(*row) for row in MAIN_ROWS]


def mark_cards(**more: object) -> list[dict[str, object]]:
    return [entry(*row, **more) for row in SIDE_ROWS]


def xml(root: str, part: str, card: str) -> str:
    """Return a deck file whose second part is marked by an attribute of each card."""
    rows = [(row, "") for row in MAIN_ROWS] + [(row, ' bereich="Riserva"') for row in SIDE_ROWS]
    cards = [card.format(name=name, quoted=quoteattr(name), qty=qty, mark=mark) for (name, qty), mark in rows]
    lines = [f'<{part} name="Main">', *cards, f"</{part}>"] if part else cards
    return "\n".join([f"<{root}>", *lines, f"</{root}>"])


STRUCTURED = {
    "JSON, unknown zone key": json.dumps({"main": PLAIN, "riserva": mark_cards()}),
    "JSON, unknown zone key over lines": json.dumps({"main": PLAIN, "riserva": mark_cards()}, indent=1),
    "JSON, unknown key of a typed part": json.dumps(
        {"main": PLAIN, "riserva": "\n".join(f"{qty} {name}" for name, qty in SIDE_ROWS)}
    ),
    "JSON, unknown key of counted names": json.dumps({"main": dict(MAIN_ROWS), "Reserva": dict(SIDE_ROWS)}),
    "JSON, unknown member": json.dumps([*PLAIN, *mark_cards(bereich="Riserva")]),
    "JSON, unknown member over lines": json.dumps([*PLAIN, *mark_cards(bereich="Riserva")], indent=1),
    "JSON, a flag": json.dumps([*PLAIN, *mark_cards(sideboard=True)]),
    "JSON, a known member with an unknown zone": json.dumps([*PLAIN, *mark_cards(zone="Riserva")]),
    "OCTGN": xml("deck", "section", '<card qty="{qty}" id=""{mark}>{name}</card>'),
    "Cockatrice": xml("cockatrice_deck", "zone", '<card number="{qty}" name={quoted}{mark}/>'),
    "Magic Online": xml("deck", "", '<Cards CatID="0" Quantity="{qty}" Name={quoted}{mark}/>'),
}


@pytest.mark.parametrize("text", STRUCTURED.values(), ids=STRUCTURED)
def test_each_answer_settles_a_part_of_a_structured_file(text: str) -> None:
    checked_list = check(text)
    assert checked_list.outcome == "unknown"
    (question,) = checked_list.questions
    outcomes = {}
    for answer in question.answers:
        answered_text, _ = answer_questions("ufs", [(question.line, answer.code)], text=text)
        outcomes[answer.code] = {total.zone: total.cards for total in check(answered_text).totals}
        assert check(answered_text).questions == ()
    assert question.answers[0].code == "sideboard"
    assert outcomes["sideboard"] == {"main": 60, "sideboard": 8}
    assert outcomes["main"] == {"main": 68}
    assert outcomes["aside"]["main"] == 60


# The check that both of them call answers each of these files every day, above.
@pytest.mark.parametrize("name", each_nth(4, STRUCTURED))
def test_page_and_api_answer_structured_files_alike(client: Client, name: str) -> None:
    text = STRUCTURED[name]
    part = post(client, text, partial=True)
    (question,) = ask(client, text=text).json()["questions"]
    assert f'name="answer" value="{question["line"]}:sideboard"' in part
    assert part.count('role="group"') == 1
    answers = [{"line": question["line"], "answer": "sideboard"}]
    answered_body = ask(client, text=text, answers=answers).json()
    assert (answered_body["outcome"], answered_body["questions"]) == ("legal", [])
    page = post(client, text, answer=f"{question['line']}:sideboard")
    assert '<span class="badge badge-legal">Legal</span>' in page


def test_an_entry_that_names_its_zone_twice_is_corrected_in_the_list() -> None:
    checked_list = check(json.dumps([*PLAIN, *mark_cards(zone="main", bereich="Riserva")]))
    assert checked_list.outcome == "unknown"
    assert [question.answers for question in checked_list.questions] == [()]


@pytest.mark.parametrize("value", [[], [1, 2], {"a": {"b": 1}}, [[1]], {"standard": "legal"}])
def test_what_is_no_part_of_a_list_is_still_a_problem(value: object) -> None:
    deck = parse(json.dumps({"main": PLAIN, "riserva": value}))
    assert [problem.code for problem in deck.problems] == ["entry_not_understood"]
