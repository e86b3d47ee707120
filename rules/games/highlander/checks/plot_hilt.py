"""Checks of Plot/Hilt: bonus cards and the matching weapon (HL-L51 to L57)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from rules.checks import check
from rules.deck import CardFacts, Deck
from rules.finding import Change, Finding, Fix, MissingFact
from rules.games.highlander.card_view import CardView
from rules.games.highlander.deck_view import DeckView, view_deck
from rules.games.highlander.finding_helpers import (
    choose_is_or_are,
    count_copies,
    get_entries,
    join_names,
    missing_facts,
    remove_entries,
    set_option,
)
from rules.games.highlander.names import normalize_title
from rules.names import normalize_name
from rules.rule import Rule
from rules.text import choose_plural, join_list, pluralize

KIND_WORDS: Mapping[str, str] = {"hilt": "signed hilt", "plot": "signed stand-alone plot"}


@check(
    "highlander.bonus_cards",
    says=lambda: "A persona begins with the own signed hilt and plot, one of each it has.",
)
def bonus_cards(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """What the persona has must be used, at most one hilt and one plot, and the own ones."""
    deck_view = view_deck(deck, rule.lists)
    given = get_declared_bonus_cards(deck_view)
    wrong: list[str] = []
    unknown: list[MissingFact] = []
    has_own = {kind: has_own_bonus_card(deck_view, kind) for kind in KIND_WORDS}
    for kind, word in KIND_WORDS.items():
        same_kind = [bonus for bonus in given if bonus.kind == kind]
        has = has_own[kind]
        if len(same_kind) > 1:
            wrong.append(f"{pluralize(len(same_kind), word)} instead of one")
        elif not same_kind and has:
            wrong.append(f"the persona's {word} is missing")
        elif not same_kind and has is None:
            unknown.append(MissingFact(f"whether the persona has a {word}"))
        wrong += [f"{b.written} is not the persona's own" for b in same_kind if _is_foreign(deck_view, b)]
    if wrong:
        message = f"The bonus cards are not as they must be: {'; '.join(wrong)}."
        fix = _own_bonus_cards([b for b in given if not _is_foreign(deck_view, b)], has_own)
        yield rule.fault("bonus-cards", message, limit=1, found=len(given), fix=fix)
    elif unknown:
        yield rule.unknown("bonus-unknown", "Which bonus cards the persona has is not known.", unknown)


def _own_bonus_cards(fit: Iterable[BonusCard], has_own: Mapping[str, bool | None]) -> Fix:
    """Begin with the first fitting card of each kind; which one is missing cannot be named by its key."""
    own_cards: dict[str, BonusCard] = {}
    for bonus in fit:
        own_cards.setdefault(bonus.kind, bonus)
    lacking = [KIND_WORDS[kind] for kind in KIND_WORDS if has_own[kind] and kind not in own_cards]
    own = [f"the persona's own {join_list(lacking)}"] if lacking else []
    begin = join_list([*(bonus.written for bonus in own_cards.values()), *own])
    sentence = f"Begin with {begin}." if begin else "Begin without a bonus card."
    if lacking:
        return Fix(sentence)
    return set_option(sentence, {"bonus": {kind: bonus.key for kind, bonus in own_cards.items()}})


def _is_foreign(deck_view: DeckView, bonus: BonusCard) -> bool:
    return (
        is_own_bonus_card(deck_view, bonus) is False
        and bonus.view is not None
        and bonus.view.owner_kind != "faction"
    )


@check(
    "highlander.bonus_kind",
    says=lambda: "Bonus cards are signed, of no faction: a primary hilt, a stand-alone plot.",
)
def bonus_kind(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """Bonus cards are signed, no faction cards, the hilt of a primary weapon and a plot that is alone."""
    deck_view = view_deck(deck, rule.lists)
    given = get_declared_bonus_cards(deck_view)
    wrong = [(bonus, find_bonus_faults(deck_view, bonus)) for bonus in given]
    fault_list = join_list(f"{bonus.written} ({', '.join(why)})" for bonus, why in wrong if why)
    if fault_list:
        # Cards are named by their keys here, so that a fix can be written down.
        fitting = {bonus.kind: bonus.key for bonus, why in wrong if not why}
        fix = set_option("Begin with a card that fits, or without one.", {"bonus": fitting})
        message = f"Not fit as a bonus card: {fault_list}."
        yield rule.fault("bonus-not-fit", message, limit=0, found=len(given) - len(fitting), fix=fix)
        return
    facts = [
        MissingFact(fact, bonus.written, bonus.written)
        for bonus in given
        for fact in find_unknown_bonus_facts(bonus)
    ]
    if facts:
        fit = choose_plural([b.written for b in given], "is fit as a bonus card", "are fit as bonus cards")
        message = f"Whether {join_list(bonus.written for bonus in given)} {fit} is not known."
        yield rule.unknown("bonus-fit-unknown", message, facts)


def _has_hilt(deck_view: DeckView) -> bool | None:
    return (
        True
        if any(bonus.kind == "hilt" for bonus in get_declared_bonus_cards(deck_view))
        else has_own_bonus_card(deck_view, "hilt")
    )


@check(
    "highlander.hilt_weapon",
    says=lambda: "With a hilt of the persona comes the persona's own primary weapon.",
)
def hilt_weapon(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """A persona with a hilt uses the weapon of choice of the own."""
    deck_view = view_deck(deck, rule.lists)
    if not _has_hilt(deck_view):
        return
    answers = [is_matching_weapon(deck_view, view) for _, view in deck_view.weapons]
    if True in answers:
        return
    if None in answers or deck_view.untyped:
        open_entries = deck_view.untyped or deck_view.weapons
        own = choose_is_or_are(open_entries, "the persona's own weapon", "weapons of the persona's own")
        message = f"Whether {join_names(open_entries)} {own} is not known."
        fact = "type" if deck_view.untyped else "owner"
        yield rule.unknown(
            "hilt-weapon-unknown",
            message,
            missing_facts(open_entries, fact),
            entries=get_entries(open_entries),
        )
        return
    weapon_text = (
        f"{choose_is_or_are(deck_view.weapons)} {join_names(deck_view.weapons)}"
        if deck_view.weapons
        else "is no weapon"
    )
    message = (
        f"The persona has a hilt and must use the own weapon of choice that matches it; there {weapon_text}."
    )
    cards = get_entries(deck_view.weapons)
    fix = _own_weapon(deck, rule, deck_view)
    yield rule.fault("hilt-weapon", message, entries=cards, limit=1, found=0, fix=fix)


def _own_weapon(deck: Deck, rule: Rule, deck_view: DeckView) -> Fix:
    """Put the persona's own weapon in the place of what is there."""
    if not deck_view.personas:
        return Fix("Add the Persona whose hilt it is, and the own weapon of that persona.")
    owner = deck_view.personas[0][0].card.name
    out = remove_entries(rule, deck, "pregame", deck_view.weapons) if deck_view.weapons else Fix("")
    wanted = {"type": "Weapon of Choice", "owner": owner}
    sentence = f"{out.sentence} Add the own weapon of {owner}.".strip()
    return Fix(sentence, (*out.changes, Change("add", "pregame", 1, None, wanted)))


