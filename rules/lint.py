"""Validate shipped formats, lists and games; a problem names its place."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from string import Formatter

from rules.checks import UnknownCheck
from rules.endings import name_message
from rules.game import Game
from rules.library import RULE_KEYS, BadData, Library, get_check_parameters, load_game_module
from rules.limited import is_possible_limited, parse_limited_play
from rules.lint_cards import card_misfits, unused_fields
from rules.lint_lists import lint_list
from rules.lint_messages import FILE, lint_messages
from rules.lint_parts import (
    CONDITION,
    EDITION,
    FORMAT,
    LIMITED,
    PODS,
    RULE,
    SIDES,
    card_facts,
    describe_misfits,
    find_misfits,
    game_misfits,
    timed_misfits,
    unused_parts,
)
from rules.lists import Edition
from rules.reason import reason
from rules.rendering import render, say, shared_folders
from rules.rule import BASES, EVERY_GAME, EXCHANGE, REGISTRATION, SEVERITIES, is_sayable
from rules.sides import is_possible, parse_sides
from rules.tables import get_table
from rules.text import truncate
from rules.wording import BadMessage, Messages

_STAGES = frozenset({REGISTRATION, EXCHANGE})
_DEFAULTS = Path(__file__).parent / "timed" / "defaults.toml"

TomlTable = Mapping[str, object]


def lint(library: Library) -> list[str]:
    """Return every problem of a library's data.

    An empty list means that all data is well formed.
    """
    try:
        games = library.games
        _ = [(game.cards, game.registration_fields, game.result_fields) for game in games]
        _ = [(game.endings, game.sheets, game.plan_terms) for game in games]
    except (BadData, ValueError) as problem:
        return [str(problem)]
    own = [problem for game in games for problem in _game(library, game)] or _shared_codes(library, games)
    every_game = library.folder / f"{EVERY_GAME}.toml"
    if every_game.is_file():
        own += [f"{EVERY_GAME}.toml: {problem}" for problem in _every_game(library.read_table(every_game))]
    defaults = (
        f"timed/defaults.toml: {problem}" for problem in timed_misfits(library.read_table(_DEFAULTS), None)
    )
    return [*own, *defaults]


def _shared_codes(library: Library, games: Iterable[Game]) -> list[str]:
    """Return a code that two games have.

    Programs could not tell which game's words such a code takes.
    """
    files = ((f"{game.key}/{FILE}", game.folder / FILE) for game in games)
    try:
        Messages.of((name, library.read_table(file)) for name, file in files if file.is_file())
    except BadMessage as problem:
        return [f"{problem}."]
    return []


def _game(library: Library, game: Game) -> Iterator[str]:
    yield from (f"{game.key}/game.toml: {problem}" for problem in game_misfits(game))
    yield from _cards(library, game)
    yield from _lint_timed(library, game)
    expected_keys = {f"{key}-{version.number}" for key in game.formats for version in game.versions}
    shipped_formats = {file.stem for file in (game.folder / "formats").glob("*.toml")}
    yield from (
        say("lint", "format-missing", game=game.key, file=f"{stem}.toml")
        for stem in sorted(expected_keys - shipped_formats)
    )
    for stem in sorted(shipped_formats):
        yield from (f"{game.key}/formats/{stem}.toml: {problem}" for problem in _format(library, game, stem))
    yield from _editions(library, game)
    messages = game.folder / FILE
    data = library.read_table(messages) if messages.is_file() else {}
    ending_params = {("reason", name_message(ending.key)): {"winner", "loser"} for ending in game.endings}
    problems = lint_messages(game.folder, data, _read_shared_messages(), ending_params)
    yield from (f"{game.key}/{problem}" for problem in problems)


@cache
def _read_shared_messages() -> Messages:
    """Return the messages that belong to no game, against which each game is held."""
    return Messages.load(shared_folders())


def _every_game(own: TomlTable) -> Iterator[str]:
    yield from _parts(own)
    if not _tables(own, "rules"):
        yield say("lint", "no-rules")


def _cards(library: Library, game: Game) -> Iterator[str]:
    """Yield the problems of `cards.toml`.

    They include what it declares of list entries although no entry has it.
    """
    load_game_module(game, "checks")
    yield from (f"{game.key}/cards.toml: {problem}" for problem in card_misfits(game.cards))
    values_by_name = dict[str, set[str]]()
    try:
        for path in sorted((game.folder / "lists").glob("*.toml")):
            edition = Edition.from_mapping(game.key, library.read_table(path))
            values_by_name.setdefault(edition.kind, set()).update(*edition.entries)
    except ValueError:
        return  # the file itself is reported elsewhere
    yield from (f"{game.key}/cards.toml: {problem}" for problem in unused_fields(game.cards, values_by_name))


def _lint_timed(library: Library, game: Game) -> Iterator[str]:
    """Yield the parts of `timed.toml`, and what the game declares without having it."""
    file = game.folder / "timed.toml"
    try:
        timed_table = library.read_table(file) if file.is_file() else {}
    except ValueError:
        return  # the file itself is reported elsewhere
    yield from (f"{game.key}/timed.toml: {problem}" for problem in timed_misfits(timed_table, game))
    yield from (f"{game.key}/game.toml: {problem}" for problem in unused_parts(game, timed_table))


def _format(library: Library, game: Game, stem: str) -> Iterator[str]:
    file = game.folder / "formats" / f"{stem}.toml"
    try:
        own, whole = library.read_table(file), library.format_data(game, stem)
    except BadData as problem:
        yield str(problem)
        return
    yield from _parts(own)
    if not isinstance(whole.get("name"), str):
        yield say("lint", "format-nameless")
    if not isinstance(whole.get("summary", ""), str):
        yield say("lint", "summary-no-sentence")
    yield from _match_parts(game, whole)
    rules, below = _tables(whole, "rules"), _below(library, game, own)
    for name, table in _tables(own, "rules").items():
        yield from (f"[rules.{name}] {problem}" for problem in _check_restated(table, below.get(name)))
    for name, table in rules.items():
        yield from (f"[rules.{name}] {problem}" for problem in _rule(library, game, table, rules))
    known_terms = (
        _tables(library.format_data(game, str(own["extends"])), "conditions") if own.get("extends") else {}
    )
    for name, table in _tables(whole, "conditions").items():
        yield from (
            f"[conditions.{name}] {problem}" for problem in _condition(table, known_terms.get(name, {}))
        )


def _match_parts(game: Game, whole: TomlTable) -> Iterator[str]:
    """Yield what is wrong with how a match of the format is played.

    The match form must be one of the game, and the sides must be possible.
    """
    forms = [form.key for form in game.match_forms]
    form = whole.get("match_form")
    if form is not None and form not in forms:
        yield say("lint", "no-match-form", form=truncate(str(form)), forms=tuple(forms))
    sides = get_table(whole, "sides")
    misfits = list(describe_misfits("[sides]", find_misfits(sides, SIDES)))
    yield from misfits
    if not misfits and not is_possible(parse_sides(sides or None)):
        yield say("lint", "sides-impossible")
    yield from _limited_parts(get_table(whole, "limited"))


def _limited_parts(table: TomlTable) -> Iterator[str]:
    """Yield what is wrong with the build time and the pods of a format, if any."""
    misfits = [
        *describe_misfits("[limited]", find_misfits(table, LIMITED)),
        *describe_misfits("[limited.pods]", find_misfits(get_table(table, "pods"), PODS)),
    ]
    yield from misfits
    limited = parse_limited_play(table or None)
    if limited is not None and not misfits and not is_possible_limited(limited):
        yield say("lint", "limited-impossible")


def _parts(own: TomlTable) -> Iterator[str]:
    """Yield what is wrong with the parts of a format's file.

    The parts must be known, and each rule and condition must be a table.
    """
    yield from describe_misfits(reason("a-format"), find_misfits(own, FORMAT))
    for part in ("rules", "conditions"):
        tables = own.get(part, {})
        for name, value in tables.items() if isinstance(tables, Mapping) else ():
            if not isinstance(value, Mapping):
                yield say("lint", "no-table", name=f"{part}.{name}")


def _below(library: Library, game: Game, own: TomlTable, part: str = "rules") -> Mapping[str, TomlTable]:
    base = own.get("extends")
    return _tables(library.format_data(game, str(base)), part) if base else {}


def _check_restated(table: TomlTable, below: TomlTable | None) -> Iterator[str]:
    """Require that a rule that changes what it inherits cites its own clause.

    Otherwise the wrong clause would be cited.
    """
    if below is None or table.get("off") is True:
        return
    changed_parameters = [
        key
        for key, value in get_check_parameters(table).items()
        if get_check_parameters(below).get(key) != value
    ]
    if changed_parameters and "clause" not in table:
        yield say("lint", "clause-not-restated", changed=tuple(changed_parameters))


def _rule(library: Library, game: Game, table: TomlTable, rules: Mapping[str, TomlTable]) -> Iterator[str]:
    try:
        check = library.find_check(game, str(table.get("check")))
    except UnknownCheck as problem:
        yield str(problem)
        return
    yield from (say("lint", "part-missing", part=part) for part in ("rule", "clause") if not table.get(part))
    yield from (misfit.says for misfit in find_misfits(_own_words(table), RULE))
    yield from _choices(table)
    parameters = get_check_parameters(table)
    yield from (render("problem", each) for each in check.misfits(parameters, reason("the-rule")))
    yield from _named_facts(game, parameters)
    follows = table.get("follows", ())
    yield from (say("lint", "follows-no-rule", rule=name) for name in _words(follows) if name not in rules)
    readings = table.get("readings", {})
    for key, reading in readings.items() if isinstance(readings, Mapping) else ():
        params = {part: value for part, value in reading.items() if part != "words"}
        misfits = check.misfits(params, reason("the-reading", reading=key))
        yield from (render("problem", each) for each in misfits)
        if not reading.get("words") or not isinstance(reading["words"], str):
            yield say("lint", "reading-wordless", reading=key)
    words = str(table.get("words", ""))
    if not words and not is_sayable(check.name):
        yield say("lint", "rule-wordless")
    yield from _sayable(words, parameters)


def _named_facts(game: Game, parameters: TomlTable) -> Iterator[str]:
    """Report a fact that a check should read and the cards of the game do not have."""
    fact = parameters.get("fact")
    if isinstance(fact, str) and fact and fact not in card_facts(game):
        yield say("lint", "no-such-fact", fact=truncate(fact))


def _choices(table: TomlTable) -> Iterator[str]:
    stages = _words(table.get("at", ()))
    choices: list[tuple[str, str, Collection[str]]] = [
        ("basis", str(table.get("basis", "stated")), BASES),
        ("severity", str(table.get("severity", "error")), SEVERITIES),
        *(("stage", stage, _STAGES) for stage in stages),
    ]
    for part, word, known_words in choices:
        if word not in known_words:
            yield say("lint", "no-such-choice", part=part, word=word, known=tuple(sorted(known_words)))


def _own_words(table: TomlTable) -> TomlTable:
    """Return what of a rule's table is no parameter of its check."""
    return {key: value for key, value in table.items() if key in RULE_KEYS}


