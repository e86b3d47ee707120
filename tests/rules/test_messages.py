"""Every message of rules and games.

Each reads with any numbers and names, and no sentence is in the code.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import rules
from rules import rendering
from rules.lint_messages import find_calls
from rules.reason import Param, Reason, plain_reason
from rules.rendering import GAMES_DIR, get_messages, register_game, register_messages, render
from rules.wording import BadMessage, Choice, Joined, Pattern, parameters
from tests.everyday import list_faults
from tests.style.sources import parse_module

ROOT = Path(rules.__file__).parent
NAMES = ("Ada Holt", "Юлия Ким", "山田 花子")
NUMBERS = (0, 1, 2, 5)
LANGUAGES = sorted({path.stem for path in ROOT.rglob("messages/*.toml")})
# A sentence: several words after a capital letter, or words and a full stop.
SENTENCE = re.compile(r"^\W*[A-Z]\w* [a-z]+ [a-z]+|[a-z] [a-z]+.*[a-z)]\.$")
# Messages that only a programming error raises.
PROGRAMMING_ERRORS = frozenset({"ValueError", "TypeError", "AttributeError", "BadMessage"})


def values(pattern: Pattern, number: int, name: str) -> dict[str, Param]:
    """Return parameters for a message.

    They are numbers where it counts, lists where it joins, and each word where it chooses.
    """
    params: dict[str, Param] = dict.fromkeys(parameters(pattern), name)
    for part in pattern:
        if isinstance(part, Choice):
            for text in part.texts.values():
                params |= values(text, number, name)
        if isinstance(part, Joined):
            params[part.name] = tuple(f"{name} {place}" for place in range(max(number, 1)))
        elif isinstance(part, Choice) and part.kind != "select":
            params.setdefault(part.name, number)
            if not isinstance(params[part.name], tuple):
                params[part.name] = number
    return params


def choices(pattern: Pattern) -> Iterator[tuple[str, str]]:
    for part in pattern:
        if isinstance(part, Choice):
            for word, text in part.texts.items():
                if part.kind == "select":
                    yield part.name, word
                yield from choices(text)


MESSAGES = [
    (section, code) for section, entries in get_messages().sections.items() for code in sorted(entries)
]


# A match that was played to its end has no words; the blanks of a slip are separate.
SAYS_NOTHING = {("reason", "match_ended"), ("reason", "match_ended.both"), ("reason", "report_ended")}
# An entry that says neither its first day nor its versions.
SAYS_NOTHING |= {("reason", "ban_period")}
STANDS_APART = ("timed", "slip-field")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize("name", NAMES)
def test_every_message_reads_with_any_number_and_name(language, name, number, monkeypatch):
    monkeypatch.setattr(rendering, "_language_source", [lambda: language])
    odd = []
    for section, code in MESSAGES:
        pattern = get_messages().sections[section][code].text
        given_values = values(pattern, number, name)
        for word, choice in (("", ""), *choices(pattern)):
            text = render(section, Reason(code, {**given_values, word: choice} if word else given_values))
            is_empty = not text.strip() and (section, code) not in SAYS_NOTHING
            is_wide = "  " in text and (section, code) != STANDS_APART
            if is_empty or is_wide or set("{}#") & set(text):
                odd.append((section, code, text))
    assert odd == []


def test_a_list_of_one_takes_the_verb_of_one():
    singular, plural = (
        Reason("card-not-in-catalogue", {"cards": cards}) for cards in (("Ken", "Ken"), ("Ken", "Ryu"))
    )
    assert render("finding", singular).startswith("Ken is not in the card catalogue")
    assert render("finding", plural).startswith("Ken and Ryu are not in the card catalogue")


def test_every_list_in_a_sentence_ends_as_lists_of_the_language_do():
    reason = Reason("card-not-in-catalogue", {"cards": ("Ken", "Ryu", "Guile")})
    english, german = (get_messages(language).text("finding", reason) for language in ("en", "de"))
    assert english.startswith("Ken, Ryu and Guile are ")
    assert german.startswith("Ken, Ryu und Guile sind ")


def test_words_told_before_are_shown_as_they_are():
    assert render("finding", plain_reason("{cards} of old #1.")) == "{cards} of old #1."


def test_a_game_elsewhere_whose_messages_cannot_be_read_spoils_no_other(tmp_path):
    folder = tmp_path / "odd_game"
    (folder / "messages").mkdir(parents=True)
    (folder / "messages" / "en.toml").write_text('[finding]\nbanned-card = "{never closed"\n')
    register_game("odd_game", folder)
    assert (
        render("finding", Reason("banned-card", {"cards": ("Ken",), "list": "all"}))
        == "Ken is banned by all."
    )


def test_a_game_of_the_further_folder_speaks_before_it_is_loaded(tmp_path, monkeypatch):
    (tmp_path / "further" / "messages").mkdir(parents=True)
    (tmp_path / "further" / "messages" / "en.toml").write_text('[finding]\ntoo-odd = "{found} is odd."\n')
    monkeypatch.setenv(GAMES_DIR, str(tmp_path))
    assert render("finding", Reason("too-odd", {"found": 3})) == "3 is odd."


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A registered package; its registrations are removed afterwards."""
    monkeypatch.setattr(rendering, "_packages", list(rendering._packages))
    register_messages(tmp_path)
    yield tmp_path
    rendering._load_messages.cache_clear()


