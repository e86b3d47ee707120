"""The texts of games' data that a reader can meet.

They are what `rules.rendering.translate_text` is asked for. Facts of cards as someone stored them are left
out; there is no end to them.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

import rules
from decks.editions.domain.kinds import CARD_KINDS
from rules import Edition, Game
from rules.cards import Choices, Declaration, Field
from rules.data_texts import PROSE_CLAUSES
from rules.deck import ZONE_WORDS
from rules.formats import Format
from rules.timed.procedure import get_procedure
from tests.style.sources import CLONE
from tournament.log.action_labels import LABELS, spell_action
from tournament.setup.forms.rules import _label

# Parts of sentences of the log, what hides one, and what leagues log; other codes are actions of steps.
NO_ACTIONS = frozenset({"actor", "by_private_link", "deleted_account", "hidden", "match"})
OF_LEAGUES = frozenset(
    {
        "league_made", "league_changed", "event_added", "event_removed", "same_person", "two_people",
        "registration_removed", "change_undone", "change_redone",
    }
)  # fmt: skip
# Facts that identify a printing, and other names of its set.
PRINTED = ("set", "number", "set codes")
# Sentences of a procedure that have no name of their own.
FIRST_TURN = ("sentence", "first", "later", "after_draw", "random", "loser")


def gather_data_texts() -> dict[str, list[str]]:
    """Return each text with the keys of the games that have it.

    The texts of the rooms have none.
    """
    owners: dict[str, list[str]] = {text: [] for text in (*ZONE_WORDS.values(), *PROSE_CLAUSES, *_actions())}
    for game in rules.games():
        for text in _texts_of_game(game):
            if has_words(text) and game.key not in owners.setdefault(text, []):
                owners[text].append(game.key)
    return owners


def has_words(text: str) -> bool:
    """Return whether there is something to translate: “({})” is the same everywhere."""
    return any(char.isalpha() for char in re.sub(r"{[\w.]*}", "", text))


def _actions() -> Iterator[str]:
    """Yield the kinds of steps, as the log's filter names them."""
    for path in sorted((CLONE / "tournament").rglob("messages/en.toml")):
        for code in _read(path).get("log", {}):
            action = code.partition(".")[0]
            if action not in NO_ACTIONS | OF_LEAGUES and action not in LABELS:
                yield spell_action(action)


def _read(path: Path) -> dict[str, dict[str, object]]:
    return tomllib.loads(path.read_text("utf-8"))


def _texts_of_game(game: Game) -> Iterator[str]:
    yield game.name
    yield from (ZONE_WORDS.get(zone, zone) for zone in game.zones)
    yield from (form.name for form in game.match_forms)
    yield from (ending.label for ending in game.endings)
    for sheet in game.sheets:
        yield from (sheet.label, sheet.help, *(text for block in sheet.blocks for text in block.texts))
    for registration_field in game.registration_fields:
        yield from (registration_field.label, registration_field.help, *registration_field.choices)
    for field in game.result_fields:
        yield from (field.label, field.help, field.slip, field.says, field.says_one)
    yield from (choice.label for choice in game.plan_terms.choices)
    yield from _slip_lines(game)
    yield from _texts_of_cards(game)
    for edition in rules.shipped_editions(game.key):
        yield edition.name
        yield from (str(entry.get("says") or "") for entry in edition.entries)
        yield from _parts_of_plain_entries(edition)
    for version in game.versions:
        yield from _texts_of_procedure(game.key, version.number)
        for key in game.formats:
            yield _label(key)
            yield from _texts_of_format(rules.load_format(game.key, key, rules=version.number))


def _parts_of_plain_entries(edition: Edition) -> Iterator[str]:
    """Yield what the parts of records without a card are called."""
    for entry in edition.entries if edition.kind not in CARD_KINDS else ():
        yield from (key.replace("_", " ") for key in entry if key not in ("name", "clause", "document"))


def _slip_lines(game: Game) -> Iterator[str]:
    lines = game.data.get("slip_lines")
    for option in lines.values() if isinstance(lines, dict) else ():
        yield from option


def _texts_of_cards(game: Game) -> Iterator[str]:
    yield from (*PRINTED, *(game.cards.label(fact) for fact in game.cards.facts))
    for key, kind in game.cards.entries.items():
        yield kind.name or ("" if key in CARD_KINDS else key.capitalize())
        for field in kind.fields:
            yield from _texts_of_field(field)
    for declaration in game.cards.declarations:
        yield from _texts_of_declaration(declaration)


def _texts_of_field(field: Field) -> Iterator[str]:
    if field.label:
        yield from (field.label, field.help, *_words(field.choices))


def _texts_of_declaration(declaration: Declaration) -> Iterator[str]:
    yield from (declaration.label, declaration.one, declaration.unit, declaration.says)
    yield from (declaration.help, declaration.empty)
    yield from _words(declaration.choices)
    for part in declaration.parts:
        yield from (part.says, *_words(part.choices))


def _words(choices: Choices) -> Iterator[str]:
    return (words for _, words in choices)


def _texts_of_procedure(game: str, version: str) -> Iterator[str]:
    tables = get_procedure(game, version).tables
    yield from (str(tables["first_turn"].get(part, "")) for part in FIRST_TURN)
    yield from (str(table["sentence"]) for table in tables.values() if "sentence" in table)
    for table in tables.values():
        steps = table.get("steps", [])
        yield from (str(step["sentence"]) for step in steps if isinstance(steps, list))


def _texts_of_format(loaded_format: Format) -> Iterator[str]:
    yield from (loaded_format.name, loaded_format.summary)
    for rule in loaded_format.rules:
        yield rule.words
        yield from _names_in(rule.params)
        yield from _labels_of_numbers(rule.name, rule.params)
        for name, reading in rule.readings.items():
            yield from (_label(rule.name), _label(name), str(reading.get("words", "")))
    for condition in loaded_format.conditions():
        yield condition.words
        yield from (value for value in condition.params.values() if isinstance(value, str))
        if "-L" in condition.rule:
            yield from _labels_of_numbers(condition.key, condition.params)


def _names_in(params: Mapping[str, object]) -> Iterator[str]:
    """Yield types of cards, kinds of lists and the like that a rule speaks of."""
    for name in ("noun", "types", "kinds"):
        param_names = params.get(name, ())
        yield from (param_names,) if isinstance(param_names, str) else map(str, param_names)  # type: ignore[call-overload]


def _labels_of_numbers(name: str, params: object) -> Iterator[str]:
    numbers = [key for key, value in dict(params).items() if type(value) is int]  # type: ignore[call-overload]
    yield from (_label(part) for part in (*numbers, *([name] if numbers else ())))
