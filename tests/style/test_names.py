"""Names and docstrings of the code: a name says what it holds, and a docstring says what a function does."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Collection, Iterator
from pathlib import Path

import pytest

from tests.style.scripts import read_scripts
from tests.style.sources import (
    CLONE,
    PACKAGES,
    find_nodes,
    list_modules,
    list_nodes,
    name_file,
    parse_module,
    read_text,
    walk,
)

MOST_LINES = 40
CODE = (*PACKAGES, "bin", "benchmarks", "tests")

# A participle alone says what happened to a value, not which value it is.
BARE_PARTICIPLES = frozenset(
    {"added", "answered", "asked", "broken", "called", "caught", "changed", "checked", "chosen"}
    | {"compared", "counted", "drawn", "entered", "filled", "found", "given", "gone", "happened", "heard"}
    | {"held", "joined", "kept", "laid", "listed", "loaded", "made", "marked", "meant", "mended", "met"}
    | {"moved", "named", "offered", "opened", "parsed", "picked", "placed", "planted", "played", "printed"}
    | {"read", "refused", "rested", "said", "seated", "seen", "sent", "settled", "shown", "stood", "stored"}
    | {"tagged", "taken", "told", "touched", "typed", "wanted", "written"}
    | {"adjusted", "admitted", "affected", "attached", "bettered", "blocked", "bracketed"}
    | {"cancelled", "capped", "claimed", "cleaned", "coded", "composed", "conceded", "concerned"}
    | {"consoled", "converted", "decoded", "deleted", "denied", "disconnected", "disqualified"}
    | {"doubled", "emphasised", "expired", "fitted", "framed", "granted", "grouped", "implied"}
    | {"indexed", "lettered", "linked", "logged", "lowered", "managed", "measured", "narrowed"}
    | {"normalized", "padded", "piped", "posted", "proved", "realised", "replaced", "replayed"}
    | {"requested", "requeued", "resolved", "restricted", "returned", "revealed", "scaled", "scored"}
    | {"shifted", "shortened", "solved", "stopped", "stuck", "tabbed", "tested", "tied", "titled"}
    | {"traced", "unaccented", "unchanged", "undeclared", "undivided", "unexplained", "unfinished"}
    | {"unforced", "unmarked", "unpacked", "unshared", "untimed", "versioned", "warned", "watched"}
    | {"weighted", "worded", "wrapped", "zoned"}
)
BARE_PARTICIPLES |= frozenset(
    {"accepted", "addressed", "agreed", "altered", "announced", "archived", "banned", "barred"}
    | {"beaten", "begun", "built", "cached", "cited", "confirmed", "copied", "corrected", "decided"}
    | {"declined", "described", "disputed", "dropped", "ended", "expected", "explained", "exported"}
    | {"failed", "finished", "forwarded", "gained", "hashed", "hidden", "judged", "keyed", "lifted"}
    | {"locked", "matched", "merged", "misplaced", "missed", "mixed", "numbered", "ordered", "owned"}
    | {"packed", "promised", "qualified", "quoted", "reached", "rechecked", "recorded", "removed"}
    | {"renamed", "rendered", "repaired", "repeated", "reported", "required", "ruled", "scheduled"}
    | {"seeded", "shared", "skipped", "sleeved", "started", "submitted", "suggested", "swapped"}
    | {"ticked", "translated", "tried", "unnamed", "unpaired", "unplayed", "unwished"}
    | {"accelerated", "folded", "identified", "issued", "located", "paid", "planned", "published", "raised"}
    | {"ranked", "related", "reserved", "shipped", "spent", "stated", "timed", "undecided", "used"}
    | {"fallen", "installed", "known", "overtaken", "unseen"}
    | {"applied", "assigned", "bounded", "brought", "closed", "collected", "coming", "computed", "derived"}
    | {"escaped", "extended", "fetched", "filtered", "formatted", "fought", "gathered", "grown", "holding"}
    | {"ignored", "imported", "included", "invited", "leaving", "living", "needed", "noted"}
    | {"patched", "paused", "playing", "proposed", "received", "recognized", "rejected", "released"}
    | {"restored", "running", "saved", "selected", "served", "shuffled", "sitting", "spelled", "turned"}
    | {"undone", "updated", "walked"}
)
# Texts and comments, and then the names that no call and no attribute has: few modules need more than that.
UNBOUND = re.compile(r"\"\"\"[\s\S]*?\"\"\"|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|#.*")
PARTICIPLE = re.compile(rf"(?<![\w.])_*(?:{'|'.join(sorted(BARE_PARTICIPLES))})_*(?![\w(])")
# Findings are stored and published with this key.
FIXED_NAMES = frozenset({("rules/rule.py", "found")})

QUESTION_WORDS = frozenset(
    {"How", "That", "What", "Whatever", "When", "Where", "Whether", "Which", "Whichever"}
    | {"Who", "Whoever", "Whom", "Whose", "Why"}
)

QUESTION = re.compile(rf"\"(?:\"\")?\s*(?:{'|'.join(sorted(QUESTION_WORDS))})\b")

# Django, argparse and migrations look for classes with these names.
FORCED_CLASSES = frozenset({"Command", "Meta", "Migration"})
# The engine knows no database, and calls its own records as the models are called.
ENGINE_RECORDS = frozenset({"Event", "Match", "Player"})


def list_bindings(nodes: Collection[ast.AST]) -> Iterator[tuple[str, int]]:
    """Yield each name that code binds to a value, with its line; a field is read with its record."""
    fields = {
        target
        for node in nodes
        if isinstance(node, ast.ClassDef)
        for line in node.body
        for target in [*getattr(line, "targets", []), getattr(line, "target", None)]
    }
    for node in nodes:
        if node in fields:
            continue
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id, node.lineno
        elif isinstance(node, ast.arg):
            yield node.arg, node.lineno
        elif isinstance(node, ast.MatchAs | ast.MatchStar | ast.ExceptHandler) and node.name:
            yield node.name, node.lineno


def list_functions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Yield the functions whose docstring is an instruction: neither properties, fixtures nor tests."""
    for node in find_nodes(path, ast.FunctionDef, ast.AsyncFunctionDef):
        if node.name.startswith("test_"):
            continue
        decorators = " ".join(ast.unparse(each) for each in node.decorator_list)
        if "property" not in decorators and "fixture" not in decorators:
            yield node


