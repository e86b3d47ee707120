"""Write the pages of docs/reference that follow from the code: `bin/reference`.

Each page is a heading and an introduction from `PAGES`, and tables made of the code.
"""

from __future__ import annotations

import csv
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "reference"
SHORT_CHOICES = 12

Row = Sequence[str]


def make_table(heads: Row, rows: Iterable[Row]) -> str:
    """Return a table in Markdown; line breaks and bars in cells are escaped."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "".join(f"| {' | '.join(_escape(cell) for cell in line)} |\n" for line in lines)


def _escape(cell: str) -> str:
    return " ".join(str(cell).split()).replace("|", "\\|").replace("<", "\\<") or " "


def write_api() -> str:
    """Return every call of the API, by its tag."""
    from drf_spectacular.generators import SchemaGenerator

    calls: dict[str, list[Row]] = {}
    for path, methods in SchemaGenerator().get_schema(request=None, public=True)["paths"].items():
        for method, call in methods.items():
            row = (f"`{method.upper()}`", f"`{path}`", call.get("summary", ""))
            calls.setdefault(call["tags"][0], []).append(row)
    heads = ("Method", "Address", "What it does")
    return "\n".join(f"## {tag.capitalize()}\n\n{make_table(heads, rows)}" for tag, rows in calls.items())


MESSAGE_SECTIONS = {
    "refusal": ("Refusals", "Codes of refused requests, on pages and in the API."),
    "finding": ("Findings", "Codes of the problems in a decklist."),
    "problem": ("Problems", "Codes of input that cannot be read, and of files that differ."),
    "edition": ("Ban lists", "Codes of problems in drafts of ban, errata and identity lists."),
    "log": ("Log", "Actions of the event log."),
}


def write_messages() -> str:
    """Return every code with its message; parameters are in braces."""
    from rules.wording import Messages

    folders = sorted(
        path for package in ("rules", "decks", "tournament") for path in Path(package).rglob("messages")
    )
    messages = Messages.load([folder for folder in folders if folder.is_dir()])
    parts = []
    for section, (title, words) in MESSAGE_SECTIONS.items():
        rows = [
            (f"`{code}`", " ".join(filter(None, (write_pattern(message.text), write_pattern(message.fix)))))
            for code, message in sorted(messages.sections[section].items())
        ]
        parts.append(f"## {title}\n\n{words}\n\n{make_table(('Code', 'Message'), rows)}")
    return "\n".join(parts)


def write_pattern(pattern: Iterable[object], number: str = "#") -> str:
    """Return a message as it reads with its parameters in braces.

    Of several texts, it is the most general.
    """
    from rules.wording import Choice, Dated, Joined, Placeholder

    words = []
    for part in pattern:
        if isinstance(part, Choice):
            selector = number if part.kind == "select" else part.name
            words.append(write_pattern(part.texts["other"], selector))
        elif isinstance(part, Placeholder | Joined | Dated):
            words.append(f"{{{number if part.name == '#' else part.name}}}")
        else:
            words.append(str(part))
    return "".join(words)


def write_settings() -> str:
    """Return the fields of the settings pages: label, help and choices."""
    from tournament.clock.views import ClockForm
    from tournament.pairing.forms import PlayerPairingForm
    from tournament.screens.forms import ScreenForm
    from tournament.setup.forms.event import EventForm
    from tournament.setup.forms.rules import LocalRulesForm, PairingForm
    from tournament.setup.forms.stages import StageForm

    forms = {
        "Event": EventForm,
        "A stage": StageForm,
        "Pairings and tables": PairingForm,
        "Pairing facts of a player": PlayerPairingForm,
        "Local rules": LocalRulesForm,
        "Round timer": ClockForm,
        "Venue screen": ScreenForm,
    }
    heads = ("Field", "Meaning", "Choices")
    return "\n".join(
        f"## {title}\n\n{make_table(heads, _list_fields(form))}" for title, form in forms.items()
    )


def _list_fields(form: type) -> Iterator[Row]:
    from django.forms.utils import pretty_name

    for name, field in form.base_fields.items():  # type: ignore[attr-defined]
        if not field.widget.is_hidden:
            choices = [str(label) for value, label in getattr(field, "choices", ()) if value != ""]
            text = "; ".join(choices) if len(choices) <= SHORT_CHOICES else ""
            yield str(field.label or pretty_name(name)), str(field.help_text), text


def write_tiebreakers() -> str:
    """Return the tiebreakers with their formulas, and the built-in systems."""
    from tournament.engine.standings.systems import load_system, parse_system, system_names
    from tournament.engine.standings.systems.custom import TIEBREAKER_CHOICES
    from tournament.engine.wording import format_words

    rows = []
    for choice in TIEBREAKER_CHOICES:
        data = {"title": "x", "points": {"win": 1, "draw": 0, "loss": 0, "bye": 1}}
        [tiebreaker] = parse_system({**data, "tiebreakers": [choice.entry()]}, name="own").tiebreakers
        name = format_words("reason", choice.name)
        rows.append((name, f"`{choice.key}`", format_words("reason", tiebreaker.formula)))
    parts = [
        f"## Tiebreakers\n\n{make_table(('Tiebreaker', 'Key', 'Formula'), rows)}",
        "## Built-in systems\n",
    ]
    for key in system_names():
        system = load_system(key)
        lines = [
            (format_words("reason", line.name), f"`{line.key}`", format_words("reason", line.formula))
            for line in system.describe()
        ]
        heading = f"### {format_words('reason', system.title)} (`{key}`)"
        forfeit_effect = (
            "have met" if system.forfeits_meet else "have not met, and the winner counts as having had a bye"
        )
        source = format_words("reason", system.source)
        note = f"Source: {source}. In pairing, two players whose match was a forfeit {forfeit_effect}."
        parts.append(f"{heading}\n\n{make_table(('Value', 'Key', 'Formula'), lines)}\n{note}\n")
    return "\n".join(parts)


def write_printouts() -> str:
    """Return every kind of printout, by group."""
    from rules import games
    from tournament.printing.registry import SHEET_GROUPS, list_sheets

    sheets = {each.key: each for game in games() for each in list_sheets(game)}
    heads = ("Printout", "Key", "What it shows", "Right")
    parts = []
    for key, name in SHEET_GROUPS:
        rows = [
            (each.name, f"`{each.key}`", each.description, f"`{each.right}`")
            for each in sheets.values()
            if each.group == key
        ]
        parts.append(f"## {name}\n\n{make_table(heads, rows)}")
    return "\n".join(parts)


ERRATA_GAMES = ("ufs", "highlander")
READINGS = Path(__file__).with_name("errata_readings.tsv")
OMITTED = Path(__file__).with_name("errata_omitted.tsv")


def write_errata() -> str:
    """Return every correction of the shipped lists.

    Each says who compared it with its clause.
    """
    from rules import get_game, shipped_editions

    heads = ("Clause", "Card", "What changes", "Note", "First reader", "Second reader")
    readings, omitted = _read_rows(READINGS), _read_rows(OMITTED)
    parts = []
    for key in ERRATA_GAMES:
        entries = next(each for each in shipped_editions(key) if each.kind == "errata").entries
        readings_of_game = [reading for reading in readings if reading["game"] == key]
        rows = [
            _erratum_row(entry, reading) for entry, reading in zip(entries, readings_of_game, strict=True)
        ]
        parts.append(f"## {get_game(key).short_name}\n\n{make_table(heads, rows)}")
        left_out = [tuple(list(row.values())[1:]) for row in omitted if row["game"] == key]
        if left_out:
            name = get_game(key).short_name
            parts.append(f"### {name}: rulings without a note\n\n{make_table(OMITTED_HEADS, left_out)}")
    return "\n".join(parts)


OMITTED_HEADS = ("Clause", "Ruling", "Why there is no note", "First reader", "Second reader")


def _read_rows(file: Path) -> list[dict[str, str]]:
    with file.open(encoding="utf-8") as lines:
        return list(csv.DictReader(lines, delimiter="\t"))


def _erratum_row(entry: Mapping[str, object], reading: Mapping[str, str]) -> Row:
    """Return a correction and its readings, which are in the order of the list."""
    if entry["id"] != reading["id"]:
        raise ValueError(f"{READINGS.name} has {reading['id']} where the list has {entry['id']}.")
    card, kinds = entry["card"], entry["kinds"]
    name = str(card["name"]) if isinstance(card, Mapping) else ""
    numbers = entry.get("ids")
    text = ", ".join(map(str, numbers)) if isinstance(numbers, list) else reading["card"]
    changes = ", ".join(map(str, kinds)) if isinstance(kinds, list) else ""
    text = f"{name} ({text})" if text else name
    return (str(entry["clause"]), text, changes, str(entry["says"]), *list(reading.values())[3:])


PAGES: dict[str, tuple[str, str, Callable[[], str]]] = {
    "api": (
        "API",
        """The HTTP API is served under `/api/`. `/api/schema/` describes it as an OpenAPI 3 document,
