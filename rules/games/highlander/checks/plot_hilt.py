"""Plot/Hilt: bonus cards in play from the start, and the weapon that goes with the hilt (HL-L51 to L57)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from rules.checks import check
from rules.deck import Deck
from rules.finding import Change, Finding, Fix, MissingFact
from rules.names import normal
from rules.rule import Rule
from rules.words import count, listed, verb

from ..bonus import Bonus, declared, exists, faults, is_own, matching_weapon, open_facts
from ..mends import entries, is_or_are, missing, names, set_option, take_out, total
from ..table import Table, table

KIND_WORDS: Mapping[str, str] = {"hilt": "signed hilt", "plot": "signed stand-alone plot"}


@check(
    "highlander.bonus_cards",
    says=lambda: "A persona begins with the own signed hilt and plot, one of each it has.",
)
def bonus_cards(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """What the persona has must be used, at most one hilt and one plot, and the own ones."""
    laid = table(deck, rule.lists)
    given = declared(laid)
    wrong: list[str] = []
    unknown: list[MissingFact] = []
    has_own = {kind: exists(laid, kind) for kind in KIND_WORDS}
    for kind, word in KIND_WORDS.items():
        held = [bonus for bonus in given if bonus.kind == kind]
        has = has_own[kind]
        if len(held) > 1:
            wrong.append(f"{count(len(held), word)} instead of one")
        elif not held and has:
            wrong.append(f"the persona's {word} is missing")
        elif not held and has is None:
            unknown.append(MissingFact(f"whether the persona has a {word}"))
        wrong += [f"{b.written} is not the persona's own" for b in held if _is_foreign(laid, b)]
    if wrong:
        message = f"The bonus cards are not as they must be: {'; '.join(wrong)}."
        fix = _own_bonus_cards([b for b in given if not _is_foreign(laid, b)], has_own)
        yield rule.fault("bonus-cards", message, limit=1, found=len(given), fix=fix)
    elif unknown:
        yield rule.unknown("bonus-unknown", "Which bonus cards the persona has is not known.", unknown)


def _own_bonus_cards(fit: Iterable[Bonus], has_own: Mapping[str, bool | None]) -> Fix:
    """Begin with the first fitting card of each kind; which one is missing cannot be named by its key."""
    kept: dict[str, Bonus] = {}
    for bonus in fit:
        kept.setdefault(bonus.kind, bonus)
    lacking = [KIND_WORDS[kind] for kind in KIND_WORDS if has_own[kind] and kind not in kept]
    own = [f"the persona's own {listed(lacking)}"] if lacking else []
    begin = listed([*(bonus.written for bonus in kept.values()), *own])
    sentence = f"Begin with {begin}." if begin else "Begin without a bonus card."
    if lacking:
        return Fix(sentence)
    return set_option(sentence, {"bonus": {kind: bonus.key for kind, bonus in kept.items()}})


def _is_foreign(laid: Table, bonus: Bonus) -> bool:
    return is_own(laid, bonus) is False and bonus.view is not None and bonus.view.owner_kind != "faction"


@check(
    "highlander.bonus_kind",
    says=lambda: "Bonus cards are signed, of no faction: a primary hilt, a stand-alone plot.",
)
def bonus_kind(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """Bonus cards are signed, no faction cards, the hilt of a primary weapon and a plot that stands alone."""
    laid = table(deck, rule.lists)
    given = declared(laid)
    wrong = [(bonus, faults(laid, bonus)) for bonus in given]
    said = listed(f"{bonus.written} ({', '.join(why)})" for bonus, why in wrong if why)
    if said:
        # Cards are named by their keys here, so that a mend can be written down.
        kept = {bonus.kind: bonus.key for bonus, why in wrong if not why}
        fix = set_option("Begin with a card that fits, or without one.", {"bonus": kept})
        message = f"Not fit as a bonus card: {said}."
        yield rule.fault("bonus-not-fit", message, limit=0, found=len(given) - len(kept), fix=fix)
        return
    facts = [MissingFact(fact, bonus.written, bonus.written) for bonus in given for fact in open_facts(bonus)]
    if facts:
        fit = verb([b.written for b in given], "is fit as a bonus card", "are fit as bonus cards")
        message = f"Whether {listed(bonus.written for bonus in given)} {fit} is not known."
        yield rule.unknown("bonus-fit-unknown", message, facts)


def _has_hilt(laid: Table) -> bool | None:
    return True if any(bonus.kind == "hilt" for bonus in declared(laid)) else exists(laid, "hilt")


@check(
    "highlander.hilt_weapon",
    says=lambda: "With a hilt of the persona comes the persona's own primary weapon.",
)
def hilt_weapon(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """A persona with a hilt uses the weapon of choice of the own."""
    laid = table(deck, rule.lists)
    if not _has_hilt(laid):
        return
    answers = [matching_weapon(laid, view) for _, view in laid.weapons]
    if True in answers:
        return
    if None in answers or laid.untyped:
        open_seats = laid.untyped or laid.weapons
        own = is_or_are(open_seats, "the persona's own weapon", "weapons of the persona's own")
        message = f"Whether {names(open_seats)} {own} is not known."
        fact = "type" if laid.untyped else "owner"
        yield rule.unknown(
            "hilt-weapon-unknown", message, missing(open_seats, fact), entries=entries(open_seats)
        )
        return
    held = f"{is_or_are(laid.weapons)} {names(laid.weapons)}" if laid.weapons else "is no weapon"
    message = f"The persona has a hilt and must use the own weapon of choice that matches it; there {held}."
    cards = entries(laid.weapons)
    fix = _own_weapon(deck, rule, laid)
    yield rule.fault("hilt-weapon", message, entries=cards, limit=1, found=0, fix=fix)


def _own_weapon(deck: Deck, rule: Rule, laid: Table) -> Fix:
    """Put the persona's own weapon in the place of what is there."""
    if not laid.personas:
        return Fix("Add the Persona whose hilt it is, and the own weapon of that persona.")
    owner = laid.personas[0][0].card.name
    out = take_out(rule, deck, "pregame", laid.weapons) if laid.weapons else Fix("")
    wanted = {"type": "Weapon of Choice", "owner": owner}
    sentence = f"{out.sentence} Add the own weapon of {owner}.".strip()
    return Fix(sentence, (*out.changes, Change("add", "pregame", 1, None, wanted)))


