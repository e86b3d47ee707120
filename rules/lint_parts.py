"""Names and kinds of what data files may hold.

Every part is known, or refused with the nearest right one. What a game has of its own is declared: its facts
and the parts of its list entries in `cards.toml`, the parts of `timed.toml` under `[known.timed.<table>]` in
`game.toml`, as names and kinds ("text", "whole", …).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from difflib import SequenceMatcher

from rules.endings import find_ending_misfits
from rules.game import Game
from rules.reason import Param, Reason
from rules.registration import ASKERS, KINDS, READERS, RegistrationField
from rules.rendering import render, say
from rules.result_fields import find_field_misfits
from rules.sheets import find_sheet_misfits
from rules.tables import get_table, get_tables
from rules.text import truncate

Kinds = Mapping[str, str]
Table = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Misfit:
    """A part that is not known or not of its kind.

    Holds a code of the section `edition`, and its parameters.
    """

    code: str
    params: Mapping[str, Param]

    def of(self, owner: Param) -> Reason:
        """Return what is wrong, said of the owner of the part."""
        return Reason(self.code, {**self.params, "entry": owner})

    @property
    def says(self) -> str:
        """Return what is wrong, after a place that names the owner."""
        return render("edition", self.of(None)).strip()


def _is_words(value: object) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(part, str) for part in value)


FITS: Mapping[str, Callable[[object], bool]] = {
    "text": lambda value: isinstance(value, str),
    "whole": lambda value: type(value) is int,
    "yes_no": lambda value: isinstance(value, bool),
    "day": lambda value: isinstance(value, date),
    "words": _is_words,
    "text_or_words": lambda value: isinstance(value, str) or _is_words(value),
    "term": lambda value: isinstance(value, str | int) or _is_words(value),
    "table": lambda value: isinstance(value, Mapping),
    "pairs": lambda value: (
        isinstance(value, list | tuple) and all(_is_words(pair) and len(pair) == 2 for pair in value)
    ),
    "wholes": lambda value: isinstance(value, list | tuple) and all(type(part) is int for part in value),
    "rows": lambda value: isinstance(value, list | tuple) and all(map(_is_words, value)),
    "tables": lambda value: (
        isinstance(value, list | tuple) and all(isinstance(part, Mapping) for part in value)
    ),
}

FIELD_KINDS: Kinds = {
    "text": "text", "whole": "whole", "yes_no": "yes_no", "words": "words", "lines": "words",
    "choice": "text", "table": "table", "tables": "tables",
}  # fmt: skip
"""The kinds of a field that a game declares of its entries, each with the kind of its values."""

MAX_TEXT = 2000

SOURCE: Kinds = {"clause": "text", "document": "text", "rule": "text", "basis": "text"}
PRINTED: Kinds = {
    "set": "text", "number": "whole", "set_size": "whole", "variant": "text", "id": "text",
    "number_as_printed": "text",
}  # fmt: skip
CARD: Kinds = {**PRINTED, "name": "text", "title": "text", "printed_name": "text", "type": "text"}
EDITION: Kinds = {
    "kind": "text", "number": "whole", "name": "text", "in_force": "day", "document": "text",
    "clause": "text", "versions": "words", "entries": "tables",
}  # fmt: skip
FORMAT: Kinds = {
    "name": "text", "summary": "text", "extends": "text", "document": "text", "sanctioned": "yes_no",
    "team_size": "whole", "match_form": "text", "sides": "table", "rules": "table", "conditions": "table",
    "limited": "table",
}  # fmt: skip
SIDES: Kinds = {
    "least": "whole", "most": "whole", "usual": "whole", "ends": "text", "points": "wholes", "clause": "text",
}  # fmt: skip
LIMITED: Kinds = {"minutes": "whole", "clause": "text", "pods": "table"}
PODS: Kinds = {
    "least": "whole", "most": "whole", "usual": "whole", "packs": "whole", "first": "text", "clause": "text",
}  # fmt: skip
RULE: Kinds = {
    "check": "text", "rule": "text", "clause": "text", "document": "text", "basis": "text",
    "severity": "text", "at": "text_or_words", "follows": "text_or_words", "readings": "table",
    "words": "text", "off": "yes_no",
}  # fmt: skip
CONDITION: Kinds = {
    "rule": "text", "clause": "text", "words": "text", "basis": "text", "is_adjustable": "yes_no",
    "off": "yes_no",
}  # fmt: skip
GAME: Kinds = {
    "key": "text", "name": "text", "formats": "words", "zones": "words", "knows_draws": "yes_no",
    "identity": "table", "case_defaults": "table", "versions": "tables", "match_forms": "tables",
    "registration_fields": "tables", "known": "table", "short_name": "text", "citation": "text",
    "order": "whole",
    "result_fields": "tables", "slip_lines": "table", "checking_order": "words", "sheets": "tables",
    "zone_types": "table",
    "case_defaults_of": "tables", "plan": "table", "clauses": "table", "endings": "tables",
}  # fmt: skip
PLAN: Kinds = {"counted": "words", "openings": "tables", "choices": "tables", "needed": "tables"}
OPENING: Kinds = {"findings": "words", "zone": "text", "card": "table", "by": "table"}
CHOICE: Kinds = {
    "option": "text", "label": "text", "findings": "words", "value": "text", "card": "table",
}  # fmt: skip
CASE_DEFAULTS_OF: Kinds = {"card": "table", "facts": "table"}
# The fact that the marks behind a name in a deck list tell of.
RANK = "dots"
RESULT_FIELD: Kinds = {
    "key": "text", "kind": "text", "label": "text", "ending": "text", "help": "text", "most": "whole",
    "mark": "text", "slip": "text", "says": "text", "says_one": "text", "replaces": "text",
}  # fmt: skip
SHEET: Kinds = {
    "key": "text", "label": "text", "subject": "text", "help": "text", "comes_with_rounds": "yes_no",
    "blocks": "tables",
}  # fmt: skip
SHEET_BLOCK: Kinds = {
    "kind": "text", "label": "text", "types": "words", "columns": "words", "rows": "rows",
    "each_game": "words", "extra": "text", "is_wide_first": "yes_no", "text": "text", "lines": "words",
}  # fmt: skip
ENDING: Kinds = {
    "key": "text", "label": "text", "mark": "text", "reported_by_players": "yes_no", "needs_winner": "yes_no",
}  # fmt: skip
# Things that Ringside does for every game and the documents of some games describe.
CLAUSES: Kinds = dict.fromkeys(("diversity_cut", "organizer_decides", "timed_elimination", "top_cut"), "text")
SLIP_LINES: Kinds = {"always": "words", "elimination": "words"}
IDENTITY: Kinds = {"rank": "text", "ranked_types": "words"}
VERSION: Kinds = {"number": "text", "document": "text", "in_force": "day", "also_called": "words"}
MATCH_FORM: Kinds = {
    "key": "text", "name": "text", "games_to_win": "whole", "minutes": "whole",
    "warning_minutes_left": "whole", "clause": "text", "is_ours": "yes_no",
}  # fmt: skip
REGISTRATION_FIELD: Kinds = {
    "key": "text", "label": "text", "kind": "text", "help": "text", "max_length": "whole", "choices": "words",
    "asked": "text", "may_read": "text", "required": "yes_no",
}  # fmt: skip
KNOWN: Kinds = {"timed": "table"}
STEP: Kinds = {
    "sentence": "text",
    "clause": "text",
    "stage": "text",
    "versions": "words",
    "is_ours": "yes_no",
}
TIMED: Mapping[str, Kinds] = {
    "time_called": {"clause": "text", "sentence": "text", "steps": "tables", "hidden_random_end": "yes_no"},
    "first_turn": {"clause": "text", "sentence": "text"},
    "mulligan": {"steps": "tables"},
    "penalties": {"steps": "tables"},
    "sideboarding": {"steps": "tables"},
    "concession": {
        "loses": "text", "consent_needed": "yes_no", "clause": "text", "sentence": "text",
        "is_ours": "yes_no",
    },
}  # fmt: skip
_ENTRIES: Mapping[str, Kinds] = {
    "bans": {"card": "table", "printed": "table", "formats": "words", "zones": "words", "says": "text"},
    "limits": {"card": "table", "printed": "table", "formats": "words", "copies": "whole"},
    "points": {"card": "table", "printed": "table", "formats": "words", "points": "whole"},
    "errata": {
        "id": "text", "card": "table", "printed": "table", "kinds": "words", "plays_differently": "yes_no",
        "says": "text", "ids": "words", "variant": "text",
    },
    "identities": {
        "name": "text", "same": "words", "distinct": "tables", "printed": "table",
        "one_card_in_printings": "words", "says": "text",
    },
}  # fmt: skip


def find_misfits(table: Table, known_parts: Kinds) -> Iterator[Misfit]:
    """Yield the parts of a table that are not known or of another kind."""
    for key, value in table.items():
        if key not in known_parts:
            names = sorted(known_parts, key=lambda name: -SequenceMatcher(None, key, name).ratio())
            nearest = names[0] if names else None
            yield Misfit("unknown-part", {"part": truncate(key), "nearest": nearest})
        elif known_parts[key] in FITS and not FITS[known_parts[key]](value):
            yield Misfit(
                "wrong-kind", {"part": key, "value": truncate(repr(value)), "kind": known_parts[key]}
            )


def _list_declared(game: Game | None, *path: str) -> dict[str, str]:
    """Return what a game declares under `known`, by the names below it."""
    table: object = game.data if game else {}
    for name in ("known", *path):
        table = table.get(name, {}) if isinstance(table, Mapping) else {}
    return {key: str(kind) for key, kind in table.items()} if isinstance(table, Mapping) else {}


def card_facts(game: Game | None) -> dict[str, str]:
    """Return the facts of a card that lists and cases of a game may name."""
    rank = {game.rank_attribute: "whole"} if game and game.rank_attribute else {}
    return {**CARD, **rank, **({fact.key: fact.kind for fact in game.cards.facts.values()} if game else {})}


def entry_misfits(kind: str, entry: Table, game: Game | None) -> Iterator[Misfit]:
    """Yield what is wrong with the parts of an entry of a list.

    The parts of the tables in it are checked too.
    """
    own = card_facts(game) if kind == "errata" else {}
    fields = game.cards.entry_fields(kind) if game else ()
    field_kinds = {field.key: FIELD_KINDS.get(field.kind, field.kind) for field in fields}
    known_parts = {**own, **SOURCE, **_ENTRIES.get(kind, {}), **field_kinds}
    yield from find_misfits(entry, known_parts)
    card, printing, distinct = entry.get("card"), entry.get("printed"), entry.get("distinct")
    if isinstance(card, Mapping):
        yield from find_misfits(card, card_facts(game))
    for place in (printing, *(distinct if isinstance(distinct, list | tuple) else ())):
        if isinstance(place, Mapping):
            yield from find_misfits(place, PRINTED)


def game_misfits(game: Game) -> Iterator[str]:
    """Yield what is wrong with the parts of a `game.toml`."""
    data = game.data
    yield from describe_misfits("the game", find_misfits(data, GAME))
    yield from describe_misfits("[identity]", find_misfits(get_table(data, "identity"), IDENTITY))
    if game.rank_attribute not in (None, RANK):
        rank = truncate(game.rank_attribute)
        yield say("lint", "no-rank", rank=rank, known=RANK)
    yield from describe_misfits(
        "[case_defaults]", find_misfits(get_table(data, "case_defaults"), card_facts(game))
    )
    for table in get_tables(data, "case_defaults_of"):
        owner = "[[case_defaults_of]]"
        yield from describe_misfits(owner, find_misfits(table, CASE_DEFAULTS_OF))
        for part in CASE_DEFAULTS_OF:
            yield from describe_misfits(owner, find_misfits(get_table(table, part), card_facts(game)))
    yield from describe_misfits("[clauses]", find_misfits(get_table(data, "clauses"), CLAUSES))
    yield from describe_misfits("[slip_lines]", find_misfits(get_table(data, "slip_lines"), SLIP_LINES))
    yield from _sheet_misfits(game)
    yield from _zone_types_misfits(game)
    yield from find_ending_misfits(game.endings)
    yield from find_field_misfits(game.result_fields, [ending.key for ending in game.endings])
    for part, shape in (
        ("versions", VERSION),
        ("match_forms", MATCH_FORM),
        ("endings", ENDING),
        ("result_fields", RESULT_FIELD),
    ):
        for table in get_tables(data, part):
            yield from describe_misfits(f"[[{part}]]", find_misfits(table, shape))
    yield from _plan_misfits(game)
    yield from registration_misfits(game)
    yield from _known_misfits(game)


def _known_misfits(game: Game) -> Iterator[str]:
    known_parts = get_table(game.data, "known")
    yield from describe_misfits("[known]", find_misfits(known_parts, KNOWN))
    for name in get_table(known_parts, "timed"):
        place, kinds = f"timed.{name}", _list_declared(game, "timed", name)
        for key, kind in kinds.items():
            if kind not in FITS:
                yield say(
                    "lint", "no-such-kind", owner=f"[known.{place}]", part=key, kind=kind, kinds=tuple(FITS)
                )


def _sheet_misfits(game: Game) -> Iterator[str]:
    for table in get_tables(game.data, "sheets"):
        yield from describe_misfits("[[sheets]]", find_misfits(table, SHEET))
        for block in get_tables(table, "blocks"):
            yield from describe_misfits("[[sheets.blocks]]", find_misfits(block, SHEET_BLOCK))
    declared_options = [f"{each.key}.{code}" for each in game.cards.declarations for code, _ in each.choices]
    yield from find_sheet_misfits(game.sheets, declared_options)


def _zone_types_misfits(game: Game) -> Iterator[str]:
    types = get_table(game.data, "zone_types")
    yield from describe_misfits("[zone_types]", find_misfits(types, dict.fromkeys(game.zones, "words")))


def _plan_misfits(game: Game) -> Iterator[str]:
    plan = get_table(game.data, "plan")
    yield from describe_misfits("[plan]", find_misfits(plan, PLAN))
    for part, shape in (("openings", OPENING), ("choices", CHOICE)):
        for table in get_tables(plan, part):
            yield from describe_misfits(f"[[plan.{part}]]", find_misfits(table, shape))


def registration_misfits(game: Game) -> Iterator[str]:
    """Yield what is wrong with the fields that a game adds to registration."""
    where = "[[registration_fields]]"
    for table in get_tables(game.data, "registration_fields"):
        yield from describe_misfits(where, find_misfits(table, REGISTRATION_FIELD))
    keys = [field.key for field in game.registration_fields]
    for place, field in enumerate(game.registration_fields):
        yield from field_problems(f"{where} {field.key or place + 1}", field)
        if field.key in keys[:place]:
            yield say("lint", "field-twice", owner=f"{where} {field.key}")


def field_problems(owner: str, field: RegistrationField) -> Iterator[str]:
    """Yield what is wrong with one field of registration, which `owner` names."""
    if not re.fullmatch(r"[a-z][a-z0-9_]{0,39}", str(field.key)):
        yield say("lint", "field-key", owner=owner)
    if not field.label:
        yield say("lint", "field-label", owner=owner)
    for part, known_words in (("kind", KINDS), ("asked", ASKERS), ("may_read", READERS)):
        word = str(getattr(field, part))
        if word not in known_words:
            nearest = max(known_words, key=lambda name: SequenceMatcher(None, word, name).ratio())
            yield say("lint", "field-word", owner=owner, part=part, word=truncate(word), nearest=nearest)
    if (field.kind == "choice") != bool(field.choices):
        code = "field-without-choices" if field.kind == "choice" else "field-with-choices"
        yield say("lint", code, owner=owner)
    if type(field.max_length) is not int or not 1 <= field.max_length <= MAX_TEXT:
        yield say("lint", "field-length", owner=owner, most=MAX_TEXT)


def unused_parts(game: Game, timed_table: Table) -> Iterator[str]:
    """Yield what a game declares of `timed.toml` and the file does not have.

    This is a mistake in one of the two.
    """
    for table in get_table(get_table(game.data, "known"), "timed"):
        for name in _list_declared(game, "timed", table):
            if name not in get_table(timed_table, table):
                yield say("lint", "declared-nowhere", owner=f"[known.timed.{table}]", name=name)


def timed_misfits(data: Table, game: Game | None) -> Iterator[str]:
    """Yield what is wrong with the parts of a `timed.toml`."""
    known_names = get_table(get_table(game.data if game else {}, "known"), "timed")
    known_tables = {
        name: {**TIMED.get(name, {}), **_list_declared(game, "timed", name)}
        for name in (*TIMED, *known_names)
    }
    yield from describe_misfits("the file", find_misfits(data, dict.fromkeys(known_tables, "table")))
    for name, table in data.items():
        if name in known_tables and isinstance(table, Mapping):
            yield from describe_misfits(f"[{name}]", find_misfits(table, known_tables[name]))
            for step in get_tables(table, "steps"):
                yield from describe_misfits(f"[[{name}.steps]]", find_misfits(step, STEP))


def describe_misfits(owner: Param, misfits: Iterable[Misfit]) -> Iterator[str]:
    """Describe misfits in words, each with the owner of the part."""
    return (render("edition", misfit.of(owner)) for misfit in misfits)
