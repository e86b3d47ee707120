"""The label of a card or printing is read back as exactly that one."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from decks.importers.names import split_dots
from decks.importers.parsing import parse
from decks.matching.index import CardIndex
from decks.matching.model import IndexedPrinting, LineMatch
from tests import machine
from tests.everyday import each_nth, some
from tests.scenarios.printings import PRINTINGS, printing

FIXTURES = Path(__file__).parents[3] / "fixtures"
GAMES = ("ufs", "cfc", "highlander", "sf_miniatures")
WAYS = ("{}", "1 {}", "4 {}", "4x {}", "{} x4", "[4] {}", "- 4 {}", "[b]4x {}[/b]", "**4x {}**", "4 {}<br>")


def list_shipped_printings(game: str) -> list[IndexedPrinting]:
    """Return the printings of a shipped catalogue.

    Cards that share a name stay separate cards.
    """
    cards = json.loads((FIXTURES / game / "catalogue.json").read_text(encoding="utf-8"))["cards"]
    return [_shipped_printing(key, facts) for key, facts in cards.items()]


def _shipped_printing(key: str, facts: dict[str, object]) -> IndexedPrinting:
    number, dots = facts.get("number"), facts.get("dots")
    return IndexedPrinting(
        key,
        f"card of {key}",
        str(facts.get("name") or facts.get("title")),
        str(facts.get("set") or ""),
        number if isinstance(number, int) else None,
        str(facts.get("number_as_printed") or ""),
        dots if isinstance(dots, int) else None,
        str(facts["variant"]) if facts.get("variant") else None,
        ids=(key,),
    )


def real_ufs(folder: Path, set_column: str) -> list[IndexedPrinting]:
    """Return the real printings of UFS, each as a separate card.

    Each is under one of the two codes of its set.
    """
    with (folder / "data/ufs/printings-2006-2008.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return [
        IndexedPrinting(
            f"{row['set']}-{row['number']}", f"{row['name']} {row['set']}-{row['number']}",
            split_dots(row["name"]).name if row["type"] == "Character" else row["name"],
            row[set_column], int(row["number"]), row["number"],
            (split_dots(row["name"]).dots or 0) if row["type"] == "Character" else 0,
        )
        for row in rows
    ]  # fmt: skip


def real_cfc(folder: Path) -> list[IndexedPrinting]:
    cards = ElementTree.parse(folder / "data/cfc/set.xml").getroot().iter("card")
    return [
        IndexedPrinting(
            card.attrib["id"], card.attrib["id"], card.attrib["name"], "Core Set", None, f"C{n:03}"
        )
        for n, card in enumerate(cards, 1)
    ]


def read_back(index: CardIndex, text: str, copies: int) -> LineMatch:
    (line,) = [line for line in parse(text).lines if line.kind != "blank"]
    assert (text, line.kind, line.qty, line.zone) == (text, "card", copies, "main")
    return index.resolve(line)


def labels(index: CardIndex, name: str) -> Iterator[tuple[str, str, str | None]]:
    """Yield the labels that are suggested for a name, with card and printing."""
    suggestions = {*index.search(name, 40), *read_back(index, f'1 "{name}"', 1).suggestions}
    yield from ((each.label, each.card_key, each.printing_key) for each in suggestions)


def check_labels(printings: list[IndexedPrinting], ways: tuple[str, ...] = WAYS) -> int:
    """Compare every label of a catalogue with its card, in every way.

    Returns the number of labels.
    """
    index, count = CardIndex(printings), 0
    for name in dict.fromkeys(each.name for each in printings if each.is_deck_card):
        for label, card, key in labels(index, split_dots(name).name or name):
            count += 1
            for way in ways:
                line_match = read_back(index, way.format(label), 4 if "4" in way else 1)
                assert (label, way, line_match.card_key, line_match.sure) == (label, way, card, "certain")
                assert key in (None, line_match.printing_key)
    return count


@pytest.mark.parametrize("game", GAMES)
def test_every_label_of_a_shipped_catalogue_is_read_back_as_its_card(game: str) -> None:
    printings = list_shipped_printings(game)
    ways = WAYS if len(printings) < 100 else ("{}", "4 {}")
    assert check_labels(printings if len(printings) < 100 else some(32, printings), ways) > 0


@pytest.mark.whole("a fifth of the cards in two ways")
def test_every_label_of_the_largest_shipped_catalogue_is_read_back_in_every_way() -> None:
    assert check_labels(list_shipped_printings("highlander")) >= 914


def test_every_label_of_the_difficult_catalogue_is_read_back_as_its_card() -> None:
    assert check_labels(list(PRINTINGS)) > 20


@pytest.mark.parametrize("column", each_nth(2, ["set", "uvsultra_slug"]))
def test_every_label_of_the_real_catalogue_is_read_back_as_its_card(real_data: Path, column: str) -> None:
    printings = real_ufs(real_data, column)
    if machine.whole():
        assert check_labels(printings, ("{}", "4 {}")) >= 1500
    else:
        assert check_labels(printings[::32], ("4 {}",)) >= 40


def test_every_label_of_the_real_package_is_read_back_as_its_card(real_data: Path) -> None:
    printings = real_cfc(real_data)
    if machine.whole():
        assert check_labels(printings, ("{}", "4 {}")) >= 424
    else:
        assert check_labels(printings[::16], ("4 {}",)) >= 26


@pytest.mark.parametrize("column", each_nth(2, ["set", "uvsultra_slug"]))
def test_every_real_line_in_arena_style_names_its_printing(real_data: Path, column: str) -> None:
    printings = real_ufs(real_data, column)
    index = CardIndex(printings)
    for each in some(17, printings):
        name = f"{each.name} {'●' * (each.dots or 0)}".strip()
        for line in (
            f"4 {name} ({each.set_code}) {each.number}",
            f"4 {name} ({each.set_code} {each.number})",
        ):
            line_match = read_back(index, line, 4)
            assert (line, line_match.printing_key, line_match.sure) == (line, each.key, "certain")


def test_a_set_code_in_words_is_read_in_every_place() -> None:
    index = CardIndex(
        [printing("Dark Hado", "darkpath 70", card="A"), printing("Dark Hado", "SF03 15", card="B")]
    )
    for text in (
        "Dark Hado (darkpath 70)",
        "Dark Hado (DARKPATH) 70",
        "[darkpath 70] Dark Hado",
        "Dark Hado [darkpath]",
    ):
        assert (text, read_back(index, f"4 {text}", 4).card_key) == (text, "A")


def test_a_bare_number_behind_a_set_may_be_copies_or_the_number_in_the_set_and_is_asked_about() -> None:
    index = CardIndex([printing("Dark Hado", "SF03 15", card="A")])
    (line,) = parse("Dark Hado (SF03) 15").cards
    assert index.resolve(line).status == "ambiguous"


words = st.text(st.characters(min_codepoint=32, max_codepoint=0x2FF), min_size=1, max_size=14)
odd_names = words.filter(lambda name: sum(map(str.isalnum, name)) > 0 and name == " ".join(name.split()))
odd_codes = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9 .'-]{0,10}[A-Za-z0-9]", fullmatch=True)
odd = st.lists(st.tuples(odd_names, odd_codes, st.integers(1, 300)), min_size=1, max_size=6)


@given(odd)
def test_any_name_in_any_set_has_a_label_that_is_read_back(cards: list[tuple[str, str, int]]) -> None:
    index = CardIndex(
        IndexedPrinting(f"k{place}", f"c{place}", name, code, number, str(number), dots=0)
        for place, (name, code, number) in enumerate(cards)
    )
    for place, (name, _, _) in enumerate(cards):
        for suggestions in index.search(name, 10):
            assert index.resolve(parse(f"4 {suggestions.label}").cards[0]).card_key == suggestions.card_key
        assert place < len(cards)
