"""Facts about tables, XML and JSON; the golden files show them in context."""

from __future__ import annotations

import json

from decks.importers.model import ParsedDeck
from decks.importers.parsing import parse
from tests.everyday import each_case


def problem_codes(deck: ParsedDeck) -> list[str]:
    return [problem.code for problem in deck.problems]


def cards(deck: ParsedDeck) -> list[tuple[int | None, str, str]]:
    return [(line.qty, line.name, line.zone) for line in deck.cards]


@each_case(
    "text",
    [
        "<!DOCTYPE deck><deck/>",
        '<?xml version="1.0"?><!DOCTYPE deck [<!ENTITY a "b">]><deck>&a;</deck>',
        '<!DOCTYPE deck SYSTEM "file:///etc/passwd"><deck/>',
        '<!DOCTYPE d [<!ENTITY % p SYSTEM "http://example.org/x">%p;]><deck/>',
    ],
)
def test_document_types_and_entities_are_refused(text: str) -> None:
    deck = parse(text)
    assert deck.lines == ()
    assert problem_codes(deck) == ["xml_forbidden_construct"]


def test_a_billion_laughs_are_refused_before_they_are_counted() -> None:
    laughs = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
    deck = parse(f'<?xml version="1.0"?><!DOCTYPE lol [<!ENTITY l0 "lol">{laughs}]><deck>&l9;</deck>')
    assert problem_codes(deck) == ["xml_forbidden_construct"]


def test_unknown_entities_are_an_error_of_the_file() -> None:
    assert problem_codes(parse("<deck>&nope;</deck>")) == ["xml_malformed"]


def test_deep_nesting_is_refused() -> None:
    assert problem_codes(parse("<deck>" + "<a>" * 50 + "</a>" * 50 + "</deck>")) == ["xml_too_deep"]


def test_what_stands_before_a_break_is_kept_and_the_rest_is_not_guessed() -> None:
    deck = parse('<deck game="g"><section name="Main"><card qty="2" id="a">Tin</card><card qty="3" id="b">Ir')
    assert cards(deck) == [(2, "Tin", "main")]
    assert problem_codes(deck) == ["xml_malformed", "element_not_understood"]


@each_case(
    "inside",
    [
        "<card>Tin<b>Golem</b></card>",
        "<crad>Tin</crad>",
        "4 Tin",
        "<card><name>A</name><name>B</name></card>",
    ],
)
def test_what_is_not_understood_inside_a_section_is_a_problem(inside: str) -> None:
    deck = parse(f'<deck game="g"><section name="Main">{inside}</section></deck>')
    assert cards(deck) == []
    assert problem_codes(deck) == ["element_not_understood"]


def test_elements_are_read_in_any_case_and_namespace() -> None:
    deck = parse('<x:Deck xmlns:x="urn:x"><x:Cards Quantity="2" Name="Tin" Sideboard="True"/></x:Deck>')
    assert cards(deck) == [(2, "Tin", "sideboard")]


def test_source_of_an_entry_is_its_own_element() -> None:
    cards = '<card qty="2" id="a">T/></card><card qty="1" id="b"/>'
    deck = parse(f'<deck game="g"><section name="Main">{cards}</section></deck>')
    assert [line.text for line in deck.lines] == [
        '<section name="Main">',
        '<card qty="2" id="a">T/></card>',
        '<card qty="1" id="b"/>',
    ]


def test_garbled_names_are_put_right_and_said() -> None:
    deck = parse(f'<Deck><Cards Quantity="1" Name="{"Protégé".encode().decode("cp1252")}"/></Deck>')
    assert cards(deck) == [(1, "Protégé", "main")]
    assert [notice.code for notice in deck.notices] == ["mojibake_repaired"]


def test_identifier_alone_is_enough_for_an_entry() -> None:
    deck = parse('<deck game="g"><section name="Main"><card qty="2" id="a"/></section></deck>')
    assert [(line.qty, line.name, line.card_id) for line in deck.cards] == [(2, "", "a")]


@each_case("name", ["", " ", "\u200b", "\u00a0"])
def test_a_name_without_a_visible_sign_is_missing(name: str) -> None:
    for text in (
        json.dumps({"main": [{"card": name, "qty": 1}]}),
        f'<Deck><Cards Quantity="1" Name="{name}"/></Deck>',
    ):
        assert problem_codes(parse(text)) == ["name_missing"]


def test_json_of_the_contract() -> None:
    deck_data = {"main": [{"card": "F01", "qty": 4}], "sideboard": [{"card": "S01", "qty": 8}], "pregame": []}
    deck = parse(json.dumps(deck_data))
    assert deck.format == "json"
    assert [(line.qty, line.card_id, line.name, line.zone) for line in deck.cards] == [
        (4, "F01", "F01", "main"),
        (8, "S01", "S01", "sideboard"),
    ]
    assert deck.problems == deck.notices == ()


def test_a_zone_given_twice_is_read_twice() -> None:
    deck = parse('{"main": [{"card": "A", "qty": 1}], "main": [{"card": "B", "qty": 2}]}')
    assert cards(deck) == [(1, "A", "main"), (2, "B", "main")]


