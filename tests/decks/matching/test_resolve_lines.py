"""A line of a list to a card of the catalogue.

The card is accepted, asked about, or only suggested.
"""

from __future__ import annotations

from decks.importers.model import DeckLine
from decks.importers.parsing import parse
from decks.matching.index import CardIndex
from decks.matching.model import IndexedPrinting, LineMatch
from rules.rendering import say
from tests.everyday import each_case
from tests.scenarios.printings import BUTTON_ID, GOLEM_ID, INDEX, PRINTINGS, printing


def match(text: str, index: CardIndex = INDEX) -> LineMatch:
    """Return the result for the one line of a list."""
    (line,) = parse(text).lines
    return index.resolve(line)


def entry(identifier: str, name: str) -> LineMatch:
    """Return the result for an entry with an identifier."""
    return INDEX.resolve(DeckLine(1, name, "card", 1, name, card_id=identifier, written_text=name))


def labels(line_match: LineMatch) -> list[str]:
    return [suggestion.label for suggestion in line_match.suggestions]


@each_case(
    ("text", "card", "key", "status"),
    [
        ("4 Kubi Ori", "Kubi Ori", "SF05-46", "exact"),
        ("4 kubi ori", "Kubi Ori", "SF05-46", "exact"),
        ("4 Kubi-Ori!", "Kubi Ori", "SF05-46", "normalised"),
        ("4 Neck Breaker", "Kubi Ori", "SF05-46", "exact"),
        ("4 Protege", "Protégé", "HM3-007", "normalised"),
        ("4 Protégé", "Protégé", "HM3-007", "exact"),
        ("1 Ken ●●", "Ken|2", "SF01-38", "exact"),
        ("1 ●●Ken", "Ken|2", "SF01-38", "exact"),
        ("1 Ken..", "Ken|2", "SF01-38", "exact"),
        ("1 Ken**", "Ken|2", "SF01-38", "exact"),
        ("1 Ken2", "Ken|2", "SF01-38", "normalised"),
        ("1 Ken 2", "Ken|2", "SF01-38", "normalised"),
        ("1 Ken::", "Ken|4", "SF05-55", "exact"),
        ("1 M.I.A.", "M.I.A.", "SF04-34", "exact"),
        ("1 MIA", "M.I.A.", "SF04-34", "normalised"),
        ("1 ...To Stand a Chance", "...To Stand a Chance", "SF01-59", "exact"),
        ("1 To Stand a Chance", "...To Stand a Chance", "SF01-59", "exact"),
        ("4 Dark Hado (SF03 15/90)", "Dark Hado (SF03)", "SF03-15", "exact"),
        ("SF03 15 Dark Hado", "Dark Hado (SF03)", "SF03-15", "exact"),
        ("4 Dark Hado SF04-70", "Dark Hado (SF04)", "SF04-070", "exact"),
        ("4 Dark Hado [SF04]", "Dark Hado (SF04)", "SF04-070", "exact"),
        ("4 Dark Hado|SF04|1", "Dark Hado (SF04)", "SF04-070", "exact"),
        ("1 Ken ●●|SF01|[38]", "Ken|2", "SF01-38", "exact"),
        ("4 Dark Hado 70/144", "Dark Hado (SF04)", "SF04-070", "exact"),
        ("1 SF01 38", "Ken|2", "SF01-38", "exact"),
        ("1 SF01-038/143", "Ken|2", "SF01-38", "exact"),
        ("1 Ken (SF01 38)", "Ken|2", "SF01-38", "exact"),
        ("1 SF01 126", "Jab", None, "exact"),
        ("1 Quick Elbow (SF01 126/143)", "Jab", "SF01-126", "exact"),
        ("1 Festival Float (2006 1/2)", "Festival Float", "2006-1", "exact"),
        ("1 [2006 1/2] Festival Float", "Festival Float", "2006-1", "exact"),
        ("1 Festival Float [Sideboard]", "Festival Float", "2006-1", "exact"),
        ("1 Festival Float (Side)", "Festival Float (Side)", "2006-2", "exact"),
        ("1x Copper Golem (rim) 12 *F*", "Copper Golem", "RIM-12", "exact"),
        ("1 Copper Golem // the best", "Copper Golem", None, "normalised"),
        ("1 Salt // Iron Will // the best", "Salt // Iron Will", "RIM-20", "normalised"),
        ("1 Taking the Bait", "Taking the Bait", None, "exact"),
        ("1 Taking the Bait [starter]", "Taking the Bait", "SC03-090~starter", "exact"),
        ("1 SC03-90~booster Taking the Bait", "Taking the Bait", "SC03-090~booster", "exact"),
        ("1 HS4-024 DvK Alertness", "Alertness", "HS4-024 DvK", "exact"),
        ("1 PA 12 Iron", "Iron", "PA-12", "normalised"),
        ("1 7 Iron", "7 Iron", "PA-11", "exact"),
        ("1 Kaede (OM)", "Kaede (OM)", "CFC-3", "exact"),
        ("1 Kaede", "Kaede", "CFC-4", "exact"),
        ("1 Salt", "Salt // Iron Will", "RIM-20", "exact"),
        ("1 Salt/Iron Will", "Salt // Iron Will", "RIM-20", "exact"),
        ("1 Noble Golem, The", "The Noble Golem", "RIM-21", "exact"),
        ("1 Copper Golem", "Copper Golem", None, "exact"),
        ("4x Attack", "Attack", "RIM-22", "exact"),
        ("3 Kubi Ori (Foundation)", "Kubi Ori", "SF05-46", "exact"),
        ("2 2/5 Kubi Ori (All, Fire) +1M - fine", "Kubi Ori", "SF05-46", "exact"),
    ],
)
def test_line_names_one_card(text: str, card: str, key: str | None, status: str) -> None:
    line_match = match(text)
    assert (line_match.card_key, line_match.printing_key, line_match.status) == (card, key, status)


