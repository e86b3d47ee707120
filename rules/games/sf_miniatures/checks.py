"""Checks of battle decks and match registrations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from rules.checks import check, demand
from rules.deck import UNKNOWN, Deck, Entry
from rules.finding import Change, DeferredFix, Finding, Fix, MissingFact, build_fix
from rules.fixes import Removal, is_needed, make_room, pick_last_cards, remove_cards, set_option
from rules.names import normalize_name
from rules.reason import Reason, reason
from rules.rule import Rule, missing_fact
from rules.text import card_names

# Decks of every character have these cards.
SHARED = frozenset({"bait", "focus"})


def of_kind(deck: Deck, kind: str) -> list[Entry]:
    """Return the entries of the deck that are known to be of a kind."""
    return [entry for entry in deck.zone("main") if entry.card.get("kind") == kind]


def _of_unknown_kind(deck: Deck) -> list[Entry]:
    """Return the entries that may be of any kind.

    A card with a type of attack is an attack card.
    """
    return [
        entry
        for entry in deck.zone("main")
        if entry.card.get("kind") is UNKNOWN and entry.card.get("attack_type") is UNKNOWN
    ]


WrongCount = tuple[str, int, list[Entry]]
"""A kind of card, how many of it a deck has, and those that are there."""


def _total(entries: list[Entry]) -> int:
    return sum(entry.qty for entry in entries)


@check("sf_miniatures.utility_events")
def utility_events(deck: Deck, rule: Rule, *, bait: int, focus: int, super: int) -> Iterator[Finding]:
    """Require exactly so many Bait!, Focus Attack and Super cards."""
    open_cards = _of_unknown_kind(deck)
    doubtful = []
    wrong: list[WrongCount] = []
    for kind, expected_count in (("bait", bait), ("focus", focus), ("super", super)):
        cards_of_kind = of_kind(deck, kind)
        number = _total(cards_of_kind)
        if number > expected_count or number + _total(open_cards) < expected_count:
            wrong.append((kind, expected_count, cards_of_kind))
        else:
            doubtful.append(reason("cards-of-kind", qty=expected_count, kind=kind))
    for place, (kind, expected_count, cards_of_kind) in enumerate(wrong):
        yield rule.fault(
            "utility-events-wrong",
            entries=cards_of_kind,
            limit=expected_count,
            found=_total(cards_of_kind),
            fix=None if place else DeferredFix(_exchange_kinds, deck, rule, wrong),
            kind=kind,
        )
    if open_cards and doubtful:
        facts = [missing_fact(entry, "kind") for entry in open_cards]
        yield rule.unknown("utility-events-unknown", facts, entries=open_cards, cards=tuple(doubtful))


def _exchange_kinds(deck: Deck, rule: Rule, wrong: list[WrongCount]) -> Fix:
    """Exchange cards of surplus kinds for cards of missing kinds.

    The size of the deck stays the same.
    """
    takes: list[Removal] = []
    lacking: list[tuple[str, int]] = []
    for kind, expected_count, cards_of_kind in wrong:
        surplus = _total(cards_of_kind) - expected_count
        takes += pick_last_cards(rule, Deck(deck.game, tuple(cards_of_kind)), "main", surplus)
        if surplus < 0:
            lacking.append((kind, -surplus))
    coming_count = sum(qty for _, qty in lacking)
    net = coming_count - sum(qty for _, _, qty in takes)
    takes += make_room(rule, deck, "main", net, lambda card: not is_needed(rule, card))
    fix = remove_cards(rule, deck, takes, coming_count=coming_count) if takes else Fix()
    for kind, qty in lacking:
        fix = fix.then("add-kind", (Change("add", "main", qty, None, {"kind": kind}),), qty=qty, kind=kind)
    return fix


@check("sf_miniatures.no_character_card")
def no_character_card(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """Refuse the Character card as a card of the deck."""
    character_cards = of_kind(deck, "character_card")
    if character_cards:
        fix = remove_cards(rule, deck, [("main", entry, entry.qty) for entry in character_cards])
        yield rule.fault(
            "character-card-in-deck",
            entries=character_cards,
            limit=0,
            found=_total(character_cards),
            fix=fix,
            cards=card_names(character_cards),
        )


@check("sf_miniatures.own_cards")
def own_cards(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """Refuse cards of other owners than the registered character."""
    character = deck.options.get("character")
    if not isinstance(character, str) or not character.strip():
        yield rule.unknown("character-unknown", [MissingFact("character")])
        return
    owned_entries = [entry for entry in deck.zone("main") if str(entry.card.get("kind")) not in SHARED]
    strange = [entry for entry in owned_entries if _is_known(entry) and not _belongs(entry, character)]
    open_cards = [entry for entry in owned_entries if not _is_known(entry)]
    if strange:
        cards = tuple(
            reason("card-of-owner", card=entry.card.name, owner=str(entry.card.get("owner")))
            for entry in strange
        )
        fix = _fix_owners(deck, rule, owned_entries, strange)
        yield rule.fault(
            "card-of-another-character",
            entries=strange,
            limit=0,
            found=_total(strange),
            fix=fix,
            cards=cards,
            character=character,
        )
    if open_cards:
        facts = [missing_fact(entry, "owner") for entry in open_cards]
        yield rule.unknown("owner-unknown", facts, entries=open_cards, cards=card_names(open_cards))


def _fix_owners(deck: Deck, rule: Rule, owned_entries: list[Entry], strange: list[Entry]) -> Fix:
    """Declare the one character to whom every card belongs.

    If there is no such character, the foreign cards are removed.
    """
    owners = {normalize_name(str(entry.card.get("owner"))) for entry in owned_entries}
    if len(owners) == 1:
        owner = str(strange[0].card.get("owner"))
        return set_option("declare-owner", {"character": owner}, character=owner)
    return remove_cards(rule, deck, [("main", entry, entry.qty) for entry in strange])


def _is_known(entry: Entry) -> bool:
    return isinstance(entry.card.get("owner"), str)


def _belongs(entry: Entry, character: str) -> bool:
    return normalize_name(str(entry.card.get("owner"))) == normalize_name(character)


@check("sf_miniatures.usual_mix")
def usual_mix(deck: Deck, rule: Rule, *, events: int, attacks: int, size: int) -> Iterator[Finding]:
    """Report an unusual mix of character events and attacks.

    Defensive characters have more events.
    """
    mix = _total(of_kind(deck, "character_event")), _total(of_kind(deck, "attack"))
    if deck.size("main") == size and not _of_unknown_kind(deck) and mix != (events, attacks):
        yield rule.warning(
            "unusual-mix",
            limit=[events, attacks],
            found=list(mix),
            events=mix[0],
            attacks=mix[1],
            usual_events=events,
            usual_attacks=attacks,
        )


@check("sf_miniatures.no_boss_deck")
def no_boss_deck(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """Refuse the deck of Boss mode in the other modes."""
    if deck.options.get("boss_mode_deck") is True:
        fix = set_option("register-depowered-deck", {"boss_mode_deck": False})
        yield rule.fault("boss-mode-deck", fix=fix)


Side = tuple[str, ...]


def read_sides(deck: Deck) -> tuple[Side, ...] | None:
    """Return the characters of each side, or None if no sides can be read."""
    declared_sides = deck.options.get("sides")
    if not isinstance(declared_sides, list | tuple):
        return None
    return tuple(_characters(side) for side in declared_sides)


def _characters(side: object) -> Side:
    named_characters = side.get("characters", ()) if isinstance(side, Mapping) else side
    if isinstance(named_characters, str):
        return (named_characters,)
    return tuple(str(name) for name in named_characters) if isinstance(named_characters, list | tuple) else ()


def _is_chosen(deck: Deck, option: str) -> bool:
    return deck.options.get(option) is True


def _shape_says(*, sides: int, most_sides: int | None = None, characters: int) -> Reason:
    if most_sides:
        return demand("sf_miniatures.shape.between", sides=sides, most=most_sides, characters=characters)
    return demand("sf_miniatures.shape", sides=sides, characters=characters)


@check("sf_miniatures.shape", says=_shape_says)
def shape(
    deck: Deck, rule: Rule, *, sides: int, most_sides: int | None = None, characters: int
) -> Iterator[Finding]:
    """Require from `sides` to `most_sides` sides, each with so many characters.

    Where characters are chosen at the table (competitive), a side without any is as it should be.
    """
    declared_sides = read_sides(deck)
    if declared_sides is None:
        yield rule.unknown("sides-unknown", [MissingFact("sides")])
        return
    most = most_sides or sides
    if not sides <= len(declared_sides) <= most:
        number = len(declared_sides)
        fix = _fewer(deck, most) if number > most else build_fix("more-sides", sides=sides - number)
        key = "wrong-number-of-sides" if most == sides else "wrong-number-of-sides.between"
        yield rule.fault(key, limit=most, found=number, fix=fix, least=sides, format=rule.format_name)
    wrong = {
        at: side
        for at, side in enumerate(declared_sides)
        if len(side) != characters and not (_is_chosen(deck, "competitive") and not side)
    }
    if wrong:
        sizes = [len(side) for side in wrong.values()]
        fix = _whole_sides(declared_sides, wrong, characters)
        yield rule.fault(
            "wrong-number-of-characters",
            limit=characters,
            found=sizes[0],
            fix=fix,
            sizes=tuple(reason("characters-of-a-side", qty=size) for size in sizes),
            format=rule.format_name,
        )


def _whole_sides(declared_sides: Sequence[Side], wrong: Mapping[int, Side], characters: int) -> Fix:
    """Remove the last characters from sides that are too large.

    Which characters join sides that are too small cannot be named.
    """
    fix = Fix()
    for at, side in wrong.items():
        if len(side) > characters:
            fix = fix.then("leave-out-characters", characters=side[characters:], side=at + 1)
        else:
            fix = fix.then("bring-characters", qty=characters - len(side), side=at + 1)
    if any(len(side) < characters for side in wrong.values()):
        return fix
    whole = {"sides": [list(side[:characters]) for side in declared_sides]}
    return replace(fix, changes=(Change("set", "main", 0, None, whole),))


def _fewer(deck: Deck, most: int) -> Fix:
    declared_sides = deck.options.get("sides")
    first_sides = list(declared_sides)[:most] if isinstance(declared_sides, list | tuple) else []
    return set_option("first-sides", {"sides": first_sides}, sides=most)


@check("sf_miniatures.one_of_each")
def one_of_each(deck: Deck, rule: Rule, *, core: tuple[str, ...]) -> Iterator[Finding]:
    """Refuse a second fighter of a character.

    It is allowed if a mirror match is declared or the sets allow it.
    """
    is_agreed = deck.options.get("mirror")
    if is_agreed is True:
        return
    wrong = [
        (names, options)
        for names, options in _doubled_fighters(deck, core)
        if is_agreed is False or len(names) > (_sets(deck, options) or 1)
    ]
    if wrong:
        yield _report_doubled(rule, "character-doubled", wrong)


@check("sf_miniatures.mirror_sets")
def mirror_sets(deck: Deck, rule: Rule, *, core: tuple[str, ...]) -> Iterator[Finding]:
    """Limit the fighters of one character in a mirror match to the sets that hold it."""
    if deck.options.get("mirror") is not True:
        return
    doubled_entries = [
        (names, options, _sets(deck, options)) for names, options in _doubled_fighters(deck, core)
    ]
    wrong = [
        (names, options) for names, options, sets in doubled_entries if sets is not None and len(names) > sets
    ]
    if wrong:
        yield _report_doubled(rule, "mirror-without-sets", wrong)
    untold = [(names, options) for names, options, sets in doubled_entries if sets is None]
    if untold:
        facts = [MissingFact(options[0]) for _, options in untold]
        yield rule.unknown("sets-unknown", facts, characters=tuple(names[0] for names, _ in untold))


Doubled = tuple[list[str], tuple[str, ...]]


def _doubled_fighters(deck: Deck, core: tuple[str, ...]) -> list[Doubled]:
    """List characters with several fighters.

    Each has the options that tell how many sets hold them.
    """
    in_core = {normalize_name(name) for name in core}
    return [(names, _options(name in in_core)) for name, names in _fighters(deck).items() if len(names) > 1]


def _fighters(deck: Deck) -> dict[str, list[str]]:
    """Return every fighter of the match, those of one character together."""
    fighters: dict[str, list[str]] = {}
    for side in read_sides(deck) or ():
        for name in side:
            fighters.setdefault(normalize_name(name), []).append(name)
    return fighters


def _options(is_core: bool) -> tuple[str, ...]:
    """Return the options that tell how many sets hold a character."""
    return ("core_sets",) if is_core else ("expansion_sets", "boss_sets")


def _sets(deck: Deck, options: tuple[str, ...]) -> int | None:
    """Return how many sets hold a character; None if no one entered it."""
    set_counts = [deck.options.get(option) for option in options]
    return max((number for number in set_counts if type(number) is int), default=None)


def _report_doubled(rule: Rule, code: str, wrong: list[Doubled]) -> Finding:
    most = max(len(names) for names, _ in wrong)
    fighters = tuple(reason("fights-so-often", character=names[0], times=len(names)) for names, _ in wrong)
    needed_values: dict[str, object] = {options[0]: most for _, options in wrong}
    fix = set_option("agree-on-mirror-match", {**needed_values, "mirror": True}, sets=most)
    return rule.fault(code, limit=1, found=most, fix=fix, fighters=fighters)


@check("sf_miniatures.partners")
def partners(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """Require partners who were chosen before, for competitive team play."""
    preset = deck.options.get("partners_preset")
    if not _is_chosen(deck, "competitive") or preset is True:
        return
    if preset is None:
        yield rule.unknown("partners-unknown", [MissingFact("partners_preset")])
        return
    fix = set_option("register-partners", {"partners_preset": True})
    yield rule.fault("partners-not-preset", fix=fix)


@check("sf_miniatures.time_out")
def time_out(deck: Deck, rule: Rule, *, allowed: bool) -> Iterator[Finding]:
    """Refuse Time Out where the mode does not allow it, or without agreement."""
    if not _is_chosen(deck, "time_out"):
        return
    is_agreed = deck.options.get("time_out_agreed")
    fix = set_option("play-without-time-out", {"time_out": False})
    if not allowed:
        yield rule.fault("time-out-not-here", fix=fix, format=rule.format_name)
    elif is_agreed is None:
        yield rule.unknown("time-out-agreement-unknown", [MissingFact("time_out_agreed")])
    elif is_agreed is not True:
        yield rule.fault("time-out-not-agreed", fix=fix)


@check("sf_miniatures.tag_tokens")
def tag_tokens(deck: Deck, rule: Rule, *, in_set: int, per_side: int) -> Iterator[Finding]:
    """Report that the core sets at hand have too few tag tokens for all sides."""
    needed_tokens = per_side * len(read_sides(deck) or ())
    there = in_set * (_sets(deck, ("core_sets",)) or 1)
    if needed_tokens > there:
        yield rule.warning("too-few-tag-tokens", limit=there, found=needed_tokens)


@check("sf_miniatures.no_boss_mode")
def no_boss_mode(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """Refuse a side that brings a deck of Boss mode."""
    declared_sides = deck.options.get("sides")
    listed_sides = (
        [side for side in declared_sides if isinstance(side, Mapping)]
        if isinstance(declared_sides, list | tuple)
        else []
    )
    if _is_chosen(deck, "boss_mode_deck") or any(side.get("boss_mode_deck") is True for side in listed_sides):
        new_sides = [{**side, "boss_mode_deck": False} for side in listed_sides]
        fix = set_option("bring-depowered-deck", {"boss_mode_deck": False, "sides": new_sides})
        yield rule.fault("boss-mode-deck.of-a-side", fix=fix)
