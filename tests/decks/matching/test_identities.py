"""All parts of a line must agree on its card.

The parts are identifier, key, name, set, number and rank dots.
"""

from __future__ import annotations

import json
from collections import Counter

import pytest

from decks.importers.parsing import parse
from decks.matching.index import CardIndex
from decks.matching.model import LineMatch
from tests.decks.matching.test_labels import GAMES, list_shipped_printings
from tests.everyday import each_case, some
from tests.scenarios.printings import GOLEM_ID, INDEX, printing

GUID = "bbbbbbbb-0000-0000-0000-00000000000%d"
TWINS = [
    printing("Watcher", "4H 219", card="watcher", ids=(GUID % 1,)),
    printing("Watcher", "4H 220", card="watcher-2", ids=(GUID % 2,)),
    printing("Hunter", "4H 221", card="hunter", ids=(GUID % 3,)),
]


def shapes(name: str, copies: int = 1) -> dict[str, str]:
    """Return a list in every type of file, with one card identified by name alone."""
    quoted_text = json.dumps(name)
    return {
        "text": f"{copies} {name}",
        "forum": f"[b]Deck[/b]\n{copies} {name}",
        "csv": f'qty,name\n{copies},"{name}"\n',
        "json card": f'{{"main": [{{"card": {quoted_text}, "qty": {copies}}}]}}',
        "json name": f'{{"main": [{{"name": {quoted_text}, "qty": {copies}}}]}}',
        "json counted": f'{{"main": {{{quoted_text}: {copies}}}}}',
        "json pair": f'{{"main": [[{quoted_text}, {copies}]]}}',
        "json text": f'{{"main": [{json.dumps(f"{copies} {name}")}]}}',
        "octgn": f'<deck game="g"><section name="M"><card qty="{copies}">{name}</card></section></deck>',
        "mtgo": f'<Deck><Cards CatID="0" Quantity="{copies}" Name="{name}"/></Deck>',
        "cockatrice": f'<cockatrice_deck version="1"><zone name="main"><card number="{copies}" '
        f'name="{name}"/></zone></cockatrice_deck>',
        "lackey": f'<deck><superzone name="Deck"><card><name id="">{name}</name></card></superzone></deck>',
    }


def match(text: str, index: CardIndex = INDEX) -> LineMatch:
    (line,) = parse(text).cards
    return index.resolve(line)


@each_case("shape", shapes("x"))
def test_a_name_of_several_cards_is_certain_in_no_type_of_file(shape: str) -> None:
    line_match = match(shapes("Watcher")[shape], CardIndex(TWINS))
    assert (line_match.status, line_match.card_key, len(line_match.suggestions)) == ("ambiguous", None, 2)


@pytest.mark.parametrize("game", GAMES)
def test_no_shared_name_of_a_shipped_catalogue_is_certain_in_any_type_of_file(game: str) -> None:
    printings = list_shipped_printings(game)
    index = CardIndex(printings)
    cards = Counter((each.name, each.dots or 0) for each in printings)
    shared_names = sorted(name for (name, dots), count in cards.items() if count > 1 and not dots)
    for name in some(17, shared_names):
        for shape, text in shapes(name).items():
            if "&" not in name and '"' not in name:
                assert (name, shape, match(text, index).is_found) == (name, shape, False)


def test_a_key_wins_where_it_is_no_name_of_another_card() -> None:
    index = CardIndex(TWINS)
    assert match('{"main": [{"card": "watcher-2", "qty": 1}]}', index).card_key == "watcher-2"
    assert match('{"main": [{"card": "4H-219", "qty": 1}]}', index).card_key == "watcher"
    assert match('{"main": [{"card": "hunter", "qty": 1}]}', index).card_key == "hunter"
    assert match('{"main": [{"id": "watcher", "name": "Watcher", "qty": 1}]}', index).card_key == "watcher"
    assert match("id,name,qty\nwatcher,Watcher,1\n", index).card_key == "watcher"


def test_set_and_number_settle_a_word_that_is_a_key_and_a_name() -> None:
    line_match = match(
        '{"main": [{"card": "Watcher", "set": "4H", "number": 220, "qty": 1}]}', CardIndex(TWINS)
    )
    assert (line_match.card_key, line_match.sure) == ("watcher-2", "certain")


def test_a_name_that_is_the_alias_of_another_card_is_asked_about() -> None:
    index = CardIndex([printing("Tin.", "AA 1"), printing("Lead", "AA 2", aliases=("Tin.",))])
    assert match("1 Tin.", index).status == "ambiguous"


