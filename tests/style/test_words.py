"""Words of texts for people.

No text has a word that the house style refuses, and no sentence is too long.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from io import BytesIO
from pathlib import Path
from statistics import mean
from typing import NamedTuple

import pytest
from babel.messages.pofile import read_po

from config.env.languages import FOLDER
from rules.wording import Choice, Pattern, parse
from tests.docs.pages import PAGES, list_sentences
from tests.fixtures.api_answers import description
from tests.style.sources import CLONE, PACKAGES, find_nodes, list_modules, name_file, read_text

MOST_WORDS = 20
HIGHEST_MEAN = 14

REFUSED = (
    r"\b(?:he|his|him|himself|whoever|heed\w*|anew|ours|silent|whence|e-mail\w*|mends?|mended|mending)\b",
    r"(?<!\")\b(?:any|every|no|some)body\b|\b(?:is|are|was|were) told\b",
    r"\bleads? nowhere\b",
    r"\bhands? in\b|\bhanded in\b",
    r"\btak(?:e|es|en|ing) (?:it )?back\b",
    r"\bby (?:itself|themselves)\b",
    # The cut has one name, and it is re-made.
    r"\bplay-?offs?\b|\btop (?:four|eight)\b|\bm(?:ake|ade) (?:the cut|it) again\b",
    # A clause without a noun: "Who withdraws keeps the place". A question ends with its mark.
    r"(?:^|(?<=[.!?:] ))Who(?!(?:se|m)?\b[^.!?]*\?) [a-z]+ ",
)
# A line to type, such as "Name; email; character", needs them.
TYPED_LINE = "; email; "
SEMICOLON = re.compile(r"[a-z]{2}; [a-z]+[ ,.]")
REFUSED_WORDS = re.compile("|".join(f"(?:{pattern})" for pattern in REFUSED), re.IGNORECASE)

# Attributes whose values people read or hear.
SHOWN_ATTRIBUTES = re.compile(
    r"\b(?:aria-label|title|alt|placeholder|content|data-(?:announce|copied|key-words|words-[\w-]+|offline))"
    r'="((?:[^"{]|\{\{.*?\}\}|\{%.*?%\})*)"',
    re.DOTALL,
)


class Text(NamedTuple):
    """A piece of text that people read, and where it is."""

    place: str
    words: str


def iter_template_texts(folder: Path) -> Iterator[Text]:
    """Yield texts between tags and in attributes.

    A value counts as one word, and each branch of a condition as a text.
    """
    for path in sorted(path for path in folder.rglob("*") if path.suffix in (".html", ".txt")):
        source = read_text(path)
        source = re.sub(
            r"\{#.*?#\}|\{% comment %\}.*?\{% endcomment %\}|<!--.*?-->", "", source, flags=re.DOTALL
        )
        source = re.sub(r"<(script|style|pre|code|kbd)\b.*?</\1>", " code ", source, flags=re.DOTALL)
        matches = SHOWN_ATTRIBUTES.findall(source)
        source = re.sub(r"\{\{.*?\}\}", "value", source, flags=re.DOTALL)
        source = re.sub(
            r"</?(?:a|strong|b|em|span|time|abbr)\b(?:[^>{]|\{%.*?%\})*>", " ", source, flags=re.DOTALL
        )
        for piece in re.split(r"<(?:[^>{]|\{%.*?%\})*>|\{%.*?%\}|\n\n", source, flags=re.DOTALL):
            yield from _texts(path, piece)
        for attribute in matches:
            text = re.sub(r"\{\{.*?\}\}", "value", attribute, flags=re.DOTALL)
            for piece in re.split(r"\{%.*?%\}", text, flags=re.DOTALL):
                yield from _texts(path, piece)


def iter_script_texts(folder: Path) -> Iterator[Text]:
    """Quoted strings of scripts that have more than one word."""
    for path in sorted(folder.rglob("*.js")):
        source = re.sub(r"(?m:^\s*//.*$)|/\*(?s:.*?)\*/", "", read_text(path))
        for quoted_text in re.findall(r'"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`', source):
            yield from _texts(path, re.sub(r"\$\{[^}]*\}", "value", "".join(quoted_text)))


def iter_label_texts(*folders: str) -> Iterator[Text]:
    """Yield labels and help texts of form fields."""
    for path in list_modules(*folders):
        for node in find_nodes(path, ast.keyword):
            if node.arg in ("label", "help_text", "empty_label"):
                yield from _texts(path, _literal(node.value))


def iter_command_texts(*folders: str) -> Iterator[Text]:
    """Yield what commands say of themselves and of their arguments."""
    for path in list_modules(*folders):
        source = read_text(path)
        if ".add_argument(" not in source and "BaseCommand" not in source:
            continue
        for node in find_nodes(path, ast.keyword, ast.Assign):
            if isinstance(node, ast.keyword):
                is_help = node.arg in ("help", "description")
            else:
                is_help = _literal(node.targets[0]) == "help"
            if is_help:
                yield from _texts(path, _literal(node.value))


def _literal(node: ast.expr) -> str:
    """Return the words of a literal, with "value" in place of each value.

    For a name, the name itself is returned.
    """
    if isinstance(node, ast.Name):
        return node.id
    parts = node.values if isinstance(node, ast.JoinedStr) else [node]
    return "".join(str(part.value) if isinstance(part, ast.Constant) else "value" for part in parts)


def iter_api_texts() -> Iterator[Text]:
    """Yield summaries and descriptions of the API's own description.

    Lists of values do not count as texts.
    """
    for key, words in _walk(description()):
        clean_words = re.sub(r"(?m)^\* `.*$", "", words)
        if " " in clean_words.strip():
            yield Text(key, " ".join(clean_words.split()))


def _walk(node: object, place: str = "api") -> Iterator[tuple[str, str]]:
    for key, value in node.items() if isinstance(node, dict) else enumerate(node):  # type: ignore[arg-type]
        if key in ("summary", "description", "title") and isinstance(value, str):
            yield f"{place}/{key}", value
        elif isinstance(value, dict | list):
            yield from _walk(value, f"{place}/{key}")


def iter_message_texts(*folders: Path) -> Iterator[Text]:
    """Yield messages except formulas, each twice.

    The first has the first text of every choice, the second the last.
    """
    for path in sorted(path for folder in folders for path in folder.rglob("messages/en.toml")):
        for section, messages in tomllib.loads(read_text(path)).items():
            if section == "lint":
                continue
            for code, message in messages.items():
                if code.startswith("formula_"):
                    continue
                for text in message.values() if isinstance(message, dict) else [message]:
                    for place in (0, -1):
                        yield from _texts(path, _fill(parse(text), place))


def _fill(pattern: Pattern, place: int) -> str:
    words = ""
    for part in pattern:
        if isinstance(part, str):
            words += part
        else:
            words += _fill(list(part.texts.values())[place], place) if isinstance(part, Choice) else "value"
    return words


def iter_catalogue_texts() -> Iterator[Text]:
    """Yield every text marked for translation, with its plural.

    Code, templates and scripts mark such texts.
    """
    for path in sorted((FOLDER / "en" / "LC_MESSAGES").glob("*.po")):
        for message in read_po(BytesIO(path.read_bytes())):
            for text in (message.id,) if isinstance(message.id, str) else message.id:
                plain = re.sub(r"</?[a-z][^>]*>", "", text)
                yield from _texts(path, re.sub(r"%\(\w+\)[sd]", "value", plain))


def iter_documentation_texts() -> Iterator[Text]:
    """Yield the sentences of the documentation; `tests/docs` measures their length."""
    for path in PAGES:
        for sentence in list_sentences(path):
            yield from _texts(path, re.sub(r"`[^`]+`", "code", sentence))


def _texts(path: Path, piece: str) -> Iterator[Text]:
    words = " ".join(piece.split())
    if " " in words:
        yield Text(name_file(path), words)


# A further source of texts is one line here.
ITERATORS = {
    "templates": lambda: iter_template_texts(CLONE / "templates"),
    "labels": lambda: iter_label_texts("tournament", "decks"),
    "messages": lambda: iter_message_texts(CLONE / "rules", CLONE / "decks", CLONE / "tournament"),
    "api": iter_api_texts,
    "commands": lambda: iter_command_texts(*PACKAGES),
    "scripts": lambda: iter_script_texts(CLONE / "tournament" / "static" / "ringside"),
    "catalogues": iter_catalogue_texts,
    "documentation": iter_documentation_texts,
}
APPLICATION = [source for source in ITERATORS if source != "documentation"]


@cache
def list_texts(source: str) -> tuple[Text, ...]:
    """Return the texts of a source, once for all tests."""
    return tuple(ITERATORS[source]())


@pytest.mark.parametrize("source", ITERATORS)
def test_no_text_has_a_word_that_the_house_style_refuses(source):
    assert list_texts(source)
    assert [text for text in list_texts(source) if REFUSED_WORDS.search(text.words)] == []


def test_every_call_of_the_api_has_a_summary_that_begins_with_a_verb():
    paths = description()["paths"]
    summaries = {
        f"{method} {path}": operation.get("summary", "")
        for path, operations in paths.items()
        for method, operation in operations.items()
    }
    nouns = re.compile(r"(?:|(?:A|All|An|Every|His|How|My|One|The|Two|What|Which|Who|Whose)\b.*)")
    assert {place: words for place, words in summaries.items() if nouns.fullmatch(words)} == {}


@pytest.mark.parametrize("source", APPLICATION)
def test_no_sentence_is_too_long(source):
    rows = [
        (len(sentence.split()), text.place, sentence)
        for text in list_texts(source)
        for sentence in re.split(r"(?<=[.!?:]) ", text.words)
        if len(sentence.split()) > MOST_WORDS
    ]
    assert rows == []


@pytest.mark.parametrize("source", ["templates", "messages", "catalogues"])
def test_mean_length_of_the_sentences_of_each_file_is_low(source):
    """Parts of a page with two or three sentences have no meaningful mean."""
    lengths_by_place = defaultdict(list)
    for text in list_texts(source):
        sentences = re.split(r"(?<=[.!?:]) ", text.words)
        lengths_by_place[text.place] += [len(sentence.split()) for sentence in sentences]
    means = {place: mean(lengths) for place, lengths in lengths_by_place.items() if len(lengths) > 3}
    assert {place: length for place, length in means.items() if length >= HIGHEST_MEAN} == {}


def test_no_comment_or_docstring_uses_a_pronoun_of_one_gender():
    files = [
        path for name in PACKAGES for suffix in ("py", "js") for path in (CLONE / name).rglob(f"*.{suffix}")
    ]
    pronoun = re.compile(r"(?i)\b(?<![\"'-])(?:he|his|him|himself)(?![\"'-])\b")
    assert [
        f"{name_file(path)}:{number}"
        for path in files
        if "migrations" not in path.parts and "vendor" not in path.parts and pronoun.search(read_text(path))
        for number, line in enumerate(read_text(path).splitlines(), 1)
        if pronoun.search(line)
    ] == []


@pytest.mark.parametrize("source", APPLICATION)
def test_no_sentence_has_a_semicolon(source):
    assert [
        text for text in list_texts(source) if SEMICOLON.search(text.words) and TYPED_LINE not in text.words
    ] == []


@pytest.mark.parametrize(
    "words",
    [
        "Who withdraws keeps his versions.",
        "The place goes to whoever waits.",
        "This link leads nowhere any more.",
        "Ours; the document is silent",
        "Your table appears here by itself.",
        "He wins. Who comes late plays the next round.",
        "Nobody is told.",
    ],
)
def test_refused_words_are_found(words):
    assert REFUSED_WORDS.search(words)


@pytest.mark.parametrize(
    "words",
    [
        "A player who withdraws keeps the decklist.",
        "Who won?",
        "The hours of the event",
        "Whose deck is this?",
    ],
)
def test_plain_words_are_not_found(words):
    assert not REFUSED_WORDS.search(words)
