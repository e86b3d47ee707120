"""Pages of the rules.

The judge sheet says what checks and time-called pages say, and versions are compared.
"""

from __future__ import annotations

import pytest
from django.test import Client

from rules import load_format
from rules.rendering import say
from rules.round_sheet import build_round_sheet
from rules.timed import end_steps
from tests.everyday import each_case
from tests.scenarios.html import html_of


def test_sheet_has_every_part_of_a_round(client: Client) -> None:
    page = client.get("/rules/ufs/constructed/")
    parts = {part.key: [line.sentence for line in part.lines] for part in page.context["parts"]}

    assert list(parts) == [
        "clock", "first_turn", "mulligan", "time_with_draws", "time_without_draws", "concession",
        "sideboarding", "penalties", "bans",
    ]  # fmt: skip
    assert parts["time_without_draws"] == [s.sentence for s in end_steps("ufs", "1.9", "single_elimination")]
    assert "Dhalsim ●●●, Cassandra ●●, Double-Dealing" in parts["bans"][0]
    assert parts["penalties"] == ["The rules do not describe penalties. The organizer decides."]
    assert "Judge sheet" in html_of(page)


@pytest.mark.parametrize("game_format", ["cfc/standard", "sf_miniatures/versus", "highlander/standard"])
def test_every_game_has_a_sheet(client: Client, game_format: str) -> None:
    page = client.get(f"/rules/{game_format}/")

    assert all(part.lines for part in page.context["parts"])


def test_a_sheet_of_an_older_version_lacks_first_blood(client: Client) -> None:
    old, new = (html_of(client.get(f"/rules/ufs/constructed/?rules={number}")) for number in ("1.8", "1.9"))

    assert ("First Blood" in old, "First Blood" in new) == (False, True)


def test_versions_compared_name_first_blood_first(client: Client) -> None:
    differences = client.get("/rules/ufs/constructed/1.8/1.9/").context["differences"]

    assert "First Blood" in differences[0]
    assert "[102.3.1]" in differences[0]


@each_case(
    "address",
    ["/rules/chess/blitz/", "/rules/ufs/legacy/", "/rules/ufs/constructed/?rules=7", "/rules/ufs/draft/1/2/"],
)
def test_what_is_not_there_is_not_found(client: Client, address: str) -> None:
    assert client.get(address).status_code == 404


def test_a_version_without_a_ban_list_says_so() -> None:
    form = load_format("ufs", "constructed", rules="1.8")
    parts = {part.key: part.lines for part in build_round_sheet(form)}

    assert [(line.sentence, line.clause) for line in parts["bans"]] == [
        (say("format", "sheet-no-bans"), "501, 502")
    ]


def test_what_no_document_says_cites_nothing() -> None:
    parts = {part.key: part.lines for part in build_round_sheet(load_format("highlander", "standard"))}

    assert [(line.clause, line.words.endswith("]")) for line in parts["mulligan"]] == [("", False)]


def test_highlander_names_its_penalties_and_bans() -> None:
    parts = {part.key: part.lines for part in build_round_sheet(load_format("highlander", "standard"))}

    assert parts["penalties"][0].clause == "Rules of Conduct 10 (l.2108)"
    assert "Quickening (HTGQ-036)" in parts["bans"][0].sentence
    assert [line.clause for line in parts["bans"][1:]] == ["Standard Constructed (l.2060)"]
    assert "time_without_draws" not in parts
