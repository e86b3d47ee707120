"""Facts about lists that are typed or pasted.

The golden files show them in context.
"""

from __future__ import annotations

from decks.importers.model import DeckLine, ParsedDeck
from decks.importers.parsing import parse
from tests.everyday import each_case


def only(text: str) -> DeckLine:
    """Return the one line of a list of one line."""
    (line,) = parse(text).lines
    return line


def codes(deck: ParsedDeck) -> list[tuple[str, int | None]]:
    return [(problem.code, problem.line) for problem in (*deck.problems, *deck.notices)]


@each_case(
    "text",
    [
        "4 Copper Golem", "4x Copper Golem", "4 x Copper Golem", "4X Copper Golem", "x4 Copper Golem",
        "[4] Copper Golem", "(4) Copper Golem", "{4} Copper Golem", "4. Copper Golem", "4) Copper Golem",
        "4: Copper Golem", "4 - Copper Golem", "4\tCopper Golem", "Copper Golem x4", "Copper Golem 4x",
        "Copper Golem (4)", "Copper Golem [4]", "Copper Golem - 4", "Copper Golem: 4", "Copper Golem ..... 4",
        "Copper Golem\t4", "• 4 Copper Golem", "- 4x Copper Golem", "> 4 Copper Golem", "４ Copper Golem",
    ],
)  # fmt: skip
def test_quantity_is_read_wherever_people_put_it(text: str) -> None:
    line = only(text)
    assert (line.kind, line.qty, line.name) == ("card", 4, "Copper Golem")


@each_case(
    ("text", "code"),
    [
        ("0 Golem", "quantity_not_positive"),
        ("-1 Golem", "quantity_not_positive"),
        ("−3 Golem", "quantity_not_positive"),
        ("Golem x0", "quantity_not_positive"),
        ("1e9 Golem", "quantity_too_large"),
        ("1000 Golem", "quantity_too_large"),
        ("1,000 Golem", "quantity_too_large"),
        ("9" * 60 + " Golem", "quantity_too_large"),
        ("1.5 Golem", "quantity_not_whole"),
        ("1e-3 Golem", "quantity_not_whole"),
        ("4", "name_missing"),
        ("4x", "name_missing"),
        ("[SF01] x4", "name_missing"),
        ("???", "line_not_understood"),
        ("Golem " * 60, "line_too_long"),
    ],
)
def test_what_cannot_be_read_is_a_problem_of_its_line(text: str, code: str) -> None:
    line = only(text)
    assert line.kind == "problem"
    assert line.qty is None
    assert line.problem is not None
    assert (line.problem.code, line.problem.line, line.problem.severity) == (code, 1, "error")


def test_no_quantity_is_read_as_one_copy_and_said() -> None:
    deck = parse("Copper Golem")
    assert deck.lines[0].qty == 1
    assert codes(deck) == [("quantity_assumed", 1)]


def test_a_number_in_front_is_the_quantity_and_the_other_reading_is_kept() -> None:
    line = only("7 Iron")
    assert (line.qty, line.name) == (7, "Iron")
    assert [(other.qty, other.name) for other in line.alternatives] == [(1, "7 Iron")]


@each_case("name", ["XIANGHUA", "X-Ray", "x-ray", "Xen"])
def test_a_name_that_begins_with_x_keeps_it(name: str) -> None:
    assert (only(f"3 {name}").qty, only(f"3 {name}").name) == (3, name)


def test_an_x_between_number_and_name_may_belong_to_the_name() -> None:
    line = only("3 X Marks")
    assert (line.qty, line.name) == (3, "Marks")
    assert (3, "X Marks") in [(other.qty, other.name) for other in line.alternatives]


@each_case("text", ["6 Swallow Flash x4", "6 Swallow Flash 4x", "6 Swallow Flash ×4"])
def test_a_marked_quantity_behind_leaves_the_number_in_front_to_the_name(text: str) -> None:
    line = only(text)
    assert (line.qty, line.name) == (4, "6 Swallow Flash")
    assert [(other.qty, other.name) for other in line.alternatives] == [(6, "Swallow Flash")]


@each_case("text", ["Ken.. x4", "4 Ken..", "Ken.. (4)", "Ken.. ....... 4", "Ken..: 4"])
def test_rank_dots_before_a_quantity_are_kept(text: str) -> None:
    line = only(text)
    assert (line.qty, line.name, line.dots) == (4, "Ken", 2)