with every parameter, body and answer.

Unknown parameters and fields are refused. A refusal has the codes of all problems: see
[Messages](messages.md). Sign in with a session, or use the private link of a player.""",
        write_api,
    ),
    "errata": (
        "Errata",
        """The corrections of cards that ship with Ringside. A deck check shows the note of a card that plays
differently from its print.

Two readers compared each note with its clause. The second reader agreed, or the note was then reworded
or added. A ruling that the first reader missed has a note now, or a reason why it has none.""",
        write_errata,
    ),
    "messages": (
        "Messages by code",
        """Programs read codes, people read messages. A code stays the same when its message changes.
`{name}` marks a parameter. After a dot, a code has a variant: programs get only the part before the dot.""",
        write_messages,
    ),
    "settings": (
        "Settings",
        "The fields of an event. See also [Stages](stages.md) and [Tiebreakers](tiebreakers.md).",
        write_settings,
    ),
    "tiebreakers": (
        "Tiebreakers and formulas",
        """Values are exact fractions. Pages round them for display only.

Explanation: [Standings and tiebreakers](../explanation/tiebreakers.md)""",
        write_tiebreakers,
    ),
    "printouts": (
        "Printouts",
        """Every printout is a PDF on A4 or US Letter, and a page for the browser. The right says who can
create it.""",
        write_printouts,
    ),
}
NOTE = "This page is written by `bin/reference`. Change the code, then run it."


def write_page(name: str) -> str:
    """Return the whole text of a page."""
    title, introduction, write = PAGES[name]
    return f"# {title}\n\n{introduction}\n\n{write()}\n{NOTE}\n"


def main() -> None:
    """Write all pages."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    import django

    django.setup()
    for name in PAGES:
        (FOLDER / f"{name}.md").write_text(write_page(name), encoding="utf-8")


if __name__ == "__main__":
    main()