@each_case(
    ("text", "suggestions"),
    [
        ("1 Ken", ["Ken ● (SF01 37/143)", "Ken ●● (SF01 38/143)", "Ken ●●●● (SF05 55/90)"]),
        ("4 Dhalsim", ["Dhalsim ●●● (SF3P 8/23)"]),
        ("1 Guile", ["Guile ● (SF02 55/126)", "Guile (ZZ9 4/90)"]),
        ("4 Dark Hado", ["Dark Hado (SF03 15/90)", "Dark Hado (SF04 070/144)"]),
        ("7 Iron", ['"7 Iron" (PA 11/45)', "Iron (PA 12/45)"]),
        ("Attack", ["Attack (RIM 22/60)"]),
        ("073/143", ["Taki ● (SC01 073/143)"]),
    ],
)
def test_line_that_can_mean_several_things_is_asked_about(text: str, suggestions: list[str]) -> None:
    line_match = match(text)
    if text == "073/143":
        assert (line_match.status, line_match.card_key) == ("exact", "Taki|1")
        return
    assert (line_match.status, line_match.card_key, line_match.sure) == ("ambiguous", None, "no")
    assert labels(line_match) == suggestions
    assert line_match.note


def test_number_of_two_sets_of_one_size_is_asked_about() -> None:
    index = CardIndex([printing("Tin", "AA 5/60"), printing("Lead", "BB 5/60"), printing("Zinc", "CC 5/90")])
    line_match = match("5/60", index)
    assert line_match.status == "ambiguous"
    assert labels(line_match) == ["Tin (AA 5/60)", "Lead (BB 5/60)"]


