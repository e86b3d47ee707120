"""A checked list as a file of every type.

Read again it is the same list, and nothing is lost in silence.
"""

from __future__ import annotations

import re
from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from decks.checking.check import check_text
from decks.checking.deck_files import FILE_TYPES, check_and_write_file, write_deck_file
from decks.shared.refusals import Refused
from tests import machine
from tests.scenarios.catalogue import LEGAL, small_catalogue
from tests.scenarios.html import html_of

pytestmark = pytest.mark.django_db
ADDRESS = "/decks/check/file/"
FORM = {"format": "ufs/constructed/1.9", "text": f"{LEGAL}\nSideboard\n8 Paper Tiger\n2 Mara ●● (ZZ1 102)"}


@pytest.fixture(autouse=True)
def _catalogue(db: None) -> None:
    small_catalogue()


def cards(text: str) -> Counter[tuple[str, str | None]]:
    """Return the copies of each card in each part of a list."""
    checked_list = check_text("ufs", "constructed", text)
    assert checked_list.unresolved_lines == ()
    return Counter(
        {
            key: sum(line.qty or 0 for line in checked_list.lines if (line.zone, line.card_key) == key)
            for key in {(line.zone, line.card_key) for line in checked_list.lines if line.kind == "card"}
        }
    )


@pytest.mark.parametrize("kind", FILE_TYPES)
def test_a_list_is_downloaded_in_every_type_and_read_again_as_the_same(client, kind):
    answer = client.post(ADDRESS, {**FORM, "kind": kind})
    assert answer.status_code == 200
    assert answer["Content-Disposition"] == f'attachment; filename="list.{FILE_TYPES[kind].suffix}"'
    assert cards(answer.content.decode()) == cards(FORM["text"])


ENTRIES = st.lists(
    st.tuples(
        st.sampled_from(["main", "sideboard", "pregame", "pool"]),
        st.sampled_from(
            [
                ("anvil-stance", None), ("anvil-stance", "ZZ1-001"), ("mara-1", "ZZ1-101"), ("mara-2", None),
                ("oto-3", "ZZ1-103"), ("kubi-ori", None), ("paper-tiger", "ZZ1-016"),
            ]
        ),
        st.integers(1, 12),
    ),
    max_size=8,
)  # fmt: skip


@pytest.mark.parametrize("kind", FILE_TYPES)
@settings(
    max_examples=machine.examples(3),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(data=ENTRIES)
def test_any_stored_list_survives_every_type_of_file(kind, data):
    entries = [
        {"zone": zone, "card": card, "printing": printing, "name": card, "qty": qty, "line": place}
        for place, (zone, (card, printing), qty) in enumerate(data, start=1)
    ]
    expected_counts: Counter[tuple[str, str | None]] = Counter()
    for zone, (card, _), qty in data:
        expected_counts[zone, card] += qty
    assert cards(write_deck_file("ufs", entries, kind)) == expected_counts


def test_a_list_with_a_line_that_was_not_read_is_not_taken_away(client):
    answer = client.post(ADDRESS, {**FORM, "text": "4 Anvil Stance\n-1 Brass Knuckle", "kind": "csv"})
    assert answer.status_code == 422
    assert "Line 2 was not read, so it would be missing." in html_of(answer)
    with pytest.raises(Refused) as refusal:
        check_and_write_file("ufs", "constructed", "0 Anvil Stance\n0 Brass Knuckle\n", "text")
    assert refusal.value.sentence.startswith("2 lines were not read")


def test_a_card_that_is_not_known_goes_out_as_it_was_written():
    text = check_and_write_file("ufs", "constructed", "4 Nobody Knows ●●\n", "text")
    assert "4 Nobody Knows ●●" in text


def test_a_type_of_file_that_does_not_exist_is_not_found(client):
    assert client.post(ADDRESS, {**FORM, "kind": "papyrus"}).status_code == 404
    assert client.get(ADDRESS).status_code == 405


def test_each_line_says_what_it_became_and_how_it_was_found(client):
    text = "// my list\nx4 anvil stance\n1 Mara2\nSB: 2 Dockside Rumour (ZZ1 4)\n1 Mara\n0 Paper Tiger"
    page = html_of(client.post("/decks/check/", {**FORM, "text": text}))
    matches = dict(re.findall(r'<li[^>]*data-line="(\d+)"[^>]*>(.*?)</li>', page))
    assert "(comment, ignored)" in matches["1"]
    assert "4 <a" in matches["2"]
    assert "found by name and rank dots, likely." not in matches["2"]
    assert "found by name and rank dots" in matches["3"]
    assert "found by set and number." in matches["4"]
    assert '<span class="badge">Sideboard</span>' in matches["4"]
    assert "Line 5: 1 Mara" in matches["5"]
    assert "0 copies are not possible." in matches["6"]
