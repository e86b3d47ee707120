"""A check that the codes of a folder's modules and the messages agree.

Every code has a message with its parameters, and no message is left over.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from rules.rendering import say
from rules.wording import SOURCE_LANGUAGE, BadMessage, Messages

FILE = f"messages/{SOURCE_LANGUAGE}.toml"

# Functions that are called with a code, and the section of its message.
SECTIONS: Mapping[str, str] = {
    "fault": "finding", "warning": "finding", "note": "finding", "unknown": "finding",
    "build_fix": "fix", "set_option": "fix", "step": "fix", "then": "fix",
    "demand": "explain", "reason": "reason", "problem": "problem",
    "ask": "timed", "ask_both_players": "timed", "settled": "timed", "_ours": "timed", "BadFact": "timed",
    "decide": "cut", "local_rule": "format",
    "find_fault": "edition", "BadCut": "problem", "UnknownCheck": "problem",
    "Problem": "problem",
    "UnknownFormat": "problem", "BadData": "problem", "BadEdition": "problem", "InvalidCase": "problem",
    "UnreadableCaseFile": "problem",
}  # fmt: skip

# The sections that a game may have; those of facts and questions are found by key.
SECTION_NAMES = frozenset({*SECTIONS.values(), "fact"})

# Arguments that are not parameters of the message.
OPTIONS: Mapping[str, frozenset[str]] = {
    "fault": frozenset({"code", "entries", "fix", "overlay", "source"}),
    "warning": frozenset({"entries", "source"}),
    "note": frozenset({"entries", "row", "source"}),
    "unknown": frozenset({"code", "entries", "facts", "source"}),
    "ask": frozenset({"key", "later", "unless_no"}),
    "settled": frozenset({"next_step", "is_ours"}),
}

NO_CODES: Mapping[tuple[str, str], Collection[str]] = MappingProxyType({})

# Parameters that the function adds itself.
IMPLIED: Mapping[str, frozenset[str]] = {"ask_both_players": frozenset({"player"})}


@dataclass(frozen=True, slots=True)
class Call:
    """A place that names a code, with the parameters given there.

    The parameters are None if they are not all written out.
    """

    line: int
    section: str
    code: str
    params: frozenset[str] | None


def find_calls(tree: ast.AST) -> Iterator[Call]:
    """Yield every call with a literal code."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if name == "say" and len(node.args) > 1 and isinstance(node.args[0], ast.Constant):
            yield from _calls(node, str(node.args[0].value), node.args[1], name)
        elif name in SECTIONS and node.args:
            yield from _calls(node, SECTIONS[name], node.args[0], name)


def _calls(node: ast.Call, section: str, code: ast.expr, function: str) -> Iterator[Call]:
    keywords = {keyword.arg for keyword in node.keywords}
    parameters = keywords - OPTIONS.get(function, frozenset()) | IMPLIED.get(function, frozenset())
    names = frozenset(name for name in parameters if name is not None)
    for literal in _literals(code):
        yield Call(node.lineno, section, literal, None if None in keywords else names)


def _literals(node: ast.expr) -> Iterator[str]:
    """Yield the codes that an argument can be.

    It is a literal, or either side of a condition.
    """
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from _literals(node.body)
        yield from _literals(node.orelse)


def lint_messages(
    folder: Path,
    data: Mapping[str, object],
    shared_messages: Messages,
    extra_params: Mapping[tuple[str, str], Collection[str]] = NO_CODES,
) -> Iterator[str]:
    """Yield what is wrong with the messages of a game.

    `shared_messages` are those that belong to no game. `extra_params` are the codes, with section and
    parameters, of what its data declares.
    """
    try:
        own = Messages.of([(FILE, data)])
    except BadMessage as problem:
        yield f"{problem}."
        return
    strange = sorted(own.sections.keys() - SECTION_NAMES)
    known_sections = tuple(sorted(SECTION_NAMES))
    yield from (
        say("lint", "strange-section", file=FILE, section=name, known=known_sections) for name in strange
    )
    sources = {file: file.read_text(encoding="utf-8") for file in sorted(folder.rglob("*.py"))}
    for file, source in sources.items():
        for call in find_calls(ast.parse(source)):
            for fault in _unfit(call, own, shared_messages):
                yield f"{file.relative_to(folder)}:{call.line}: {fault}"
    for (section, code), params in extra_params.items():
        declaration = Call(0, section, code, frozenset(params))
        yield from (f"game.toml: {fault}" for fault in _unfit(declaration, own, shared_messages))
    yield from _left_over(own, "\n".join([*sources.values(), *(f'"{code}"' for _, code in extra_params)]))
    for section, entries in own.sections.items():
        for code in entries.keys() & shared_messages.sections.get(section, {}).keys():
            yield say("lint", "shared-code", file=FILE, section=section, code=code)


def _unfit(call: Call, own: Messages, shared_messages: Messages) -> Iterator[str]:
    message = own.find(call.section, call.code) or shared_messages.find(call.section, call.code)
    if message is None:
        yield say("lint", "message-missing", code=call.code, section=call.section)
    elif call.params is not None and not message.parameters <= call.params:
        lacking = tuple(sorted(message.parameters - call.params))
        yield say("lint", "parameter-missing", code=call.code, lacking=lacking)


def _left_over(own: Messages, source: str) -> Iterator[str]:
    """Yield messages whose code occurs nowhere in the game's modules."""
    for section, entries in own.sections.items():
        for code in _list_unused(entries, source):
            yield say("lint", "message-left-over", file=FILE, section=section, code=code)


def _list_unused(codes: Iterable[str], source: str) -> Iterator[str]:
    return (code for code in codes if f'"{code}"' not in source)
