"""Names and kinds of what data files may hold: every part is known, or refused with the nearest right one.

What a game has of its own is declared in its `game.toml`: `[known.card_facts]`, `[known.entries.<list>]` and
`[known.timed.<table>]`, each a table of names and kinds ("text", "whole", "yes_no", "day", "words", "table").
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date
from difflib import SequenceMatcher
from typing import NamedTuple

from rules.game import Game
from rules.text import truncate

Kinds = Mapping[str, str]
Table = Mapping[str, object]


class Misfit(NamedTuple):
    """A part that is not known, or not of its kind: a code, and the rest of a sentence about its owner."""

    code: str
    says: str


_FITS: Mapping[str, tuple[Callable[[object], bool], str]] = {
    "text": (lambda value: isinstance(value, str), "text"),
    "whole": (lambda value: type(value) is int, "a whole number"),
    "yes_no": (lambda value: isinstance(value, bool), "true or false"),
    "day": (lambda value: isinstance(value, date), "a day"),
    "words": (
        lambda value: isinstance(value, list | tuple) and all(isinstance(part, str) for part in value),
        "a list of words",
    ),
    "text_or_words": (
        lambda value: isinstance(value, str) or _FITS["words"][0](value),
        "a word or a list of words",
    ),
    "term": (
        lambda value: isinstance(value, str | int) or _FITS["words"][0](value),
        "a number, a word or a list of words",
    ),
    "table": (lambda value: isinstance(value, Mapping), "a table"),
    "tables": (
        lambda value: isinstance(value, list | tuple) and all(isinstance(part, Mapping) for part in value),
        "a list of tables",
    ),
}

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
    "rules": "table", "conditions": "table",
}  # fmt: skip
RULE: Kinds = {
    "check": "text", "rule": "text", "clause": "text", "document": "text", "basis": "text",
    "severity": "text", "at": "text_or_words", "follows": "text_or_words", "readings": "table",
    "words": "text", "off": "yes_no",
}  # fmt: skip
GAME: Kinds = {
    "key": "text", "name": "text", "formats": "words", "zones": "words", "declares_character": "yes_no",
    "knows_draws": "yes_no", "identity": "table", "case_defaults": "table", "versions": "tables",
    "match_forms": "tables", "known": "table",
}  # fmt: skip
IDENTITY: Kinds = {"rank": "text", "ranked_types": "words"}
VERSION: Kinds = {"number": "text", "document": "text", "in_force": "day", "also_called": "words"}
MATCH_FORM: Kinds = {
    "key": "text", "name": "text", "games_to_win": "whole", "minutes": "whole",
    "warning_minutes_left": "whole", "clause": "text", "is_ours": "yes_no",
}  # fmt: skip
KNOWN: Kinds = {"card_facts": "table", "entries": "table", "timed": "table"}
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
    "concession": {
        "loses": "text", "consent_needed": "yes_no", "clause": "text", "sentence": "text",
        "is_ours": "yes_no",
    },
}  # fmt: skip
_ENTRIES: Mapping[str, Kinds] = {
    "bans": {"card": "table", "printed": "table", "formats": "words", "zones": "words", "says": "text"},
    "errata": {
        "id": "text", "card": "table", "printed": "table", "kinds": "words", "plays_differently": "yes_no",
        "says": "text", "ids": "words", "variant": "text",
    },
    "identities": {
        "name": "text", "same": "words", "distinct": "tables", "printed": "table",
        "one_card_in_printings": "words", "says": "text",
    },
}  # fmt: skip


def find_misfits(table: Table, known: Kinds) -> Iterator[Misfit]:
    """The parts of a table that are not known or of another kind, each as the rest of a sentence."""
    for key, value in table.items():
        if key not in known:
            names = sorted(known, key=lambda name: -SequenceMatcher(None, key, name).ratio())
            nearest = f"; the nearest is {names[0]}" if names else ""
            yield Misfit("unknown-part", f"has {truncate(key)}, which is not known{nearest}.")
        elif known[key] in _FITS and not _FITS[known[key]][0](value):
            kind = _FITS[known[key]][1]
            yield Misfit("wrong-kind", f"cannot have {key} {truncate(repr(value))}; it must be {kind}.")


def _declared(game: Game | None, *path: str) -> dict[str, str]:
    """What a game declares under `known`, by the names below it."""
    table: object = game.data if game else {}
    for name in ("known", *path):
        table = table.get(name, {}) if isinstance(table, Mapping) else {}
    return {key: str(kind) for key, kind in table.items()} if isinstance(table, Mapping) else {}


def card_facts(game: Game | None) -> dict[str, str]:
    """The facts of a card that lists and cases of a game may name."""
    rank = {game.rank_attribute: "whole"} if game and game.rank_attribute else {}
    return {**CARD, **rank, **_declared(game, "card_facts")}


def entry_misfits(kind: str, entry: Table, game: Game | None) -> Iterator[Misfit]:
    """What is wrong with the parts of an entry of a list, and with those of the tables in it."""
    own = card_facts(game) if kind == "errata" else {}
    known = {**own, **SOURCE, **_ENTRIES.get(kind, {}), **_declared(game, "entries", kind)}
    yield from find_misfits(entry, known)
    card, printed, distinct = entry.get("card"), entry.get("printed"), entry.get("distinct")
    if isinstance(card, Mapping):
        yield from find_misfits(card, card_facts(game))
    for place in (printed, *(distinct if isinstance(distinct, list | tuple) else ())):
        if isinstance(place, Mapping):
            yield from find_misfits(place, PRINTED)


def game_misfits(game: Game) -> Iterator[str]:
    """What is wrong with the parts of a `game.toml`."""
    data = game.data
    yield from _say("the game", find_misfits(data, GAME))
    yield from _say("[identity]", find_misfits(_table(data, "identity"), IDENTITY))
    yield from _say("[case_defaults]", find_misfits(_table(data, "case_defaults"), card_facts(game)))
    for part, known in (("versions", VERSION), ("match_forms", MATCH_FORM)):
        for table in _tables(data, part):
            yield from _say(f"[[{part}]]", find_misfits(table, known))
    known_parts = _table(data, "known")
    yield from _say("[known]", find_misfits(known_parts, KNOWN))
    places = [("card_facts", _declared(game, "card_facts"))]
    for part in ("entries", "timed"):
        places += [(f"{part}.{name}", _declared(game, part, name)) for name in _table(known_parts, part)]
    for place, kinds in places:
        strange = (f"{name} {kind}" for name, kind in kinds.items() if kind not in _FITS)
        yield from (f"[known.{place}] cannot have {each}; kinds are {', '.join(_FITS)}." for each in strange)


def unused_parts(game: Game, lists: Mapping[str, Iterable[Table]], timed: Table) -> Iterator[str]:
    """What a game declares and none of its data has: a slip, in the one place or in the other."""
    said: dict[str, set[str]] = {
        kind: {key for entry in all_ for key in entry} for kind, all_ in lists.items()
    }
    cards = {key for all_ in lists.values() for entry in all_ for key in _table(entry, "card")}
    facts = {*_table(game.data, "case_defaults"), *said.get("errata", ()), *cards}
    places = [("card_facts", facts)]
    known = _table(game.data, "known")
    places += [(f"entries.{kind}", said.get(kind, set())) for kind in _table(known, "entries")]
    places += [(f"timed.{name}", set(_table(timed, name))) for name in _table(known, "timed")]
    for place, used in places:
        for name in _declared(game, *place.split(".")):
            if name not in used:
                yield f"[known.{place}] declares {name}, which is nowhere."


def timed_misfits(data: Table, game: Game | None) -> Iterator[str]:
    """What is wrong with the parts of a `timed.toml`."""
    declared = _table(_table(game.data if game else {}, "known"), "timed")
    known = {name: {**TIMED.get(name, {}), **_declared(game, "timed", name)} for name in (*TIMED, *declared)}
    yield from _say("the file", find_misfits(data, dict.fromkeys(known, "table")))
    for name, table in data.items():
        if name in known and isinstance(table, Mapping):
            yield from _say(f"[{name}]", find_misfits(table, known[name]))
            for step in _tables(table, "steps"):
                yield from _say(f"[[{name}.steps]]", find_misfits(step, STEP))


def _say(who: str, misfits: Iterable[Misfit]) -> Iterator[str]:
    return (f"{who} {misfit.says}" for misfit in misfits)


def _table(data: Table, key: str) -> Table:
    value = data.get(key, {})
    return value if isinstance(value, Mapping) else {}


def _tables(data: Table, key: str) -> list[Table]:
    value = data.get(key, ())
    return [part for part in value if isinstance(part, Mapping)] if isinstance(value, list | tuple) else []
