"""Tests whose result could differ on PostgreSQL.

They have the mark that makes PostgreSQL run them too.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.style.sources import CLONE, list_modules, name_file, read_text, walk

TESTS = CLONE / "tests"
MARKS = ("both_databases", "daily_on_postgres", "postgres")
# The text says why one answer is enough.
EXCUSE = "one_database"
DATABASE = re.compile(r"django_db|transactional_db|[(,] ?db[:,)]|TestCase|\blive: Live\b")
# Parts of a test that the database could decide: contested rows, and SQL that Django does not write.
SIGNS = {
    "transactions of its own": re.compile(r"transaction=True|transactional_db"),
    "threads or processes": re.compile(r"\bthreading\.(Thread|Barrier)|ThreadPoolExecutor|multiprocessing"),
    "SQL of its own": re.compile(r"connections?(\[\w+\])?\.cursor\(|\.raw\(|RawSQL|RunSQL"),
    "locks": re.compile(r"select_for_update|pg_advisory|LOCK TABLE"),
    "errors of a database": re.compile(r"\b(IntegrityError|DataError|ProgrammingError)\b"),
    "migrations": re.compile(r"MigrationExecutor|call_command\(\s*\"migrate\""),
    "real workers": re.compile(r"\bstart_worker\b"),
}
# Parts of the program that a database may decide: rooms with such code have tests that PostgreSQL runs.
DECISIVE = re.compile(
    r"select_for_update|\.cursor\(|RawSQL|bulk_(create|update)|save_fields|ignore_conflicts|\.aggregate\(|\.annotate\("
    r"|IntegrityError|Collate\(|OuterRef|Window\("
)


# SQLite compares only ASCII letters without their case; `holds_name` compares all letters on both.
LETTER_CASE = re.compile(r"__i(contains|exact|startswith|endswith|regex)\b")
# Addresses, whose names of mailboxes are ASCII.
EMAIL_MODULES = {
    "decks/management/commands/editors.py",
    "tournament/registration/services/contact.py",
    "tournament/registration/services/validation.py",
}
# The type of a character, a word of a closed set.
TYPE_MODULES = {"tournament/events/selectors.py"}


def modules_of_tests() -> list[Path]:
    """Return every module of tests but this one.

    This module contains all that it looks for.
    """
    files = list_modules("tests")
    return [file for file in files if file.name.startswith("test_") and file != Path(__file__)]


def marks_of(text: str) -> set[str]:
    """Return the marks of pytest that a module names."""
    return set(re.findall(r"pytest\.mark\.(\w+)", text))


def signs_of(text: str) -> list[str]:
    """Return the signs in a module that the database could decide a result."""
    if not DATABASE.search(text) or not any(pattern.search(text) for pattern in SIGNS.values()):
        return []
    code = without_docstrings(text)
    if not DATABASE.search(code):
        return []
    return [name for name, pattern in SIGNS.items() if pattern.search(code)]


def without_docstrings(text: str) -> str:
    """Return the code of a module without its docstrings and comments."""
    tree = ast.parse(text)
    for node in walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            node.value.value = None
    return ast.unparse(tree)


def lacks_mark(text: str) -> list[str]:
    """Return the signs of a module that has neither a mark nor an excuse.

    A browser shows what others test.
    """
    marks = marks_of(text)
    return [] if marks & {*MARKS, EXCUSE, "browser"} else signs_of(text)


def test_each_module_that_a_database_could_decide_is_marked() -> None:
    signs_by_text = {
        name_file(file): signs for file in modules_of_tests() if (signs := lacks_mark(read_text(file)))
    }
    assert signs_by_text == {}


def test_each_excuse_is_needed_and_says_why() -> None:
    needless = [
        name_file(file)
        for file in modules_of_tests()
        if EXCUSE in (marks := marks_of(text := read_text(file)))
        # A test may be excused from the mark of its module.
        and not (signs_of(text) or marks & {*MARKS})
    ]
    bare = [
        name_file(file)
        for file in modules_of_tests()
        if re.search(rf"mark\.{EXCUSE}(?!\(\s*\")", read_text(file))
    ]
    assert (needless, bare) == ([], [])


def rooms() -> Iterator[tuple[str, list[str]]]:
    """Yield each room of the program with its files that depend on a database.

    In these files a database decides something.
    """
    for app in ("decks", "tournament"):
        for room in sorted(path for path in (CLONE / app).iterdir() if path.is_dir()):
            files = [
                name_file(file)
                for file in sorted(room.rglob("*.py"))
                if "migrations" not in file.parts and DECISIVE.search(read_text(file))
            ]
            if files:
                yield f"{app}/{room.name}", files


@pytest.mark.parametrize(("room", "files"), [pytest.param(*each, id=each[0]) for each in rooms()])
def test_room_in_which_a_database_decides_has_tests_on_both(room: str, files: list[str]) -> None:
    module = re.compile(rf"from {room.replace('/', '.')}[. ]")
    tests = [
        read_text(file)
        for file in modules_of_tests()
        if file.is_relative_to(TESTS / room) or room.endswith("shared")
    ] or [text for file in modules_of_tests() if module.search(text := read_text(file))]
    assert any(marks_of(text) & {*MARKS} for text in tests), files


def test_no_database_compares_letters_of_names_without_their_case() -> None:
    modules = {
        name_file(file)
        for file in list_modules("decks", "tournament")
        if "migrations" not in file.parts and LETTER_CASE.search(read_text(file))
    }
    assert modules == EMAIL_MODULES | TYPE_MODULES


@pytest.mark.parametrize(
    ("source", "signs"),
    [
        ("pytest.mark.django_db(transaction=True)", ["transactions of its own"]),
        ("def test(transactional_db): ...", ["transactions of its own"]),
        ("def test(db): threading.Thread(target=run).start()", ["threads or processes"]),
        ("def test(db):\n    with connection.cursor() as cursor: ...", ["SQL of its own"]),
        ("def test(db): Card.objects.select_for_update().get()", ["locks"]),
        ("def test(db):\n    with pytest.raises(IntegrityError): ...", ["errors of a database"]),
        ("def test(db): MigrationExecutor(connection)", ["migrations"]),
        ("def test(db, start_worker): start_worker()", ["real workers"]),
        ("def test(db): assert Card.objects.count() == 0", []),
        ("def test(): threading.Thread(target=run).start()", []),
        ('def test(db):\n    """Nothing of transaction=True."""', []),
    ],
)
def test_signs_of_a_module_are_seen(source: str, signs: list[str]) -> None:
    assert signs_of(source) == signs


@pytest.mark.parametrize("mark", ["both_databases", "daily_on_postgres", "postgres", 'one_database("why")'])
def test_module_with_a_mark_or_an_excuse_is_left_alone(mark: str) -> None:
    assert lacks_mark(f"pytestmark = [pytest.mark.{mark}, pytest.mark.django_db(transaction=True)]") == []