@check(
    "highlander.no_hilt_no_weapon", says=lambda: "Without a hilt of the persona there is no weapon of choice."
)
def no_hilt_no_weapon(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """A persona without a hilt of the own uses no weapon of choice."""
    deck_view = view_deck(deck, rule.lists)
    if not deck_view.weapons:
        return
    has = _has_hilt(deck_view)
    if has is False:
        weapon_text = f"{choose_is_or_are(deck_view.weapons)} {join_names(deck_view.weapons)}"
        message = f"The persona has no hilt and uses no weapon of choice; there {weapon_text}."
        fix = remove_entries(rule, deck, "pregame", deck_view.weapons)
        number = count_copies(deck_view.weapons)
        cards = get_entries(deck_view.weapons)
        yield rule.fault("weapon-without-hilt", message, entries=cards, limit=0, found=number, fix=fix)
    elif has is None:
        message = "Whether the persona has a hilt, without which there is no weapon, is not known."
        yield rule.unknown("hilt-unknown", message, [MissingFact("whether the persona has a signed hilt")])


@check("highlander.one_weapon", says=lambda: "One weapon of choice.")
def one_weapon(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """Not more than one weapon of choice."""
    deck_view = view_deck(deck, rule.lists)
    number = count_copies(deck_view.weapons)
    if number > 1:
        # The last ones are taken out, so the persona's own come first.
        spare = sorted(deck_view.weapons, key=lambda each: not is_matching_weapon(deck_view, each[1]))
        names = join_names(deck_view.weapons)
        message = f"There are {pluralize(number, 'weapon')} of choice ({names}); one is allowed."
        fix = remove_entries(rule, deck, "pregame", spare, number - 1)
        cards = get_entries(deck_view.weapons)
        yield rule.fault("too-many-weapons", message, entries=cards, limit=1, found=number, fix=fix)


@check("highlander.not_pregame", says=lambda titles: f"{join_list(titles)} is not used as a pre-game card.")
def not_pregame(deck: Deck, rule: Rule, *, titles: tuple[str, ...]) -> Iterator[Finding]:
    """These titles are not legal as pre-game cards in this format."""
    deck_view = view_deck(deck, rule.lists)
    shut_out = {normalize_name(title) for title in titles}
    barred = [each for each in deck_view.pregame if each[1].title in shut_out]
    if barred:
        message = (
            f"{join_names(barred)} {choose_is_or_are(barred)} not allowed among the pre-game "
            f"cards of {rule.format_name}."
        )
        fix = remove_entries(rule, deck, "pregame", barred)
        number = count_copies(barred)
        yield rule.fault(
            "pregame-not-here", message, entries=get_entries(barred), limit=0, found=number, fix=fix
        )


BONUS_KINDS = ("hilt", "plot")


class BonusCard(NamedTuple):
    """A declared bonus card: its key and name as written, and what is known of the card."""

    kind: str
    key: str
    written: str
    view: CardView | None


def get_declared_bonus_cards(deck_view: DeckView) -> list[BonusCard]:
    """The bonus cards of the list, each under "hilt" or "plot"."""
    declared = deck_view.deck.options.get("bonus")
    if not isinstance(declared, Mapping):
        return []
    bonus_cards = []
    for kind in BONUS_KINDS:
        value = declared.get(kind)
        values = value if isinstance(value, list | tuple) else [value]
        bonus_cards += [_bonus(deck_view, kind, item) for item in values if item not in (None, "", False)]
    return bonus_cards


def _bonus(deck_view: DeckView, kind: str, item: object) -> BonusCard:
    if isinstance(item, CardFacts):
        return BonusCard(kind, item.key, item.name, deck_view.reader.view(item))
    return BonusCard(kind, str(item), str(item), None)


def has_own_bonus_card(deck_view: DeckView, kind: str) -> bool | None:
    """Whether the persona has a signed hilt or stand-alone plot of the own; None while that is not known."""
    declared = deck_view.deck.options.get("persona_has")
    if isinstance(declared, Mapping):
        return declared.get(kind) is True
    known = [view.facts.get(f"own_{kind}") for _, view in deck_view.personas]
    if any(known):
        return True
    return False if known and all(value in (False, "") for value in known) else None


def find_bonus_faults(deck_view: DeckView, bonus: BonusCard) -> list[str]:
    """Why a card is no bonus card of this kind."""
    view = bonus.view
    if view is None:
        return []
    checks = (
        (view.owner_kind == "faction", "it is a faction card"),
        (view.mark == "" or view.mark == "R", "it is not signed"),
        (view.is_a(bonus.kind) is False, f"it is no {bonus.kind}"),
        (bonus.kind == "hilt" and view.is_off_hand is True, "it is the hilt of an off-hand weapon"),
        (bonus.kind == "plot" and view.flag("standalone") is False, "it is part of a sequence"),
    )
    return [why for wrong, why in checks if wrong]


def find_unknown_bonus_facts(bonus: BonusCard) -> list[str]:
    """What would have to be known of a bonus card."""
    view = bonus.view
    if view is None:
        return ["the card"]
    wanted: list[tuple[str, object]] = [("owner", view.owner), ("mark", view.mark), ("type", view.kinds)]
    if bonus.kind == "plot":
        wanted.append(("standalone", view.flag("standalone")))
    return [fact for fact, value in wanted if value is None]


def is_own_bonus_card(deck_view: DeckView, bonus: BonusCard) -> bool | None:
    """Whether the card belongs to a persona of the deck; None while its owner is not known."""
    if bonus.view is None or bonus.view.owner is None:
        return None
    return bonus.view.owner in deck_view.persona_names


def is_matching_weapon(deck_view: DeckView, view: CardView) -> bool | None:
    """Whether a weapon of choice is the persona's own; None while its owner is not known."""
    primary_weapons = [other.facts.get("primary_weapon") for _, other in deck_view.personas]
    if view.title in {normalize_title(str(name)) for name in primary_weapons if isinstance(name, str)}:
        return True
    if view.owner is None:
        return None
    return view.owner in {normalize_name(name) for name in deck_view.persona_names}
