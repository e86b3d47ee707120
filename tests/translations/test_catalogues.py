"""Catalogues of the languages.

They hold every text of the code and are compiled. Every language says all with the same values.
"""

from __future__ import annotations

import io
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from config.env.languages import FOLDER
from rules import rendering
from rules.wording import Choice, Joined, Message, Pattern
from tests.style.sources import CLONE
from tests.translations.catalogues import compile_catalogue, copy_sources, gather_texts

needs_gettext = pytest.mark.skipif(
    shutil.which("xgettext") is None, reason="xgettext is missing (Debian: apt-get install gettext)"
)
CATALOGUES = sorted(FOLDER.glob("*/LC_MESSAGES/*.po"))
# A language is offered once its catalogue is compiled; until then it may be incomplete.
TRANSLATED = [path for path in CATALOGUES if path.with_suffix(".mo").exists()]
LANGUAGES = sorted({path.parent.parent.name.lower().replace("_", "-") for path in TRANSLATED})
VALUE = re.compile(r"%\((\w+)\)[a-z]")


def name(path: Path) -> str:
    return f"{path.parent.parent.name}-{path.stem}"


@needs_gettext
def test_catalogues_hold_every_text_of_the_code(tmp_path):
    clone = copy_sources(tmp_path / "clone")
    gather_texts(clone)
    changed_names = [
        name(path)
        for path in CATALOGUES
        if path.read_bytes() != (clone / path.relative_to(CLONE)).read_bytes()
    ]
    assert changed_names == [], "Run bin/translations."


@needs_gettext
@pytest.mark.parametrize("path", TRANSLATED, ids=name)
def test_catalogue_is_compiled(path):
    assert path.with_suffix(".mo").read_bytes() == compile_catalogue(path), "Run bin/translations."


@pytest.mark.parametrize("path", TRANSLATED, ids=name)
def test_every_text_is_translated_with_the_same_values(path):
    faults = []
    for message in read_po(io.BytesIO(path.read_bytes()), abort_invalid=True):
        if not message.id:
            continue
        sources = message.id if isinstance(message.id, tuple) else (message.id,)
        targets = message.string if isinstance(message.string, tuple) else (message.string,)
        values = {value for source in sources for value in VALUE.findall(source)}
        if message.fuzzy or not all(targets):
            faults.append(("not translated", sources[0]))
        elif any(set(VALUE.findall(target)) - values for target in targets):
            faults.append(("unknown value", sources[0]))
        elif values - set(VALUE.findall(targets[-1])):
            faults.append(("value missing", sources[0]))
        elif any(TAG.findall(source) and not TAG.findall(targets[-1]) for source in sources):
            faults.append(("mark-up missing", sources[0]))
    assert faults == []


TAG = re.compile(r"<(\w+)")


def shape(pattern: Pattern) -> set[tuple[str, str]]:
    """Return the parameters of a message, each with the kind of its use.

    Plural forms differ by language.
    """
    names: set[tuple[str, str]] = set()
    for part in pattern:
        if isinstance(part, Choice):
            names |= {(part.name, part.kind)}.union(*(shape(text) for text in part.texts.values()))
        elif isinstance(part, Joined):
            names.add((part.name, "list"))
        elif not isinstance(part, str):
            names.add((part.name, ""))
    return names - {("#", "")}


def list_used_parameters(message: Message) -> set[str]:
    return {parameter for parameter, _ in shape(message.text) | shape(message.fix)}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_code_has_a_message_in_every_language(language):
    english = rendering._read_messages("en", ()).sections
    translations = rendering._read_messages(language, ()).sections
    lacking = [
        (section, code)
        for section, entries in english.items()
        for code in entries
        if code not in translations.get(section, {})
    ]
    left_over = [
        (section, code)
        for section, entries in translations.items()
        for code in entries
        if section not in ("text", "words") and code not in english.get(section, {})
    ]
    assert (lacking, left_over) == ([], [])


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_message_has_the_parameters_of_the_english_one(language):
    english = rendering._read_messages("en", ()).sections
    translations = rendering._read_messages(language, ()).sections
    different = [
        (section, code)
        for section, entries in translations.items()
        for code, message in entries.items()
        if section not in ("text", "words")
        and (
            list_used_parameters(message) != list_used_parameters(english[section][code])
            or bool(message.fix) != bool(english[section][code].fix)
        )
    ]
    assert different == []


@needs_gettext
def test_a_value_that_is_misspelled_is_refused(tmp_path):
    path = tmp_path / "django.po"
    head = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n\n'
    path.write_text(head + '#, python-format\nmsgid "%(one)s"\nmsgstr "%(won)s"\n')
    with pytest.raises(subprocess.CalledProcessError):
        compile_catalogue(path)
