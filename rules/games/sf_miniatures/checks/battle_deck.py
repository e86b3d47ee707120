"""A battle deck is a fixed product: which kinds of cards it holds, and whose they are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rules.checks import check
from rules.deck import UNKNOWN, Deck, Entry
from rules.finding import Change, Finding, Fix, MissingFact
from rules.fixes import last_cards, remove
from rules.names import normal
from rules.rule import Rule, missing_fact
from rules.words import count, listed, verb

KIND_WORDS: Mapping[str, str] = {
    "attack": "attack card",
    "character_event": "character event",
    "bait": "Bait!",
    "focus": "Focus Attack",
    "super": "Super",
    "character_card": "Character card",
}
# Every deck has these cards alike, whoever's it is.
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
    return f"The deck holds exactly {listed(f'{n} {KIND_WORDS[kind]}' for kind, n in wanted.items())} cards."


@check("sf_miniatures.utility_events", says=_exactly_in_words)
def utility_events(deck: Deck, rule: Rule, *, bait: int, focus: int, super: int) -> Iterator[Finding]:
    """Exactly so many Bait!, Focus Attack and Super cards."""
    open_cards = _of_unknown_kind(deck)
    doubtful = []
    for kind, wanted in (("bait", bait), ("focus", focus), ("super", super)):
        held = of_kind(deck, kind)
        found = _total(held)
        if found > wanted or found + _total(open_cards) < wanted:
            yield _wrong_count(deck, rule, kind, wanted, held)
        else:
            doubtful.append(f"{wanted} {KIND_WORDS[kind]}")
    if open_cards and doubtful:
        message = f"Whether the deck holds {listed(doubtful)} is not known."
        facts = [missing_fact(entry, "kind") for entry in open_cards]
        yield rule.unknown("utility-events-unknown", message, facts, entries=open_cards)


def _wrong_count(deck: Deck, rule: Rule, kind: str, wanted: int, held: list[Entry]) -> Finding:
    found, word = _total(held), KIND_WORDS[kind]
    message = f"The deck holds {found} {word}; every battle deck has exactly {wanted}."
    if found > wanted:
        surplus = Deck(deck.game, tuple(held))
        fix = remove(rule, deck, last_cards(surplus, "main", found - wanted))
    else:
        swap = Change("add", "main", wanted - found, None, {"kind": kind})
        fix = Fix(f"Add {wanted - found} {word}.", (swap,))
    return rule.fault("utility-events-wrong", message, entries=held, limit=wanted, found=found, fix=fix)


@check("sf_miniatures.no_character_card", says=lambda: "The Character card is kept apart from the deck.")
def no_character_card(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """The Character card is not one of the cards of the deck."""
    held = of_kind(deck, "character_card")
    if held:
        names = listed(entry.card.name for entry in held)
        message = f"The Character card of {names} lies beside the battle deck, not in it."
        fix = remove(rule, deck, [("main", entry, entry.qty) for entry in held])
        yield rule.fault(
            "character-card-in-deck", message, entries=held, limit=0, found=_total(held), fix=fix
        )


@check("sf_miniatures.own_cards", says=lambda: "All cards belong to the character who plays the deck.")
def own_cards(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """Every card that has an owner belongs to the character that was registered."""
    character = deck.options.get("character")
    if not isinstance(character, str) or not character.strip():
        message = "No character was named for this battle deck."
        yield rule.unknown("character-unknown", message, [MissingFact("character")])
        return
    held = [entry for entry in deck.zone("main") if str(entry.card.get("kind")) not in SHARED]
    strange = [entry for entry in held if _is_known(entry) and not _belongs(entry, character)]
    open_cards = [entry for entry in held if not _is_known(entry)]
    if strange:
        names = listed(f"{entry.card.name} ({entry.card.get('owner')})" for entry in strange)
        are = verb([entry.card.name for entry in strange], "is", "are")
        message = f"{names} {are} not from the battle deck of {character}."
        fix = remove(rule, deck, [("main", entry, entry.qty) for entry in strange])
        found = _total(strange)
        yield rule.fault("card-of-another-character", message, entries=strange, limit=0, found=found, fix=fix)
    if open_cards:
        message = f"Whose card {listed(entry.card.name for entry in open_cards)} is, is not known."
        facts = [missing_fact(entry, "owner") for entry in open_cards]
        yield rule.unknown("owner-unknown", message, facts, entries=open_cards)


def _is_known(entry: Entry) -> bool:
    return isinstance(entry.card.get("owner"), str)


def _belongs(entry: Entry, character: str) -> bool:
    return normal(str(entry.card.get("owner"))) == normal(character)


def _usual_in_words(*, events: int, attacks: int, size: int) -> str:
    return f"Most characters have {events} character events and {attacks} attack cards among their {size}."


@check("sf_miniatures.usual_mix", says=_usual_in_words)
def usual_mix(deck: Deck, rule: Rule, *, events: int, attacks: int, size: int) -> Iterator[Finding]:
    """Points out another mix of character events and attacks: defensive characters have more events."""
    found = _total(of_kind(deck, "character_event")), _total(of_kind(deck, "attack"))
    if deck.size("main") == size and not _of_unknown_kind(deck) and found != (events, attacks):
        message = (
            f"The deck has {count(found[0], 'character event')} and {count(found[1], 'attack card')}; "
            f"most have {events} and {attacks}. Defensive characters differ: compare the box."
        )
        yield rule.warning("unusual-mix", message, limit=[events, attacks], found=list(found))


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