@check(
    "highlander.no_hilt_no_weapon", says=lambda: "Without a hilt of the persona there is no weapon of choice."
)
def no_hilt_no_weapon(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """A persona without a hilt of the own uses no weapon of choice."""
    laid = table(deck, rule.lists)
    if not laid.weapons:
        return
    has = _has_hilt(laid)
    if has is False:
        held = f"{is_or_are(laid.weapons)} {names(laid.weapons)}"
        message = f"The persona has no hilt and uses no weapon of choice; there {held}."
        fix = take_out(rule, deck, "pregame", laid.weapons)
        number = total(laid.weapons)
        cards = entries(laid.weapons)
        yield rule.fault("weapon-without-hilt", message, entries=cards, limit=0, found=number, fix=fix)
    elif has is None:
        message = "Whether the persona has a hilt, without which there is no weapon, is not known."
        yield rule.unknown("hilt-unknown", message, [MissingFact("whether the persona has a signed hilt")])


@check("highlander.one_weapon", says=lambda: "One weapon of choice.")
def one_weapon(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """Not more than one weapon of choice."""
    laid = table(deck, rule.lists)
    number = total(laid.weapons)
    if number > 1:
        # The last ones are taken out, so the persona's own come first.
        spare = sorted(laid.weapons, key=lambda seat: not matching_weapon(laid, seat[1]))
        message = f"There are {count(number, 'weapon')} of choice ({names(laid.weapons)}); one is allowed."
        fix = take_out(rule, deck, "pregame", spare, number - 1)
        cards = entries(laid.weapons)
        yield rule.fault("too-many-weapons", message, entries=cards, limit=1, found=number, fix=fix)


@check("highlander.not_pregame", says=lambda titles: f"{listed(titles)} is not used as a pre-game card.")
def not_pregame(deck: Deck, rule: Rule, *, titles: tuple[str, ...]) -> Iterator[Finding]:
    """These titles are not legal as pre-game cards in this format."""
    laid = table(deck, rule.lists)
    shut_out = {normal(title) for title in titles}
    held = [seat for seat in laid.pregame if seat[1].title in shut_out]
    if held:
        message = (
            f"{names(held)} {is_or_are(held)} not allowed among the pre-game cards of {rule.format_name}."
        )
        fix = take_out(rule, deck, "pregame", held)
        number = total(held)
        yield rule.fault("pregame-not-here", message, entries=entries(held), limit=0, found=number, fix=fix)