@each_case(
    ("text", "note"),
    [
        ("4 SF03 16 Dark Hado", "There is no card with the number SF03 16."),
        ("4 Dark Hado (SF03 15/144)", "There is no card with the number SF03 15/144."),
        ("4 Dark Hado [SF05]", "“Dark Hado” is not in the set SF05. It is in SF03 and SF04."),
        ("4 Dark Hado 71/144", "“Dark Hado” does not have the number 71/144."),
        ("4 Dark Hado (M11) 149", "There is no card with the number M11 149."),
        ("1 Ken ●●●", "“Ken” has no version with 3 dots."),
        ("1 Kubi Ori ●", "“Kubi Ori” has no version with 1 dot."),
    ],
)
def test_qualified_line_never_falls_back_to_an_unqualified_match(text: str, note: str) -> None:
    line_match = match(text)
    assert (line_match.status, line_match.card_key, line_match.note) == ("fuzzy-suggestions", None, note)
    assert labels(line_match)[0].split(" (")[0].rstrip(" ●") in text


def test_set_and_number_of_another_card_than_the_name_conflict() -> None:
    line_match = match("4 SF05 46 Dark Hado")
    assert (line_match.status, line_match.card_key) == ("conflict", None)
    assert labels(line_match) == [
        "Kubi Ori (SF05 46/90)",
        "Dark Hado (SF03 15/90)",
        "Dark Hado (SF04 070/144)",
    ]
    assert line_match.note == "SF05 46 is “Kubi Ori”, not “Dark Hado”. Correct one of them."


def test_rank_that_contradicts_set_and_number_conflicts() -> None:
    assert match("1 Ken ● (SF01 38/143)").status == "conflict"


def test_set_and_number_settle_a_misspelled_name_with_a_note() -> None:
    line_match = match("4 SF05 46 Kubi Orri")
    assert (line_match.card_key, line_match.status, line_match.sure) == ("Kubi Ori", "normalised", "likely")
    assert line_match.note == "The name was read as “Kubi Ori”, because SF05 46 is that card."


@each_case("text", ["4 Kubbi Ori", "4 Kubi Orri", "4 Kubi", "4 Coper Golem", "4 Lotus Sun", "1 Kenn ●●"])
def test_misspelled_name_is_never_accepted_but_suggested(text: str) -> None:
    line_match = match(text)
    assert (line_match.status, line_match.card_key) == ("fuzzy-suggestions", None)
    assert line_match.suggestions


def test_unknown_name_is_unknown() -> None:
    line_match = match("4 Xyzzyqwv")
    assert (line_match.status, line_match.suggestions, line_match.note) == (
        "unknown",
        (),
        "There is no card named “Xyzzyqwv”.",
    )


def test_identifier_beats_a_misspelled_name_with_a_note() -> None:
    found_entry = entry(GOLEM_ID.upper(), "Coper Golem")
    assert (found_entry.card_key, found_entry.printing_key, found_entry.found_by) == (
        "Copper Golem",
        "RIM-12",
        "identifier",
    )
    assert (found_entry.sure, found_entry.note) == (
        "likely",
        "The name “Coper Golem” was read as “Copper Golem”, because the identifier belongs to that card.",
    )


@each_case("name", ["Copper Golem", "copper golem", ""])
def test_identifier_and_name_that_agree_need_no_note(name: str) -> None:
    assert entry(f"{{{GOLEM_ID}}}", name).note == ""


def test_identifier_of_a_part_that_is_no_deck_card_is_not_a_card() -> None:
    found_entry = entry(BUTTON_ID, "Start Game")
    assert (found_entry.status, found_entry.card_key) == ("unknown", None)
    assert match("1 Start Game").card_key is None


def test_unknown_identifier_of_a_known_kind_is_not_replaced_by_the_name() -> None:
    found_entry = entry("bbbbbbbb-0000-0000-0000-000000000001", "Kubi Ori")
    assert (found_entry.status, found_entry.card_key) == ("unknown", None)
    assert labels(found_entry) == ["Kubi Ori (SF05 46/90)"]


