"""Checks of battle decks and match registrations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rules.checks import check
from rules.deck import UNKNOWN, Deck, Entry
from rules.finding import Change, Finding, Fix, MissingFact
from rules.fixes import pick_last_cards, remove_cards
from rules.names import normalize_name
from rules.rule import Rule, missing_fact
from rules.text import choose_plural, join_list, pluralize

KIND_WORDS: Mapping[str, str] = {
    "attack": "attack card",
    "character_event": "character event",
    "bait": "Bait!",
    "focus": "Focus Attack",
    "super": "Super",
    "character_card": "Character card",
}

# Decks of every character have these cards.
SHARED = frozenset({"bait", "focus"})


def of_kind(deck: Deck, kind: str) -> list[Entry]:
    """The entries of the deck that are known to be of a kind."""
    return [entry for entry in deck.zone("main") if entry.card.get("kind") == kind]


def _of_unknown_kind(deck: Deck) -> list[Entry]:
    """The entries that may be of any kind; a card with a type of attack is an attack card."""
    return [
        entry
        for entry in deck.zone("main")
        if entry.card.get("kind") is UNKNOWN and entry.card.get("attack_type") is UNKNOWN
    ]


def _total(entries: list[Entry]) -> int:
    return sum(entry.qty for entry in entries)


def _exactly_in_words(*, bait: int, focus: int, super: int) -> str:
    wanted = {"bait": bait, "focus": focus, "super": super}
    return (
        f"The deck holds exactly {join_list(f'{n} {KIND_WORDS[kind]}' for kind, n in wanted.items())} cards."
    )


@check("sf_miniatures.utility_events", says=_exactly_in_words)
def utility_events(deck: Deck, rule: Rule, *, bait: int, focus: int, super: int) -> Iterator[Finding]:
    """Exactly so many Bait!, Focus Attack and Super cards."""
    open_cards = _of_unknown_kind(deck)
    doubtful = []
    for kind, wanted in (("bait", bait), ("focus", focus), ("super", super)):
        cards_of_kind = of_kind(deck, kind)
        number = _total(cards_of_kind)
        if number > wanted or number + _total(open_cards) < wanted:
            yield _wrong_count(deck, rule, kind, wanted, cards_of_kind)
        else:
            doubtful.append(f"{wanted} {KIND_WORDS[kind]}")
    if open_cards and doubtful:
        message = f"Whether the deck holds {join_list(doubtful)} is not known."
        facts = [missing_fact(entry, "kind") for entry in open_cards]
        yield rule.unknown("utility-events-unknown", message, facts, entries=open_cards)


def _wrong_count(deck: Deck, rule: Rule, kind: str, wanted: int, cards_of_kind: list[Entry]) -> Finding:
    number, word = _total(cards_of_kind), KIND_WORDS[kind]
    message = f"The deck holds {number} {word}; every battle deck has exactly {wanted}."
    if number > wanted:
        surplus = Deck(deck.game, tuple(cards_of_kind))
        fix = remove_cards(rule, deck, pick_last_cards(surplus, "main", number - wanted))
    else:
        swap = Change("add", "main", wanted - number, None, {"kind": kind})
        fix = Fix(f"Add {wanted - number} {word}.", (swap,))
    return rule.fault(
        "utility-events-wrong", message, entries=cards_of_kind, limit=wanted, found=number, fix=fix
    )


@check("sf_miniatures.no_character_card", says=lambda: "The Character card is kept apart from the deck.")
def no_character_card(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """The Character card is not one of the cards of the deck."""
    character_cards = of_kind(deck, "character_card")
    if character_cards:
        names = join_list(entry.card.name for entry in character_cards)
        message = f"The Character card of {names} lies beside the battle deck, not in it."
        fix = remove_cards(rule, deck, [("main", entry, entry.qty) for entry in character_cards])
        yield rule.fault(
            "character-card-in-deck",
            message,
            entries=character_cards,
            limit=0,
            found=_total(character_cards),
            fix=fix,
        )


@check("sf_miniatures.own_cards", says=lambda: "All cards belong to the character who plays the deck.")
def own_cards(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """Every card that has an owner belongs to the character that was registered."""
    character = deck.options.get("character")
    if not isinstance(character, str) or not character.strip():
        message = "No character was named for this battle deck."
        yield rule.unknown("character-unknown", message, [MissingFact("character")])
        return
    unshared = [entry for entry in deck.zone("main") if str(entry.card.get("kind")) not in SHARED]
    strange = [entry for entry in unshared if _is_known(entry) and not _belongs(entry, character)]
    open_cards = [entry for entry in unshared if not _is_known(entry)]
    if strange:
        names = join_list(f"{entry.card.name} ({entry.card.get('owner')})" for entry in strange)
        are = choose_plural([entry.card.name for entry in strange], "is", "are")
        message = f"{names} {are} not from the battle deck of {character}."
        fix = remove_cards(rule, deck, [("main", entry, entry.qty) for entry in strange])
        number = _total(strange)
        yield rule.fault(
            "card-of-another-character", message, entries=strange, limit=0, found=number, fix=fix
        )
    if open_cards:
        message = f"Whose card {join_list(entry.card.name for entry in open_cards)} is, is not known."
        facts = [missing_fact(entry, "owner") for entry in open_cards]
        yield rule.unknown("owner-unknown", message, facts, entries=open_cards)


def _is_known(entry: Entry) -> bool:
    return isinstance(entry.card.get("owner"), str)


def _belongs(entry: Entry, character: str) -> bool:
    return normalize_name(str(entry.card.get("owner"))) == normalize_name(character)


def _usual_in_words(*, events: int, attacks: int, size: int) -> str:
    return f"Most characters have {events} character events and {attacks} attack cards among their {size}."


@check("sf_miniatures.usual_mix", says=_usual_in_words)
def usual_mix(deck: Deck, rule: Rule, *, events: int, attacks: int, size: int) -> Iterator[Finding]:
    """Points out another mix of character events and attacks: defensive characters have more events."""
    mix = _total(of_kind(deck, "character_event")), _total(of_kind(deck, "attack"))
    if deck.size("main") == size and not _of_unknown_kind(deck) and mix != (events, attacks):
        message = (
            f"The deck has {pluralize(mix[0], 'character event')} and "
            f"{pluralize(mix[1], 'attack card')}; "
            f"most have {events} and {attacks}. Defensive characters differ: compare the box."
        )
        yield rule.warning("unusual-mix", message, limit=[events, attacks], found=list(mix))


@check("sf_miniatures.no_boss_deck", says=lambda: "A boss plays his depowered deck in the normal modes.")
def no_boss_deck(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """The deck of Boss mode has no place in the other modes."""
    if deck.options.get("boss_mode_deck") is True:
        message = (
            "This is the deck of Boss mode; in the other modes a boss plays the depowered deck of his set."
        )
        fix = Fix(
            "Register the depowered deck.", (Change("set", "main", 0, None, {"boss_mode_deck": False}),)
        )
        yield rule.fault("boss-mode-deck", message, fix=fix)


Side = tuple[str, ...]


def read_sides(deck: Deck) -> tuple[Side, ...] | None:
    """The characters of each side, or None where no sides can be read."""
    declared = deck.options.get("sides")
    if not isinstance(declared, list | tuple):
        return None
    return tuple(_characters(side) for side in declared)


def _characters(side: object) -> Side:
    named = side.get("characters", ()) if isinstance(side, Mapping) else side
    if isinstance(named, str):
        return (named,)
    return tuple(str(name) for name in named) if isinstance(named, list | tuple) else ()


def _chosen(deck: Deck, option: str) -> bool:
    return deck.options.get(option) is True


def _set(sentence: str, options: Mapping[str, object]) -> Fix:
    return Fix(sentence, (Change("set", "main", 0, None, options),))


def _shape_in_words(*, sides: int, most_sides: int | None = None, characters: int) -> str:
    bounds = f"{sides} to {most_sides} sides" if most_sides else pluralize(sides, "side")
    return f"The match has {bounds} with {pluralize(characters, 'character')} each."


@check("sf_miniatures.shape", says=_shape_in_words)
def shape(
    deck: Deck, rule: Rule, *, sides: int, most_sides: int | None = None, characters: int
) -> Iterator[Finding]:
    """From `sides` to `most_sides` sides, each with so many characters.

    Where characters are chosen at the table (competitive), a side without any is as it should be.
    """
    declared_sides = read_sides(deck)
    if declared_sides is None:
        yield rule.unknown("sides-unknown", "The sides of the match are not told.", [MissingFact("sides")])
        return
    most = most_sides or sides
    if not sides <= len(declared_sides) <= most:
        bounds = str(sides) if most == sides else f"{sides} to {most}"
        number = pluralize(len(declared_sides), "side")
        message = f"The match has {number}; {rule.format_name} is played by {bounds}."
        fix = _fewer(deck, most) if len(declared_sides) > most else _more(sides - len(declared_sides))
        yield rule.fault("wrong-number-of-sides", message, limit=most, found=len(declared_sides), fix=fix)
    wrong = {
        at: side
        for at, side in enumerate(declared_sides)
        if len(side) != characters and not (_chosen(deck, "competitive") and not side)
    }
    if wrong:
        sizes = [len(side) for side in wrong.values()]
        size_list = join_list(pluralize(size, "character") for size in sizes)
        message = f"A side has {size_list}; {rule.format_name} wants {characters} a side."
        fix = _whole_sides(declared_sides, wrong, characters)
        yield rule.fault("wrong-number-of-characters", message, limit=characters, found=sizes[0], fix=fix)


def _whole_sides(declared_sides: Sequence[Side], wrong: Mapping[int, Side], characters: int) -> Fix:
    """Leave the last characters out of large sides; who comes into small ones cannot be named."""
    sentences = []
    for at, side in wrong.items():
        if len(side) > characters:
            sentences.append(f"Leave {join_list(side[characters:])} out of side {at + 1}.")
        else:
            sentences.append(f"Bring {pluralize(characters - len(side), 'character')} into side {at + 1}.")
    if any(len(side) < characters for side in wrong.values()):
        return Fix(" ".join(sentences))
    return _set(" ".join(sentences), {"sides": [list(side[:characters]) for side in declared_sides]})


def _more(missing: int) -> Fix:
    return Fix(f"Bring {pluralize(missing, 'more side')} into the match.")


def _fewer(deck: Deck, most: int) -> Fix:
    declared = deck.options.get("sides")
    first_sides = list(declared)[:most] if isinstance(declared, list | tuple) else []
    return _set(f"Let the first {most} sides play this match.", {"sides": first_sides})


@check(
    "sf_miniatures.one_of_each",
    says=lambda core: "A character fights once; a second of the same needs a second set.",
)
def one_of_each(deck: Deck, rule: Rule, *, core: tuple[str, ...]) -> Iterator[Finding]:
    """No more fighters of one character than there are sets that hold it (Mirror Match)."""
    doubled = [names for names in _fighters(deck).values() if len(names) > 1]
    in_core = {normalize_name(name) for name in core}
    options = {normalize_name(names[0]): _options(normalize_name(names[0]) in in_core) for names in doubled}
    agreed = deck.options.get("mirror")
    wrong, untold = [], []
    for names in doubled:
        sets = _sets(deck, options[normalize_name(names[0])])
        if agreed is False or (sets is not None and len(names) > sets) or (sets is None and agreed is None):
            wrong.append(names)
        elif sets is None:
            untold.append(names)
    if wrong:
        yield _doubled(rule, wrong, options)
    if untold:
        message = (
            f"How many sets hold {join_list(names[0] for names in untold)}, who fights twice, is not told."
        )
        facts = [MissingFact(options[normalize_name(names[0])][0]) for names in untold]
        yield rule.unknown("sets-unknown", message, facts)


def _fighters(deck: Deck) -> dict[str, list[str]]:
    """Every fighter of the match, those of one character together."""
    fighters: dict[str, list[str]] = {}
    for side in read_sides(deck) or ():
        for name in side:
            fighters.setdefault(normalize_name(name), []).append(name)
    return fighters


def _options(is_core: bool) -> tuple[str, ...]:
    """The options that tell how many sets hold a character."""
    return ("core_sets",) if is_core else ("expansion_sets", "boss_sets")


def _sets(deck: Deck, options: tuple[str, ...]) -> int | None:
    """How many sets hold a character; None where no one told."""
    set_counts = [deck.options.get(option) for option in options]
    return max((number for number in set_counts if type(number) is int), default=None)


def _doubled(rule: Rule, wrong: list[list[str]], options: Mapping[str, tuple[str, ...]]) -> Finding:
    most = max(len(names) for names in wrong)
    fighter_list = join_list(f"{names[0]} fights {len(names)} times" for names in wrong)
    message = f"{fighter_list}; a mirror match needs a set with the character for each, and must be agreed."
    needed: dict[str, object] = {options[normalize_name(names[0])][0]: most for names in wrong}
    sentence = f"Choose other characters, or bring {most} sets and agree on a mirror match."
    fix = _set(sentence, {**needed, "mirror": True})
    return rule.fault("character-doubled", message, limit=1, found=most, fix=fix)


@check("sf_miniatures.partners", says=lambda: "In competitive team play partners come together to the table.")
def partners(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """Competitive team play needs partners who were chosen before."""
    preset = deck.options.get("partners_preset")
    if not _chosen(deck, "competitive") or preset is True:
        return
    if preset is None:
        message = "Whether the partners were chosen before coming to the table is not told."
        yield rule.unknown("partners-unknown", message, [MissingFact("partners_preset")])
        return
    fix = _set("Register the partners beforehand.", {"partners_preset": True})
    message = "In competitive team play partners are chosen before they come to the table."
    yield rule.fault("partners-not-preset", message, fix=fix)


def _time_out_in_words(*, allowed: bool) -> str:
    return "Time Out may be played if both agree." if allowed else "Time Out is not played in this mode."


@check("sf_miniatures.time_out", says=_time_out_in_words)
def time_out(deck: Deck, rule: Rule, *, allowed: bool) -> Iterator[Finding]:
    """Time Out exists one against one only, and only by agreement."""
    if not _chosen(deck, "time_out"):
        return
    agreed = deck.options.get("time_out_agreed")
    fix = _set("Play without Time Out.", {"time_out": False})
    if not allowed:
        message = f"Time Out exists only one against one; {rule.format_name} is played without it."
        yield rule.fault("time-out-not-here", message, fix=fix)
    elif agreed is None:
        message = "Whether both players agreed on Time Out is not told."
        yield rule.unknown("time-out-agreement-unknown", message, [MissingFact("time_out_agreed")])
    elif agreed is not True:
        yield rule.fault("time-out-not-agreed", "Time Out needs the agreement of both players.", fix=fix)


def _tokens_in_words(*, in_set: int, per_side: int) -> str:
    return f"Each side needs {per_side} tag tokens; a core set holds {in_set}."


@check("sf_miniatures.tag_tokens", says=_tokens_in_words)
def tag_tokens(deck: Deck, rule: Rule, *, in_set: int, per_side: int) -> Iterator[Finding]:
    """Points out that the tag tokens of the core sets at hand do not suffice for all sides."""
    needed = per_side * len(read_sides(deck) or ())
    there = in_set * (_sets(deck, ("core_sets",)) or 1)
    if needed > there:
        message = f"The match needs {needed} tag tokens; the core sets at hand hold {there}."
        yield rule.warning("too-few-tag-tokens", message, limit=there, found=needed)


@check("sf_miniatures.no_boss_mode", says=lambda: "A boss joins with his depowered deck.")
def no_boss_mode(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """No side brings a deck of Boss mode."""
    declared = deck.options.get("sides")
    listed_sides = (
        [side for side in declared if isinstance(side, Mapping)] if isinstance(declared, list | tuple) else []
    )
    if _chosen(deck, "boss_mode_deck") or any(side.get("boss_mode_deck") is True for side in listed_sides):
        new_sides = [{**side, "boss_mode_deck": False} for side in listed_sides]
        fix = _set("Bring the depowered deck.", {"boss_mode_deck": False, "sides": new_sides})
        yield rule.fault("boss-mode-deck", "A boss joins this mode only with his depowered deck.", fix=fix)
