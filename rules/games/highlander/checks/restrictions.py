"""Checks of restriction numbers, and of what raises them (HL-L17, L19)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from rules.checks import check
from rules.deck import Deck
from rules.finding import Finding, MissingFact
from rules.fixes import remove_cards, set_option
from rules.games.highlander.card_view import CardView
from rules.games.highlander.deck_view import DeckView, ViewedEntry, view_deck
from rules.games.highlander.finding_helpers import (
    count_copies,
    get_entries,
    get_names,
    pick_removals,
    quantity_of,
)
from rules.games.highlander.ownership import Access, classify_access
from rules.lists import Citation
from rules.names import normalize_name
from rules.reason import Reason, reason
from rules.rule import Rule, fact_reasons, missing_fact


@dataclass(frozen=True, slots=True)
class RestrictionRaise:
    """A declared raise of one restriction number.

    Holds the card meant, the amount, and why the raise is not valid. `facts` are those that are not known and
    decide whether it is valid.
    """

    written_title: str
    target: ViewedEntry | None
    by: int
    fault: Reason | None
    facts: tuple[MissingFact, ...] = ()


@dataclass(slots=True)
class Raisers:
    """The pre-game cards that raise, or may raise, restriction numbers.

    Each copy raises one card.
    """

    cards: list[ViewedEntry]
    raises_left: dict[int, int] = field(default_factory=dict)

    def take(self, title: str, amount: int, source: object) -> Reason | tuple[MissingFact, ...]:
        """Let a card of this title be raised.

        Returned is what is not known about that, or why it cannot be raised.
        """
        cards = [each for each in self.cards if _raises(each[1]) is not False]
        if source is not None:
            named_card = _find(self.cards, str(source))
            cards = [named_card] if named_card and _raises(named_card[1]) is not False else []
        amounts = [(each, _amount(each[1], title)) for each in cards]
        for (entry, _), most in amounts:
            raises_left = self.raises_left.setdefault(id(entry), entry.qty)
            if most is not None and most >= amount and raises_left:
                self.raises_left[id(entry)] = raises_left - 1
                return ()
        facts = tuple(missing_fact(each[0], "raises_restriction") for each, most in amounts if most is None)
        if facts:
            return facts
        return reason("not-raised-by", amount=amount) if cards else reason("nothing-raises")


def _raises(view: CardView) -> bool | None:
    """Return whether a card raises numbers at all; None while that is not known."""
    number = view.whole("raises_restriction")
    if number or view.facts.get("raises_restriction_of"):
        return True
    return None if number is None else False


def _amount(view: CardView, title: str) -> int | None:
    """Return by how much a card may raise the number of a card of this title."""
    named_cards = view.facts.get("raises_restriction_of")
    by_title = named_cards if isinstance(named_cards, Mapping) else {}
    for name, amount in by_title.items():
        if normalize_name(str(name)) == title:
            return amount if type(amount) is int else None
    return 0 if by_title else view.whole("raises_restriction")


def get_declared_raises(deck_view: DeckView) -> list[RestrictionRaise]:
    """Return the raises that the list declares, in order."""
    declared_option = deck_view.deck.options.get("restriction_raise")
    records = declared_option if isinstance(declared_option, list | tuple) else [declared_option]
    raisers = Raisers(deck_view.pregame)
    return [_raise(deck_view, raisers, each) for each in records if isinstance(each, Mapping) and each]


def _raise(deck_view: DeckView, raisers: Raisers, record: Mapping[str, object]) -> RestrictionRaise:
    written_name, raised_by = str(record.get("card", "")), record.get("by", 1)
    target, amount = _find(deck_view.main, written_name), raised_by if type(raised_by) is int else 0
    fault = _fault(deck_view, target)
    facts: tuple[MissingFact, ...] = ()
    if amount < 1:
        fault = reason("not-raised-by", amount=amount)
    if fault is None:
        title = target[1].title if target else normalize_name(written_name)
        answer = raisers.take(title, amount, record.get("source"))
        fault = answer if isinstance(answer, Reason) else None
        facts = () if isinstance(answer, Reason) else (*answer, *_unknown_facts(deck_view, target))
    return RestrictionRaise(written_name, target, amount, fault, facts)


def _unknown_facts(deck_view: DeckView, target: ViewedEntry | None) -> list[MissingFact]:
    """Return what must be known of a card before its number may be raised."""
    if target is None:
        return []
    entry, view = target
    open_facts = [fact for fact, value in (("owner", view.owner), ("mark", view.mark)) if value is None]
    if not open_facts and classify_access(deck_view, view) is Access.OPEN:
        open_facts = ["owner"]
    return [missing_fact(entry, fact) for fact in open_facts]


def _find(cards: list[ViewedEntry], written_name: str) -> ViewedEntry | None:
    plain = normalize_name(written_name)
    return next(
        (s for s in cards if plain in (normalize_name(s[0].card.key), normalize_name(s[0].card.name))),
        None,
    )


def _fault(deck_view: DeckView, target: ViewedEntry | None) -> Reason | None:
    if target is None:
        return None
    view = target[1]
    if view.mark == "S" or view.owner_kind == "faction":
        return reason("signature-not-raised")
    if classify_access(deck_view, view) not in (Access.OWN, Access.OPEN):
        return reason("foreign-not-raised")
    return None


@check("highlander.raise")
def restriction_raise(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """Refuse a declared raise that the card does not allow.

    This is a card that may not normally be included or that has a signature.
    """
    if not deck.options.get("restriction_raise"):
        return
    declared_option = get_declared_raises(view_deck(deck, rule))
    wrong = [each for each in declared_option if each.fault]
    if wrong:
        cards = [each.target[0] for each in wrong if each.target]
        fix = set_option("declare-no-raise", {"restriction_raise": {}})
        yield rule.fault(
            "raise-not-allowed",
            entries=cards,
            fix=fix,
            source=_source_of_faults(wrong),
            raises=tuple(map(_describe_fault, wrong)),
        )
    facts = [fact for each in declared_option for fact in each.facts]
    if facts:
        yield rule.unknown("raise-unknown", facts, facts_of_cards=fact_reasons(facts))


def _source_of_faults(wrong: list[RestrictionRaise]) -> Citation:
    """Return the line of the document that refuses the raises.

    It is that of signature cards or that of Darius.
    """
    is_signed = {bool(each.fault and each.fault.code == "signature-not-raised") for each in wrong}
    return Citation("", _SIGNATURE) if is_signed == {True} else Citation("", "")


_SIGNATURE = "Reserved or Signature Symbol (l.48)"


def _describe_fault(declared_option: RestrictionRaise) -> Reason:
    name = declared_option.target[0].card.name if declared_option.target else declared_option.written_title
    return reason("raise-of-a-card", card=name, fault=declared_option.fault)


@dataclass(frozen=True, slots=True)
class UnknownRestriction:
    """Cards of one title of which it is not known whether so many are allowed."""

    cards: list[ViewedEntry]
    facts: list[MissingFact]


ExcessCopies = tuple[list[ViewedEntry], int]


@check("highlander.restrictions")
def restrictions(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """Limit the copies of a card to its number.

    Cards with the same title, owner and text are one card, whatever their gems.
    """
    deck_view = view_deck(deck, rule)
    raised_limits = get_declared_raises(deck_view) if deck.options.get("restriction_raise") else []
    over: list[ExcessCopies] = []
    doubts: list[UnknownRestriction] = []
    for alike in deck_view.tally.by_title.values():
        entry, view = alike[0]
        if len(alike) > 1 or (entry.qty > 1 and view.restriction != 0):
            _judge_title(alike, raised_limits, over, doubts)
    if over:
        yield _over_restriction(deck, rule, over)
    if doubts:
        yield _restriction_unknown(rule, doubts)


def _judge_title(
    alike: list[ViewedEntry],
    raised_limits: list[RestrictionRaise],
    over: list[ExcessCopies],
    doubts: list[UnknownRestriction],
) -> None:
    """Judge the cards of one title, those of one owner and text together."""
    if all(view.restriction == 0 for _, view in alike):
        return
    cards: dict[object, list[ViewedEntry]] = {}
    for viewed_entry in alike:
        cards.setdefault(_card(viewed_entry), []).append(viewed_entry)
    limits = [(same_card, _limit(same_card, raised_limits)) for same_card in cards.values()]
    beyond = [
        (same_card, limit)
        for same_card, limit in limits
        if limit is not None and count_copies(same_card) > limit
    ]
    over += beyond
    facts = [] if beyond else _open_facts(alike, cards, raised_limits)
    if facts:
        doubts.append(UnknownRestriction(alike, facts))


def _card(viewed_entry: ViewedEntry) -> object:
    entry, view = viewed_entry
    return (view.owner, view.text) if view.owner is not None and view.text is not None else entry.card.key


def _limit(viewed_entries: list[ViewedEntry], raised_limits: list[RestrictionRaise]) -> int | None:
    """Return the lowest known number of these printings, with what raises it.

    None if no printing has a number.
    """
    numbers = [view.restriction for _, view in viewed_entries if view.restriction]
    if not numbers:
        return None
    keys = {entry.card.key for entry, _ in viewed_entries}
    good = [
        r.by
        for r in raised_limits
        if r.fault is None and r.target is not None and r.target[0].card.key in keys
    ]
    return min(numbers) + sum(good)


def _over_restriction(deck: Deck, rule: Rule, over: list[ExcessCopies]) -> Finding:
    restricted_titles = tuple(
        reason("restricted", qty=count_copies(same_card), cards=get_names(same_card), limit=limit)
        for same_card, limit in over
    )
    spare = [
        take
        for same_card, limit in over
        for take in pick_removals("main", same_card, count_copies(same_card) - limit)
    ]
    cards = [entry for same_card, _ in over for entry in get_entries(same_card)]
    worst, limit = max(over, key=lambda excess: count_copies(excess[0]) - excess[1])
    has_printings = any(len(same_card) > 1 for same_card, _ in over)
    return rule.fault(
        "over-restriction",
        entries=cards,
        limit=limit,
        found=count_copies(worst),
        fix=remove_cards(rule, deck, spare),
        source=Citation("", f"{rule.clause}, {_ONE_CARD}" if has_printings else ""),
        restricted=restricted_titles,
    )


_ONE_CARD = "Gems and Card Uniqueness (l.319)"


def _open_facts(
    alike: list[ViewedEntry], cards: Mapping[object, list[ViewedEntry]], raised_limits: list[RestrictionRaise]
) -> list[MissingFact]:
    """List what is unknown where there could be too many copies.

    These are unknown numbers and printings that may be one card.
    """
    facts = []
    for same_card in cards.values():
        if count_copies(same_card) > 1:
            facts += [missing_fact(e, "restriction") for e, view in same_card if view.restriction is None]
    least = _limit(alike, raised_limits)
    if least is not None and len(alike) > 1 and count_copies(alike) > least:
        for entry, view in alike:
            facts_of_card = (("owner", view.owner), ("text", view.text))
            facts += [missing_fact(entry, fact) for fact, value in facts_of_card if value is None]
    return facts


def _restriction_unknown(rule: Rule, doubts: list[UnknownRestriction]) -> Finding:
    quantities = tuple(quantity_of(doubt.cards) for doubt in doubts)
    cards = [entry for doubt in doubts for entry in get_entries(doubt.cards)]
    facts = [fact for doubt in doubts for fact in doubt.facts]
    return rule.unknown("restriction-unknown", facts, entries=cards, quantities=quantities)
