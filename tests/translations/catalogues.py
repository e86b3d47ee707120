"""Gathering of the code's texts into the catalogues of each language.

The module compiles the catalogues too. python -m tests.translations.catalogues
"""

from __future__ import annotations

import io
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from babel.messages.pofile import read_po

from config.env.languages import FOLDER
from tests.style.sources import CLONE

LEFT_OUT = (".venv", "tests", "benchmarks", "docs", "var", "deploy", "bin", "fixtures", "styleguide.html")
# Theirs holds the day on which texts were gathered, which would change the file each time.
HEADER = re.compile(r'\A(?:#.*\n)*msgid ""\nmsgstr ""\n(?:".*\n)*\n')
PLURAL = re.compile(r'^"Plural-Forms: .*"$', re.MULTILINE)
ENGLISH_FORMS = r'"Plural-Forms: nplurals=2; plural=(n != 1);\n"'
DOMAINS = {"django": ("html", "txt", "py"), "djangojs": ("js",)}
# Without the settings of Ringside, whose apps take longer to load than the texts to gather.
PROGRAM = """
import sys
import django
from django.conf import settings
from django.core.management import execute_from_command_line
settings.configure(LOCALE_PATHS=[sys.argv.pop(1)])
django.setup()
execute_from_command_line(sys.argv)
"""


def gather_texts(clone: Path = CLONE) -> None:
    """Bring the catalogues of all languages up to date.

    English is the catalogue that translators copy.
    """
    folder = clone / FOLDER.relative_to(CLONE)
    (folder / "en" / "LC_MESSAGES").mkdir(parents=True, exist_ok=True)
    languages = sorted(path.parent.name for path in folder.glob("*/LC_MESSAGES"))
    for domain, endings in DOMAINS.items():
        options = ["--no-location", "--no-obsolete", "--no-wrap", "--domain", domain]
        options += [part for ending in endings for part in ("--extension", ending)]
        options += [part for path in LEFT_OUT for part in ("--ignore", path)]
        options += [part for language in languages for part in ("--locale", language)]
        command = [sys.executable, "-c", PROGRAM, str(folder), "makemessages", *options]
        subprocess.run(command, cwd=clone, check=True)
    for path in folder.glob("*/LC_MESSAGES/*.po"):
        path.write_text(_with_our_header(path.parent.parent.name, path.read_text("utf-8")), "utf-8")


def copy_sources(folder: Path) -> Path:
    """Copy the sources that texts are gathered from.

    Gathering writes files beside the templates for a moment.
    """
    ignored_names = shutil.ignore_patterns(".*", "__pycache__", *LEFT_OUT)
    return Path(shutil.copytree(CLONE, folder, ignore=ignored_names))


def _with_our_header(language: str, text: str) -> str:
    return HEADER.sub(lambda match: _write_header(language, match[0]), text, count=1)


def _write_header(language: str, header: str) -> str:
    plural = PLURAL.search(header)
    forms = plural[0] if plural else ENGLISH_FORMS
    return f"""msgid ""
msgstr ""
"Project-Id-Version: Ringside\\n"
"Language: {language}\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=UTF-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
{forms}

"""


def compile_catalogue(path: Path) -> bytes:
    """Return what programs read of a catalogue.

    Raises CalledProcessError naming the lines that are wrong.
    """
    command = ["msgfmt", "--check-format", "--check-domain", "--output-file", "-", str(path)]
    return subprocess.run(command, capture_output=True, check=True).stdout


def is_complete(path: Path) -> bool:
    """Return whether every text of a catalogue is translated."""
    messages = [message for message in read_po(io.BytesIO(path.read_bytes())) if message.id]
    return not any(message.fuzzy or not all(_forms(message.string)) for message in messages)


def _forms(text: str | Sequence[str]) -> Sequence[str]:
    return (text,) if isinstance(text, str) else text


def compile_all() -> None:
    """Compile the catalogues of each complete language.

    Only a language that has all texts is offered.
    """
    for folder in FOLDER.glob("*/LC_MESSAGES"):
        catalogues = sorted(folder.glob("*.po"))
        if folder.parent.name != "en" and all(map(is_complete, catalogues)):
            for path in catalogues:
                path.with_suffix(".mo").write_bytes(compile_catalogue(path))


if __name__ == "__main__":
    gather_texts()
    compile_all()
