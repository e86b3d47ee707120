"""Validate shipped formats, lists and games; a problem names its place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from rules.checks import UnknownCheck
from rules.game import Game
from rules.library import RULE_KEYS, BadData, Library, get_check_parameters
from rules.lint_lists import lint_list
from rules.lists import Edition
from rules.rule import BASES, EXCHANGE, REGISTRATION, SEVERITIES

_STAGES = frozenset({REGISTRATION, EXCHANGE})
_FORMAT_WORDS = frozenset({"name", "summary", "extends", "document", "sanctioned", "rules", "conditions"})

TomlTable = Mapping[str, object]


def lint(library: Library) -> list[str]:
    """Every problem of a library's data; an empty list means that all is well formed."""
    try:
        games = library.games
    except (BadData, ValueError) as problem:
        return [str(problem)]
    return [problem for game in games for problem in _game(library, game)]


def _game(library: Library, game: Game) -> Iterator[str]:
    wanted = {f"{key}-{version.number}" for key in game.formats for version in game.versions}
    shipped = {file.stem for file in (game.folder / "formats").glob("*.toml")}
    yield from (f"{game.key}: the format file {stem}.toml is missing." for stem in sorted(wanted - shipped))
    for stem in sorted(shipped):
        yield from (f"{game.key}/formats/{stem}.toml: {problem}" for problem in _format(library, game, stem))
    yield from _editions(library, game)


def _format(library: Library, game: Game, stem: str) -> Iterator[str]:
    file = game.folder / "formats" / f"{stem}.toml"
    try:
        own, whole = library.read(file), library.format_data(game, stem)
    except BadData as problem:
        yield str(problem)
        return
    yield from (f"{word} is no part of a format." for word in sorted(set(own) - _FORMAT_WORDS))
    if not isinstance(whole.get("name"), str):
        yield "the format has no name."
    if not isinstance(whole.get("summary", ""), str):
        yield "the summary of a format is a sentence."
    rules, below = _tables(whole, "rules"), _below(library, game, own)
    for name, table in _tables(own, "rules").items():
        yield from (f"[rules.{name}] {problem}" for problem in _restated(table, below.get(name)))
    for name, table in rules.items():
        yield from (f"[rules.{name}] {problem}" for problem in _rule(library, game, table, rules))
    for name, table in _tables(whole, "conditions").items():
        yield from (f"[conditions.{name}] {problem}" for problem in _condition(table))


def _below(library: Library, game: Game, own: TomlTable) -> Mapping[str, TomlTable]:
    base = own.get("extends")
    return _tables(library.format_data(game, str(base)), "rules") if base else {}


def _restated(table: TomlTable, below: TomlTable | None) -> Iterator[str]:
    """A rule that changes what it inherits cites its own clause, so that nothing is cited wrongly."""
    if below is None or table.get("off") is True:
        return
    changed = [
        key
        for key, value in get_check_parameters(table).items()
        if get_check_parameters(below).get(key) != value
    ]
    if changed and "clause" not in table:
        yield f"changes {', '.join(changed)} and must restate its clause."


def _rule(library: Library, game: Game, table: TomlTable, rules: Mapping[str, TomlTable]) -> Iterator[str]:
    try:
        check = library.find_check(game, str(table.get("check")))
    except UnknownCheck as problem:
        yield str(problem)
        return
    yield from (f"has no {part}." for part in ("rule", "clause") if not table.get(part))
    yield from _choices(table)
    given = get_check_parameters(table)
    yield from check.misfits(given, "the rule")
    follows = table.get("follows", ())
    yield from (f"follows {name}, which is no rule." for name in _words(follows) if name not in rules)
    readings = table.get("readings", {})
    for key, reading in readings.items() if isinstance(readings, Mapping) else ():
        params = {part: value for part, value in reading.items() if part != "words"}
        yield from check.misfits(params, f"the reading {key}")
        if not reading.get("words"):
            yield f"the reading {key} has no words."
    words = str(table.get("words", ""))
    if not words and check.says is None:
        yield "cannot be said in words: neither the rule nor its check has any."
    yield from _sayable(words, given)


def _choices(table: TomlTable) -> Iterator[str]:
    if str(table.get("basis", "stated")) not in BASES:
        yield f"the basis {table.get('basis')} is none of {', '.join(sorted(BASES))}."
    if str(table.get("severity", "error")) not in SEVERITIES:
        yield f"the severity {table.get('severity')} is none of {', '.join(sorted(SEVERITIES))}."
    strange = [stage for stage in _words(table.get("at", ())) if stage not in _STAGES]
    yield from (f"the stage {stage} is none of {', '.join(sorted(_STAGES))}." for stage in strange)


def _condition(table: TomlTable) -> Iterator[str]:
    yield from (f"has no {part}." for part in ("rule", "clause", "words") if not table.get(part))
    params = {key: value for key, value in table.items() if key not in RULE_KEYS}
    yield from _sayable(str(table.get("words", "")), params)


def _sayable(words: str, params: TomlTable) -> Iterator[str]:
    try:
        words.format(**params)
    except (KeyError, IndexError, ValueError) as problem:
        yield f"the words ask for {problem}, which is not given."


def _editions(library: Library, game: Game) -> Iterator[str]:
    taken: dict[tuple[str, int], str] = {}
    for file in sorted((game.folder / "lists").glob("*.toml")):
        place = f"{game.key}/lists/{file.name}"
        try:
            edition = Edition.from_mapping(game.key, library.read(file))
        except ValueError as problem:
            yield f"{place}: {problem}"
            continue
        if (edition.kind, edition.number) in taken:
            yield f"{place}: number {edition.number} is taken by {taken[edition.kind, edition.number]}."
        taken[edition.kind, edition.number] = file.name
        unknown = [number for number in edition.versions if game.version(number) is None]
        yield from (f"{place}: there is no version {number} of the rules." for number in unknown)
        yield from (f"{place}: {problem}" for problem in lint_edition(edition))


def lint_edition(edition: Edition) -> list[str]:
    """What is wrong with a list in itself, each a sentence with its fix (see `look_over`)."""
    return [problem.message for problem in lint_list(edition)]


def _tables(data: TomlTable, part: str) -> dict[str, TomlTable]:
    tables = data.get(part, {})
    if not isinstance(tables, Mapping):
        return {}
    return {name: table for name, table in tables.items() if isinstance(table, Mapping)}


def _words(value: object) -> Iterable[str]:
    return (
        [value]
        if isinstance(value, str)
        else [str(v) for v in value]
        if isinstance(value, list | tuple)
        else []
    )