def test_a_tag_that_belongs_to_the_name_is_kept_as_a_reading_beside_other_marks() -> None:
    line = only("3 Haohmaru (WR) *F* $1.00")
    assert (line.name, line.set_code) == ("Haohmaru", "WR")
    assert [other.name for other in line.alternatives if other.qty == 3] == ["Haohmaru (WR)"]


def test_several_lines_of_one_card_stay_several_lines() -> None:
    deck = parse("2 Golem\n2 Golem\n")
    assert [line.qty for line in deck.cards] == [2, 2]
    assert deck.total("main") == 4


def test_a_name_in_quotation_marks_is_taken_as_it_stands() -> None:
    line = only('2 "4 Golems (SF01 3)" ●● [SF02 7]')
    assert (line.qty, line.name, line.dots) == (2, "4 Golems (SF01 3)", 2)
    assert (line.set_code, line.collector_number) == ("SF02", "7")


@each_case(
    "heading",
    [
        "Sideboard", "SIDEBOARD:", "Sideboard (3)", "Sideboard: 3", "Sideboard - 3 cards", "3 Sideboard:",
        "Side", "Side Deck", "Side board", "SB", "[b]Sideboard[/b]", "[u]Sideboard (3)[/u]", "**Sideboard**",
        "## Sideboard", "// Sideboard", "//Sideboard (3 cards)", "# Sideboard", "== Sideboard ==",
        "--- Sideboard ---", "[Sideboard]", "<Sideboard>", "{Sideboard}", "<b>Sideboard</b>", "★ Sideboard ★",
    ],
)  # fmt: skip
def test_sideboard_is_known_in_the_spellings_of_many_tools(heading: str) -> None:
    deck = parse(f"4 Copper Golem\n{heading}\n3 Iron Golem\n")
    assert [(line.name, line.zone) for line in deck.cards] == [
        ("Copper Golem", "main"),
        ("Iron Golem", "sideboard"),
    ]
    assert deck.problems == deck.notices == ()


@each_case(
    ("heading", "zone"),
    [
        ("Main deck", "main"), ("Mainboard", "main"), ("Deck", "main"), ("Endurance", "main"),
        ("Foundations", "main"), ("Attacks (3)", "main"), ("Character", "main"), ("Basic Blocks", "main"),
        ("Pre-Game", "pregame"), ("Pregame:", "pregame"), ("Persona", "pregame"), ("Quickenings:", "pregame"),
        ("Weapon of Choice", "pregame"), ("Card pool", "pool"), ("Maybeboard", "aside"), ("Tokens", "aside"),
    ],
)  # fmt: skip
def test_heading_opens_its_zone(heading: str, zone: str) -> None:
    assert [line.zone for line in parse(f"{heading}\n3 Copper Golem\n").cards] == [zone]


def test_prefix_counts_for_its_own_line_alone() -> None:
    deck = parse("SB: 1 Iron Golem\n4 Copper Golem\n")
    assert [line.zone for line in deck.cards] == ["sideboard", "main"]


def test_heading_and_card_on_one_line() -> None:
    deck = parse("Character: Ken ●●\nPersona: Amanda\n")
    assert [(line.name, line.dots, line.zone, line.section) for line in deck.cards] == [
        ("Ken", 2, "main", "Character"),
        ("Amanda", None, "pregame", "Persona"),
    ]


def test_card_type_after_the_pre_game_cards_is_of_the_main_deck() -> None:
    deck = parse("Pre-Game\n1 Amanda\nAttacks\n4 Thrust\n")
    assert [line.zone for line in deck.cards] == ["pregame", "main"]


def test_card_type_below_a_sideboard_stays_there_and_is_said() -> None:
    deck = parse("Sideboard\nAttacks\n4 Thrust\n")
    assert [line.zone for line in deck.cards] == ["sideboard"]
    assert codes(deck) == [("type_below_sideboard", 2)]


def test_announced_count_that_differs_is_said() -> None:
    assert codes(parse("Attacks (5)\n4 Thrust\n")) == [("heading_count_differs", 1)]
    assert codes(parse("Attacks (4)\n4 Thrust\n")) == []