def _condition(table: TomlTable, below: TomlTable) -> Iterator[str]:
    """Require that a condition states each of its terms.

    Otherwise the condition that it overrides must have the term.
    """
    yield from (
        say("lint", "part-missing", part=part) for part in ("rule", "clause", "words") if not table.get(part)
    )
    words = str(table.get("words", ""))
    params = {key: value for key, value in table.items() if key not in CONDITION and key != "origin"}
    field_names = {name.partition("!")[0].partition(":")[0] for _, name, _, _ in _fields(words) if name}
    known_parts = {**dict.fromkeys((*field_names, *below), "term"), **CONDITION}
    own_parts = {key: value for key, value in table.items() if key != "origin"}
    yield from (misfit.says for misfit in find_misfits(own_parts, known_parts))
    yield from _sayable(words, params)


def _fields(words: str) -> list[tuple[str, str | None, str | None, str | None]]:
    try:
        return list(Formatter().parse(words))
    except ValueError:
        return []


def _sayable(words: str, params: TomlTable) -> Iterator[str]:
    try:
        words.format(**params)
    except (KeyError, IndexError, ValueError) as problem:
        yield say("lint", "term-missing", term=str(problem))


def _editions(library: Library, game: Game) -> Iterator[str]:
    files_by_edition: dict[tuple[str, int], str] = {}
    for file in sorted((game.folder / "lists").glob("*.toml")):
        place = f"{game.key}/lists/{file.name}"
        try:
            edition = Edition.from_mapping(game.key, library.read_table(file))
        except ValueError as problem:
            yield f"{place}: {problem}"
            continue
        misfits = describe_misfits(reason("the-edition"), find_misfits(library.read_table(file), EDITION))
        yield from (f"{place}: {problem}" for problem in misfits)
        if (edition.kind, edition.number) in files_by_edition:
            other = files_by_edition[edition.kind, edition.number]
            yield say("lint", "number-taken", place=place, number=edition.number, file=other)
        files_by_edition[edition.kind, edition.number] = file.name
        unknown = [number for number in edition.versions if game.version(number) is None]
        yield from (say("lint", "no-version", place=place, version=number) for number in unknown)
        yield from (f"{place}: {problem}" for problem in lint_edition(edition, game))


def lint_edition(edition: Edition, game: Game | None = None) -> list[str]:
    """Return what is wrong with a list in itself (see `lint_list`).

    Each problem is a sentence with its fix.
    """
    return [problem.message for problem in lint_list(edition, game)]


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
