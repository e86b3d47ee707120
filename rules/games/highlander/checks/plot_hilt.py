"""Checks of Plot/Hilt: bonus cards and the matching weapon (HL-L51 to L57)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from rules.checks import check
from rules.deck import CardFacts, Deck
from rules.finding import Change, Finding, Fix, MissingFact, build_fix
from rules.fixes import set_option
from rules.games.highlander.card_view import CardView
from rules.games.highlander.deck_view import DeckView, view_deck
from rules.games.highlander.finding_helpers import (
    count_copies,
    get_entries,
    get_names,
    missing_facts,
    remove_entries,
)
from rules.games.highlander.names import normalize_title
from rules.lists import Citation
from rules.names import normalize_name
from rules.reason import Param, Reason, reason
from rules.rule import Rule


@check("highlander.bonus_cards")
def bonus_cards(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """Check that cards of the persona are used.

    There may be at most one hilt and one plot, and the persona's own cards are used.
    """
    deck_view = view_deck(deck, rule)
    declared_cards = get_declared_bonus_cards(deck_view)
    wrong: list[Reason] = []
    unknown: list[MissingFact] = []
    has_own = {kind: has_own_bonus_card(deck_view, kind) for kind in BONUS_KINDS}
    for kind in BONUS_KINDS:
        same_kind = [bonus for bonus in declared_cards if bonus.kind == kind]
        has = has_own[kind]
        if len(same_kind) > 1:
            wrong.append(reason("bonus-more-than-one", qty=len(same_kind), kind=kind))
        elif not same_kind and has:
            wrong.append(reason("bonus-missing", kind=kind))
        elif not same_kind and has is None:
            unknown.append(MissingFact("own-bonus-card", detail=kind))
        foreign = [bonus for bonus in same_kind if _is_foreign(deck_view, bonus)]
        wrong += [reason("bonus-not-own", card=bonus.written_name) for bonus in foreign]
    if wrong:
        fix = _own_bonus_cards([b for b in declared_cards if not _is_foreign(deck_view, b)], has_own)
        is_number = {fault.code == "bonus-more-than-one" for fault in wrong} == {True}
        source = Citation("", _ONE_OF_EACH if is_number else "")
        yield rule.fault(
            "bonus-cards", limit=1, found=len(declared_cards), fix=fix, source=source, faults=tuple(wrong)
        )
    elif unknown:
        yield rule.unknown("bonus-unknown", unknown)


_ONE_OF_EACH = "Plot/Hilt 2 (l.2084)"


def _own_bonus_cards(fit: Iterable[BonusCard], has_own: Mapping[str, bool | None]) -> Fix:
    """Return the fix to begin with the first fitting card of each kind.

    A missing card cannot be named by its key.
    """
    own_cards: dict[str, BonusCard] = {}
    for bonus in fit:
        own_cards.setdefault(bonus.kind, bonus)
    lacking = [kind for kind in BONUS_KINDS if has_own[kind] and kind not in own_cards]
    cards: list[Param] = [bonus.written_name for bonus in own_cards.values()]
    if lacking:
        kinds = tuple(reason("bonus-kind", kind=kind) for kind in lacking)
        return build_fix("begin-with", cards=(*cards, reason("own-bonus-cards", kinds=kinds)))
    code = "begin-with" if cards else "begin-without-bonus"
    options = {"bonus": {kind: bonus.key for kind, bonus in own_cards.items()}}
    return set_option(code, options, cards=tuple(cards))


def _is_foreign(deck_view: DeckView, bonus: BonusCard) -> bool:
    return (
        is_own_bonus_card(deck_view, bonus) is False
        and bonus.view is not None
        and bonus.view.owner_kind != "faction"
    )


@check("highlander.bonus_kind")
def bonus_kind(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """Require signed bonus cards and refuse faction cards.

    The hilt must be that of a primary weapon, and the plot must be alone.
    """
    deck_view = view_deck(deck, rule)
    declared_cards = get_declared_bonus_cards(deck_view)
    wrong = [(bonus, find_bonus_faults(deck_view, bonus)) for bonus in declared_cards]
    faults = tuple(reason("bonus-faults", card=bonus.written_name, faults=why) for bonus, why in wrong if why)
    if faults:
        # Cards are named by their keys here, so that a fix can be written down.
        fitting = {bonus.kind: bonus.key for bonus, why in wrong if not why}
        lacking = [
            kind for kind in BONUS_KINDS if kind not in fitting and has_own_bonus_card(deck_view, kind)
        ]
        fix, strange_count = _begin_with_fitting(fitting, lacking), len(declared_cards) - len(fitting)
        yield rule.fault("bonus-not-fit", limit=0, found=strange_count, fix=fix, faults=faults)
        return
    facts = [
        MissingFact(fact, bonus.written_name, bonus.written_name)
        for bonus in declared_cards
        for fact in find_unknown_bonus_facts(bonus)
    ]
    if facts:
        yield rule.unknown(
            "bonus-fit-unknown", facts, cards=tuple(bonus.written_name for bonus in declared_cards)
        )


def _begin_with_fitting(fitting: Mapping[str, str], lacking: Iterable[str]) -> Fix:
    """Return the fix to omit cards that do not fit.

    A persona with bonus cards of its own must use them.
    """
    kinds = tuple(reason("bonus-kind", kind=kind) for kind in lacking)
    if kinds:
        return build_fix("begin-with", cards=(*fitting.values(), reason("own-bonus-cards", kinds=kinds)))
    return set_option("begin-with-fitting", {"bonus": fitting})


def _has_hilt(deck_view: DeckView) -> bool | None:
    return (
        True
        if any(bonus.kind == "hilt" for bonus in get_declared_bonus_cards(deck_view))
        else has_own_bonus_card(deck_view, "hilt")
    )


@check("highlander.hilt_weapon")
def hilt_weapon(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """Require that a persona with a hilt uses its own weapon of choice."""
    deck_view = view_deck(deck, rule)
    if not _has_hilt(deck_view):
        return
    answers = [is_matching_weapon(deck_view, view) for _, view in deck_view.weapons]
    if True in answers:
        return
    if None in answers or deck_view.untyped_cards:
        open_entries = deck_view.untyped_cards or deck_view.weapons
        fact = "type" if deck_view.untyped_cards else "owner"
        yield rule.unknown(
            "hilt-weapon-unknown",
            missing_facts(open_entries, fact),
            entries=get_entries(open_entries),
            cards=get_names(open_entries),
        )
        return
    cards = get_entries(deck_view.weapons)
    fix = _own_weapon(deck, rule, deck_view)
    key = "hilt-weapon" if cards else "hilt-weapon.none"
    yield rule.fault(key, entries=cards, limit=1, found=0, fix=fix, cards=get_names(deck_view.weapons))


def _own_weapon(deck: Deck, rule: Rule, deck_view: DeckView) -> Fix:
    """Put the persona's own weapon in place of what is there."""
    if not deck_view.personas:
        return build_fix("add-persona-of-hilt")
    owner = deck_view.personas[0][0].card.name
    out = remove_entries(rule, deck, "pregame", deck_view.weapons) if deck_view.weapons else Fix()
    wanted_facts = {"type": "Weapon of Choice", "owner": owner}
    return out.then("add-own-weapon", (Change("add", "pregame", 1, None, wanted_facts),), persona=owner)