def octgn(identifier: str, name: str) -> str:
    return f'<deck game="g"><section name="M"><card qty="1" id="{identifier}">{name}</card></section></deck>'


DISAGREEING = {
    "octgn": octgn(GOLEM_ID, "Kubi Ori"),
    "octgn, a name that no card has": octgn(GOLEM_ID, "Zzyzx"),
    "octgn, rank dots": octgn("SF01-38", "Ken ●"),
    "mtgo": '<Deck><Cards CatID="31415" Quantity="1" Name="Kubi Ori"/></Deck>',
    "cockatrice": '<cockatrice_deck version="1"><zone name="main"><card number="1" name="Copper Golem" '
    f'uuid="{GOLEM_ID}" setShortName="SF05" collectorNumber="46"/></zone></cockatrice_deck>',
    "lackey": f'<deck><superzone name="Deck"><card><name id="{GOLEM_ID}">Kubi Ori</name></card>'
    "</superzone></deck>",
    "csv": f"id,name,qty\n{GOLEM_ID},Kubi Ori,1\n",
    "csv, set and number": "set,number,name,qty\nSF05,46,Dark Hado,1\n",
    "csv, number of the identifier": "id,number,name,qty\nRIM-12,13,Copper Golem,1\n",
    "csv, variant": "id,variant,name,qty\nSC03-090~starter,booster,Taking the Bait,1\n",
    "json, key and name": '{"main": [{"card": "SF05-46", "name": "Copper Golem", "qty": 1}]}',
    "json, two names": '{"main": [{"card": "Kubi Ori", "name": "Copper Golem", "qty": 1}]}',
    "json, identifier and card": f'{{"main": [{{"id": "{GOLEM_ID}", "card": "Kubi Ori", "qty": 1}}]}}',
    "text": "1 Dark Hado (SF05 46)",
    "text, dots": "1 ●●● (SF01 38)",
    "text, a number in the name": "1 Kubi Ori 4 [SF05 46]",
    "text, key": "1 Kubi Ori {key: RIM-12}",
}


@each_case("case", DISAGREEING)
def test_identities_that_disagree_are_a_question_and_never_certain(case: str) -> None:
    lines = parse(DISAGREEING[case]).lines
    (line,) = [each for each in lines if each.kind in {"card", "problem"}]
    line_match = INDEX.resolve(line)
    assert (line_match.card_key, line_match.sure) == (None, "no")
    assert line_match.note or line.problem


@each_case(
    "text",
    [
        '<deck game="g"><section name="M"><card qty="1" id="a" name="Iron">Kubi Ori</card></section></deck>',
        '<cockatrice_deck version="1"><zone name="main"><card number="1" name="Iron">Kubi Ori</card></zone>'
        "</cockatrice_deck>",
        '<Deck><Cards CatID="0" Quantity="1" Name="Kubi Ori" name="Iron"/></Deck>',
        "name,card name,qty\nKubi Ori,Iron,1\n",
        '{"main": [{"card": "a", "name": "Kubi Ori", "id": "b", "qty": 1}]}',
    ],
)
def test_an_entry_that_says_one_thing_twice_and_differently_is_not_read(text: str) -> None:
    deck = parse(text)
    assert (deck.cards, len(deck.problems)) == ((), 1)


def test_an_entry_that_says_one_thing_twice_and_alike_is_read() -> None:
    assert match("name,card name,qty\nKubi Ori,kubi ori,1\n").card_key == "Kubi Ori"


def test_a_set_of_another_program_leaves_the_identifier_likely() -> None:
    line_match = match(f"id,set,name,qty\n{GOLEM_ID},ELSEWHERE,Copper Golem,1\n")
    assert (line_match.card_key, line_match.sure) == ("Copper Golem", "likely")


@each_case("title", ["[b]Kubi Ori[/b]", "**Kubi Ori**", "[b]Kubi Ori (4)[/b]", "<h2>kubi ori</h2>"])
def test_a_title_or_heading_that_is_the_name_of_a_card_is_asked_about(title: str) -> None:
    first = parse(f"{title}\n4 Iron\n").lines[0]
    assert INDEX.resolve(first).status == "ambiguous"


def test_a_line_of_a_type_and_a_name_that_is_all_a_name_is_asked_about() -> None:
    index = CardIndex([printing("Watcher: Treatment", "HM3 1"), printing("Treatment", "HM3 2")])
    assert match("Watcher: Treatment x4", index).status == "ambiguous"
