"""Proof that every text that people read can be translated.

No template and no module holds a text that is not marked.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from html.parser import HTMLParser
from pathlib import Path

from rules import games
from tests.everyday import list_faults
from tests.style.sources import CLONE, find_nodes, list_modules, name_file, parse_module, read_text, walk

TEMPLATES = CLONE / "templates"
# The styleguide shows the parts of pages to programmers.
NOT_SHOWN = frozenset({"styleguide.html"})
# Programmers and operators read these in English: reference of the API, administration, commands.
ENGLISH_MODULES = frozenset(
    {"admin", "api", "api_responses", "api_shapes", "apps", "models", "migrations", "management"}
)
# They return codes; what is written there is read by programmers, or was written by earlier versions.
PURE = frozenset(
    {"engine", "importers", "matching", "exporters", "old_sentences", "old_lines", "old_texts", "demo"}
)
# Texts that are stored, compared or read from a file, and names of groups and programs.
NAMES = frozenset(
    {
        "A published edition is never changed",
        "Catalogue editors",
        "How to:",
        "Ban list editors",
        "Magic Online",
        "Quickenings in play",
        "See also:",
        "The winner declines them",
    }
)
READ_ATTRIBUTES = frozenset({"aria-label", "title", "alt", "placeholder", "content"})
# Tags whose content is not a sentence.
UNREAD_ELEMENTS = frozenset({"script", "style", "svg", "code", "kbd"})
# Names and signs that are the same in every language.
SAME_EVERYWHERE = frozenset(
    {
        "Ringside",
        "CSV",
        "JSON",
        "PDF",
        "ID",
        "iCal",
        "API",
        "A4",
        "Letter",
        "vs",
        "utf",
        "px",
        "no",
        "index",
        "UFS",
    }
)
COMMENT = re.compile(r"\{#.*?#\}|\{% comment.*?%\}.*?\{% endcomment %\}|<!--.*?-->", re.DOTALL)
# Classes of the page and attributes of an element, which are where a block has them.
TECHNICAL_BLOCK = re.compile(
    r"\{% block (?:\w+_class|attributes|kind|layout) %\}.*?\{% endblock %\}", re.DOTALL
)
MARKED = re.compile(r"\{% blocktrans(?:late)?\b.*?%\}.*?\{% endblocktrans(?:late)? %\}", re.DOTALL)
LITERAL_ARGUMENT = re.compile(r"""(?<!_\()(["'])((?:(?!\1).)*[A-Z][a-z]+(?: [^"']*)?)\1""")
TAG = re.compile(r"\{%(.*?)%\}|\{\{(.*?)\}\}", re.DOTALL)
WORD = re.compile(r"[^\W\d_]{2,}")
# Tags whose texts are names of blocks, files, formats and contexts.
TECHNICAL_TAGS = frozenset(
    {"block", "extends", "load", "url", "static", "if", "elif", "translate", "trans", "blocktranslate", "now"}
)


# Parts of a shared page that programs read.
UNREAD = frozenset({"og:type", "og:site_name"})


class TextReader(HTMLParser):
    """A reader that gathers the texts of a page that people read.

    The tags of the template language are taken out of the page.
    """

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.unread = 0
        self.untranslated = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.unread += tag in UNREAD_ELEMENTS
        attributes = dict(attrs)
        if attributes.get("translate") == "no" and not self.untranslated:
            self.untranslated = tag
        if tag == "meta" and (
            attributes.get("name", "description") != "description" or attributes.get("property") in UNREAD
        ):
            return
        self.texts += [value for name, value in attrs if value and name in READ_ATTRIBUTES and tag != "link"]

    def handle_endtag(self, tag: str) -> None:
        self.unread -= tag in UNREAD_ELEMENTS
        if tag == self.untranslated:
            self.untranslated = ""

    def handle_data(self, data: str) -> None:
        if not self.unread and not self.untranslated:
            self.texts.append(data)


def is_words(text: str) -> bool:
    """Return whether a text has a word that differs between languages."""
    return bool(set(WORD.findall(text)) - SAME_EVERYWHERE)


def find_unmarked_texts(source: str) -> Iterator[str]:
    """Yield the texts of a template that are outside the tags for translation."""
    source = TECHNICAL_BLOCK.sub("", MARKED.sub("", COMMENT.sub("", source)))
    for tag in TAG.finditer(source):
        yield from _find_unmarked_arguments(tag)
    reader = TextReader()
    reader.feed(re.sub(r"&\w+;", " ", TAG.sub("", source)))
    reader.close()
    yield from (" ".join(text.split()) for text in reader.texts if is_words(text))


def _find_unmarked_arguments(tag: re.Match[str]) -> Iterator[str]:
    inside = (tag[1] or tag[2] or "").strip()
    if tag[1] and inside.split()[0] in TECHNICAL_TAGS:
        return
    inside = re.sub(r"\|date:\"[^\"]*\"|==\s*\"[^\"]*\"", "", inside)
    yield from (found_word[1] for found_word in LITERAL_ARGUMENT.findall(inside) if is_words(found_word[1]))


def iter_templates() -> Iterator[Path]:
    yield from (
        path
        for path in sorted(TEMPLATES.rglob("*"))
        if path.suffix in (".html", ".txt") and path.name not in NOT_SHOWN
    )


def test_every_text_of_a_template_is_marked():
    assert list_faults(iter_templates(), lambda path: find_unmarked_texts(read_text(path))) == {}


SHOWN_ARGUMENTS = frozenset({"label", "help_text", "empty_label", "heading", "lead", "button", "placeholder"})
SHOWING_CALLS = frozenset({"success", "error", "info", "warning", "ValidationError", "Http404"})
MARKS = re.compile(r"^(?:n|p|np)?gettext(?:_lazy|_noop)?$")
SENTENCE = re.compile(r"^[A-Z“][^\s]*\s\S+(?:\s\S+)*[.!?…:”]?$|[a-z] [a-z]+ [a-z]+")
LOGS = frozenset({"logger", "log", "logging", "logs"})
# Exceptions for programmers and operators.
MISTAKES = frozenset(
    {
        "ConnectionError",
        "ImmutableRowError",
        "KeyError",
        "LookupError",
        "RuntimeError",
        "TypeError",
        "ValueError",
        "warn",
    }
)
CHOICES = frozenset({"TextChoices", "IntegerChoices"})


def find_unmarked_literals(tree: ast.AST, nodes: Iterable[ast.AST]) -> Iterator[tuple[int, str]]:
    """Yield texts that a module shows without a mark.

    They are labels, help, choices, notices and whole sentences.
    """
    for node in nodes:
        if isinstance(node, ast.keyword) and node.arg in SHOWN_ARGUMENTS:
            yield from _literal(node.value)
        elif isinstance(node, ast.Call) and _name(node.func) in SHOWING_CALLS and node.args:
            yield from () if _is_for_programmers(node) else _literal(node.args[-1])
        elif isinstance(node, ast.ClassDef) and any(_name(base) in CHOICES for base in node.bases):
            for line in node.body:
                if isinstance(line, ast.Assign) and isinstance(line.value, ast.Tuple):
                    yield from _literal(line.value.elts[-1])
    yield from _sentences(tree)


def _sentences(node: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield whole sentences that need a mark.

    Left out are docstrings, what is marked, what only a mistake raises, and what is logged.
    """
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return
    if isinstance(node, ast.Call) and (MARKS.match(_name(node.func)) or _is_for_programmers(node)):
        return
    if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name in ("__str__", "Meta"):
        return
    if isinstance(node, ast.keyword) and node.arg in (
        "help",
        "description",
        "summary",
        "reason",
        "constraint",
    ):
        return
    if isinstance(node, ast.JoinedStr | ast.Constant):
        words = _literal_text(node)
        if words and SENTENCE.search(words) and is_sentence(words):
            yield node.lineno, words
        return
    for child in ast.iter_child_nodes(node):
        yield from _sentences(child)


def is_sentence(words: str) -> bool:
    """Return whether a text reads like one for people.

    It has several words, an end or a capital letter, and no code.
    """
    return bool(
        re.match(r"[A-Z“]", words)
        and " " in words
        and words not in NAMES
        and not re.search(r"[<>{}=/\\|]|Disallow: |User-agent|\w\[|SELECT|INSERT", words)
        and not re.search(r"\bFROM\b|Content-|[a-z]_[a-z]", words)
    )


def _is_for_programmers(node: ast.Call) -> bool:
    name = _name(node.func)
    owner = _name(node.func.value) if isinstance(node.func, ast.Attribute) else ""
    is_log = owner in LOGS or name in ("NotImplementedError", "getLogger")
    return is_log or name in MISTAKES


def _literal(node: ast.AST) -> Iterator[tuple[int, str]]:
    if isinstance(node, ast.Constant | ast.JoinedStr):
        words = _literal_text(node)
        if is_words(words) and words not in NAMES:
            yield getattr(node, "lineno", 0), words


def _literal_text(node: ast.Constant | ast.JoinedStr) -> str:
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "9" for part in node.values)
    return node.value if isinstance(node.value, str) else ""


def _name(node: ast.AST) -> str:
    return getattr(node, "attr", getattr(node, "id", ""))


def iter_modules() -> Iterator[Path]:
    for package in ("decks", "tournament"):
        for path in sorted((CLONE / package).rglob("*.py")):
            parts = {*path.relative_to(CLONE).parts[:-1], path.stem}
            is_choices = "models" in parts
            if (is_choices or not parts & ENGLISH_MODULES) and not parts & PURE:
                yield path


def find_unmarked(path):
    shown_nodes = find_nodes(path, ast.keyword, ast.Call, ast.ClassDef)
    unmarked_literals = set(find_unmarked_literals(parse_module(path), shown_nodes))
    if {"models"} & {*path.parts, path.stem}:
        unmarked_literals = {each for each in unmarked_literals if not is_of_help(path, each[0])}
    return sorted(unmarked_literals)


def test_every_text_of_a_module_is_marked():
    assert list_faults(iter_modules(), find_unmarked) == {}


def is_of_help(path: Path, line: int) -> bool:
    """Return whether a text of a model is for the administration.

    Such texts are its help and its names.
    """
    for node in find_nodes(path, ast.keyword):
        is_help = node.arg in ("help_text", "verbose_name", "name")
        if is_help and node.value.lineno <= line <= (node.value.end_lineno or line):
            return True
    return False


def test_unmarked_texts_of_a_template_are_found():
    source = """<p title="Late">{{ a|default:"None yet" }} <b>{% translate "Round" %}</b> of {{ n }}</p>
        {% blocktranslate trimmed %}Round {{ n }}{% endblocktranslate %}{% icon "moon" _("Dark") %}"""
    assert list(find_unmarked_texts(source)) == ["None yet", "Late", "of"]


CHOICE_TABLES = ("_CHOICES", "_LABELS", "OPTIONS")
# Contexts of texts that belong into a sentence, or into the first line of a file.
NOT_ALONE = ("inside a sentence", "script", "column")


def test_choices_and_labels_begin_with_a_capital():
    """Check that choices and labels begin with a capital.

    They stand alone in a list to choose from, a badge or a row. A context marks those inside a sentence.
    """
    tables = [
        (path, node)
        for path in list_modules("decks", "tournament")
        for node in parse_module(path).body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]).endswith(CHOICE_TABLES)
    ]
    lower = [f"{name_file(path)}: {text}" for path, table in tables for text in find_lower_texts(table)]
    assert lower == []


# In the place of an opponent, these go on from the name of the player.
AFTER_A_NAME = ["has the bye", "has no opponent"]


def test_texts_of_printouts_begin_with_a_capital():
    """Check that texts of printouts begin with a capital.

    Each stands alone in a cell, beside a box, below a line, or after a dot in the head.
    """
    texts = [
        text
        for path in list_modules("tournament/printing/sheets")
        for text in find_lower_texts(parse_module(path))
    ]
    assert texts == AFTER_A_NAME


def test_lines_of_each_game_on_a_match_slip_begin_with_a_capital():
    lines = [
        line for game in games() for done in (False, True) for line in game.slip_lines(is_elimination=done)
    ]
    assert lines
    assert [line for line in lines if line[:1].islower()] == []


def find_lower_texts(table: ast.AST) -> Iterator[str]:
    """Find the marked texts that begin with a small letter."""
    for node in walk(table):
        if isinstance(node, ast.Call) and ast.unparse(node.func).startswith(("gettext", "pgettext")):
            *context, text = (ast.literal_eval(argument) for argument in node.args)
            if text[:1].islower() and not set(context).intersection(NOT_ALONE):
                yield text


def test_small_first_letters_of_choices_are_found():
    tree = ast.parse(
        'KIND_CHOICES = [("", gettext_lazy("no kind")), ("a", pgettext_lazy("of a kind", "good"))]'
    )
    assert list(find_lower_texts(tree)) == ["no kind", "good"]


def test_unmarked_texts_of_a_module_are_found():
    source = """
class Form:
    name = CharField(label="Name", help_text=gettext_lazy("Shown to all."))
def view(request):
    messages.success(request, f"{name} saved.")
    log.warning("This is for the log.")
    return "This was not marked."
"""
    tree = ast.parse(source)
    assert sorted(set(find_unmarked_literals(tree, walk(tree)))) == [
        (3, "Name"),
        (5, "9 saved."),
        (7, "This was not marked."),
    ]