def write_messages(folder, text):
    (folder / "messages").mkdir(parents=True)
    (folder / "messages" / "en.toml").write_text(text, encoding="utf-8")


def test_messages_of_all_folders_in_a_registered_package_are_found(package):
    write_messages(package, '[reason]\nat-the-top = "Top."\n')
    write_messages(package / "room" / "inner", '[reason]\nfurther-in = "Inner."\n')
    assert render("reason", Reason("at-the-top"), Reason("further-in")) == "Top. Inner."


def test_a_package_inside_a_registered_one_may_register_too(package):
    write_messages(package / "room", '[reason]\nfurther-in = "Inner."\n')
    register_messages(package / "room")
    assert render("reason", Reason("further-in")) == "Inner."


def test_a_code_that_two_packages_have_is_refused(package):
    write_messages(package / "one", '[finding]\nbanned-card = "Again."\n')
    with pytest.raises(BadMessage, match=r"finding\.banned-card stands twice"):
        get_messages()


def is_excepted(node: ast.AST) -> bool:
    """Return whether a node is exempt.

    It is if it is a docstring, help of the command line, or a message of a programming error.
    """
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return True
    if isinstance(node, ast.keyword) and node.arg in ("help", "description"):
        return True
    exception = node.exc if isinstance(node, ast.Raise) else None
    return isinstance(exception, ast.Call) and getattr(exception.func, "id", "") in PROGRAMMING_ERRORS


def literals(node: ast.AST) -> Iterator[tuple[int, str]]:
    if is_excepted(node):
        return
    if isinstance(node, ast.JoinedStr):
        parts = (part.value if isinstance(part, ast.Constant) else "word" for part in node.values)
        yield node.lineno, "".join(map(str, parts))
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.lineno, node.value
    else:
        for child in ast.iter_child_nodes(node):
            yield from literals(child)


def find_sentences(file: Path) -> list[tuple[int, str]]:
    return [(line, text) for line, text in literals(parse_module(file)) if SENTENCE.search(text)]


def test_no_sentence_is_in_the_code():
    assert list_faults(ROOT.rglob("*.py"), find_sentences) == {}


def test_every_code_of_the_rules_has_a_message():
    for file in ROOT.rglob("*.py"):
        for call in find_calls(parse_module(file)):
            assert get_messages().find(call.section, call.code), (file.name, call)
