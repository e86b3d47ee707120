"""Names and docstrings of the code.

A name says what it holds, and a docstring says what a function does.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
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
    | {"braced", "carried", "closing", "combined", "commented", "computing", "concerned", "contradicted"}
    | {"covered", "credited", "decomposed", "elapsed", "eliminated", "emphasized", "flattened", "forfeited"}
    | {"guarded", "hinted", "malformed", "misspelled", "missing", "negated", "opened", "prepared"}
    | {"prevented", "reduced", "remaining", "remembered", "reseeded", "restated", "searched", "sharpened"}
    | {"sorted", "spaced"}
    | {"squared", "swapping", "telling", "unchecked", "unclaimed", "uncounted", "unquoted", "unresolved"}
    | {"untyped", "upcoming", "weighed"}
)
# Texts and comments, and then the names that no call and no attribute has: few modules need more than that.
UNBOUND = re.compile(r"\"\"\"[\s\S]*?\"\"\"|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|#.*")
PARTICIPLE = re.compile(rf"(?<![\w.])_*(?:{'|'.join(sorted(BARE_PARTICIPLES))})_*(?![\w(])")
# What can be a field, an attribute or a function of that name.
DECLARED_PARTICIPLE = re.compile(rf"(?m)(?:^ +|def |self\.)_*(?:{'|'.join(sorted(BARE_PARTICIPLES))})\b")
# Names that other programs know: keys of the API, of stored rows, archives and forms, and of a game's files.
FIXED_NAMES: Mapping[str, set[str]] = {
    "decks/catalogue/importing/preview.py": {"changed", "removed", "stored"},
    "decks/checking/api_shapes.py": {"found", "wanted"},
    "decks/checking/records.py": {"found", "wanted"},
    "decks/checking/result.py": {"changed", "gone"},
    "decks/editions/domain/content.py": {"changed", "gone"},
    "decks/rechecks/api.py": {"found"},
    "decks/rechecks/consequences.py": {"broken", "gone", "mended", "shown"},
    "decks/rechecks/selectors.py": {"failed", "mended"},
    "rules/finding.py": {"found"},
    "rules/registration.py": {"asked", "required"},
    "rules/rule.py": {"found"},
    "tests/style/contracts.py": {"shared"},
    "tournament/access/models.py": {"used"},
    "tournament/amendments/api.py": {"unpaired"},
    "tournament/amendments/forms.py": {"unpaired"},
    "tournament/amendments/services/changes.py": {"unpaired"},
    "tournament/archive/column_values.py": {"found", "proved", "unwished", "wanted"},
    "tournament/brackets/api.py": {"seen"},
    "tournament/clock/models.py": {"drawn"},
    "tournament/decklists/models.py": {"rechecked"},
    "tournament/engine/event_options.py": {"accelerated", "declined", "disqualified"},
    "tournament/judging/api_shapes.py": {"seen"},
    "tournament/judging/forms.py": {"seen"},
    "tournament/log/changes.py": {"deleted"},
    "tournament/my_page/board_forms.py": {"seen"},
    "tournament/my_page/forms.py": {"seen"},
    "tournament/pairing/api.py": {"seen"},
    "tournament/pairing/options.py": {"accelerated"},
    "tournament/registration/api.py": {"dropped", "missed"},
    "tournament/registration/api_shapes.py": {"written"},
    "tournament/registration/form_fields.py": {"required"},
    "tournament/results/api.py": {"running"},
    "tournament/setup/forms/rules.py": {"accelerated"},
    "tournament/setup/forms/stages.py": {"seen"},
    "tournament/standings/selectors/standings.py": {"shown"},
}
# Methods that a library calls, words of a template that follow a bar, and "read", which is a verb as well.
FIXED_FUNCTIONS = frozenset({"cited", "closed", "listed", "read", "translated"})

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
    """Yield each name that code binds to a value, with its line.

    A field is read with its record.
    """
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


def list_declarations(path: Path) -> Iterator[tuple[str, int]]:
    """Yield each field, attribute and function that a module declares, with its line."""
    for node in find_nodes(path, ast.ClassDef):
        for line in node.body:
            for target in [*getattr(line, "targets", []), getattr(line, "target", None)]:
                if isinstance(target, ast.Name):
                    yield target.id, target.lineno
    for function in find_nodes(path, ast.FunctionDef, ast.AsyncFunctionDef):
        if function.name.strip("_") not in FIXED_FUNCTIONS:
            yield function.name, function.lineno
    for attribute in find_nodes(path, ast.Attribute):
        owner = attribute.value
        if isinstance(attribute.ctx, ast.Store) and isinstance(owner, ast.Name) and owner.id == "self":
            yield attribute.attr, attribute.lineno


def list_functions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Yield the functions whose docstring is an instruction.

    They are neither properties, fixtures nor tests.
    """
    for node in find_nodes(path, ast.FunctionDef, ast.AsyncFunctionDef):
        if node.name.startswith("test_"):
            continue
        decorators = " ".join(ast.unparse(each) for each in node.decorator_list)
        if "property" not in decorators and "fixture" not in decorators:
            yield node


def list_bare_names(path: Path, names: Iterable[tuple[str, int]]) -> list[str]:
    """Return the names of a module that are participles and not fixed."""
    file = name_file(path)
    fixed = FIXED_NAMES.get(file, set())
    return [
        f"{file}:{line} {name}"
        for name, line in names
        if name.strip("_") in BARE_PARTICIPLES and name.strip("_") not in fixed
    ]


def test_no_name_is_a_bare_participle():
    bare_names = [
        name
        for path in list_modules(*CODE)
        if PARTICIPLE.search(UNBOUND.sub("", read_text(path)))
        for name in list_bare_names(path, list_bindings(list_nodes(path)))
    ]
    assert bare_names == []


def test_no_field_or_function_is_a_bare_participle():
    bare_names = [
        name
        for path in list_modules(*CODE)
        if DECLARED_PARTICIPLE.search(read_text(path))
        for name in list_bare_names(path, list_declarations(path))
    ]
    assert bare_names == []


def test_each_fixed_name_is_still_there():
    unused_names = [
        (file, name)
        for file, names in FIXED_NAMES.items()
        for name in names
        - {each for each, _ in (*list_bindings(list_nodes(CLONE / file)), *list_declarations(CLONE / file))}
    ]
    assert unused_names == []


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
    """Return the names in the tags of a template.

    Names inside a translated sentence belong to the sentence.
    """
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
