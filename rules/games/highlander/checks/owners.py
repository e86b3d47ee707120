"""Cards that belong to a persona, a weapon or a faction (HL-L20 to L25)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rules.checks import check, demand
from rules.deck import Deck, Entry
from rules.finding import Change, Finding, Fix, MissingFact, build_fix
from rules.fixes import remove_cards
from rules.games.highlander.card_view import CardView
from rules.games.highlander.deck_view import DeckView, view_deck
from rules.games.highlander.finding_helpers import remove_entries
from rules.games.highlander.ownership import Access, classify_access
from rules.reason import Reason, reason
from rules.rule import Rule, missing_fact
from rules.text import card_names

Placed = tuple[str, Entry, CardView]


def _foreign(deck_view: DeckView) -> list[tuple[Placed, Access]]:
    """List the cards of other owners that are not, or may not be, admitted.

    The list is computed once per deck.
    """
    cached_cards = deck_view.cache.get("foreign")
    if isinstance(cached_cards, list):
        return cached_cards
    foreign_cards: list[tuple[Placed, Access]] = []
    for zone, viewed_entries in (("main", deck_view.tally.owned_cards), ("pregame", deck_view.pregame)):
        for entry, view in viewed_entries:
            # A persona belongs to itself, whatever is known of it, and a Quickening is another's.
            free = zone == "pregame" and (view.is_a("persona") or view.is_a("quickening"))
            own = view.owner == "" or free
            how = Access.OWN if own else classify_access(deck_view, view)
            if how in (Access.NONE, Access.OPEN):
                foreign_cards.append(((zone, entry, view), how))
    deck_view.cache["foreign"] = foreign_cards
    return foreign_cards


def _judge_owners(
    deck: Deck, rule: Rule, concerns: Callable[[CardView], bool], code: str
) -> Iterator[Finding]:
    wrong: list[Placed] = []
    doubtful: list[Placed] = []
    for placed_card, how in _foreign(view_deck(deck, rule)):
        if concerns(placed_card[2]):
            (wrong if how is Access.NONE else doubtful).append(placed_card)
    if wrong:
        cards = [entry for _, entry, _ in wrong]
        owned_cards = tuple(reason("card-of-owner", card=e.card.name, owner=_owner(v)) for _, e, v in wrong)
        number = sum(entry.qty for entry in cards)
        fix = _fix_owners(deck, rule, wrong)
        yield rule.fault(code, entries=cards, limit=0, found=number, fix=fix, cards=owned_cards)
    if doubtful:
        cards = [entry for _, entry, _ in doubtful]
        facts = [fact for placed_card in doubtful for fact in _facts(view_deck(deck, rule), placed_card)]
        names = card_names(cards)
        yield rule.unknown("inclusion-unknown", facts, code=f"{code}-unknown", entries=cards, cards=names)


def _fix_owners(deck: Deck, rule: Rule, wrong: list[Placed]) -> Fix:
    """Add the weapon that all the cards need, or remove the cards.

    The weapon is added if it is the only one that they need and there is none yet.
    """
    owners = {view.owner for _, _, view in wrong}
    is_of_weapon = all(view.owner_kind == "weapon" for _, _, view in wrong)
    if is_of_weapon and len(owners) == 1 and not view_deck(deck, rule).weapons:
        weapon = _owner(wrong[0][2])
        wanted_facts = {"type": "Weapon of Choice", "name": weapon}
        return build_fix("add-weapon", (Change("add", "pregame", 1, None, wanted_facts),), weapon=weapon)
    return remove_cards(rule, deck, [(zone, entry, entry.qty) for zone, entry, _ in wrong])


def _owner(view: CardView) -> str | None:
    owner = view.facts.get("owner")
    return str(owner) if owner else None


def _facts(deck_view: DeckView, placed_card: Placed) -> list[MissingFact]:
    """Return the facts that must be known about the card.

    They may also be facts of the cards that may admit it.
    """
    _, entry, view = placed_card
    own = [missing_fact(entry, fact) for fact in ("owner", "owner_kind", "mark") if _is_open(view, fact)]
    if view.owner is None:
        return [missing_fact(entry, "owner")]
    others = [missing_fact(e, "type") for e, _ in deck_view.untyped_cards]
    others += [missing_fact(e, "admits") for e, v in deck_view.pregame if v.admits is None]
    others += [missing_fact(e, "allowance") for e, v in deck_view.tally.allowing_cards if v.allowance is None]
    return own + others


def _is_open(view: CardView, fact: str) -> bool:
    return getattr(view, fact) is None


def _is_persona(view: CardView) -> bool:
    return view.owner_kind not in ("weapon", "faction")


@check("highlander.persona_cards")
def persona_cards(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """Require the persona of unmarked cards, or a card that admits them.

    An allowance card or another card may admit them.
    """
    yield from _judge_owners(
        deck, rule, lambda view: _is_persona(view) and view.mark not in ("R", "S"), "persona-not-here"
    )


@check("highlander.reserved_cards")
def reserved_cards(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """Require the persona in the sub-title of Reserved cards.

    No allowance card admits them.
    """
    yield from _judge_owners(
        deck, rule, lambda view: _is_persona(view) and view.mark == "R", "reserved-for-another"
    )


@check("highlander.signature_cards")
def signature_cards(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """Require the persona in the sub-title of signature cards.

    No allowance card admits them.
    """
    yield from _judge_owners(
        deck, rule, lambda view: _is_persona(view) and view.mark == "S", "signature-of-another"
    )


@check("highlander.faction_cards")
def faction_cards(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """Refuse faction cards of non-members, whatever allowance cards say."""
    yield from _judge_owners(deck, rule, lambda view: view.owner_kind == "faction", "faction-not-here")


@check("highlander.weapon_cards")
def weapon_cards(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """Require the weapon of weapon-specific cards before the game.

    An allowance card for weapons is accepted instead.
    """
    yield from _judge_owners(deck, rule, lambda view: view.owner_kind == "weapon", "weapon-not-here")


def _amount_says(*, each: int | None = None) -> Reason:
    if each is None:
        return demand("highlander.allowance_amount.as-told")
    return demand("highlander.allowance_amount", each=each)


@check("highlander.allowance_amount", says=_amount_says)
def allowance_amount(deck: Deck, rule: Rule, *, each: int | None = None) -> Iterator[Finding]:
    """Limit admitted cards to what the allowance cards allow.

    The limit applies only if all of them give a number. The document states no number, so one allowance card
    is enough unless the cards, or `each` for those that give none, say otherwise.
    """
    deck_view = view_deck(deck, rule)
    if not deck_view.allowing_cards:
        return
    allowing = [(e, v) for _, e, v in deck_view.list_used() if v.allowance]
    amounts = [(e.qty, each if v.allowance_amount is None else v.allowance_amount) for e, v in allowing]
    if not allowing or any(amount is None for _, amount in amounts):
        return
    limit = sum(qty * (amount or 0) for qty, amount in amounts)
    admitted_entries = [
        (z, e, v)
        for z, e, v in deck_view.list_used()
        if v.owner and classify_access(deck_view, v) is Access.ADMITTED
    ]
    number = sum(entry.qty for _, entry, _ in admitted_entries)
    if number > limit:
        cards = [entry for _, entry, _ in admitted_entries]
        fix = remove_entries(
            rule, deck, "main", [(e, v) for z, e, v in admitted_entries if z == "main"], number - limit
        )
        names = card_names(cards)
        yield rule.fault("allowance-exceeded", entries=cards, limit=limit, found=number, fix=fix, cards=names)