def test_no_name_is_a_bare_participle():
    bare_names = [
        f"{name_file(path)}:{line} {name}"
        for path in list_modules(*CODE)
        if PARTICIPLE.search(UNBOUND.sub("", read_text(path)))
        for name, line in list_bindings(list_nodes(path))
        if name.strip("_") in BARE_PARTICIPLES and (name_file(path), name) not in FIXED_NAMES
    ]
    assert bare_names == []


# A role says who it is: "organizer", "player", "another_account".
PRONOUNS = frozenset({"he", "her", "hers", "herself", "him", "himself", "his", "she"})
PRONOUNS |= {"anybody", "everybody", "nobody", "nobodys", "somebody", "whoever"}


def test_no_test_name_has_a_pronoun_instead_of_a_role():
    names = [
        f"{name_file(path)}:{node.lineno} {node.name}"
        for path in list_modules("tests")
        for node in find_nodes(path, ast.FunctionDef)
        if not PRONOUNS.isdisjoint(node.name.split("_"))
    ]
    assert names == []


PHRASE = re.compile(r"{% blocktranslate.*?{% endblocktranslate %}", re.DOTALL)
TEMPLATE_TAG = re.compile(r"{[{%].*?[}%]}", re.DOTALL)
QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'")
TEMPLATE_NAME = re.compile(r"(?<![.\w|-])(\w+)(?![\w-])")


def list_template_names(source: str) -> list[str]:
    """Return the names in the tags of a template; those inside a translated sentence belong to it."""
    tags = (QUOTED.sub("", tag) for tag in TEMPLATE_TAG.findall(PHRASE.sub("", source)))
    return [name for tag in tags for name in TEMPLATE_NAME.findall(tag)]


def test_no_name_in_a_script_is_a_bare_participle():
    bare_names = [
        f"{Path(file).name} {name}"
        for file, script in read_scripts().items()
        for name in script["values"]
        if name in BARE_PARTICIPLES
    ]
    assert bare_names == []


def test_no_name_in_a_template_is_a_bare_participle():
    paths = sorted(path for path in (CLONE / "templates").rglob("*") if path.suffix in {".html", ".txt"})
    bare_names = [
        f"{name_file(path)} {name}"
        for path in paths
        for name in list_template_names(read_text(path))
        if name in BARE_PARTICIPLES
    ]
    assert bare_names == []


def test_no_docstring_of_a_function_begins_like_a_question():
    questions = [
        f"{name_file(path)}:{function.lineno} {function.name}"
        for path in list_modules(*CODE)
        if QUESTION.search(read_text(path))
        for function in list_functions(path)
        if (ast.get_docstring(function) or "-").split(maxsplit=1)[0] in QUESTION_WORDS
    ]
    assert questions == []


def test_class_names_differ_between_modules():
    files_by_class = defaultdict(set)
    for path in list_modules(*CODE):
        for node in parse_module(path).body:
            if isinstance(node, ast.ClassDef):
                files_by_class[node.name].add(name_file(path))
    allowed_classes = FORCED_CLASSES | ENGINE_RECORDS
    assert {n: f for n, f in files_by_class.items() if len(f) > 1 and n not in allowed_classes} == {}


def test_no_function_has_more_than_40_lines():
    long_functions = [
        (name_file(path), node.name)
        for path in list_modules(*PACKAGES)
        for node in find_nodes(path, ast.FunctionDef, ast.AsyncFunctionDef)
        if (node.end_lineno or 0) - node.lineno >= MOST_LINES
    ]
    assert long_functions == []


@pytest.mark.parametrize(
    "source", ["found = 1", "for kept in []: pass", "def read(told): pass", "if (said := 1): pass"]
)
def test_bare_participle_in_any_binding_is_listed(source):
    assert {name for name, _ in list_bindings(walk(ast.parse(source)))} & BARE_PARTICIPLES


@pytest.mark.parametrize("source", ["{{ told.why }}", "{% for kept in rows %}", "{% if not seen %}"])
def test_bare_participle_in_a_template_is_listed(source):
    assert set(list_template_names(source)) & BARE_PARTICIPLES


def test_files_of_fixed_names_exist():
    assert [file for file, _ in FIXED_NAMES if not Path(CLONE / file).is_file()] == []
