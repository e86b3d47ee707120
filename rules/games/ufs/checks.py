"""Checks of UFS alone.

They cover the declared character, the exchange of cards between games, and cards of one character.
"""

from __future__ import annotations

from collections.abc import Iterator

from rules.checks import check
from rules.checks.contents import has_type
from rules.checks.pool import compare_with_pool, is_pool_recorded
from rules.deck import Deck, Entry
from rules.finding import Change, Finding, Fix, build_fix
from rules.fixes import set_option, swap_in_from_sideboard
from rules.names import normalize_name, split_rank_marks
from rules.reason import Reason, reason
from rules.rule import Rule, missing_fact
from rules.text import card_names, zone_reasons

CHARACTER = ("character",)


def get_declared_character(deck: Deck) -> str | None:
    """Return the declared character's name without dots.

    None if nothing was declared.
    """
    written_name = deck.options.get("declared_character")
    if not isinstance(written_name, str) or not written_name.strip():
        return None
    return split_rank_marks(written_name)[0]


def _diverse(deck: Deck) -> bool:
    return deck.options.get("diversity") is True


@check("ufs.declaration")
def declaration(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """Require a declared character at registration for a diversity event."""
    if _diverse(deck) and get_declared_character(deck) is None:
        yield rule.fault("character-not-declared", limit=1, found=0, fix=_declare(deck))


def _declare(deck: Deck) -> Fix:
    """Declare the first character of the main deck.

    If there is none, the list needs a character first.
    """
    first = next((e.card.name for e in deck.zone("main") if has_type(e.card, CHARACTER)), None)
    if first is None:
        return build_fix("add-and-declare-character")
    return set_option("declare-character", {"declared_character": first}, character=first)


@check("ufs.declared_character")
def declared_character(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """Require a version of the declared character in the main deck.

    This applies in diversity events. The declaration binds the first game of a round only, so lists presented
    for later games pass.
    """
    name = get_declared_character(deck)
    game = deck.options.get("game_in_round")
    if not _diverse(deck) or name is None or (type(game) is int and game > 1):
        return
    namesakes = [e for e in deck.zone("main") if _may_be_called(e, name)]
    answers = {has_type(entry.card, CHARACTER) for entry in namesakes}
    if True in answers:
        return
    if None in answers:
        facts, cards = [missing_fact(entry, "type") for entry in namesakes], card_names(namesakes)
        yield rule.unknown(
            "declared-character-unknown", facts, entries=namesakes, character=name, cards=cards
        )
        return
    fix = _put_in(rule, deck, name)
    yield rule.fault(
        "declared-character-missing", entries=namesakes, limit=1, found=0, fix=fix, character=name
    )


def _put_in(rule: Rule, deck: Deck, name: str) -> Fix:
    """Bring a character of that name in from the sideboard, or add one."""
    wanted_facts = {"name": name, "type": "character"}
    swap = swap_in_from_sideboard(
        rule,
        deck,
        lambda card: has_type(card, CHARACTER) and normalize_name(card.name) == normalize_name(name),
        wanted_facts,
    )
    if swap is not None:
        return swap
    return build_fix("add-character", (Change("add", "main", 1, None, wanted_facts),), character=name)


def _may_be_called(entry: Entry, name: str) -> bool:
    """Return whether a card may have this name.

    A card that no catalogue holds may be misspelled.
    """
    return not entry.card.in_catalogue or normalize_name(
        split_rank_marks(entry.card.name)[0]
    ) == normalize_name(name)


@check("ufs.diversity_advice")
def diversity_advice(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """Advise against a diversity cut where it is allowed but not recommended."""
    if _diverse(deck):
        yield rule.warning("diversity-not-advised", format=rule.format_name)


@check("ufs.character_only")
def character_only(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """Refuse cards that only another character may play.

    They name a character that the list's own character never is.
    """
    entries = (*deck.zone("main"), *deck.zone("sideboard"))
    cards = [entry for entry in entries if "character_only" in entry.card.attributes]
    if not cards:
        return
    own = _own_characters(deck)
    if own is None:
        return
    idle = [entry for entry in cards if _only(entry) and not own & _only(entry)]
    if idle:
        named_entries = tuple(
            reason("card-of-characters", card=entry.card.name, characters=_only_names(entry))
            for entry in idle
        )
        who = get_declared_character(deck)
        key = "character-only-card" if who else "character-only-card.of-nobody"
        yield rule.warning(key, entries=idle, cards=named_entries, character=who)


def _only_names(entry: Entry) -> tuple[str, ...]:
    names = entry.card.get("character_only")
    if isinstance(names, str):
        return (names,)
    return tuple(map(str, names)) if isinstance(names, list | tuple) else ()


def _only(entry: Entry) -> set[str]:
    return {normalize_name(name) for name in _only_names(entry)}


def _own_characters(deck: Deck) -> set[str] | None:
    """Return the names that may start a game with this list.

    None while a card's type is not known.
    """
    name = get_declared_character(deck)
    if name is not None:
        return {normalize_name(name)}
    own = set()
    for _, entry in deck.entries(("main", "sideboard")):
        answer = has_type(entry.card, CHARACTER)
        if answer is None:
            return None
        if answer:
            own.add(normalize_name(entry.card.name))
    return own


def _get_registered_deck(deck: Deck) -> Deck | None:
    registered_deck = deck.options.get("registered")
    return registered_deck if isinstance(registered_deck, Deck) else None


def _tally(deck: Deck, rule: Rule, zones: tuple[str, ...]) -> dict[object, int]:
    tally: dict[object, int] = {}
    for _, entry in deck.entries(zones):
        place = rule.lists.identify_printing(entry.card)
        tally[place] = tally.get(place, 0) + entry.qty
    return tally


def _is_first_game(deck: Deck) -> bool:
    return deck.options.get("game_in_round") == 1


@check("ufs.registered_form")
def registered_form(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """Require the registered deck and sideboard for the first game of a round."""
    registered_list = _get_registered_deck(deck)
    if registered_list is None or not _is_first_game(deck):
        return
    wrong = [
        zone
        for zone in ("main", "sideboard")
        if _tally(deck, rule, (zone,)) != _tally(registered_list, rule, (zone,))
    ]
    if wrong:
        fix = build_fix("reset-lists", _list_steps_back(deck, registered_list))
        yield rule.fault("not-reset", fix=fix, zones=zone_reasons(wrong))


@check("ufs.one_for_one")
def one_for_one(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """Require that an exchange keeps both sizes and uses the registered cards only."""
    registered_list = _get_registered_deck(deck)
    if registered_list is None or _is_first_game(deck):
        return
    both = ("main", "sideboard")
    wrong = [
        _size_change(deck, registered_list, zone)
        for zone in both
        if deck.size(zone) != registered_list.size(zone)
    ]
    if _tally(deck, rule, both) != _tally(registered_list, rule, both):
        wrong.append(reason("other-cards-than-registered"))
    if wrong:
        fix = build_fix("exchange-one-for-one", _list_steps_back(deck, registered_list))
        limit, deck_size = registered_list.size("main"), deck.size("main")
        yield rule.fault("not-one-for-one", limit=limit, found=deck_size, fix=fix, faults=tuple(wrong))


def _size_change(deck: Deck, registered_list: Deck, zone: str) -> Reason:
    return reason("size-not-kept", zone=zone, size=deck.size(zone), registered=registered_list.size(zone))


def _list_steps_back(deck: Deck, registered_list: Deck) -> tuple[Change, ...]:
    """Return the steps that lead from the presented lists to the registered ones."""
    steps = []
    for zone in ("main", "sideboard"):
        now, then = _by_key(deck, zone), _by_key(registered_list, zone)
        steps += [Change("remove", zone, now[k] - then.get(k, 0), k) for k in now if now[k] > then.get(k, 0)]
        steps += [Change("add", zone, then[k] - now.get(k, 0), k) for k in then if then[k] > now.get(k, 0)]
    return tuple(steps)


def _by_key(deck: Deck, zone: str) -> dict[str, int]:
    copies_by_key: dict[str, int] = {}
    for entry in deck.zone(zone):
        copies_by_key[entry.card.key] = copies_by_key.get(entry.card.key, 0) + entry.qty
    return copies_by_key


@check("ufs.free_exchange")
def free_exchange(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """Refuse an exchange before the first game of the event.

    Nothing has been played before the very first game.
    """
    registered_list = _get_registered_deck(deck)
    if registered_list is None or not _is_first_game(deck) or deck.options.get("first_round") is not True:
        return
    if _tally(deck, rule, ("main",)) != _tally(registered_list, rule, ("main",)):
        fix = build_fix("present-registered-deck", _list_steps_back(deck, registered_list))
        yield rule.fault("exchange-before-first-game", fix=fix)


@check("ufs.rest_of_pool")
def rest_of_pool(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """Require deck and sideboard from what was registered, without a recorded pool."""
    if deck.pool is not None and not is_pool_recorded(deck):
        yield from compare_with_pool(deck, rule, ("main", "sideboard"), "not-of-the-rest")
