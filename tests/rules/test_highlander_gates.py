"""The quick checks of Highlander's deck rules.

They are compared with slow answers to the same question.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rules import CardFacts, Deck, Entry, check_deck, format_names, load_format
from rules.fixes import apply_fix
from tests import machine
from tests.everyday import each_case
from tests.rules.test_highlander_properties import CARDS, DEFAULTS, RECORDS, SLOTS, decks, supply

FEW = settings(max_examples=machine.examples(3), deadline=None, suppress_health_check=[HealthCheck.too_slow])
FORMATS = format_names("highlander")
STANDARD = load_format("highlander", "standard")
DUNCAN = CARDS["duncan"]
BASE = [(CARDS[slot], 1) for slot in SLOTS] + [(CARDS[f"F{number:02}"], 6) for number in range(7, 13)]
LETTERS = ("A", "S", "T", "E", "R", "M")


def make_card(title: str, **facts: object) -> CardFacts:
    key = str(facts.pop("key", title))
    return CardFacts.of(key, {**DEFAULTS, "title": title, "edition": "2E", **facts})


def make_entries(cards: list[tuple[CardFacts, int]]) -> tuple[Entry, ...]:
    return tuple(Entry(card, qty, line) for line, (card, qty) in enumerate(cards, 1))


def list_broken_rules(
    *main: tuple[CardFacts, int],
    pregame: tuple[CardFacts, ...] = (DUNCAN,),
    base: list[tuple[CardFacts, int]] = BASE,
    format: str = "standard",
    **options: object,
) -> set[str]:
    deck = Deck(
        "highlander", make_entries([*base, *main]), (), make_entries([(c, 1) for c in pregame]), None, options
    )
    return {finding.rule for finding in check_deck(deck, load_format("highlander", format)).errors}


@st.composite
def misplaced_decks(draw: st.DrawFn, sources: tuple[str, ...] = ("main", "pregame")) -> Deck:
    """Return a deck with some cards of the zones `sources` in the other zone."""
    deck = draw(decks())
    zones: dict[str, list[Entry]] = {"main": [], "pregame": []}
    for zone, other in (("main", "pregame"), ("pregame", "main")):
        for entry in getattr(deck, zone):
            is_moved = zone in sources and draw(st.integers(0, 9)) == 0
            zones[other if is_moved else zone].append(entry)
    return deck.with_zones(zones)


def list_findings(deck: Deck, key: str, *, but: frozenset[str]) -> list[str]:
    """Return the findings on a deck, except those of some rules."""
    findings = check_deck(deck, load_format("highlander", key)).findings
    return [repr((f.rule, f.severity, f.code, f.found)) for f in findings if f.rule not in but]


MISPLACED = frozenset({"HL-L62"})
# Rules of every card of a list, wherever it is: editions, versions, bans, errata, and the opened cards.
OF_EVERY_CARD = MISPLACED | {"HL-L01", "HL-L04", "HL-L36", "HL-L37", "HL-L38"}


@FEW
@given(misplaced_decks(("pregame",)), st.sampled_from(FORMATS))
def test_moving_pregame_cards_where_they_belong_settles_that_and_nothing_else(deck: Deck, key: str) -> None:
    findings = check_deck(deck, load_format("highlander", key)).findings
    move = next((f.fix for f in findings if f.code == "type-in-wrong-zone"), None)
    moved_deck = deck if move is None else apply_fix(deck, move, supply)

    assert list_findings(deck, key, but=MISPLACED) == list_findings(moved_deck, key, but=frozenset())


@FEW
@given(misplaced_decks(("main",)), st.sampled_from(FORMATS))
def test_in_game_cards_before_the_game_stand_in_no_deck(deck: Deck, key: str) -> None:
    zones = load_format("highlander", key).game.zone_types
    pregame = [e for e in deck.pregame if zones.find_zones(e.card.get("type")) != {"main"}]
    without = deck.with_zones({"pregame": pregame})

    of_errata = {
        f.rule for f in check_deck(deck, load_format("highlander", key)).findings if f.severity == "note"
    }
    but = OF_EVERY_CARD | of_errata
    assert list_findings(deck, key, but=but) == list_findings(without, key, but=but)


@FEW
@given(misplaced_decks(), st.sampled_from(FORMATS))
def test_the_smallest_change_mends_its_finding_wherever_cards_lie(deck: Deck, key: str) -> None:
    form = load_format("highlander", key)
    for finding in check_deck(deck, form).errors:
        assert finding.fix is not None, finding
        if finding.fix.changes:
            mended_deck = apply_fix(deck, finding.fix, supply)
            assert finding.rule not in {error.rule for error in check_deck(mended_deck, form).errors}, (
                finding.fix
            )


def test_a_card_of_unknown_type_cannot_be_placed():
    silent = CardFacts.of("silent", {**DEFAULTS, "title": "X", "edition": "2E"})
    odd = make_card("Odd", type="Tapestry")
    deck = Deck("highlander", make_entries([*BASE, (silent, 1), (odd, 1)]), (), make_entries([(DUNCAN, 1)]))
    verdict = check_deck(deck, STANDARD)

    assert verdict.outcome == "unknown"
    assert [(f.code, f.cards) for f in verdict.findings if f.rule == "HL-L62"] == [
        ("zone-of-type-unknown", ("silent", "Odd"))
    ]


@each_case(
    ("type", "zone"),
    [
        ("Situation: Watcher", "main"),
        ("Pre-Game: Watcher", "pregame"),
        ("Pre-Game Watcher", "pregame"),
        ("Watcher", "pregame"),
        ("Persona Premium", "pregame"),
        ("Weapon of Choice (foil, off hand)", "pregame"),
        ("Foil Weapon of Choice", "pregame"),
        ("Object: Hilt", "main"),
        ("Special Attack/Block", "main"),
        ("Attack: Dirty Trick (Leg Sweep)", "main"),
        ("Tapestry", None),
        (7, None),
    ],
)
def test_the_first_part_of_a_type_line_tells_the_zone(type: object, zone: str | None):
    zones = STANDARD.game.zone_types.find_zones(type)

    assert zones == (None if zone is None else {zone})


GEMS = st.dictionaries(st.sampled_from(LETTERS), st.integers(0, 15), max_size=4)


@FEW
@given(GEMS, st.sampled_from((None, True, False)), GEMS)
def test_altered_gems_need_a_card_that_allows_them(
    altered_cards: Mapping[str, int], alters: bool | None, caps: Mapping[str, int]
) -> None:
    printed_gems = DUNCAN.attributes["gems"]
    assert isinstance(printed_gems, dict)
    facts = {**RECORDS["pre_a"], **DEFAULTS, "gem_caps": dict(caps), "alters_gems": alters}
    card = CardFacts.of("pre", {**facts, "title": "Turn of Mind", "type": "other", "edition": "2E"})
    deck = Deck(
        "highlander",
        make_entries(BASE),
        (),
        make_entries([(DUNCAN, 1), (card, 1)]),
        None,
        {"gem_assignment": dict(altered_cards), "gem_sheet": True},
    )
    verdict = check_deck(deck, STANDARD)
    rules = {f.rule for f in verdict.errors}
    differs = any(altered_cards[letter] != printed_gems[letter] for letter in altered_cards if letter != "M")
    within = all(altered_cards.get(letter, 0) <= cap for letter, cap in caps.items())
    is_master_altered = altered_cards.get("M", printed_gems["M"]) != printed_gems["M"]
    is_refused = differs and (alters is False or (alters is True and not within))

    assert ("HL-L63" in rules) == (is_refused or is_master_altered)
    assert ("HL-L07" in rules) == any(number > 13 for number in altered_cards.values())
    assert any(f.fact == "alters_gems" for f in verdict.unknowns) == (differs and alters is None)


@FEW
@given(
    st.integers(1, 6),
    st.integers(0, 4),
    st.sampled_from((None, 0, 1, 2)),
    st.sampled_from(({}, {"Rare Chance": 3}, {"Another": 3})),
)
def test_a_number_is_raised_by_what_the_card_says_and_no_more(
    copies: int, by: int, number: int | None, limits: dict[str, int]
) -> None:
    facts = {"raises_restriction": number, "raises_restriction_of": limits}
    raiser = make_card("Darius", type="other", **facts)
    deck = Deck(
        "highlander",
        make_entries([*BASE, (CARDS["two"], copies)]),
        (),
        make_entries([(DUNCAN, 1), (raiser, 1)]),
        None,
        {"restriction_raise": {"card": "two", "by": by}},
    )
    verdict = check_deck(deck, STANDARD)
    most = limits.get("Rare Chance", 0) if limits else number
    rules = {f.rule for f in verdict.errors}

    if most is None and by > 0:
        assert {f.fact for f in verdict.unknowns} == {"raises_restriction"}
        assert "HL-L19" not in rules
    else:
        is_allowed = 0 < by <= (most or 0)
        assert ("HL-L19" in rules) == (not is_allowed)
        assert ("HL-L17" in rules) == (copies > 2 + (by if is_allowed else 0))


@FEW
@given(
    st.lists(
        st.tuples(st.sampled_from(("Amanda", "Methos", "Duncan MacLeod")), st.sampled_from(("1", "2"))),
        max_size=4,
    )
)
def test_quickenings_are_told_apart_by_persona_and_number(quickenings: list[tuple[str, str]]) -> None:
    cards = tuple(
        make_card("Quickening", key=f"q{place}", type="Quickening", of=of, id=f"HTGQ-00{number}")
        for place, (of, number) in enumerate(quickenings)
    )
    findings = list_broken_rules(pregame=(DUNCAN, *cards))

    assert ("HL-L27" in findings) == (len(set(quickenings)) < len(quickenings))
    assert ("HL-L31" in findings) == any(of == "Duncan MacLeod" for of, _ in quickenings)
    assert "HL-L20" not in findings


def test_a_quickening_without_its_number_may_be_another():
    one = make_card("Quickening", key="one", type="Quickening", of="Amanda", id="HTGQ-001")
    facts = {name: value for name, value in one.attributes.items() if name != "id"}
    deck = Deck(
        "highlander",
        make_entries(BASE),
        (),
        make_entries([(DUNCAN, 1), (one, 1), (CardFacts.of("two", facts), 1)]),
    )
    verdict = check_deck(deck, STANDARD)

    assert "HL-L27" not in {f.rule for f in verdict.errors}
    assert {(f.fact, f.card) for f in verdict.unknowns} == {("id", "two")}


def test_a_quickening_may_name_its_persona_as_its_owner():
    own = make_card("Quickening", key="own", type="Quickening", owner="Duncan MacLeod", owner_kind="persona")
    other = make_card("Quickening", key="other", type="Quickening", owner="Amanda", owner_kind="persona")

    assert list_broken_rules(pregame=(DUNCAN, own)) == {"HL-L31"}
    assert list_broken_rules(pregame=(DUNCAN, other)) == set()


NAMES = tuple(SLOTS)


@FEW
@given(
    st.lists(st.integers(0, 2), min_size=len(NAMES), max_size=len(NAMES)),
    st.lists(st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES)), max_size=3),
)
def test_a_basic_fills_one_slot(copies: list[int], swaps: list[tuple[str, str]]) -> None:
    crystals = tuple(make_card(f"Crystal {place}", type="Crystal") for place in range(3))
    names_by_name: dict[str, list[str]] = {
        name: [name] * number for name, number in zip(NAMES, copies, strict=True)
    }
    for target, source in swaps:
        if source in names_by_name[source]:
            names_by_name[source].remove(source)
            names_by_name[target].append("swapped")
    cards = [(CARDS[name], number) for name, number in zip(NAMES, copies, strict=True) if number]
    findings = list_broken_rules(
        *((CARDS[f"F{number:02}"], 6) for number in range(7, 16)),
        base=cards,
        pregame=(DUNCAN, *crystals),
        substitutions=[{"for": target, "with": source} for target, source in swaps],
    )
    empty = {name[0] for name, cards_there in names_by_name.items() if not cards_there}

    assert ({"HL-L11"} <= findings, {"HL-L12"} <= findings) == ("A" in empty, "B" in empty)


def _clause(pregame: tuple[CardFacts, ...], main: list[tuple[str, int]], rule: str, **more: Any) -> str:
    cards = [(CARDS[key], qty) for key, qty in main]
    deck = Deck(
        "highlander", make_entries([*BASE, *cards]), (), make_entries([(c, 1) for c in pregame]), None, more
    )
    return next(f.clause for f in check_deck(deck, STANDARD).errors if f.rule == rule)


def test_a_finding_cites_the_lines_that_apply():
    duncan = (DUNCAN,)
    ramirez = (CARDS["ramirez"],)
    weapons = (CARDS["dirk"], CARDS["katana"])

    assert _clause(duncan, [("slash", 7)], "HL-L14") == "Title (l.44)"
    assert _clause(ramirez, [("slash", 13)], "HL-L14") == "Title (l.44), Persona Abilities (l.411)"
    assert _clause(duncan, [("dual", 1), ("focus", 6)], "HL-L14") == "Title (l.44), Dual Type Cards (l.513)"
    assert _clause(duncan, [("two", 3)], "HL-L17") == "Restriction Number (l.56)"
    assert _clause(duncan, [("two", 2), ("two_reason", 1)], "HL-L17") == (
        "Restriction Number (l.56), Gems and Card Uniqueness (l.319)"
    )
    assert _clause((DUNCAN, *weapons), [], "HL-L29") == "Primary Weapons of Choice (l.419)"
    assert _clause((DUNCAN, CARDS["dirk"], CARDS["broadsword"]), [], "HL-L29") == (
        "Primary Weapons of Choice (l.419), Hand Icon (l.52)"
    )
    assert _clause((CARDS["hyde"],), [("conquerors_hilt", 1)], "HL-L35") == "l.842"
    assert _clause((CARDS["general"],), [("extended_blade", 1)], "HL-L35") == "l.898"