@each_case(
    "text",
    [
        '{"Tin": 4, "Iron": 2}',
        '{"main": {"Tin": 4, "Iron": 2}}',
        '{"main": "4 Tin\\n2 Iron", "pool": "ufs_A", "version": 1}',
        '{"main": ["4 Tin", "Iron x2"]}',
        '{"main": [["Tin", 4], [2, "Iron"]]}',
        '[{"name": "Tin", "count": 4}, {"name": "Iron", "count": "2"}]',
        '{"deck": {"main": [{"card": {"name": "Tin"}, "quantity": 4}, {"card": "Iron", "copies": 2}]}}',
        '{"cards": [{"name": "Tin", "qty": 4, "zone": "main"}, {"title": "Iron", "amount": 2}]}',
    ],
)
def test_usual_shapes_of_json_lists_are_read_alike(text: str) -> None:
    deck = parse(text)
    assert cards(deck) == [(4, "Tin", "main"), (2, "Iron", "main")]
    assert deck.problems == deck.notices == ()


def test_a_field_given_twice_is_a_problem() -> None:
    assert problem_codes(parse('{"main": [{"card": "A", "qty": 1, "qty": 3}]}')) == ["entry_not_understood"]


@each_case("qty", ["0", "-1", "1.5", "1e9", "99999999999999999999", '"four"', "true", "[4]"])
def test_wrong_quantities_in_json_are_problems(qty: str) -> None:
    deck = parse(f'{{"main": [{{"card": "A", "qty": {qty}}}]}}')
    assert cards(deck) == []
    assert len(deck.problems) == 1


@each_case("text", ['{"main"', '{"main": [}', '["a" "b"]', '{"main": []} x', '{"a": "\\u12"}', '{"a": nul}'])
def test_broken_json_is_told_with_its_line(text: str) -> None:
    deck = parse(text)
    assert problem_codes(deck) == ["json_malformed"]
    assert deck.problems[0].line == 1


def test_unknown_zone_with_cards_is_a_question_not_a_loss() -> None:
    deck = parse('{"henchmen": [{"card": "A", "qty": 1}]}')
    assert ([line.question.code for line in deck.questions], cards(deck)) == (
        ["heading_unknown"],
        [(1, "A", "main")],
    )


def test_sheets_that_come_with_a_list_are_no_zone_of_it() -> None:
    deck = parse(
        '{"main": [{"card": "A", "qty": 1}], "gem_assignment": {"Strength": 5}, "options": {"x": [1]}}'
    )
    assert cards(deck) == [(1, "A", "main")]
    assert deck.problems == ()


def test_line_numbers_of_json_entries_are_those_of_the_file() -> None:
    deck = parse('{"main": [\n {"card": "A", "qty": 1},\n\n {"card": "B", "qty": 2}\n]}')
    assert [line.number for line in deck.cards] == [2, 4]


@each_case("separator", [",", ";", "\t", "|"])
def test_tables_with_any_separator(separator: str) -> None:
    rows = [["Count", "Card name", "Section"], ["4", "Tin", "Main"], ["2", '"Iron"', "Side"]]
    deck = parse("\n".join(separator.join(row) for row in rows))
    assert deck.format == "csv"
    assert cards(deck) == [(4, "Tin", "main"), (2, "Iron", "sideboard")]


def test_a_row_that_only_says_sideboard_opens_it() -> None:
    deck = parse("Qty,Name\nCharacter,\n1,Ken\n,Sideboard (2)\n2,Tin\nMain deck,\n3,Iron\n")
    assert cards(deck) == [(1, "Ken", "main"), (2, "Tin", "sideboard"), (3, "Iron", "main")]
    assert deck.problems == ()


def test_of_two_columns_that_say_the_same_the_first_is_read_and_the_other_named() -> None:
    deck = parse("Count,Copies,Name\n4,9,Tin\n")
    assert cards(deck) == [(4, "Tin", "main")]
    assert [notice.code for notice in deck.notices] == ["columns_unused"]
    assert "Copies" in deck.notices[0].sentence


def test_a_table_drawn_with_bars_is_a_table() -> None:
    deck = parse("| Qty | Name |\n|-----|------|\n| 4 | Tin |\n# from the wiki\n")
    assert cards(deck) == [(4, "Tin", "main")]
    assert deck.problems == ()


def test_an_open_quotation_mark_costs_its_own_row_alone() -> None:
    deck = parse('Qty,Name\n4,"Tin\n2,Iron\n')
    assert cards(deck) == [(2, "Iron", "main")]
    assert [(problem.code, problem.line) for problem in deck.problems] == [("quotation_open", 2)]


def test_a_column_of_numbers_without_quantities_is_asked_about() -> None:
    deck = parse("Number,Name\n4,Tin\n")
    assert cards(deck) == []
    assert problem_codes(deck) == ["column_unclear", "column_unclear"]


def test_a_catalogue_number_beside_a_quantity_is_no_quantity() -> None:
    deck = parse("Qty,Name,Set,Number\n4,Tin,RIM,073/143\n")
    assert [(line.qty, line.set_code, line.collector_number) for line in deck.cards] == [
        (4, "RIM", "073/143")
    ]
