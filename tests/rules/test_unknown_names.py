"""An unknown name breaks no rule that some card of that zone would follow."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rules import CardFacts, Deck, Entry, check_deck, format_names, load_format
from tests import machine
from tests.rules import test_highlander_properties as highlander
from tests.rules import test_properties_of_verdicts as ufs
from tests.rules.builders import entries

FEW = settings(max_examples=machine.examples(3), deadline=None, suppress_health_check=[HealthCheck.too_slow])
CARDS = {"ufs": ufs.CARDS, "highlander": tuple(highlander.CARDS.values())}
NAMES = ("Odd", "Odd/Even", "Master Odd", "Watcher: Odd", "Slahs")
# A list may have one persona: one more is a fault of its own, and brings other cards in.
SINGLE = {"persona"}


def find_errors(deck: Deck, key: str) -> dict[str, str]:
    return {finding.rule: finding.code for finding in check_deck(deck, load_format(deck.game, key)).errors}


def may_lie(card: CardFacts, zone: str, deck: Deck) -> bool:
    """Return whether an unknown name in this zone may stand for a card."""
    zones = load_format(deck.game, format_names(deck.game)[0]).game.zone_types.find_zones(card.get("type"))
    return (zones is None or zone in zones) and str(card.get("type")).casefold() not in SINGLE


def forget(deck: Deck, zone: str, place: int, name: str) -> tuple[Deck, Iterable[Deck]]:
    """Return a deck with one line of an unknown name, and the decks that it may be."""

    def put(card: CardFacts) -> Deck:
        cards = list(getattr(deck, zone))
        cards[place] = replace(cards[place], card=card)
        return deck.with_zones({zone: cards})

    own = getattr(deck, zone)[place].card
    others = (card for card in CARDS[deck.game] if may_lie(card, zone, deck))
    return put(CardFacts.of_missing(name)), map(put, (own, *others))


@FEW
@given(
    st.one_of(ufs.decks(), highlander.decks()), st.sampled_from(NAMES), st.booleans(), st.integers(0, 99),
    st.integers(0, 9),
)  # fmt: skip
def test_a_rule_is_broken_with_an_unknown_name_only_if_each_card_would_break_it(
    deck: Deck, name: str, is_pregame: bool, place: int, form: int
):
    keys = format_names(deck.game)
    key, zone = keys[form % len(keys)], "pregame" if is_pregame and deck.pregame else "main"
    unknown, meanings = forget(deck, zone, place % len(getattr(deck, zone)), name)
    broken_rules = find_errors(unknown, key)

    for meaning in meanings if broken_rules else ():
        assert broken_rules.keys() <= find_errors(meaning, key).keys()


@pytest.mark.parametrize(
    ("game", "key", "rule", "qty"), [("ufs", "constructed", "UFS-L03", 5), ("cfc", "standard", "CFC-L02", 4)]
)
def test_an_unknown_card_may_allow_more_copies(game: str, key: str, rule: str, qty: int):
    known_card = CardFacts.of("known", {"name": "Known", "type": "foundation", "split": (), "dots": 0})
    answers = []
    for card in (CardFacts.of_missing("Odd"), known_card):
        findings = check_deck(Deck(game, entries((qty, card))), load_format(game, key)).findings
        answers.append([(f.severity, f.code) for f in findings if f.rule == rule])

    assert answers == [[("unknown", "copies-unknown")], [("error", "too-many-copies")]]


STRANGE = CardFacts.of_missing("Odd")


@pytest.mark.parametrize(
    ("title", "zone", "qty", "rule", "code"),
    [
        ("Odd", "main", 7, "HL-L14", "title-limit-unknown"),
        ("Master Odd", "main", 4, "HL-L06", "masters-unknown"),
        ("Watcher: Odd", "main", 1, "HL-L33", "watcher-unknown"),
        ("Odd", "pregame", 2, "HL-L27", "pregame-unknown"),
        ("Odd", "pregame", 7, "HL-L26", "pregame-number-unknown"),
    ],
)
def test_an_unknown_title_breaks_no_limit(title: str, zone: str, qty: int, rule: str, code: str):
    cards = {"main": [(slot, 1) for slot in highlander.SLOTS], "pregame": [("duncan", 1)]}
    zones = {name: highlander.make_entries(copies) for name, copies in cards.items()}
    zones[zone] = (*zones[zone], Entry(CardFacts.of_missing(title), qty))
    findings = check_deck(Deck("highlander", zones["main"], (), zones["pregame"]), highlander_form()).findings

    assert [(f.severity, f.code) for f in findings if f.rule == rule] == [("unknown", code)]


def highlander_form():
    return load_format("highlander", "standard")


def slots_without(*absent: str) -> tuple[Entry, ...]:
    return highlander.make_entries([(slot, 1) for slot in highlander.SLOTS if slot not in absent])


@pytest.mark.parametrize(
    ("absent", "severity"), [(("B-LR",), "unknown"), (("B-LR", "B-LL"), "error")], ids=["one", "two"]
)
def test_one_unknown_line_may_be_one_missing_block(absent: tuple[str, ...], severity: str):
    main = (*slots_without(*absent), Entry(STRANGE, 3))
    findings = check_deck(
        Deck("highlander", main, (), highlander.make_entries([("duncan", 1)])), highlander_form()
    )

    assert [f.severity for f in findings.findings if f.rule == "HL-L12"] == [severity]


@pytest.mark.parametrize(
    ("pool", "listed_name", "severities"),
    [
        ("F07", "F07", []),
        ("F07", None, ["unknown"]),
        (None, "F07", ["unknown"]),
        ("F07 F08", None, ["error", "unknown"]),
    ],
)
def test_an_unknown_name_may_be_the_opened_card(
    pool: str | None, listed_name: str | None, severities: list[str]
):
    pool_cards = [highlander.CARDS[key] for key in pool.split()] if pool else [STRANGE]
    main = [Entry(highlander.CARDS[listed_name] if listed_name else STRANGE, 1)]
    duncan = highlander.make_entries([("duncan", 1)])
    deck = Deck("highlander", tuple(main), (), duncan, (*(Entry(c, 1) for c in pool_cards), *duncan))
    findings = check_deck(deck, load_format("highlander", "sealed")).findings

    assert [f.severity for f in findings if f.rule == "HL-L38"] == severities