@each_case("total", ["Total: 5", "5 cards", "Total cards: 5", "= 5 cards", "Deck size: 5"])
def test_total_that_differs_is_said(total: str) -> None:
    assert codes(parse(f"4 Thrust\n{total}\n")) == [("total_differs", 2)]
    assert codes(parse(f"5 Thrust\n{total}\n")) == []


def test_count_before_a_type_is_a_heading_where_as_many_cards_follow() -> None:
    deck = parse("4 Attack\n4 Thrust\n")
    assert [line.kind for line in deck.lines] == ["section", "card"]


def test_count_before_a_type_is_a_card_where_they_do_not() -> None:
    deck = parse("4 Attack\n3 Thrust\n")
    assert [(line.kind, line.qty, line.name) for line in deck.lines] == [
        ("card", 4, "Attack"),
        ("card", 3, "Thrust"),
    ]
    assert codes(deck) == [("heading_or_card", 1)]


def test_large_count_before_a_type_is_a_heading_even_if_cards_are_missing() -> None:
    deck = parse("24 Foundations\n4 Thrust\n")
    assert deck.lines[0].kind == "section"
    assert codes(deck) == [("heading_count_differs", 1)]


@each_case("text", ["4x Attack", "Attack x4", "[4] Attack"])
def test_marked_quantity_makes_a_card_of_a_heading_word_and_says_so(text: str) -> None:
    deck = parse(text)
    assert [(line.kind, line.qty, line.name) for line in deck.lines] == [("card", 4, "Attack")]
    assert codes(deck) == [("heading_or_card", 1)]


@each_case(
    "name",
    [
        "00101.01101.00001.01111",
        "8th Golem",
        "Rest",
        "Edge",
        "Block",
        "Dodge",
        ":: Kyo ::",
        ":·: Mai :·:",
        "M.I.A.",
    ],
)
def test_real_names_that_look_like_something_else_are_cards(name: str) -> None:
    for text, qty in ((f"3 {name}", 3), (f"3x {name}", 3), (name, 1)):
        line = only(text)
        assert (line.kind, line.qty, line.written_text) == ("card", qty, name)


@each_case("text", ["1 Deck", "4 Endurance", "2 Ken:"])
def test_small_count_before_a_word_that_could_open_a_zone_makes_a_card(text: str) -> None:
    deck = parse(f"{text}\n4 Tin\n")
    assert [line.zone for line in deck.cards] == ["main", "main"]


def test_large_count_before_a_zone_opens_it() -> None:
    assert [line.zone for line in parse("4 Iron\n8 Sideboard\n8 Tin\n").cards] == ["main", "sideboard"]


def test_titles_of_cards_are_headings_only_where_marked() -> None:
    assert parse("Watcher\n").lines[0].kind == "card"
    assert parse("Watcher:\n").lines[0].kind == "section"


def test_unknown_heading_keeps_the_zone_and_is_said() -> None:
    deck = parse("Sideboard\nFinishers:\n1 Thrust\n")
    assert deck.cards[0].zone == "sideboard"
    assert deck.cards[0].section == "Finishers"
    assert codes(deck) == [("heading_unknown", 2)]


@each_case("text", ["// 4 Golem", "# 4 Golem", "; 4 Golem", "Notes: 4 good Golems", "-----", "====", "***"])
def test_comments_name_no_card(text: str) -> None:
    assert only(text).kind == "comment"


def test_one_blank_line_makes_no_sideboard_and_is_said() -> None:
    deck = parse("4 Copper Golem\n\n2 Iron Golem\n")
    assert [line.zone for line in deck.cards] == ["main", "main"]
    assert codes(deck) == [("blank_line_without_heading", 2)]


def test_what_no_database_can_store_is_replaced_and_said() -> None:
    deck = parse("1 Tin\0Golem\n1 Iron\ud800Golem")
    assert [line.text for line in deck.lines] == ["1 Tin\ufffdGolem", "1 Iron\ufffdGolem"]
    assert codes(deck) == [("characters_lost", None)]


def test_first_bold_words_are_the_title_and_the_next_a_heading() -> None:
    deck = parse("[b]Copper rush[/b]\n[b]Finishers[/b]\n4 Tin\n")
    assert deck.title == "Copper rush"
    assert [line.kind for line in deck.lines] == ["comment", "section", "card"]


