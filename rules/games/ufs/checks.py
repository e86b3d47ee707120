"""What only UFS asks: the declared character, the exchange of cards between games, cards of one character."""

from __future__ import annotations

from collections.abc import Iterator

from rules.checks import check
from rules.checks.contents import has_type
from rules.deck import ZONE_WORDS, Deck, Entry
from rules.finding import Change, Finding, Fix
from rules.fixes import swap_in_from_sideboard
from rules.names import normalize_name, split_rank_marks
from rules.rule import Rule, missing_fact
from rules.text import choose_plural, join_list, pluralize

CHARACTER = ("character",)


def declared(deck: Deck) -> str | None:
    """The declared character's name without dots, or None where nothing was declared."""
    written = deck.options.get("declared_character")
    if not isinstance(written, str) or not written.strip():
        return None
    return split_rank_marks(written)[0]


def _diverse(deck: Deck) -> bool:
    return deck.options.get("diversity") is True


@check("ufs.declaration", says=lambda: "In a diversity event each player declares a character.")
def declaration(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """A diversity event demands a declared character at registration."""
    if _diverse(deck) and declared(deck) is None:
        message = "The event is cut by diversity, and no character was declared for this list."
        yield rule.fault("character-not-declared", message, limit=1, found=0, fix=_declare(deck))


def _declare(deck: Deck) -> Fix:
    """Declare the first character of the main deck; without one, the list needs a character first."""
    first = next((e.card.name for e in deck.zone("main") if has_type(e.card, CHARACTER)), None)
    if first is None:
        return Fix("Put a character into the main deck and declare it.")
    change = Change("set", "main", 0, None, {"declared_character": first})
    return Fix(f"Declare {first}, or another character of the main deck.", (change,))


@check("ufs.declared_character", says=lambda: "The declared character can start: it lies in the main deck.")
def declared_character(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """Some version of the declared character is a character card of the main deck, in diversity events.

    The declaration binds the first game of a round only, so lists presented for later games pass.
    """
    name = declared(deck)
    game = deck.options.get("game_in_round")
    if not _diverse(deck) or name is None or (type(game) is int and game > 1):
        return
    namesakes = [e for e in deck.zone("main") if _may_be_called(e, name)]
    answers = {has_type(entry.card, CHARACTER) for entry in namesakes}
    if True in answers:
        return
    if None in answers:
        cards = join_list(entry.card.name for entry in namesakes)
        message = f"It is not known whether {name} can start: no catalogue tells the type of {cards}."
        facts = [missing_fact(entry, "type") for entry in namesakes]
        yield rule.unknown("declared-character-unknown", message, facts, entries=namesakes)
        return
    message = f"{name} was declared, but no version of {name} is a character card of the main deck."
    fix = _put_in(rule, deck, name)
    yield rule.fault("declared-character-missing", message, entries=namesakes, limit=1, found=0, fix=fix)


def _put_in(rule: Rule, deck: Deck, name: str) -> Fix:
    """Bring a character of that name in from the sideboard, or add one."""
    mend = swap_in_from_sideboard(
        rule,
        deck,
        lambda card: has_type(card, CHARACTER) and normalize_name(card.name) == normalize_name(name),
    )
    if mend is not None:
        return mend
    wanted = {"name": name, "type": "character"}
    return Fix(f"Add a {name} to the main deck.", (Change("add", "main", 1, None, wanted),))


def _may_be_called(entry: Entry, name: str) -> bool:
    """A card that no catalogue holds may be any card whose name was written wrong."""
    return not entry.card.in_catalogue or normalize_name(
        split_rank_marks(entry.card.name)[0]
    ) == normalize_name(name)


@check("ufs.diversity_advice", says=lambda: "A cut by diversity is advised against in this format.")
def diversity_advice(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """Diversity is allowed here but not recommended."""
    if _diverse(deck):
        message = f"The rules advise against a cut by diversity in {rule.format_name}."
        yield rule.warning("diversity-not-advised", message)


@check(
    "ufs.character_only", says=lambda: "A card of one character is pointed out where nobody could play it."
)
def character_only(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """Cards that only a named character may play, where the list's own character is never that one."""
    entries = (*deck.zone("main"), *deck.zone("sideboard"))
    cards = [entry for entry in entries if "character_only" in entry.card.attributes]
    if not cards:
        return
    own = _own_characters(deck)
    if own is None:
        return
    idle = [entry for entry in cards if _only(entry) and not own & _only(entry)]
    if idle:
        named = join_list(f"{e.card.name} ({join_list(_only_names(e))} only)" for e in idle)
        who = declared(deck) or "no character of the list"
        message = f"{who} can never play {named}." if declared(deck) else f"{named}: {who} can ever play it."
        yield rule.warning("character-only-card", message, entries=idle)


def _only_names(entry: Entry) -> tuple[str, ...]:
    names = entry.card.get("character_only")
    if isinstance(names, str):
        return (names,)
    return tuple(map(str, names)) if isinstance(names, list | tuple) else ()


def _only(entry: Entry) -> set[str]:
    return {normalize_name(name) for name in _only_names(entry)}


def _own_characters(deck: Deck) -> set[str] | None:
    """The names that may start a game with this list; None while a card's type is not known."""
    name = declared(deck)
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


def _registered(deck: Deck) -> Deck | None:
    registered_deck = deck.options.get("registered")
    return registered_deck if isinstance(registered_deck, Deck) else None


def _tally(deck: Deck, rule: Rule, zones: tuple[str, ...]) -> dict[object, int]:
    tally: dict[object, int] = {}
    for _, entry in deck.entries(zones):
        place = rule.lists.printed(entry.card)
        tally[place] = tally.get(place, 0) + entry.qty
    return tally


def _is_first_game(deck: Deck) -> bool:
    return deck.options.get("game_in_round") == 1


@check(
    "ufs.registered_form",
    says=lambda: "The first game of every round is played with the lists as registered.",
)
def registered_form(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """For the first game of a round deck and sideboard are those that were registered."""
    registered = _registered(deck)
    if registered is None or not _is_first_game(deck):
        return
    wrong = [
        zone
        for zone in ("main", "sideboard")
        if _tally(deck, rule, (zone,)) != _tally(registered, rule, (zone,))
    ]
    if wrong:
        places = join_list(ZONE_WORDS[zone] for zone in wrong)
        differ = choose_plural(wrong, "differs", "differ")
        message = f"The {places} presented for the first game of the round {differ} from the registered list."
        fix = Fix("Set deck and sideboard back to the registered lists.", _back(deck, registered))
        yield rule.fault("not-reset", message, fix=fix)


@check("ufs.one_for_one", says=lambda: "From the second game of a round on, cards change places one for one.")
def one_for_one(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """An exchange keeps both sizes and uses the registered cards only."""
    registered = _registered(deck)
    if registered is None or _is_first_game(deck):
        return
    both = ("main", "sideboard")
    wrong = [
        _size_change(deck, registered, zone) for zone in both if deck.size(zone) != registered.size(zone)
    ]
    if _tally(deck, rule, both) != _tally(registered, rule, both):
        wrong.append("the cards are not those of the registered list")
    if wrong:
        message = f"The exchange is not one for one: {'; '.join(wrong)}."
        fix = Fix("Exchange as many cards as are taken out.", _back(deck, registered))
        yield rule.fault(
            "not-one-for-one", message, limit=registered.size("main"), found=deck.size("main"), fix=fix
        )


def _size_change(deck: Deck, registered: Deck, zone: str) -> str:
    return f"the {ZONE_WORDS[zone]} has {pluralize(deck.size(zone))} instead of {registered.size(zone)}"


def _back(deck: Deck, registered: Deck) -> tuple[Change, ...]:
    """The steps that lead from the presented lists to the registered ones."""
    steps = []
    for zone in ("main", "sideboard"):
        now, then = _by_key(deck, zone), _by_key(registered, zone)
        steps += [Change("remove", zone, now[k] - then.get(k, 0), k) for k in now if now[k] > then.get(k, 0)]
        steps += [Change("add", zone, then[k] - now.get(k, 0), k) for k in then if then[k] > now.get(k, 0)]
    return tuple(steps)


def _by_key(deck: Deck, zone: str) -> dict[str, int]:
    copies_by_key: dict[str, int] = {}
    for entry in deck.zone(zone):
        copies_by_key[entry.card.key] = copies_by_key.get(entry.card.key, 0) + entry.qty
    return copies_by_key


@check("ufs.free_exchange", says=lambda: "Pool cards change places freely, but only after the first game.")
def free_exchange(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """Before the event's very first game nothing was played yet, so nothing may have changed places."""
    registered = _registered(deck)
    if registered is None or not _is_first_game(deck) or deck.options.get("first_round") is not True:
        return
    if _tally(deck, rule, ("main",)) != _tally(registered, rule, ("main",)):
        message = "The deck presented for the first game of the event differs from the registered list."
        fix = Fix("Present the registered deck.", _back(deck, registered))
        yield rule.fault("exchange-before-first-game", message, fix=fix)
