"""Check that the cards of a deck belong to the affiliation of its leader."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rules.checks import check, demand
from rules.checks.contents import has_type
from rules.deck import UNKNOWN, CardFacts, Deck, Entry
from rules.finding import DeferredFix, Finding, Fix
from rules.fixes import pick_surplus_cards, remove_cards
from rules.names import normalize_name
from rules.reason import Reason, reason
from rules.rule import Rule, fact_reasons, missing_fact
from rules.text import display_name, display_names

Affiliations = frozenset[str]


def _affiliation_says(
    *,
    fact: str,
    leader_types: tuple[str, ...],
    zones: tuple[str, ...] = ("main",),
    neutral: tuple[str, ...] = (),
    others: int = 0,
) -> Reason:
    return demand("affiliation", fact=fact, leader_types=leader_types, neutral=neutral or None, others=others)


def _has_leader_types(*, leader_types: tuple[str, ...], others: int = 0, **_: object) -> Iterator[Reason]:
    if not leader_types:
        yield Reason("parameter-empty", {"parameter": "leader_types"})
    if others < 0:
        yield Reason("negative-number", {"parameter": "others"})


@check("affiliation", says=_affiliation_says, contradictions=_has_leader_types)
def affiliation(
    deck: Deck,
    rule: Rule,
    *,
    fact: str,
    leader_types: tuple[str, ...],
    zones: tuple[str, ...] = ("main",),
    neutral: tuple[str, ...] = (),
    others: int = 0,
) -> Iterator[Finding]:
    """Require that cards share a leader's `fact` or have a `neutral` value.

    A leader is a card of one of the `leader_types`. Up to `others` cards may have another. A card may have
    several values; one is enough. Whether there is a leader at all is for `needs_type` or `type_count` to
    say.
    """
    cards = list(deck.entries(zones))
    answers = [has_type(entry.card, leader_types) for _, entry in cards]
    leaders = [entry for (_, entry), answer in zip(cards, answers, strict=True) if answer]
    if not leaders:
        return
    own, untold = _join_affiliations(leaders, fact)
    allowed_names = own | {normalize_name(word) for word in neutral}
    strange = [each for each in cards if _is_strange(each[1].card, fact, allowed_names)]
    unknown = [entry for _, entry in cards if read_affiliations(entry.card, fact) is None]
    # A card that may be a leader could let others in, as one whose affiliation is not known could.
    may_lead = untold or [entry for (_, entry), answer in zip(cards, answers, strict=True) if answer is None]
    strange_count = sum([entry.qty for _, entry in strange])
    if strange_count > others and not may_lead:
        yield _of_another(deck, rule, strange, strange_count, others, fact)
    elif strange_count + sum([entry.qty for entry in unknown]) > others:
        yield _report_unknown(rule, unknown, may_lead if strange_count > others else [], fact)


def read_affiliations(card: CardFacts, fact: str) -> Affiliations | None:
    """Return the values that a card has for a fact, in comparable form.

    None while they are not known.
    """
    value = card.get(fact)
    if value is UNKNOWN:
        return None
    values = value if isinstance(value, list | tuple) else (value,)
    return frozenset(normalize_name(str(each)) for each in values)


def _join_affiliations(leaders: Iterable[Entry], fact: str) -> tuple[Affiliations, list[Entry]]:
    """Return the affiliations of all leaders, and the leaders of which none is known."""
    own: set[str] = set()
    untold = []
    for entry in leaders:
        values = read_affiliations(entry.card, fact)
        if values is None:
            untold.append(entry)
        own |= values or set()
    return frozenset(own), untold


def _is_strange(card: CardFacts, fact: str, allowed_names: Affiliations) -> bool:
    values = read_affiliations(card, fact)
    return values is not None and not values & allowed_names


def _of_another(
    deck: Deck, rule: Rule, strange: list[tuple[str, Entry]], strange_count: int, others: int, fact: str
) -> Finding:
    cards = tuple(reason("quantity", qty=entry.qty, card=display_name(entry.card)) for _, entry in strange)
    return rule.fault(
        "other-affiliation",
        entries=[entry for _, entry in strange],
        limit=others,
        found=strange_count,
        fix=DeferredFix(_remove_last, deck, rule, strange, strange_count - others),
        fact=fact,
        cards=cards,
    )


def _remove_last(deck: Deck, rule: Rule, strange: list[tuple[str, Entry]], qty: int) -> Fix:
    return remove_cards(rule, deck, pick_surplus_cards(rule, deck, strange, qty))


def _report_unknown(rule: Rule, unknown: list[Entry], may_lead: list[Entry], fact: str) -> Finding:
    facts = [missing_fact(entry, fact) for entry in unknown]
    facts += [missing_fact(entry, "type") for entry in may_lead if entry not in unknown]
    entries = [*unknown, *(entry for entry in may_lead if entry not in unknown)]
    return rule.unknown(
        "affiliation-unknown",
        facts,
        entries=entries,
        cards=display_names(entries),
        facts_of_cards=fact_reasons(facts),
    )