def test_title_and_game_are_kept() -> None:
    deck = parse("Title: Copper rush\nGame: ufs\n4 Golem\n")
    assert (deck.title, deck.game_hint) == ("Copper rush", "ufs")


def test_event_is_a_fact_above_a_list_and_a_type_of_card_within_it() -> None:
    assert [line.kind for line in parse("Event: Friday league\n4 Tin\n").lines] == ["comment", "card"]
    assert [line.name for line in parse("4 Tin\nEvent: Golem Dance\n").cards] == ["Tin", "Golem Dance"]
    assert [line.name for line in parse("Event: 2 Golem Dance\n").cards] == ["Golem Dance"]


def test_sign_before_most_lines_is_a_bullet() -> None:
    deck = parse("● Copper Golem x2\n● Iron Golem x2\n● Tin Golem x2\n")
    assert [(line.name, line.dots) for line in deck.cards] == [
        ("Copper Golem", None),
        ("Iron Golem", None),
        ("Tin Golem", None),
    ]


def test_sign_before_one_line_may_be_a_rank_dot_and_is_said() -> None:
    deck = parse("4 Copper Golem\n4 Iron Golem\n● Ken\n")
    assert (deck.cards[2].name, deck.cards[2].dots) == ("Ken", 1)
    assert ("dot_or_bullet", 3) in codes(deck)


def test_numbered_lines_are_not_quantities() -> None:
    deck = parse("1. Copper Golem x2\n2. Iron Golem x3\n3. Tin Golem x4\n")
    assert [line.qty for line in deck.cards] == [2, 3, 4]


def test_prices_categories_and_remarks_are_set_aside_by_name() -> None:
    line = only("4 Copper Golem (RIM) 12 [Creature] $1.25")
    assert (line.name, line.set_code, line.collector_number) == ("Copper Golem", "RIM", "12")
    assert line.ignored_marks == ("$1.25", "[Creature]")


@each_case("mark", ["*F*", "(F)", "[foil]", "(Foil)", "foil", "*E*", "(etched)", "[alt art]"])
def test_finish_of_a_copy_is_set_aside(mark: str) -> None:
    line = only(f"4 Copper Golem {mark}")
    assert (line.name, line.variant, line.ignored_marks) == ("Copper Golem", None, (mark,))


@each_case("text", ["4 F02", "4x F02", "x4 F02", "F02 x4", "[4] F02"])
def test_a_quantity_is_no_set(text: str) -> None:
    line = only(text)
    assert (line.qty, line.name, line.set_code) == (4, "F02", None)


@each_case(
    ("text", "name", "where"),
    [
        ("1 Tin (SF01 3) (SF02 4)", "Tin (SF01 3)", ("SF02", "4")),
        ("1 [SF01 3] Tin (SF02 4)", "[SF01 3] Tin", ("SF02", "4")),
        ("1 SF01-3 Tin (SF02 4)", "SF01-3 Tin", ("SF02", "4")),
        ("1 Tin 3/60 4/90", "Tin 3/60", (None, "4/90")),
        ("1 [SF01] Tin 4/90", "Tin", ("SF01", "4/90")),
    ],
)
def test_what_is_said_twice_is_never_dropped(text: str, name: str, where: tuple[str | None, str]) -> None:
    line = only(text)
    assert (line.name, (line.set_code, line.collector_number)) == (name, where)


def test_second_variant_stays_in_the_name() -> None:
    line = only("1 Tin [booster] [starter]")
    assert (line.name, line.variant) == ("Tin [booster]", "starter")


def test_tag_that_may_be_part_of_the_name_leaves_the_whole_name_as_another_reading() -> None:
    line = only("1 Kaede (OM)")
    assert (line.name, line.set_code) == ("Kaede", "OM")
    assert line.written_text == "Kaede (OM)"


def test_garbled_text_is_put_right_and_said() -> None:
    deck = parse("1 Golem’s Protégé".encode().decode("cp1252"))
    assert deck.cards[0].name == "Golem’s Protégé"
    assert codes(deck) == [("mojibake_repaired", 1)]


@each_case("name", ["Café Ole", "Ångström", "Señor Golem", "Łódź", "東京", "Ä–Z", "«CAFÉ»"])
def test_text_that_was_never_garbled_stays(name: str) -> None:
    deck = parse(f"1 {name}")
    assert deck.cards[0].name == name
    assert codes(deck) == []
