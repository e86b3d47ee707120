"""The documentation of the engine shows what it does."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest

from tests.everyday import each_case, each_nth
from tournament.engine.__main__ import main
from tournament.engine.event_file import EVENT_KEYS, MATCH_KEYS, PLAYER_KEYS
from tournament.engine.event_options import OPTION_KEYS
from tournament.engine.pods.event_file import POD_KEYS
from tournament.engine.standings.systems import system_names

ROOT = Path(__file__).parents[3]
TUTORIAL = ROOT / "docs/tutorial/use-the-engine.md"
REFERENCE = ROOT / "docs/reference/event-file.md"
SCHEMA = json.loads((ROOT / "docs/reference/event.schema.json").read_text())


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", page.read_text(), flags=re.MULTILINE | re.DOTALL)


def test_the_examples_in_python_hold() -> None:
    namespace: dict[str, object] = {}
    for example in blocks(TUTORIAL, "python"):
        exec(example, namespace)
    assert "final" in namespace


def test_the_commands_of_the_tutorial_answer() -> None:
    [event] = blocks(TUTORIAL, "json")
    [commands] = blocks(TUTORIAL, "console")
    for line in commands.splitlines():
        arguments = line.removeprefix("$ python -m tournament.engine ").removesuffix(" < event.json").split()
        out, err = io.StringIO(), io.StringIO()
        assert (main(arguments, io.StringIO(event), out, err), err.getvalue()) == (0, "")
        assert "notices" not in json.loads(out.getvalue())


def test_every_example_of_the_reference_can_be_paired_and_ranked() -> None:
    for example in blocks(REFERENCE, "json"):
        for arguments in (["standings"], ["pair", "--seed", "1"]):
            out, err = io.StringIO(), io.StringIO()
            assert (main(arguments, io.StringIO(example), out, err), err.getvalue()) == (0, "")
            assert "notices" not in json.loads(out.getvalue())


@each_case("match", [{"players": []}, {"players": [1], "p1": 1}, {"players": [1, 2, 3], "places": [0, 1, 2]}])
def test_the_schema_refuses_tables_that_cannot_be(match: dict[str, object]) -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"players": [{"id": 1}], "rounds": [[match]]}, SCHEMA)


def test_the_schema_describes_the_examples() -> None:
    for page in (TUTORIAL, REFERENCE):
        for example in blocks(page, "json"):
            jsonschema.validate(json.loads(example), SCHEMA)


def test_the_schema_has_every_key_that_is_read_and_no_other() -> None:
    parts = SCHEMA["properties"]
    assert set(parts) == EVENT_KEYS
    assert set(parts["players"]["items"]["properties"]) == PLAYER_KEYS
    assert set(SCHEMA["$defs"]["match"]["properties"]) == MATCH_KEYS
    assert set(SCHEMA["$defs"]["pod"]["properties"]) == POD_KEYS
    assert set(parts["options"]["properties"]) == OPTION_KEYS
    assert tuple(parts["options"]["properties"]["system"]["enum"]) == system_names()


def test_the_reference_names_every_key() -> None:
    text = REFERENCE.read_text()
    keys = EVENT_KEYS | PLAYER_KEYS | MATCH_KEYS | POD_KEYS | OPTION_KEYS
    assert [key for key in sorted(keys) if f"`{key}`" not in text and f'"{key}"' not in text] == []


@each_case("command", each_nth(4, ["standings", "pair", "cut", "outlook", "repair", "bracket"]))
def test_the_engine_runs_without_django(command: str) -> None:
    [event] = blocks(TUTORIAL, "json")
    more = {"cut": ["--size", "2"], "outlook": ["--size", "2"], "bracket": ["--kind", "single"]}
    program = (
        "import runpy, sys; sys.modules['django'] = None;"
        "sys.argv[1:] = sys.argv[1:]; runpy.run_module('tournament.engine', run_name='__main__')"
    )
    ran = subprocess.run(
        [sys.executable, "-S", "-c", program, command, *more.get(command, [])],
        input=event.encode(),
        capture_output=True,
        cwd=ROOT,
        check=False,
    )
    assert (ran.returncode, ran.stderr) == (0, b"")


@each_case(
    ("arguments", "unneeded"),
    [
        (["--help"], {"tournament.engine.problems", "dataclasses"}),
        (
            ["bracket", "--kind", "single", "--entrants", "8"],
            {"tournament.engine.event_file", "tournament.engine.standings", "rules.rendering", "fractions"},
        ),
        (
            ["pair", "--seed", "1"],
            {
                "rules.rendering",
                "tournament.engine.assignment",
                "tournament.engine.exits",
                "tournament.engine.pairing.lookahead",
                "tournament.engine.pairing.matching",
                "tournament.engine.pairing.mixing",
                "tournament.engine.pairing.repair",
                "tournament.engine.pods.event_file",
                "tournament.engine.pods.sides",
                "tournament.engine.standings.crosstable",
                "tournament.engine.standings.standing",
                "tournament.engine.standings.tiebreakers.base",
                "tournament.engine.table_draws",
                "difflib",
                "pathlib",
                "string",
            },
        ),
    ],
)
def test_a_command_loads_what_it_needs(arguments: list[str], unneeded: set[str]) -> None:
    program = (
        "import os, runpy, sys\n"
        "os._exit = sys.exit\n"
        "try: runpy.run_module('tournament.engine', run_name='__main__', alter_sys=True)\n"
        "except SystemExit: print(*sys.modules, file=sys.stderr)"
    )
    ran = subprocess.run(
        [sys.executable, "-S", "-c", program, *arguments],
        input=b'{"players": [{"id": 1}, {"id": 2}, {"id": 3}]}',
        capture_output=True,
        cwd=ROOT,
        check=False,
    )
    modules = set(ran.stderr.decode().split())
    assert ("tournament.engine" in modules, unneeded & modules, ran.returncode) == (True, set(), 0)


def test_pairing_makes_few_dataclasses_since_each_takes_a_millisecond() -> None:
    program = (
        "import dataclasses, os, runpy, sys\n"
        "made, process, os._exit = [], dataclasses._process_class, sys.exit\n"
        "dataclasses._process_class = lambda cls, *rest: made.append(cls.__name__) or process(cls, *rest)\n"
        "sys.argv[1:] = ['pair', '--seed', '1']\n"
        "try: runpy.run_module('tournament.engine', run_name='__main__', alter_sys=True)\n"
        "except SystemExit: print(*made, file=sys.stderr)"
    )
    ran = subprocess.run(
        [sys.executable, "-S", "-c", program],
        input=b'{"players": [{"id": 1}, {"id": 2}, {"id": 3}]}',
        capture_output=True,
        cwd=ROOT,
        check=False,
    )
    assert ran.stderr.decode().split() == ["Reference", "Reason", "System"]