def test_identifier_of_a_kind_that_no_card_has_leaves_it_to_the_name() -> None:
    index = CardIndex([each for each in PRINTINGS if not each.ids])
    line = DeckLine(1, "Kubi Ori", "card", 1, "Kubi Ori", card_id=GOLEM_ID, written_text="Kubi Ori")
    line_match = index.resolve(line)
    assert (line_match.card_key, line_match.sure) == ("Kubi Ori", "likely")
    assert line_match.note == say("reason", "no_such_identifiers")


@each_case("key", ["SF05-46", "Kubi Ori", "kubi ori"])
def test_json_names_a_card_by_the_key_of_a_printing_or_a_card_or_by_name(key: str) -> None:
    (_, line) = parse(f'{{"main": [{{"card": "{key}", "qty": 4}}]}}').lines
    line_match = INDEX.resolve(line)
    assert (line_match.card_key, line_match.note) == ("Kubi Ori", "")


def test_one_identifier_of_two_cards_is_asked_about() -> None:
    index = CardIndex([printing("Tin", "AA 1", ids=("9",)), printing("Lead", "AA 2", ids=("9",))])
    assert index.resolve(DeckLine(1, "", "card", 1, card_id="9")).status == "ambiguous"


@each_case("text", ["// Kubi Ori", "", "Sideboard", "Attacks (4)", "Attack (4)", "[b]Attack[/b]", "Attack:"])
def test_what_is_no_card_is_not_looked_up(text: str) -> None:
    deck = parse(f"{text}\n4 Tin")
    assert INDEX.resolve(deck.lines[0]).status == "not-a-card"


@each_case("text", ["Attack", "Attack (4)", "Attack: 4"])
def test_heading_that_can_be_a_card_is_asked_about(text: str) -> None:
    deck = parse(f"{text}\n3 Kubi Ori")
    line_match = INDEX.resolve(deck.lines[0])
    assert (line_match.status, labels(line_match)) == ("ambiguous", ["Attack (RIM 22/60)"])


def test_line_with_a_problem_still_gets_suggestions() -> None:
    line_match = match("0 Kubi Ori")
    assert (line_match.card_key, labels(line_match)) == (None, ["Kubi Ori (SF05 46/90)"])


def test_names_that_carry_their_dots_in_the_catalogue_are_found_by_rank() -> None:
    index = CardIndex(
        [
            IndexedPrinting("a", "A1", "Astaroth."),
            IndexedPrinting("b", "A2", "Astaroth.."),
            IndexedPrinting("c", "C2", "·· Cassandra ··"),
        ]
    )
    assert match("1 Astaroth..", index).card_key == "A2"
    assert match("1 Cassandra ●●", index).card_key == "C2"
    assert match("1 Cassandra", index).status == "ambiguous"


@each_case("each", [each for each in PRINTINGS if each.is_deck_card])
def test_label_of_every_suggestion_names_exactly_that_printing(each: IndexedPrinting) -> None:
    number = f" {each.number_text}"
    line_match = match(f"1 {each.name} {'●' * (each.dots or 0)} ({each.set_code}{number})")
    assert line_match.card_key == each.card_key


def test_an_empty_catalogue_knows_nothing() -> None:
    index = CardIndex([])
    assert match("4 Kubi Ori", index).status == "unknown"
    assert index.search("kubi") == ()


def test_a_set_behind_a_bar_that_fits_nothing_comes_back_with_suggestions():
    line_match = match("4 Dark Hado|SF01")
    assert (line_match.status, line_match.note) == (
        "fuzzy-suggestions",
        "“Dark Hado” is not in the set SF01. It is in SF03 and SF04.",
    )
    assert labels(line_match) == ["Dark Hado (SF03 15/90)", "Dark Hado (SF04 070/144)"]
    assert labels(match("4 Kubi Orri|SF05"))[0].startswith("Kubi Ori")
