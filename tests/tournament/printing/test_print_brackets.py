"""Large brackets on paper.

The first rounds are in halves or quarters, and the last page is whole.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from rules.rendering import say
from tests.everyday import each_case
from tests.scenarios.factories import add_players, built_once, make_event, organizer
from tests.scenarios.rollback import rolled_back
from tournament.brackets.selectors.picture import load_bracket_view
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.selectors import get_bracket_stage, get_published_rounds
from tournament.printing.request import PrintRequest
from tournament.printing.sheets.bracket import PAGE_SIZES, BracketPicture, build_bracket, wrap_into_box
from tournament.printing.sheets.lists import build_pairings_by_table
from tournament.setup.services import events
from tournament.shared.text import measure_width

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 5, 2, 9, 30, tzinfo=UTC)


@built_once
def start_bracket(players: int, **stage: Any) -> Event:
    """Return a bracket of so many, nothing played."""
    event = make_event(plan=[stage])
    add_players(event, 2)
    Player.objects.bulk_create(
        Player(event=event, number=n, name=f"Player {n}", lot=n, registered_at=NOW)
        for n in range(3, players + 1)
    )
    events.start_event(event, organizer())
    return event


def pictures(event: Event, paper: str = "A4") -> list[BracketPicture]:
    """Return the pages of the bracket."""
    return list(build_bracket(PrintRequest(event, None, paper, NOW))["pictures"])


def headings(picture: BracketPicture) -> list[str]:
    """Return the rounds on a page."""
    return [text.words for text in picture.texts if text.css == "t"]


def test_a_bracket_of_52_ends_on_a_page_with_its_last_three_rounds() -> None:
    built_pictures = pictures(start_bracket(52, kind="single", third_place=True))
    assert [(picture.name, headings(picture)) for picture in built_pictures] == [
        ("Part 1 of 2", ["Last 64", "Last 32", "Last 16"]),
        ("Part 2 of 2", ["Last 64", "Last 32", "Last 16"]),
        (
            "Last rounds and third place",
            ["Quarter-finals", "Semi-finals", "Final", say("reason", "third_place")],
        ),
    ]
    assert sum(len(picture.boxes) for picture in built_pictures) == 52


def test_a_losers_side_too_long_for_a_page_is_cut_where_four_matches_are_left() -> None:
    built_pictures = pictures(start_bracket(40, kind="double"))
    assert [(picture.name, len(headings(picture))) for picture in built_pictures] == [
        ("Winners' side, part 1 of 2", 3),
        ("Winners' side, part 2 of 2", 3),
        ("Winners' side, last rounds", 3),
        ("Losers' side, first rounds", 3),
        ("Losers' side, last rounds and grand final", 8),
    ]


@pytest.mark.parametrize(
    ("players", "name", "boxes"),
    [
        (2, "Winners' side and grand final", 3),
        (3, "Winners' side, losers' side and grand final", 5),
        (5, "Winners' side, losers' side and grand final", 9),
    ],
)
def test_a_small_double_elimination_has_its_grand_final_on_the_page(
    players: int, name: str, boxes: int
) -> None:
    (picture,) = pictures(start_bracket(players, kind="double"))
    assert (picture.name, len(picture.boxes)) == (name, boxes)
    assert headings(picture)[-2:] == ["Grand final", "Second grand final"]


def test_rounds_of_the_losers_below_those_of_the_winners_say_whose_they_are() -> None:
    (picture,) = pictures(start_bracket(4, kind="double"))
    assert headings(picture)[2:4] == ["Losers' side, round 1", "Losers' side, final"]


def test_a_seed_of_three_digits_does_not_touch_the_name_behind_it() -> None:
    picture = pictures(start_bracket(128, kind="single"))[0]
    index = next(
        index for index, text in enumerate(picture.texts) if text.css == "s" and len(text.words) == 3
    )
    seed, name = picture.texts[index : index + 2]
    assert name.css == "n"
    assert 1000 * (name.x - seed.x) > measure_width(seed.words) * seed.size


@each_case("paper", ["A4", "Letter"])
@each_case(
    ("players", "kind"), [(5, "double"), (8, "double"), (17, "double"), (32, "single")], around=rolled_back
)
def test_boxes_lie_on_the_page_and_none_upon_another(players: int, kind: str, paper: str) -> None:
    width, height = PAGE_SIZES[paper]
    for picture in pictures(start_bracket(players, kind=kind), paper):
        assert [
            (x, y) for x, y, w, h in picture.boxes if x < 0 or y < 0 or x + w > width or y + h > height
        ] == []
        assert [
            (one, two)
            for index, one in enumerate(picture.boxes)
            for two in picture.boxes[:index]
            if abs(one[0] - two[0]) < min(one[2], two[2]) and abs(one[1] - two[1]) < min(one[3], two[3])
        ] == []


def test_matches_of_a_losers_round_that_byes_have_thinned_out_stand_beside_those_they_lead_to() -> None:
    losers = next(
        part
        for part in load_bracket_view(get_bracket_stage(start_bracket(14, kind="double")))
        if "Losers" in part.name
    )
    first, second = losers.columns[:2]
    waiting_text = [{side.waiting_text for side in slot.sides} for slot in second.slots if slot]
    beside = [
        f"Winner of {slot.id}" in waiting_line
        for slot, waiting_line in zip(first.slots, waiting_text, strict=True)
        if slot
    ]
    assert (first.lines, beside) == ("straight", [True, True])


def test_a_long_name_takes_two_lines_where_its_box_is_high_enough() -> None:
    event = start_bracket(8, kind="single")
    name = "Pablo Echeverría-Santos de la Torre y Álvarez del Castillo Montenegro"
    Player.objects.filter(event=event, number=1).update(name=name)
    (picture,) = pictures(event)
    words = " ".join(text.words for text in picture.texts if text.css == "n")
    assert (name in words, "…" in words) == (True, False)


def test_bracket_whose_names_would_be_cut_has_half_the_rows_on_a_page() -> None:
    event = start_bracket(24, kind="double")
    assert len(pictures(event)) == 2
    name = "Pablo Echeverría-Santos de la Torre y Álvarez del Castillo Montenegro"
    Player.objects.filter(event=event, number=1).update(name=name)
    built_pictures = pictures(event)
    words = " ".join(text.words for picture in built_pictures for text in picture.texts)
    assert (len(built_pictures), "…" in words) == (4, False)


@pytest.mark.parametrize(
    ("name", "mm", "lines"),
    [
        ("Hubert Hohenhausenbergerdorff", 30, ["Hubert", "Hohenhausenbergerdorff"]),
        ("Wolfeschlegelsteinhausenbergerdorff", 36, ["Wolfeschlegelsteinhausenbergerdorff"]),
        (
            "Pablo Echeverría-Santos de la Torre y Álvarez",
            36,
            ["Pablo Echeverría-Santos", "de la Torre y Álvarez"],
        ),
    ],
)
def test_name_in_a_narrow_box_is_smaller_before_a_word_breaks(name: str, mm: float, lines: list[str]) -> None:
    assert wrap_into_box(name, mm, 36, 80)[1] == lines


def test_name_without_room_at_any_size_breaks_before_it_is_cut() -> None:
    broken_lines, (cut_line,) = (
        wrap_into_box("Wolfeschlegelsteinhausenbergerdorff", mm, 36, 80)[1] for mm in (18, 8)
    )
    assert ("".join(broken_lines), cut_line[-1]) == ("Wolfeschlegelsteinhausenbergerdorff", "…")


def test_pairings_of_a_bracket_that_begins_an_event_have_no_column_of_points() -> None:
    event = start_bracket(4, kind="single")
    (first_round,) = get_published_rounds(event)
    layout = build_pairings_by_table(PrintRequest(event, first_round, "A4", NOW))["layout"]
    assert [column.css for column in layout.columns] == ["l-table", "l-one", "l-two", "l-result"]