@check("highlander.no_hilt_no_weapon")
def no_hilt_no_weapon(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """Refuse a weapon of choice for a persona without a hilt of its own."""
    deck_view = view_deck(deck, rule)
    if not deck_view.weapons:
        return
    has = _has_hilt(deck_view)
    if has is False:
        fix = remove_entries(rule, deck, "pregame", deck_view.weapons)
        number = count_copies(deck_view.weapons)
        cards, names = get_entries(deck_view.weapons), get_names(deck_view.weapons)
        yield rule.fault("weapon-without-hilt", entries=cards, limit=0, found=number, fix=fix, cards=names)
    elif has is None:
        yield rule.unknown("hilt-unknown", [MissingFact("own-bonus-card", detail="hilt")])


@check("highlander.one_weapon")
def one_weapon(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """Refuse a second weapon of choice."""
    deck_view = view_deck(deck, rule)
    number = count_copies(deck_view.weapons)
    if number > 1:
        # The last ones are taken out, so the persona's own come first.
        spare = sorted(deck_view.weapons, key=lambda each: not is_matching_weapon(deck_view, each[1]))
        names = get_names(deck_view.weapons)
        fix = remove_entries(rule, deck, "pregame", spare, number - 1)
        cards = get_entries(deck_view.weapons)
        yield rule.fault("too-many-weapons", entries=cards, limit=1, found=number, fix=fix, cards=names)


@check("highlander.not_pregame")
def not_pregame(deck: Deck, rule: Rule, *, titles: tuple[str, ...]) -> Iterator[Finding]:
    """Refuse these titles as pre-game cards in this format.

    They are recognized with or without their article.
    """
    deck_view = view_deck(deck, rule)
    shut_out = {normalize_name(title).removeprefix("the ") for title in titles}
    barred_entries = [each for each in deck_view.pregame if each[1].title.removeprefix("the ") in shut_out]
    if barred_entries:
        fix = remove_entries(rule, deck, "pregame", barred_entries)
        number = count_copies(barred_entries)
        yield rule.fault(
            "pregame-not-here",
            entries=get_entries(barred_entries),
            limit=0,
            found=number,
            fix=fix,
            cards=get_names(barred_entries),
            format=rule.format_name,
        )


BONUS_KINDS = ("hilt", "plot")


@dataclass(frozen=True, slots=True)
class BonusCard:
    """A declared bonus card.

    Holds its key and name as written, and what is known of the card.
    """

    kind: str
    key: str
    written_name: str
    view: CardView | None


def get_declared_bonus_cards(deck_view: DeckView) -> list[BonusCard]:
    """Return the bonus cards of the list, each under "hilt" or "plot"."""
    declared_option = deck_view.deck.options.get("bonus")
    if not isinstance(declared_option, Mapping):
        return []
    bonus_cards = []
    for kind in BONUS_KINDS:
        value = declared_option.get(kind)
        values = value if isinstance(value, list | tuple) else [value]
        bonus_cards += [_bonus(deck_view, kind, item) for item in values if item not in (None, "", False)]
    return bonus_cards


def _bonus(deck_view: DeckView, kind: str, item: object) -> BonusCard:
    if isinstance(item, CardFacts):
        return BonusCard(kind, item.key, item.name, deck_view.reader.view(item))
    return BonusCard(kind, str(item), str(item), None)


def has_own_bonus_card(deck_view: DeckView, kind: str) -> bool | None:
    """Return whether the persona has a signed hilt or stand-alone plot of its own.

    None while that is not known.
    """
    declared_option = deck_view.deck.options.get("persona_has")
    if isinstance(declared_option, Mapping):
        return declared_option.get(kind) is True
    own_cards = [view.facts.get(f"own_{kind}") for _, view in deck_view.personas]
    if any(own_cards):
        return True
    return False if own_cards and all(value in (False, "") for value in own_cards) else None


def find_bonus_faults(deck_view: DeckView, bonus: BonusCard) -> tuple[Reason, ...]:
    """Return why a card is no bonus card of this kind."""
    view = bonus.view
    if view is None:
        return ()
    checks = (
        (view.owner_kind == "faction", reason("bonus-of-faction")),
        (view.mark == "" or view.mark == "R", reason("bonus-not-signed")),
        (view.is_a(bonus.kind) is False, reason("bonus-of-other-kind", kind=bonus.kind)),
        (bonus.kind == "hilt" and view.is_off_hand is True, reason("bonus-off-hand")),
        (bonus.kind == "plot" and view.flag("standalone") is False, reason("bonus-of-sequence")),
    )
    return tuple(why for wrong, why in checks if wrong)


def find_unknown_bonus_facts(bonus: BonusCard) -> list[str]:
    """Return what would have to be known of a bonus card."""
    view = bonus.view
    if view is None:
        return ["the-card"]
    needed_facts: list[tuple[str, object]] = [
        ("owner", view.owner),
        ("mark", view.mark),
        ("type", view.kinds),
    ]
    if bonus.kind == "plot":
        needed_facts.append(("standalone", view.flag("standalone")))
    return [fact for fact, value in needed_facts if value is None]


def is_own_bonus_card(deck_view: DeckView, bonus: BonusCard) -> bool | None:
    """Return whether the card belongs to a persona of the deck.

    None while that is not known.
    """
    owner = bonus.view.owner if bonus.view else None
    if owner is None:
        return None
    return owner in deck_view.persona_names or (None if deck_view.may_hold(owner) else False)


def is_matching_weapon(deck_view: DeckView, view: CardView) -> bool | None:
    """Return whether a weapon of choice is the persona's own.

    None while its owner is not known.
    """
    primary_weapons = [other.facts.get("primary_weapon") for _, other in deck_view.personas]
    if view.title in {normalize_title(str(name)) for name in primary_weapons if isinstance(name, str)}:
        return True
    if view.owner is None:
        return None
    return view.owner in {normalize_name(name) for name in deck_view.persona_names}
