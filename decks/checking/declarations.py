"""Declarations of a list besides its cards, as its game defines them.

Examples are sleeves or swaps. Which of these a format asks for is read from its rules, so a new format asks
by naming the check. The values have the form in which the rules take them as options of a deck. Without a
game, all games' are known.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import rules
from decks.shared.refusals import Refused, refuse_all
from rules import Format
from rules.cards import Choices, Declaration, DeclaredPart
from rules.reason import Param
from rules.rendering import say, translate_text

POOL = "pool"
POOL_CHECK = "within_pool"
LONGEST_NAME = 160
MOST_LINES = 20
LARGEST_NUMBER = 99

Declarations = dict[str, object]
Problems = list[Refused]


def known_declarations(game: str | None = None) -> dict[str, Declaration]:
    """Return the declarations of a game, or of all games, by key.

    If two games have a declaration with the same name, that of the first game is used.
    """
    games = [rules.get_game(game)] if game else sorted(rules.games(), key=lambda each: -each.order)
    return {each.key: each for game_rules in games for each in game_rules.cards.declarations}


def asked_declarations(format: Format) -> tuple[Declaration, ...]:
    """Return what the game of a format declares and the format asks for."""
    checks = {rule.check for rule in format.rules}
    return tuple(each for each in format.game.cards.declarations if checks & {*each.checks})


def required_declarations(format: Format) -> frozenset[str]:
    """Return what a format requires to be registered beside the cards.

    This is "pool", or keys of declarations.
    """
    checks = {rule.check for rule in format.rules}
    pool = {POOL} if checks & {POOL_CHECK, *format.game.cards.pool_checks} else set()
    return frozenset(pool | {each.key for each in asked_declarations(format)})


def character_options(game: str) -> frozenset[str]:
    """Return the options of a list that its declared character fills."""
    return frozenset(
        {"declared_character", *(each.option for each in rules.get_game(game).plan_terms.choices)}
    )


def select_declarations(options: Mapping[str, object]) -> Declarations:
    """Return the options of a deck that its player declared.

    What the event adds is left out.
    """
    declarations = known_declarations()
    return {name: value for name, value in options.items() if name in declarations}


def read_declarations(
    values: Mapping[str, object], expected_names: frozenset[str], game: str | None = None
) -> Declarations:
    """Return the declarations in the form of deck options, with what they imply.

    Empty values are left out. Raises Refused, with every problem, for what a format does not ask, and for
    values of another kind.
    """
    declarations = known_declarations(game)
    problems: Problems = []
    read_so_far: Declarations = {}
    for name, value in values.items():
        if value in (None, "", {}, []):
            continue
        if name not in declarations or name not in expected_names:
            field, registered_names = str(name)[:40], tuple(sorted(expected_names & declarations.keys()))
            problems.append(
                Refused("declaration_unknown", field=field, name=field, registered=registered_names)
            )
            continue
        declaration = _READERS[declarations[name].kind](declarations[name], value, problems)
        if declaration not in (None, {}, []):
            read_so_far[name] = declaration
    refuse_all(problems)
    implied_options = {declarations[name].implies: True for name in read_so_far if declarations[name].implies}
    return {**read_so_far, **implied_options}


def _read_numbers(declaration: Declaration, value: Any, problems: Problems) -> dict[str, int] | None:
    """Return a number for each of the declared names, by name or short form."""
    key = declaration.key
    names = _names(declaration)
    if not isinstance(value, Mapping):
        example = declaration.choices[0][0]
        problems.append(Refused("declaration_wrong.no_numbers", field=key, **names, example=example))
        return None
    numbers: dict[str, int] = {}
    for name, number in value.items():
        code = _find_code(declaration.choices, str(name))
        if number is None:
            continue
        if code is None or type(number) is not int or not 0 <= number <= LARGEST_NUMBER:
            written_number = f"{str(name)[:20]}: {str(number)[:20]}"
            facts: dict[str, Param] = {
                "written": written_number,
                "most": LARGEST_NUMBER,
                "unit": translate_text(declaration.unit),
            }
            choices = tuple(translate_text(word) for _, word in declaration.choices)
            problems.append(Refused("declaration_wrong.number", field=key, **names, **facts, choices=choices))
        else:
            numbers[code] = number
    return numbers


def _names(declaration: Declaration) -> dict[str, Param]:
    """Return what a declaration is called, and one of its numbers."""
    return {"label": translate_text(declaration.label), "one": translate_text(declaration.one)}


def _read_yes_no(declaration: Declaration, value: Any, problems: Problems) -> bool | None:
    if isinstance(value, bool):
        return value
    problems.append(
        Refused("declaration_wrong.no_yes_no", field=declaration.key, label=translate_text(declaration.label))
    )
    return None


def _read_records(declaration: Declaration, value: Any, problems: Problems) -> list[Declarations] | None:
    """Return records that each have the required parts as short text."""
    required_keys = [part.key for part in declaration.parts if part.is_required]
    rows = value if isinstance(value, list | tuple) else [value]
    fitting = len(rows) <= MOST_LINES and all(
        isinstance(row, Mapping) and all(_is_name(row.get(key)) for key in required_keys) for row in rows
    )
    if not fitting:
        facts: dict[str, Param] = {
            "label": translate_text(declaration.label),
            "most": MOST_LINES,
            "parts": tuple(required_keys),
        }
        problems.append(Refused("declaration_wrong.records", field=declaration.key, **facts))
        return None
    return [_read_record(declaration.parts, row) for row in rows]


def _is_name(value: Any) -> bool:
    return isinstance(value, str) and 0 < len(value.strip()) <= LONGEST_NAME and "\0" not in value


def _read_record(parts: tuple[DeclaredPart, ...], row: Mapping[str, object]) -> Declarations:
    record = {part.key: _read_part(part, row) for part in parts}
    return {key: value for key, value in record.items() if value is not None}


def _read_part(part: DeclaredPart, row: Mapping[str, object]) -> Any:
    """Return a part of a record; None for text that is not there."""
    value = row.get(part.key)
    if part.kind == "whole":
        number = value if part.key in row else part.otherwise
        return number if type(number) is int and 0 < number <= LARGEST_NUMBER else 0
    if not _is_name(value):
        return None
    written_part = str(value).strip()
    return _find_code(part.choices, written_part) or written_part


def _find_code(choices: Choices, written_name: str) -> str | None:
    """Return the short form of one of the choices, by its short form or its words."""
    plain = " ".join(written_name.split()).casefold()
    return next((code for code, word in choices if plain in (code.casefold(), word.casefold())), None)


def _read_cards(declaration: Declaration, value: Any, problems: Problems) -> dict[str, str] | None:
    """Return names of cards by what each of them is."""
    kinds = [code for code, _ in declaration.choices]
    if not isinstance(value, Mapping) or not set(kinds).issuperset(value):
        facts: dict[str, Param] = {"label": translate_text(declaration.label), "kinds": tuple(kinds)}
        problems.append(Refused("declaration_wrong.kinds", field=declaration.key, **facts))
        return None
    named_cards = {kind: name for kind, name in value.items() if name not in (None, "")}
    if not all(_is_name(name) for name in named_cards.values()):
        problems.append(
            Refused(
                "declaration_wrong.name",
                field=declaration.key,
                one=translate_text(declaration.one),
                most=LONGEST_NAME,
            )
        )
        return None
    return {kind: name.strip() for kind, name in named_cards.items()}


_READERS: Mapping[str, Callable[[Declaration, Any, Problems], Any]] = {
    "numbers": _read_numbers,
    "yes_no": _read_yes_no,
    "records": _read_records,
    "cards": _read_cards,
}


def format_declarations(options: Mapping[str, object], game: str | None = None) -> dict[str, str]:
    """Return each declaration of a list as people read it: {"Sleeves": "in sleeves"}."""
    return dict(describe_declarations(options, game).values())


def describe_declarations(
    options: Mapping[str, object], game: str | None = None
) -> dict[str, tuple[str, str]]:
    """Return the label and the text of each declaration of a list, by key."""
    return {
        name: (translate_text(each.label), _FORMATTERS[each.kind](each, options[name]))
        for name, each in known_declarations(game).items()
        if name in options
    }


def _format_numbers(declaration: Declaration, numbers: Mapping[str, int]) -> str:
    words = ((translate_text(word), numbers[code]) for code, word in declaration.choices if code in numbers)
    return say("reason", "declared_numbers", numbers=tuple(f"{word} {number}" for word, number in words))


def _format_yes_no(declaration: Declaration, value: bool) -> str:
    return translate_text(dict(declaration.choices)["yes" if value else "no"])


def _format_records(declaration: Declaration, rows: list[Mapping[str, object]]) -> str:
    says = translate_text(declaration.says)
    return "; ".join(
        says.format_map({part.key: _format_part(part, row) for part in declaration.parts}) for row in rows
    )


def _format_part(part: DeclaredPart, row: Mapping[str, object]) -> str:
    value = row.get(part.key)
    if value in (None, ""):
        return ""
    words = dict(part.choices).get(str(value))
    return translate_text(part.says).format(translate_text(words) if words else value)


def _format_cards(_declaration: Declaration, named_cards: Mapping[str, str]) -> str:
    return "; ".join(f"{kind}: {name}" for kind, name in sorted(named_cards.items()))


_FORMATTERS: Mapping[str, Callable[[Declaration, Any], str]] = {
    "numbers": _format_numbers,
    "yes_no": _format_yes_no,
    "records": _format_records,
    "cards": _format_cards,
}
