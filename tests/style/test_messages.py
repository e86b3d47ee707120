"""Codes and messages of refusals, log lines, findings and reasons.

Every code has a message, and every message is used.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from rules import rendering
from rules.lint_messages import find_calls
from rules.reason import TOLD
from rules.rendering import get_messages
from tests.style.sources import CLONE, PACKAGES, find_nodes, list_modules, name_file, parse_module, read_text
from tournament.engine.standings.systems.loading import system_names

# Functions that are called with a code, and the sections in which its message can be.
SECTIONS = {
    "Refused": ("refusal",),
    "Conflict": ("refusal",),
    "JobFailed": ("refusal",),
    "JobDelayed": ("refusal",),
    "find_fault": ("edition",),
    "log": ("log",),
    "reason": ("reason", "place", "problem"),
    "problem": ("problem",),
    "make_error": ("problem",),
    "name_formula": ("reason",),
}
# Functions that take only a code and parameters.
REFUSALS = frozenset({"Refused", "Conflict", "JobFailed", "JobDelayed"})
# Arguments that are not parameters of the message.
OPTIONS = {"Refused": {"field"}, "Conflict": {"field"}, "log": {"reason"}}
# Functions that add parameters of their own.
ADDING = frozenset({"name_formula"})


class CodeUse(NamedTuple):
    """One place that names a code, with its parameters.

    The parameters are None if they are not all written out.
    """

    place: str
    sections: tuple[str, ...]
    code: str
    params: frozenset[str] | None


@cache
def all_calls() -> tuple[CodeUse, ...]:
    """Return every call with a literal code, in all packages."""
    return tuple(_iter_calls())


def _iter_calls() -> Iterator[CodeUse]:
    for file in list_modules("rules"):
        for call in find_calls(parse_module(file)):
            yield CodeUse(f"{name_file(file)}:{call.line}", (call.section,), call.code, call.params)
    for file in list_modules("decks", "tournament", "config"):
        for node in find_nodes(file, ast.Call):
            yield from _calls(node, f"{name_file(file)}:{node.lineno}")


def _calls(node: ast.Call, place: str) -> Iterator[CodeUse]:
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    if name not in SECTIONS or not node.args:
        return
    if name == "log" and not (isinstance(node.func, ast.Attribute) and _is_recorder(node.func.value)):
        return
    keywords = {keyword.arg for keyword in node.keywords}
    if TOLD in keywords:
        return
    is_complete = None not in keywords and name not in ADDING
    params = frozenset(keywords - OPTIONS.get(name, set())) if is_complete else None
    for code in filter(None, _literals(node.args[0])):
        yield CodeUse(place, SECTIONS[name], code, params)


def _is_recorder(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "recorder"


def _literals(node: ast.expr) -> Iterator[str]:
    """Yield the codes that an argument can be.

    The argument is a literal, or either side of a condition.
    """
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from _literals(node.body)
        yield from _literals(node.orelse)


def test_every_code_has_a_message_with_its_parameters():
    assert {call.place: faults for call in all_calls() if (faults := find_faults(call))} == {}


def find_faults(call: CodeUse) -> list[str]:
    """Return what the messages of a code lack."""
    code_messages = {section: get_messages().find(section, call.code) for section in call.sections}
    messages = {section: message for section, message in code_messages.items() if message}
    if not messages:
        return [f"{call.sections[0]}.{call.code} has no message"]
    return [
        f"{section}.{call.code} lacks {message.parameters - call.params}"
        for section, message in messages.items()
        if call.params is not None and not message.parameters <= call.params | IMPLIED.get(section, set())
    ]


def test_no_refusal_is_given_a_sentence():
    texts = [
        f"{name_file(file)}:{node.lineno}"
        for file in list_modules(*PACKAGES)
        for node in find_nodes(file, ast.Call)
        if getattr(node.func, "id", "") in REFUSALS
        and (len(node.args) > 1 or any(keyword.arg == "fix" for keyword in node.keywords))
    ]
    assert texts == []


# Parameters that the section's renderer adds itself.
IMPLIED: dict[str, set[str]] = {"log": {"actor"}}


def test_every_message_can_be_read():
    """Check that every shipped message can be parsed.

    Messages are parsed when they are first shown, so that a program starts sooner.
    """
    messages = [message for entries in get_messages().sections.values() for message in entries.values()]
    assert [message.source_text for message in messages if not message.text] == []
    assert [message.source_fix for message in messages if message.source_fix and not message.fix] == []


def test_no_message_is_left_over(monkeypatch):
    # Games that other tests have registered do not count.
    monkeypatch.setattr(rendering, "_folders", {})
    used_names = defaultdict(set)
    used_names["reason"] = {
        f"{kind}.{name}" for kind in ("system", "system_source") for name in system_names()
    }
    for call in all_calls():
        for section in call.sections:
            used_names[section].add(call.code)
    source = "\n".join(map(read_text, list_modules(*PACKAGES)))
    left_over = [
        f"{section}.{code}"
        for section, entries in get_messages().sections.items()
        if section != "words"
        for code in entries
        if code not in used_names[section] and not _is_named(code, source)
    ]
    assert left_over == []


def _is_named(code: str, source: str) -> bool:
    """Return whether the code, or the variant of its words, occurs in the source."""
    return f'"{code}"' in source or ("." in code and f'"{code.partition(".")[2]}"' in source)


def test_messages_are_collected_in_one_place():
    collectors = [name_file(file) for file in list_modules(*PACKAGES) if "Messages.load(" in read_text(file)]
    # The lint reads the shared messages, to compare a game with them.
    assert sorted(collectors) == ["rules/lint.py", "rules/rendering.py"]


def test_every_folder_of_messages_is_found():
    sections = get_messages().sections
    lacking = [
        f"{name_file(file)}: {section}.{code}"
        for package in PACKAGES
        for file in (CLONE / package).rglob("messages/en.toml")
        for section, entries in tomllib.loads(file.read_text(encoding="utf-8")).items()
        for code in entries
        if code not in sections[section]
    ]
    assert lacking == []


# “Round 3 5 minutes” is read as one number.
NUMBER_BESIDE_COUNT = re.compile(r"\{(?:line|number|place|round|seat|stage|table)\} \{\w+, plural")


def test_no_number_of_a_thing_stands_beside_a_count():
    """Other languages may have another order of words than English."""
    files = [file for package in PACKAGES for file in (CLONE / package).rglob("messages/*.toml")]
    faults = [name_file(file) for file in files if NUMBER_BESIDE_COUNT.search(read_text(file))]
    assert faults == []
