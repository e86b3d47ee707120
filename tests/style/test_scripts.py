"""A check of the names in scripts.

No script uses a name that is defined nowhere, such as one that a rename has left behind.
"""

from __future__ import annotations

from pathlib import Path

from tests.style.scripts import read_scripts

# Node knows the names of the language; these are those of a page, and of a worker behind it.
OF_PAGES = frozenset(
    {
        "AudioContext",
        "CSS",
        "DOMParser",
        "DataTransfer",
        "EventSource",
        "FormData",
        "Notification",
        "addEventListener",
        "caches",
    }
    | {"confirm", "document", "getComputedStyle", "history", "indexedDB", "innerHeight", "innerWidth"}
    | {"isSecureContext", "localStorage", "location", "matchMedia", "requestAnimationFrame", "scrollBy"}
    | {"sessionStorage", "window"}
)
OF_WORKERS = frozenset({"clients", "registration", "skipWaiting"})


def list_undefined(folder: Path | None = None) -> list[str]:
    """Return the names that scripts use and nothing defines, with their places."""
    scripts = read_scripts(folder) if folder else read_scripts()
    known_names = OF_PAGES | OF_WORKERS.union(*(script["assigned"] for script in scripts.values()))
    return [
        f"{Path(file).name}:{line} {name}"
        for file, script in scripts.items()
        for name, line in script["undefined"]
        if name not in known_names
    ]


def list_missing_imports(folder: Path | None = None) -> list[str]:
    """Return the names that scripts import and the other script does not export."""
    scripts = read_scripts(folder) if folder else read_scripts()
    return [
        f"{Path(file).name} {name}"
        for file, script in scripts.items()
        for source, name in script["imported"]
        if name not in scripts[str((Path(file).parent / source).resolve())]["exported"]
    ]


def test_scripts_use_no_name_that_is_defined_nowhere():
    assert list_undefined() == []


def test_scripts_import_no_name_that_is_not_exported():
    assert list_missing_imports() == []


def test_name_left_behind_by_a_rename_is_found(tmp_path):
    (tmp_path / "ticks.js").write_text(
        "function send(tick) { return fetch(tick); }\n"
        "for (const { box: [first], ...others } of document.forms) send(first, others);\n"
        "try { send(sent); } catch (error) { throw error; }\n"
        "const show = (row, at = row.at) => { const last = at; return () => last; };\n"
        "show(row);\n"
    )
    assert list_undefined(tmp_path) == ["ticks.js:3 sent", "ticks.js:5 row"]


def test_import_left_behind_by_a_rename_is_found(tmp_path):
    (tmp_path / "rows.js").write_text('import { put, drop as remove } from "./sending.js";\nput(remove);\n')
    (tmp_path / "sending.js").write_text("export const put = () => {};\n")
    assert list_undefined(tmp_path) == []
    assert list_missing_imports(tmp_path) == ["rows.js drop"]


def test_values_are_listed_and_functions_are_not(tmp_path):
    (tmp_path / "rows.js").write_text(
        "function read(kept, { at: [first = 1] }) { const told = kept + at; return told; }\n"
        "const rows = [1].map((row) => row);\n"
    )
    values = next(iter(read_scripts(tmp_path).values()))["values"]
    assert sorted(values) == ["first", "kept", "row", "rows", "told"]
