"""Weapons of choice, what the errata bind to them, and titles shut out (HL-L29, L30, L35, L37)."""

from __future__ import annotations

from collections.abc import Iterator

from rules.checks import check
from rules.deck import Deck
from rules.finding import Finding
from rules.names import normal
from rules.rule import Rule
from rules.words import count, listed

from ..mends import entries, missing, names, take_out, total
from ..names import normal_title
from ..table import Seat, Table, table

HANDS = 2


def _hands_in_words(*, primaries: int, hands: int) -> str:
    return f"At most {count(primaries, 'primary weapon')}, and {count(hands, 'hand icon')} in all."


@check("highlander.hands", says=_hands_in_words)
def hands(deck: Deck, rule: Rule, *, primaries: int, hands: int) -> Iterator[Finding]:
    """One primary weapon; weapons together show at most two hand icons."""
    laid = table(deck, rule.lists)
    if total(laid.weapons) < 2:
        return
    primary = [seat for seat in laid.weapons if seat[1].flag("off_hand") is False]
    unsure = [seat for seat in laid.weapons if seat[1].flag("off_hand") is None]
    icons, open_icons = _icons(laid.weapons)
    faults = []
    if total(primary) > primaries:
        faults.append(f"{total(primary)} primary weapons ({names(primary)}), {primaries} is allowed")
    if icons > hands:
        faults.append(f"{icons} hand icons, {hands} are allowed")
    if faults:
        message = f"The weapons do not fit together: {'; '.join(faults)}."
        fix = take_out(rule, deck, "pregame", laid.weapons, _to_drop(laid.weapons))
        cards = entries(laid.weapons)
        yield rule.fault("weapons-do-not-fit", message, entries=cards, limit=hands, found=icons, fix=fix)
    elif unsure or open_icons:
        message = f"Whether {names(laid.weapons)} fit together is not known."
        facts = missing(unsure, "off_hand") + missing(open_icons, "hand_icons")
        yield rule.unknown("weapons-unknown", message, facts, entries=entries(laid.weapons))


def _icons(weapons: list[Seat]) -> tuple[int, list[Seat]]:
    """The hand icons of the weapons, at least one each, and the weapons of which they are not known."""
    known = [(entry.qty, view.whole("hand_icons")) for entry, view in weapons]
    least = sum(qty * (1 if icons is None else icons) for qty, icons in known)
    return least, [seat for seat in weapons if seat[1].whole("hand_icons") is None]


def _to_drop(weapons: list[Seat]) -> int:
    """One weapon alone always fits."""
    return total(weapons) - 1


@check("highlander.must_pair", says=lambda: "An off-hand weapon that must be paired does not come alone.")
def must_pair(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """An off-hand weapon whose text says "must" joins a primary or another off-hand weapon."""
    laid = table(deck, rule.lists)
    if total(laid.weapons) != 1:
        return
    alone = laid.weapons[0]
    answer = alone[1].flag("must_pair")
    if answer is True:
        message = f"{names([alone])} must be used with another weapon of choice."
        fix = take_out(rule, deck, "pregame", [alone])
        yield rule.fault("weapon-alone", message, entries=[alone[0]], limit=2, found=1, fix=fix)
    elif answer is None and alone[1].flag("off_hand") is not False:
        message = f"Whether {names([alone])} may be used alone is not known."
        facts = missing([alone], "must_pair")
        yield rule.unknown("weapon-alone-unknown", message, facts, entries=[alone[0]])


@check(
    "highlander.conditions", says=lambda: "What the errata say of cards that may not, or must, come together."
)
def conditions(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """Cards that shut titles out, need a weapon of choice, or are for one persona alone."""
    laid = table(deck, rule.lists)
    for zone, seats in (("main", laid.main), ("pregame", laid.pregame)):
        for seat in seats:
            view = seat[1]
            if view.needs_weapon and view.needs_weapon not in laid.weapon_names:
                yield from _needs_weapon(deck, rule, laid, zone, seat)
            if view.persona_only and view.persona_only not in laid.persona_names:
                yield from _other_persona(deck, rule, laid, zone, seat)
            if view.forbids_titles:
                yield from _forbidden(deck, rule, laid, seat)


def _written(seat: Seat, fact: str) -> str:
    return str(seat[1].facts.get(fact))


def _needs_weapon(deck: Deck, rule: Rule, laid: Table, zone: str, seat: Seat) -> Iterator[Finding]:
    name, weapon = names([seat]), _written(seat, "needs_weapon")
    if laid.untyped and any(view.title == normal(weapon) for _, view in laid.untyped):
        message = f"Whether {weapon}, which {name} needs, is a weapon of choice is not known."
        facts = missing(laid.untyped, "type")
        yield rule.unknown("weapon-needed-unknown", message, facts, entries=[seat[0]])
        return
    message = f"{name} needs the weapon of choice {weapon}."
    fix = take_out(rule, deck, zone, [seat])
    yield rule.fault("weapon-needed", message, entries=[seat[0]], limit=1, found=0, fix=fix)


def _other_persona(deck: Deck, rule: Rule, laid: Table, zone: str, seat: Seat) -> Iterator[Finding]:
    name, persona = names([seat]), _written(seat, "persona_only")
    if any(view.title == normal(persona) for _, view in laid.untyped):
        message = f"Whether {persona}, for whom {name} is, plays this deck is not known."
        yield rule.unknown("persona-only-unknown", message, missing(laid.untyped, "type"), entries=[seat[0]])
        return
    message = f"{name} is for {persona} alone."
    fix = take_out(rule, deck, zone, [seat])
    yield rule.fault("persona-only", message, entries=[seat[0]], limit=0, found=total([seat]), fix=fix)


def _forbidden(deck: Deck, rule: Rule, laid: Table, seat: Seat) -> Iterator[Finding]:
    shut_out = [s for s in laid.main if not seat[1].forbids_titles.isdisjoint(s[1].titles or (s[1].title,))]
    if shut_out:
        cards = [seat[0], *entries(shut_out)]
        message = f"{names([seat])} shuts out {listed(e.card.name for e in cards[1:])}."
        fix = take_out(rule, deck, "main", shut_out)
        number = total(shut_out)
        yield rule.fault("title-shut-out", message, entries=cards, limit=0, found=number, fix=fix)


@check(
    "highlander.not_in_deck",
    says=lambda titles: f"{listed(titles)} is not played in the deck; as a pre-game card it is.",
)
def not_in_deck(deck: Deck, rule: Rule, *, titles: tuple[str, ...]) -> Iterator[Finding]:
    """These titles are not legal as in-game cards in this format; a pre-game card of the name is not hit."""
    laid = table(deck, rule.lists)
    by_title = laid.tally.by_title
    held = [seat for title in titles for seat in by_title.get(normal_title(title), ())]
    if held:
        message = f"{names(held)} is not legal in {rule.format_name} as an in-game card."
        fix = take_out(rule, deck, "main", held)
        yield rule.fault(
            "not-legal-here", message, entries=entries(held), limit=0, found=total(held), fix=fix
        )
