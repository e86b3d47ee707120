"""One judge: all ways of checking say the same of every list.

Command line, API, submission and recheck agree, in every type of file.
"""

from __future__ import annotations

import json
from contextlib import redirect_stdout
from datetime import date
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from decks.exporters.exporting import CannotExport, export
from decks.exporters.model import ExportEntry
from decks.importers.parsing import FORMATS, parse
from decks.shared.refusals import Refused
from decks.submissions.models import DeckVersion
from decks.submissions.selectors import verdict_on
from decks.submissions.services import create_list
from rules.__main__ import UNREADABLE, main
from tests import machine
from tests.everyday import each_nth
from tests.scenarios.catalogue import BANNED, CHARACTERS, FILLERS, import_once, list_of, write
from tests.scenarios.decklists import submit

pytestmark = pytest.mark.django_db
DAY = date(2030, 1, 1)
GOLDEN = Path(__file__).parents[2] / "golden" / "decks"
ODD = {
    "SF03-015": {"name": "Dark Hado", "set": "SF03", "number": 15, "distinct_from": ["SF04-070"]},
    "SF04-070": {"name": "Dark Hado", "set": "SF04", "number": 70, "distinct_from": ["SF03-015"]},
    "ZZ1-060": {"name": "Pale Echo", "type": "foundation", "set": "ZZ1", "number": 60},
    "ZZ2-060": {"name": "Pale Echo", "type": "foundation", "set": "ZZ2", "number": 60},
    "ZZ1-061": {"name": "7 Iron", "type": "asset", "set": "ZZ1", "number": 61},
    "ZZ1-062": {"name": "Iron", "type": "asset", "set": "ZZ1", "number": 62},
    "ZZ1-063": {"name": "Protégé", "type": "attack", "set": "ZZ1", "number": 63},
    "ZZ1-064": {"name": "Attack", "type": "attack", "set": "ZZ1", "number": 64},
}  # fmt: skip
CARDS = {key: {"dots": 0, **facts} for key, facts in {**FILLERS, **CHARACTERS, **BANNED, **ODD}.items()}
NAMES = (
    "Anvil Stance", "Brass Knuckle", "Cinder Step", "Dark Hado", "Pale Echo", "Mara ●", "Mara", "Oto",
    "Kubi Ori", "7 Iron", "Iron", "protege", "Attack", "Granit Guard", "Nobody Knows This", "Harbor Fog",
)  # fmt: skip
LINES = (
    "4 Anvil Stance", "5 Dark Hado", "9 Dark Hado", "5 Dark Hado (SF04 70)", "3 Dark Hado (SF03)",
    "4 Pale Echo", "5 Pale Echo (ZZ2 60)", "1 Mara ●", "1 Mara ●●", "1 Mara", "1 Oto", "4 Oto ●●●",
    "1 Kubi Ori", "7 Iron", "1 7 Iron", "4 Brass Knuckle (ZZ1 3)", "4 Brass Knukle (ZZ1 2)", "3 Nobody",
    "0 Oto ●●●", "-3 Anvil Stance", "Sideborad:", "Riserva:", "", "Total: 60", "Sideboard", "Attack",
    "Attack (4)", "Tokens", "Pool", "4 protege", "Falcon Feint", "4x Jade Focus", "Deck (60)",
    "// Sideboard", "2 Harbor Fog",
)  # fmt: skip
FRUGAL = settings(
    max_examples=machine.examples(4),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


@pytest.fixture(autouse=True)
def _catalogue(db: None) -> None:
    import_once(write(CARDS))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "cards.json").write_text(write(CARDS), encoding="utf-8")
    return tmp_path


Said = tuple[str, list[tuple[Any, ...]]]


def said_by(verdict: dict[str, object], outcome: str) -> Said:
    """Return what is compared of a verdict.

    This is the outcome, and of each finding its rule, code, severity and lines.
    """
    assert verdict["verdict"] == outcome
    findings = [
        (each["rule"], each["code"], each["severity"], tuple(each["lines"])) for each in verdict["findings"]
    ]
    return outcome, sorted(findings)


def by_command_line(folder: Path, content: bytes) -> Said | None:
    """Return what the command line says about a file.

    Returns None for a file of which it can read no card.
    """
    deck, output = folder / "deck", StringIO()
    deck.write_bytes(content)
    terms = ["--game", "ufs", "--format", "constructed", "--rules", "1.9", "--on", DAY.isoformat()]
    with redirect_stdout(output):
        code = main(["check", str(deck), *terms, "--cards", str(folder / "cards.json"), "--json"])
    if code == UNREADABLE:
        return None
    verdict = json.loads(output.getvalue())
    assert code == {"legal": 0, "illegal": 1, "unknown": 2}[verdict["verdict"]]
    return said_by(verdict, verdict["verdict"])


def by_api(text: str) -> Said:
    terms = {"game": "ufs", "format": "constructed", "rules": "1.9", "on": DAY.isoformat()}
    answer = Client().post("/api/decks/check/", {**terms, "text": text}, content_type="application/json")
    assert answer.status_code == 200, answer.content
    return said_by(answer.json()["verdict"], answer.json()["outcome"])


def by_submission_and_recheck(text: str) -> tuple[Said, Said]:
    deck_list = create_list(game="ufs", format_key="constructed", rules_version="1.9")
    version = DeckVersion.objects.get(pk=submit(deck_list, text, actor="Ada", on=DAY).pk)
    again = verdict_on(version, DAY)
    return said_by(version.verdict, version.outcome), said_by(again.verdict.to_json(), again.outcome)


