"""Positions of the boxes and lines in the picture of a bracket."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tournament.engine.brackets.diagram import DiagramFrame, RoundShape, lay_out_diagram

FRAME = DiagramFrame(box=100, tall=20, gap=40, left=0, top=10, height=90)


def test_a_match_lies_between_the_two_that_lead_to_it() -> None:
    diagram = lay_out_diagram(
        [RoundShape([True] * 4, "joined"), RoundShape([True] * 2, "joined"), RoundShape([True], "loose")],
        FRAME,
    )
    assert diagram.middles == [[20, 40, 60, 80], [30, 70], [50]]


def test_lines_lead_from_each_match_into_the_next() -> None:
    diagram = lay_out_diagram([RoundShape([True, True], "joined"), RoundShape([True], "loose")], FRAME)
    assert diagram.path == "M100 30h20V50h20M100 70h20V50h20"


def test_a_place_that_a_bye_left_empty_has_no_line_but_keeps_its_room() -> None:
    diagram = lay_out_diagram([RoundShape([False, True], "joined"), RoundShape([True], "loose")], FRAME)
    assert (diagram.middles, diagram.path) == ([[30, 70], [50]], "M100 70h20V50h20")


def test_rounds_that_keep_their_number_go_on_straight() -> None:
    diagram = lay_out_diagram(
        [RoundShape([True, True], "straight"), RoundShape([True, True], "loose")], FRAME
    )
    assert (diagram.middles[1], diagram.path) == (diagram.middles[0], "M100 30h20V30h20M100 70h20V70h20")


def test_a_round_into_which_others_come_is_spread_again_without_lines() -> None:
    diagram = lay_out_diagram([RoundShape([True], "loose"), RoundShape([True, True], "loose")], FRAME)
    assert (diagram.middles, diagram.path) == ([[50], [30, 70]], "")


@given(
    st.lists(
        st.tuples(
            st.lists(st.booleans(), min_size=1, max_size=9), st.sampled_from(["joined", "straight", "loose"])
        ),
        max_size=5,
    )
)
def test_every_place_lies_in_the_picture_and_no_two_on_one_another(
    rounds: list[tuple[list[bool], str]],
) -> None:
    diagram = lay_out_diagram([RoundShape(filled_count, lines) for filled_count, lines in rounds], FRAME)
    assert [len(column) for column in diagram.middles] == [len(filled_count) for filled_count, _ in rounds]
    for column in diagram.middles:
        assert column == sorted(set(column))
        assert all(FRAME.top <= middle <= FRAME.height for middle in column)
