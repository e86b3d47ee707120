"""Plans: the fewest changes that make a whole list legal."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rules import CardFacts, Deck, Entry, Format, check_deck, get_game, load_format
from rules.plan import CardSupply, apply_plan, plan_deck
from tests import machine

FEW = settings(max_examples=machine.examples(2), deadline=None, suppress_health_check=[HealthCheck.too_slow])
# Number of changes up to which smaller plans are searched.
DEEPEST = 3 if os.environ.get("RINGSIDE_TEST_WHOLE") else 2

Counts = frozenset[tuple[tuple[str, str], int]]


def cards_of(game: str, **records: Mapping[str, object]) -> dict[str, CardFacts]:
    """Return cards with the default facts of worked cases."""
    defaults = get_game(game).case_defaults
    return {key: CardFacts.of(key, {"name": key, **defaults, **each}) for key, each in records.items()}


@dataclass(frozen=True)
class Small:
    """A format with small sizes, the cards that exist, and what may be declared."""

    format: Format
    cards: Mapping[str, CardFacts]
    zones: tuple[str, ...]
    options: Mapping[str, tuple[object, ...]]

    @property
    def supply(self) -> CardSupply:
        return CardSupply.of(self.cards.values())

    def deck(self, counts: Counts, options: Mapping[str, object]) -> Deck:
        zones: dict[str, list[Entry]] = {}
        for (zone, key), qty in sorted(counts):
            zones.setdefault(zone, []).append(Entry(self.cards[key], qty))
        parts = (tuple(zones.get(zone, ())) for zone in ("main", "sideboard", "pregame"))
        return Deck(self.format.game.key, *parts, None, options)

    def is_legal(self, counts: Counts, options: Mapping[str, object]) -> bool:
        return check_deck(self.deck(counts, options), self.format).outcome == "legal"

    def neighbors(self, counts: Counts) -> Iterator[Counts]:
        """Yield every list with one card more, less or in another zone."""
        held_counts = dict(counts)
        for zone, key in product(self.zones, self.cards):
            yield _apply_changes(held_counts, {(zone, key): 1})
            if (zone, key) in held_counts:
                yield _apply_changes(held_counts, {(zone, key): -1})
                for other in self.zones:
                    if other != zone:
                        yield _apply_changes(held_counts, {(zone, key): -1, (other, key): 1})

    def has_plan_within(self, counts: Counts, options: Mapping[str, object], most: int) -> bool:
        """Return whether any plan has so many changes or fewer.

        This is found by looking at every list that such plans make.
        """
        reached_counts = level = {counts}
        for depth in range(most + 1):
            for changed_options in self._declarations(options, most - depth):
                if any(self.is_legal(each, changed_options) for each in level):
                    return True
            if depth < most:
                level = {new for each in level for new in self.neighbors(each)} - reached_counts
                reached_counts = reached_counts | level
        return False

    def _declarations(self, options: Mapping[str, object], changes: int) -> Iterable[Mapping[str, object]]:
        yield options
        if changes:
            for option, values in self.options.items():
                yield from ({**options, option: value} for value in values)


def _apply_changes(
    counts: Mapping[tuple[str, str], int], change_counts: Mapping[tuple[str, str], int]
) -> Counts:
    new = {**counts, **{place: counts.get(place, 0) + qty for place, qty in change_counts.items()}}
    return frozenset((place, qty) for place, qty in new.items() if qty)


def small(
    game: str,
    key: str,
    parameters: Mapping[str, Mapping[str, object]],
    cards: Mapping[str, CardFacts],
    *,
    off: tuple[str, ...] = (),
    zones: tuple[str, ...] = ("main",),
    **options: tuple[object, ...],
) -> Small:
    overlay = {"name": "Small lists", "parameters": parameters, "off": list(off)}
    return Small(load_format(game, key, overlay=overlay), cards, zones, options)


UFS = small(
    "ufs",
    "constructed",
    {
        "deck_size": {"min": 5},
        "copies": {"max": 2},
        "sideboard": {"min": 2, "max": 2},
    },
    cards_of(
        "ufs",
        ken={"name": "Ken", "type": "character", "dots": 2, "set": "SF01", "number": 38},
        ryu={"name": "Ryu", "type": "character", "dots": 2, "set": "SF01", "number": 1},
        kubi={"name": "Kubi Ori", "type": "attack", "dots": 0, "set": "X", "number": 1},
        stance={"name": "Stance", "type": "foundation", "dots": 0, "set": "X", "number": 2},
        oath={"name": "Oath", "type": "foundation", "dots": 0, "set": "X", "number": 3},
    ),
    zones=("main", "sideboard"),
    declared_character=("Ken", "Ryu"),
)

CFC = small(
    "cfc",
    "standard",
    {"deck_size": {"min": 5, "max": 5}, "copies": {"max": 2}},
    cards_of("cfc", **{name: {"type": "Character"} for name in ("Akuma", "Dan", "Guy", "Ryu")}),
    zones=("main", "sideboard"),
)

FIGHTERS = cards_of(
    "sf_miniatures",
    **{f"{owner} attack": {"kind": "attack", "owner": owner} for owner in ("Ken", "Ryu")},
    **{f"{owner} super": {"kind": "super", "owner": owner} for owner in ("Ken", "Ryu")},
    bait={"name": "Bait!", "kind": "bait"},
    focus={"name": "Focus Attack", "kind": "focus"},
    card={"name": "Ryu", "kind": "character_card", "owner": "Ryu"},
)
BATTLE = small(
    "sf_miniatures",
    "battle_deck",
    {"deck_size": {"min": 6, "max": 6}, "utility_events": {"bait": 1, "focus": 1, "super": 1}},
    FIGHTERS,
    character=("Ken", "Ryu"),
)

GEMS = {"A": 1, "S": 1, "T": 1, "E": 1, "R": 1, "M": 1}
FOUGHT = cards_of(
    "highlander",
    duncan={"type": "Persona", "edition": "2E", "gender": "M", "gems": GEMS},
    amanda={"type": "Persona", "edition": "2E", "gender": "F", "gems": GEMS},
    katana={"type": "Weapon of Choice", "edition": "2E", "hand_icons": 1},
    sword={"type": "Weapon of Choice", "edition": "2E", "hand_icons": 2},
    stance={"type": "Situation", "edition": "2E", "owner": "katana", "owner_kind": "weapon"},
    trick={"type": "Event", "edition": "2E", "owner": "amanda", "owner_kind": "persona"},
    darius={"type": "Event", "edition": "2E", "allowance": "persona"},
    agile={"type": "Event", "edition": "2E", "gems": {"A": 2}},
    able={"type": "Event", "edition": "2E", "gems": {"A": 1, "S": 2}},
    plain={"type": "Event", "edition": "2E"},
)
HIGHLANDER = small(
    "highlander",
    "standard",
    {"deck_size": {"min": 4}, "titles": {"max": 3}},
    FOUGHT,
    off=("basic_attacks", "basic_blocks"),
    zones=("main", "pregame"),
)

MOST_COPIES = 4


def counts(small_format: Small) -> st.SearchStrategy[Counts]:
    places = st.tuples(st.sampled_from(small_format.zones), st.sampled_from(sorted(small_format.cards)))
    counts = st.dictionaries(places, st.integers(1, MOST_COPIES), max_size=4)
    return counts.map(lambda each: frozenset(each.items()))


def assert_smallest(small_format: Small, counts: Counts, options: Mapping[str, object]) -> None:
    """Require that the plan makes the list legal and that no plan is smaller.

    Without a plan, no small one exists.
    """
    deck = small_format.deck(counts, options)
    plan = plan_deck(deck, small_format.format, small_format.supply, most_judged=2_000)
    if plan.status == "found":
        assert check_deck(apply_plan(deck, plan), small_format.format).outcome == "legal"
    if plan.status != "open":
        most = plan.cost - 1 if plan.status == "found" else DEEPEST
        assert not small_format.has_plan_within(counts, options, min(most, DEEPEST)), plan.sentences


@FEW
@given(counts(UFS), st.sampled_from(({}, {"diversity": True, "declared_character": "Ken"})))
def test_a_plan_for_ufs_is_legal_and_none_is_smaller(counts: Counts, options: dict[str, object]):
    assert_smallest(UFS, counts, options)


@FEW
@given(counts(CFC))
def test_a_plan_for_cfc_is_legal_and_none_is_smaller(counts: Counts):
    assert_smallest(CFC, counts, {})


@FEW
@given(counts(BATTLE))
def test_a_plan_for_a_battle_deck_is_legal_and_none_is_smaller(counts: Counts):
    assert_smallest(BATTLE, counts, {"character": "Ken"})


@FEW
@given(counts(HIGHLANDER))
def test_a_plan_for_highlander_is_legal_and_none_is_smaller(counts: Counts):
    assert_smallest(HIGHLANDER, counts, {})


# --- Lists for which the fixes of the single findings do not add up ---------------------------------------

SLOTS = {
    **{f"A-{row}{column}": "Attack" for row in "UML" for column in "LCR"},
    **{f"B-{row}{column}": "Block" for row in "UL" for column in "LCR"},
}
WHOLE = cards_of(
    "highlander",
    **{slot: {"type": kind, "edition": "2E", "basic": slot} for slot, kind in SLOTS.items()},
    **{f"plain{number}": {"type": "Event", "edition": "2E"} for number in range(1, 9)},
    persona={"type": "Persona", "edition": "2E", "gender": "M", "gems": dict.fromkeys("ASTERM", 2)},
    lean={"title": "Lean and Mean", "name": "Lean and Mean", "type": "Event", "edition": "2E"},
    agile={"type": "Event", "edition": "2E", "gems": {"A": 4}},
    strong={"type": "Event", "edition": "2E", "gems": {"S": 4}},
    able={"type": "Event", "edition": "2E", "gems": {"A": 1, "S": 1}},
    stance={"type": "Situation", "edition": "2E", "owner": "Katana", "owner_kind": "weapon"},
    katana={"name": "Katana", "type": "Weapon of Choice", "edition": "2E", "hand_icons": 1},
    dirk={"type": "Weapon of Choice", "edition": "2E", "hand_icons": 1, "off_hand": True},
    knife={"type": "Weapon of Choice", "edition": "2E", "hand_icons": 1, "off_hand": True},
    trick={"type": "Event", "edition": "2E", "owner": "Rebel", "owner_kind": "persona", "mark": "R"},
    rebel={
        "name": "Rebel",
        "type": "Persona",
        "edition": "2E",
        "gender": "M",
        "gems": dict.fromkeys("ASTERM", 2),
    },
)


def steps(
    game: str, key: str, cards: Mapping[str, CardFacts], names: Mapping[str, str], **options: object
) -> list[str]:
    """Return the plan for a list such as {"main": "4 lean, 31 plain"}.

    Its result is legal.
    """
    zones = {
        zone: tuple(
            Entry(cards[name], int(qty), line)
            for line, (qty, _, name) in enumerate((part.partition(" ") for part in zone_names.split(", ")), 1)
        )
        for zone, zone_names in names.items()
    }
    parts = (zones.get(zone, ()) for zone in ("main", "sideboard", "pregame"))
    deck, form = Deck(game, *parts, None, options), load_format(game, key)
    plan = plan_deck(deck, form, CardSupply.of(cards.values()))
    assert check_deck(apply_plan(deck, plan), form).outcome == "legal"
    return list(plan.sentences)


BASICS = ", ".join(f"1 {slot}" for slot in SLOTS)


def plan_steps(main: str, *, pregame: str = "1 persona", key: str = "standard") -> list[str]:
    return steps("highlander", key, WHOLE, {"main": f"{BASICS}, {main}", "pregame": pregame})


def test_lean_and_mean_with_four_of_its_cards_swaps_two() -> None:
    main = "6 plain1, 6 plain2, 6 plain3, 6 plain4, 4 lean, 6 plain5, 1 plain6"

    assert plan_steps(f"{main}", key="lean_and_mean") == [
        "Remove 1 plain6 and 1 plain5 from the main deck.",
        "Add 2 Lean and Mean to the main deck.",
    ]


def test_a_battle_deck_of_41_loses_a_card_that_it_can_spare() -> None:
    ken = {
        **FIGHTERS,
        "event": CardFacts.of("event", {"name": "Ken event", "kind": "character_event", "owner": "Ken"}),
    }
    main = "6 event, 27 Ken attack, 2 Ken super, 4 bait, 2 focus"

    assert steps("sf_miniatures", "battle_deck", ken, {"main": main}, character="Ken") == [
        "Remove 1 Ken attack from the main deck."
    ]


def test_the_deck_of_another_character_is_declared_as_what_it_is() -> None:
    ryu = {
        **FIGHTERS,
        "event": CardFacts.of("event", {"name": "Ryu event", "kind": "character_event", "owner": "Ryu"}),
    }
    main = "6 event, 26 Ryu attack, 2 Ryu super, 4 bait, 2 focus"

    assert steps("sf_miniatures", "battle_deck", ryu, {"main": main}, character="Ken") == [
        "Change the character of this deck to Ryu."
    ]


def test_twelve_cards_of_a_weapon_bring_their_weapon() -> None:
    main = "6 stance, 6 plain1, 6 plain2, 6 plain3, 6 plain4, 6 plain5"

    assert plan_steps(main) == ["Add 1 Katana to the pre-game cards."]


def test_one_card_less_settles_two_kinds_of_gems() -> None:
    main = "1 agile, 1 strong, 3 able, 6 plain1, 6 plain2, 6 plain3, 6 plain4, 6 plain5, 1 plain6"

    assert plan_steps(main) == ["Remove 1 able from the main deck."]


def test_of_three_weapons_one_goes() -> None:
    main = "6 plain1, 6 plain2, 6 plain3, 6 plain4, 6 plain5, 5 plain6"

    assert plan_steps(main, pregame="1 persona, 1 katana, 1 dirk, 1 knife") == [
        "Remove 1 knife from the pre-game cards."
    ]


def test_many_cards_of_another_persona_change_the_persona() -> None:
    main = "6 trick, 6 plain1, 6 plain2, 6 plain3, 6 plain4, 6 plain5"

    assert plan_steps(main) == [
        "Remove 1 persona from the pre-game cards.",
        "Add 1 Rebel to the pre-game cards.",
    ]


FOUNDATIONS = cards_of(
    "ufs",
    ken={"name": "Ken", "type": "character", "dots": 2, "set": "SF01", "number": 38},
    **{f"f{number}": {"type": "foundation", "dots": 0} for number in range(1, 20)},
)
FIFTY_NINE = ", ".join(["1 ken", *(f"4 f{number}" for number in range(1, 15)), "3 f15"])


def test_a_sideboard_of_ten_ends_with_eight() -> None:
    values = {"main": FIFTY_NINE, "sideboard": "1 f1, 4 f16, 4 f17, 1 f18"}

    assert steps("ufs", "constructed", FOUNDATIONS, values) == ["Remove 1 f1 and 1 f18 from the sideboard."]


def test_a_cfc_deck_of_53_ends_with_50() -> None:
    cards = cards_of("cfc", **{f"c{number}": {"type": "Character"} for number in range(1, 20)})
    main = ", ".join(["4 c1", *(f"3 c{number}" for number in range(2, 18)), "1 c18"])

    assert steps("cfc", "standard", cards, {"main": main}) == [
        "Remove 1 c1, 1 c18 and 1 c17 from the main deck."
    ]
