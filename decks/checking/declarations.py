"""What a list registers beside its cards: gems, sleeves, swaps, bonus cards.

Which of these a format asks for is read from its rules, so a new format asks by naming the check. The values
have the form in which the rules take them as options of a deck.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from decks.shared.refusals import Refused, refuse_all
from rules import Format
from rules.games.highlander.card_view import SLOT_WORDS
from rules.games.highlander.names import GEMS, parse_gem_letter

DECLARATION_OF_CHECK: Mapping[str, str] = {
    "within_pool": "pool",
    "highlander.every_card": "pool",
    "highlander.gem_sheet": "gem_assignment",
    "highlander.sleeves": "sleeved",
    "highlander.swaps": "substitutions",
    "highlander.raise": "restriction_raise",
    "highlander.bonus_cards": "bonus",
}
DECLARATION_LABELS: Mapping[str, str] = {
    "gem_assignment": "Altered gems",
    "sleeved": "Sleeves",
    "substitutions": "Swapped basics",
    "restriction_raise": "Raised numbers",
    "bonus": "Bonus cards",
}
LONGEST_NAME = 160
MOST_LINES = 20
MOST_GEMS = 99

Declarations = dict[str, Any]


def required_declarations(format: Format) -> frozenset[str]:
    """What a format wants registered beside the cards: "pool", or keys of `WORDS`."""
    return frozenset(
        DECLARATION_OF_CHECK[rule.check] for rule in format.rules if rule.check in DECLARATION_OF_CHECK
    )


def select_declarations(options: Mapping[str, Any]) -> Declarations:
    """Those options of a deck that its player declared, without what the event adds."""
    return {name: value for name, value in options.items() if name in DECLARATION_LABELS}


def read_declarations(values: Mapping[str, Any], expected_names: frozenset[str]) -> Declarations:
    """The declarations in the form of deck options; what is empty is left out.

    Altered gems that are registered with the list are the sheet that the document wants (HL-L08), so
    `gem_sheet` goes with them. Raises Refused, with every problem, for what a format does not ask, and for
    values of another kind.
    """
    problems: list[Refused] = []
    read_so_far: Declarations = {}
    for name, value in values.items():
        if value in (None, "", {}, []):
            continue
        if name not in DECLARATION_LABELS or name not in expected_names:
            known = ", ".join(sorted(expected_names & DECLARATION_LABELS.keys())) or "none"
            sentence = f"“{str(name)[:40]}” is nothing that this format registers; it registers: {known}."
            problems.append(Refused("declaration_unknown", sentence, field=str(name)[:40]))
            continue
        declaration = _READERS[name](value, problems)
        if declaration not in (None, {}, []):
            read_so_far[name] = declaration
    refuse_all(problems)
    if "gem_assignment" in read_so_far:
        read_so_far["gem_sheet"] = True
    return read_so_far


def _add_problem(problems: list[Refused], field: str, sentence: str, fix: str = "") -> None:
    problems.append(Refused("declaration_wrong", sentence, fix=fix, field=field))


def _gems(value: Any, problems: list[Refused]) -> dict[str, int] | None:
    if not isinstance(value, Mapping):
        _add_problem(problems, "gem_assignment", "Altered gems are numbers by attribute.", "Write {“A”: 7}.")
        return None
    gems: dict[str, int] = {}
    for name, number in value.items():
        letter = parse_gem_letter(str(name))
        if number is None:
            continue
        if letter is None or type(number) is not int or not 0 <= number <= MOST_GEMS:
            sentence = f"“{str(name)[:20]}: {str(number)[:20]}” is no attribute with 0 to {MOST_GEMS} gems."
            _add_problem(
                problems, "gem_assignment", sentence, f"The attributes are {', '.join(GEMS.values())}."
            )
        else:
            gems[letter] = number
    return gems


def _flag(value: Any, problems: list[Refused]) -> bool | None:
    if isinstance(value, bool):
        return value
    _add_problem(problems, "sleeved", "Sleeves are there or not: true or false.")
    return None


def _records(
    value: Any,
    problems: list[Refused],
    field: str,
    needed: tuple[str, ...],
    make: Callable[[Any], Declarations],
) -> list[Declarations] | None:
    """Records that each have the needed parts as short text."""
    rows = value if isinstance(value, list | tuple) else [value]
    fitting = len(rows) <= MOST_LINES and all(
        isinstance(row, Mapping) and all(_is_name(row.get(part)) for part in needed) for row in rows
    )
    if not fitting:
        sentence = (
            f"{DECLARATION_LABELS[field]} are at most {MOST_LINES} records, each with {' and '.join(needed)}."
        )
        _add_problem(problems, field, sentence)
        return None
    return [make(row) for row in rows]


def _is_name(value: Any) -> bool:
    return isinstance(value, str) and 0 < len(value.strip()) <= LONGEST_NAME and "\0" not in value


def _swaps(value: Any, problems: list[Refused]) -> list[Declarations] | None:
    return _records(value, problems, "substitutions", ("for", "with"), _swap)


def _swap(row: Mapping[str, Any]) -> Declarations:
    swap = {"for": slot_code(row["for"]), "with": row["with"].strip()}
    crystal = row.get("crystal")
    return {**swap, "crystal": str(crystal).strip()} if _is_name(crystal) else swap


def slot_code(written: str) -> str:
    """The short form of a basic attack or block ("A-UL"), by its name or short form; else as written."""
    plain = " ".join(written.split()).casefold()
    named = (slot for slot, words in SLOT_WORDS.items() if plain in (slot.casefold(), words.casefold()))
    return next(named, written.strip())


def _raises(value: Any, problems: list[Refused]) -> list[Declarations] | None:
    return _records(value, problems, "restriction_raise", ("card",), _raise)


def _raise(row: Mapping[str, Any]) -> Declarations:
    by = row.get("by", 1)
    return {"card": row["card"].strip(), "by": by if type(by) is int and 0 < by <= MOST_GEMS else 0}


def _bonus(value: Any, problems: list[Refused]) -> dict[str, str] | None:
    kinds = {"hilt", "plot"}
    if not isinstance(value, Mapping) or not kinds.issuperset(value):
        _add_problem(problems, "bonus", "Bonus cards are named under hilt and plot.")
        return None
    named = {kind: name for kind, name in value.items() if name not in (None, "")}
    if not all(_is_name(name) for name in named.values()):
        _add_problem(problems, "bonus", f"A bonus card is named with at most {LONGEST_NAME} letters.")
        return None
    return {kind: name.strip() for kind, name in named.items()}


_READERS: Mapping[str, Callable[[Any, list[Refused]], Any]] = {
    "gem_assignment": _gems,
    "sleeved": _flag,
    "substitutions": _swaps,
    "restriction_raise": _raises,
    "bonus": _bonus,
}


def format_declarations(options: Mapping[str, Any]) -> dict[str, str]:
    """Each declaration of a list as people read it: {"Altered gems": "Agility 7, Master 2"}."""
    declared = select_declarations(options)
    return {
        DECLARATION_LABELS[name]: _FORMATTERS[name](declared[name])
        for name in DECLARATION_LABELS
        if name in declared
    }


def _format_swap(swap: Mapping[str, Any]) -> str:
    by = f" ({swap['crystal']})" if swap.get("crystal") else ""
    return f"{swap['with']} for {SLOT_WORDS.get(swap['for'], swap['for'])}{by}"


_FORMATTERS: Mapping[str, Callable[[Any], str]] = {
    "gem_assignment": lambda gems: ", ".join(
        f"{GEMS[letter]} {gems[letter]}" for letter in GEMS if letter in gems
    ),
    "sleeved": lambda sleeved: "in sleeves" if sleeved else "not in sleeves",
    "substitutions": lambda swaps: "; ".join(_format_swap(swap) for swap in swaps),
    "restriction_raise": lambda rows: "; ".join(f"{row['card']} by {row['by']}" for row in rows),
    "bonus": lambda bonus: "; ".join(f"{kind}: {name}" for kind, name in sorted(bonus.items())),
}