def is_no_deck_file(text: str) -> bool:
    """Return whether what could not be read is the file rather than lines of it."""
    parsed_deck = parse(text)
    of_lines = [line.problem for line in parsed_deck.lines]
    return any(problem not in of_lines for problem in parsed_deck.problems)


def assert_all_agree(folder: Path, text: str) -> Said:
    """Compare all four, and return their result."""
    output = by_command_line(folder, text.encode())
    api = by_api(text)
    if output is None:
        assert api[0] != "legal"
        assert is_no_deck_file(text)
    else:
        assert output == api
    submitted_verdict, recheck_verdict = by_submission_and_recheck(text)
    assert submitted_verdict == api
    assert recheck_verdict == api
    return api


@FRUGAL
@given(st.lists(st.sampled_from(LINES), max_size=9), st.sampled_from([0, 55, 59, 60]))
def test_any_typed_list_is_judged_alike_everywhere(folder: Path, lines: list[str], fillers: int) -> None:
    text = list_of(*lines, fillers=fillers)
    assume(text.strip())
    assert_all_agree(folder, text)


ENTRIES = st.builds(
    ExportEntry,
    st.integers(1, 9),
    st.sampled_from(NAMES),
    st.sampled_from(["main", "main", "main", "sideboard", "pool", "aside"]),
    st.sampled_from([None, None, None, "SF04", "ZZ1"]),
    st.sampled_from([None, None, "70", "2"]),
)


@pytest.mark.parametrize("format", each_nth(2, FORMATS))
@settings(FRUGAL, max_examples=machine.examples(2))
@given(entries=st.lists(ENTRIES, min_size=1, max_size=6))
def test_any_list_is_judged_alike_in_every_type_of_file(
    folder: Path, format: str, entries: list[ExportEntry]
) -> None:
    fillers = [ExportEntry(4, facts["name"]) for facts in list(FILLERS.values())[:14]]
    try:
        text = export([*entries, *fillers], format, game="ufs")
    except CannotExport:
        assume(False)
    assert_all_agree(folder, text)


@pytest.mark.parametrize(
    "name", each_nth(3, sorted(each.name for each in GOLDEN.iterdir() if each.suffix != ".lines"))
)
def test_every_example_file_is_judged_alike_by_command_line_and_submission(folder: Path, name: str) -> None:
    content = (GOLDEN / name).read_bytes()
    output = by_command_line(folder, content)
    deck_list = create_list(game="ufs", format_key="constructed", rules_version="1.9")
    try:
        version = submit(deck_list, content, actor="Ada", on=DAY)
    except Refused:  # an empty list, or no text: the command line may say why it is not legal
        assert output is None or output[0] != "legal"
        return
    submitted_verdict = said_by(version.verdict, version.outcome)
    if output is None:
        assert submitted_verdict[0] != "legal"
        assert is_no_deck_file(version.source_text)
    else:
        assert output == submitted_verdict


AMBIGUOUS = [
    ("4 Dark Hado", "unknown"),
    ("5 Dark Hado", "unknown"),
    ("9 Dark Hado", "illegal"),
    ("5 Dark Hado (SF04 70)", "illegal"),
    ("4 Dark Hado (SF04 70)", "legal"),
    ("4 Dark Hado (SF04 70)\n4 Dark Hado (SF03 15)", "legal"),
    ("4 Brass Knuckle (ZZ1 3)", "unknown"),
    ("4 Mara", "unknown"),
    ("7 Iron", "unknown"),
]


@pytest.mark.parametrize(("line", "outcome"), AMBIGUOUS)
def test_a_line_that_fits_several_cards_is_broken_only_where_all_of_them_are(
    folder: Path, line: str, outcome: str
) -> None:
    assert assert_all_agree(folder, list_of("1 Mara ●", line, fillers=59))[0] == outcome


UNREAD = (
    "99999999999999999999 Oto",
    f"1 {'A' * 300}",
    '{"cards": [{"name": "Oto", "qty": "four"}]}',
    '{"cards": [{"name": "Oto", "quantity": 4.5}]}',
)


@pytest.mark.parametrize("text", UNREAD)
def test_a_list_of_which_no_line_can_be_read_has_one_verdict_everywhere(folder: Path, text: str) -> None:
    assert by_command_line(folder, text.encode()) == assert_all_agree(folder, text)


def test_five_of_an_ambiguous_name_are_asked_for_set_and_number_everywhere(
    folder: Path, client: Client
) -> None:
    text = list_of("1 Mara ●", "5 Dark Hado", fillers=59)
    outcome, findings = assert_all_agree(folder, text)
    page = client.post("/decks/check/", {"format": "ufs/constructed/1.9", "text": text}).context[
        "checked_list"
    ]
    codes = [("G-04", "card-ambiguous", "unknown", (2,)), ("UFS-L03", "copies-unknown", "unknown", (2,))]

    assert (outcome, findings) == ("unknown", codes)
    assert said_by(page.verdict.to_json(), page.outcome) == (outcome, findings)
    assert [fact.fact for fact in page.verdict.unknowns] == ["which-card", "set", "number"]
    [line] = page.unresolved_lines
    assert [each.label for each in line.suggestions] == ["Dark Hado (SF03 15)", "Dark Hado (SF04 70)"]
