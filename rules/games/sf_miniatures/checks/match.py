"""The registration of a match: its sides, its characters and the options that were chosen.

A registration is a deck without cards; its options say the rest: `sides` (each with its `characters`, or the
number of `players`), `core_sets`, `expansion_sets`, `boss_sets`, `mirror`, `competitive`, `partners_preset`,
`time_out`, `time_out_agreed`, `power_up`, `boss_mode_deck`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rules.checks import check
from rules.deck import Deck
from rules.finding import Change, Finding, Fix, MissingFact
from rules.names import normal
from rules.rule import Rule
from rules.words import count, listed

Side = tuple[str, ...]


def read_sides(deck: Deck) -> tuple[Side, ...] | None:
    """The characters of each side, or None where no sides can be read."""
    told = deck.options.get("sides")
    if not isinstance(told, list | tuple):
        return None
    return tuple(_characters(side) for side in told)


def _characters(side: object) -> Side:
    named = side.get("characters", ()) if isinstance(side, Mapping) else side
    if isinstance(named, str):
        return (named,)
    return tuple(str(name) for name in named) if isinstance(named, list | tuple) else ()


def _chosen(deck: Deck, option: str) -> bool:
    return deck.options.get(option) is True


def _set(sentence: str, options: Mapping[str, object]) -> Fix:
    return Fix(sentence, (Change("set", "main", 0, None, options),))


def _shape_in_words(*, sides: int, most_sides: int | None = None, characters: int) -> str:
    bounds = f"{sides} to {most_sides} sides" if most_sides else count(sides, "side")
    return f"The match has {bounds} with {count(characters, 'character')} each."


@check("sf_miniatures.shape", says=_shape_in_words)
def shape(
    deck: Deck, rule: Rule, *, sides: int, most_sides: int | None = None, characters: int
) -> Iterator[Finding]:
    """From `sides` to `most_sides` sides, each with so many characters.

    Where characters are chosen at the table (competitive), a side without any is as it should be.
    """
    held = read_sides(deck)
    if held is None:
        yield rule.unknown("sides-unknown", "The sides of the match are not told.", [MissingFact("sides")])
        return
    most = most_sides or sides
    if not sides <= len(held) <= most:
        bounds = str(sides) if most == sides else f"{sides} to {most}"
        message = f"The match has {count(len(held), 'side')}; {rule.format_name} is played by {bounds}."
        fix = _fewer(deck, most) if len(held) > most else None
        yield rule.fault("wrong-number-of-sides", message, limit=most, found=len(held), fix=fix)
    wrong = [
        side for side in held if len(side) != characters and not (_chosen(deck, "competitive") and not side)
    ]
    if wrong:
        sizes = listed(f"{count(len(side), 'character')}" for side in wrong)
        message = f"A side has {sizes}; {rule.format_name} wants {characters} a side."
        yield rule.fault("wrong-number-of-characters", message, limit=characters, found=len(wrong[0]))


def _fewer(deck: Deck, most: int) -> Fix:
    told = deck.options.get("sides")
    kept = list(told)[:most] if isinstance(told, list | tuple) else []
    return _set(f"Let the first {most} sides play this match.", {"sides": kept})


@check(
    "sf_miniatures.one_of_each",
    says=lambda core: "A character fights once; a second of the same needs a second set.",
)
def one_of_each(deck: Deck, rule: Rule, *, core: tuple[str, ...]) -> Iterator[Finding]:
    """No more fighters of one character than there are sets that hold it (Mirror Match)."""
    fighters: dict[str, list[str]] = {}
    for side in read_sides(deck) or ():
        for name in side:
            fighters.setdefault(normal(name), []).append(name)
    in_core = {normal(name) for name in core}
    for key, names in fighters.items():
        sets = _sets(deck, key in in_core)
        allowed = sets if len(names) > 1 and deck.options.get("mirror") is not False else 1
        if len(names) > allowed:
            yield _doubled(deck, rule, names, sets, key in in_core)


def _sets(deck: Deck, is_core: bool) -> int:
    """How many sets hold a character: one of each kind unless more are told."""
    told = [
        deck.options.get(option)
        for option in (("core_sets",) if is_core else ("expansion_sets", "boss_sets"))
    ]
    return max((number for number in told if type(number) is int), default=1)


def _doubled(deck: Deck, rule: Rule, names: list[str], sets: int, is_core: bool) -> Finding:
    number, option = len(names), "core_sets" if is_core else "expansion_sets"
    message = (
        f"{names[0]} fights {number} times, but {count(sets, 'set')} with that character "
        f"{'is' if sets == 1 else 'are'} told; a mirror match needs a set for each and must be agreed."
    )
    fix = _set(
        f"Choose another character, or bring {number} sets and agree on a mirror match.",
        {option: max(number, sets), "mirror": True},
    )
    return rule.fault("character-doubled", message, limit=sets, found=number, fix=fix)


@check("sf_miniatures.partners", says=lambda: "In competitive team play partners come together to the table.")
def partners(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """Competitive team play needs partners who were chosen before."""
    preset = deck.options.get("partners_preset")
    if not _chosen(deck, "competitive") or preset is True:
        return
    if preset is None:
        message = "Whether the partners were chosen before coming to the table is not told."
        yield rule.unknown("partners-unknown", message, [MissingFact("partners_preset")])
        return
    fix = _set("Register the partners beforehand.", {"partners_preset": True})
    message = "In competitive team play partners are chosen before they come to the table."
    yield rule.fault("partners-not-preset", message, fix=fix)


def _time_out_in_words(*, allowed: bool) -> str:
    return "Time Out may be played if both agree." if allowed else "Time Out is not played in this mode."


@check("sf_miniatures.time_out", says=_time_out_in_words)
def time_out(deck: Deck, rule: Rule, *, allowed: bool) -> Iterator[Finding]:
    """Time Out exists one against one only, and only by agreement."""
    if not _chosen(deck, "time_out"):
        return
    agreed = deck.options.get("time_out_agreed")
    fix = _set("Play without Time Out.", {"time_out": False})
    if not allowed:
        message = f"Time Out exists only one against one; {rule.format_name} is played without it."
        yield rule.fault("time-out-not-here", message, fix=fix)
    elif agreed is None:
        message = "Whether both players agreed on Time Out is not told."
        yield rule.unknown("time-out-agreement-unknown", message, [MissingFact("time_out_agreed")])
    elif agreed is not True:
        yield rule.fault("time-out-not-agreed", "Time Out needs the agreement of both players.", fix=fix)


def _tokens_in_words(*, in_set: int, per_side: int) -> str:
    return f"Each side needs {per_side} tag tokens; a core set holds {in_set}."


@check("sf_miniatures.tag_tokens", says=_tokens_in_words)
def tag_tokens(deck: Deck, rule: Rule, *, in_set: int, per_side: int) -> Iterator[Finding]:
    """Points out that the tag tokens of the core sets at hand do not suffice for all sides."""
    needed = per_side * len(read_sides(deck) or ())
    there = in_set * _sets(deck, True)
    if needed > there:
        message = f"The match needs {needed} tag tokens; the core sets at hand hold {there}."
        yield rule.warning("too-few-tag-tokens", message, limit=there, found=needed)


@check("sf_miniatures.no_boss_mode", says=lambda: "A boss joins with his depowered deck.")
def no_boss_mode(deck: Deck, rule: Rule) -> Iterator[Finding]:
    """No side brings a deck of Boss mode."""
    told = deck.options.get("sides")
    listed_sides = (
        [side for side in told if isinstance(side, Mapping)] if isinstance(told, list | tuple) else []
    )
    if _chosen(deck, "boss_mode_deck") or any(side.get("boss_mode_deck") is True for side in listed_sides):
        kept = [{**side, "boss_mode_deck": False} for side in listed_sides]
        fix = _set("Bring the depowered deck.", {"boss_mode_deck": False, "sides": kept})
        yield rule.fault("boss-mode-deck", "A boss joins this mode only with his depowered deck.", fix=fix)
