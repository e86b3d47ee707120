"""The bracket as a picture and as a list.

It is on the public page and on the venue screen.
"""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from rules.rendering import say
from tests.everyday import each_case
from tests.scenarios.factories import add_players, built_once, make_event, open_matches, organizer, win
from tests.scenarios.html import html_of
from tests.scenarios.public_pages import event_with_cut, get, strip_tags
from tests.scenarios.rollback import rolled_back
from tournament.brackets.selectors.picture import group_for_screens, load_bracket_view, split_part
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Match
from tournament.events.selectors import get_bracket_stage
from tournament.setup.services import events
from tournament.templatetags.pictures import fit_bracket_name

pytestmark = pytest.mark.django_db


@built_once
def start_bracket(players: int, **stage: object) -> Event:
    event = make_event(plan=[stage])
    add_players(event, players)
    events.start_event(event, organizer())
    return event


def next_match(event: Event) -> Match | None:
    """Return the open match of the earliest round."""
    open_matches = Match.objects.filter(round__stage__event=event, outcome="")
    return (
        open_matches.select_related("round__stage__event", "p1", "p2")
        .order_by("round__number", "table")
        .first()
    )


def picture(client: Client, path: str) -> list[str]:
    """Return the words of all pictures of a page, in the order of their drawing."""
    page = html_of(client.get(path))
    drawings = "".join(re.findall(r'<svg class="bracket.*?</svg>', page, flags=re.S))
    return [words.strip() for words in re.findall(r"<text[^>]*>([^<]*)</text>", drawings)]


def test_the_bracket_is_a_picture_with_tables_results_and_who_is_waited_for(client: Client) -> None:
    event = event_with_cut(cut="top")
    first, second = open_matches(event.stages.get(position=2).rounds.get(number=1))
    win(first)
    assert picture(client, f"/e/{event.slug}/bracket/") == [
        "Semi-finals", "Final",
        "1", "1", first.p1.name, "2", "4", first.p2.name, "0",
        "2", "Table 2", "2", second.p1.name, "3", second.p2.name,
        "3", "1", first.p1.name, "Winner of 2",
    ]  # fmt: skip


def test_the_same_stands_below_as_a_list_whose_results_lead_on(client: Client) -> None:
    event = event_with_cut(cut="top")
    first, second = open_matches(event.stages.get(position=2).rounds.get(number=1))
    win(first)
    answer = client.get(f"/e/{event.slug}/bracket/")
    list_text = strip_tags(answer.content.decode().partition('<details class="bracket-list">')[2])
    assert f"Match 1 {first.p1.name} (1) – {first.p2.name} (4) : 2-0" in list_text
    assert f"Match 2, table 2 {second.p1.name} (2) – {second.p2.name} (3) Playing" in list_text
    assert f"Match 3 {first.p1.name} (1) – Winner of 2" in list_text
    assert html_of(answer).count(f'href="/e/{event.slug}/matches/{first.pk}/"') == 2


def test_in_the_console_each_match_of_the_bracket_leads_to_its_result(client: Client) -> None:
    event = event_with_cut(cut="top")
    client.force_login(event.staff.get().user)
    page = html_of(client.get(f"/console/{event.slug}/cut/"))
    matches = open_matches(event.stages.get(position=2).rounds.get(number=1))
    assert [page.count(f'href="/console/{event.slug}/matches/{match.pk}/"') for match in matches] == [2, 2]


def test_second_grand_final_says_whether_it_is_needed(client: Client) -> None:
    event = start_bracket(2, kind="double")
    assert picture(client, f"/e/{event.slug}/bracket/")[-2:] == [say("reason", "awaited_side.if_needed")] * 2
    while (match := next_match(event)) is not None:
        win(match)
    assert picture(client, f"/e/{event.slug}/bracket/")[-2:] == ["Not needed", "Not needed"]


@each_case(
    ("kind", "name", "wide", "lines"),
    [
        ("single", "Ann Abe", 224, ["Ann Abe"]),
        (
            "single",
            "Pablo Echeverría-Santos de la Torre y Álvarez del Castillo",
            224,
            ["Pablo Echeverría-Santos de la", "Torre y Álvarez del Castillo"],
        ),
        (
            "double",
            "Donaudampfschifffahrtsgesellschaftskapitän Müller",
            284,
            ["Donaudampfschifffahrtsgesellschaftskapitän", "Müller"],
        ),
    ],
    around=rolled_back,
)
def test_no_name_is_cut_in_a_bracket(
    client: Client, kind: str, name: str, wide: int, lines: list[str]
) -> None:
    event = start_bracket(4, kind=kind)
    Player.objects.filter(event=event, number=1).update(name=name)
    page = html_of(client.get(f"/e/{event.slug}/bracket/"))
    words = picture(client, f"/e/{event.slug}/bracket/")
    index = words.index(lines[0])
    assert (words[index : index + len(lines)], f'width="{wide}"' in page) == (lines, True)


def test_names_without_end_keep_every_letter_in_a_bracket() -> None:
    for name in ("W" * 80, "佐" * 80, "i" * 80):
        assert "".join(fit_bracket_name(name, 218).texts) == name


@each_case(
    ("players", "stage", "names"),
    [
        (8, {"kind": "single"}, [[""]]),
        (8, {"kind": "single", "third_place": True}, [["", "Third place"]]),
        (8, {"kind": "double"}, [["Winners' side"], ["Losers' side", "Grand final"]]),
        (20, {"kind": "single"}, [["Part 1 of 2"], ["Part 2 of 2"], ["Last rounds"]]),
    ],
    around=rolled_back,
)
def test_a_hall_screen_shows_a_bracket_in_pieces_that_can_be_read_from_afar(
    players: int, stage: dict[str, object], names: list[list[str]]
) -> None:
    views = group_for_screens(load_bracket_view(get_bracket_stage(start_bracket(players, **stage))), 8)
    assert [[part.name for part in view] for view in views] == names
    assert max(len(column.slots) for view in views for part in view for column in part.columns) <= 8


def test_pieces_hold_every_match_once() -> None:
    (part,) = load_bracket_view(get_bracket_stage(start_bracket(20, kind="single")))
    ids = [
        slot.id for piece in split_part(part, 8) for column in piece.columns for slot in column.slots if slot
    ]
    assert sorted(ids) == list(range(1, 20))


def test_a_hall_screen_shows_the_picture_alone(client: Client) -> None:
    event = start_bracket(4, kind="single")
    assert len(picture(client, f"/e/{event.slug}/screen/bracket/")) == 17
    assert "as a list" not in get(client, f"/e/{event.slug}/screen/bracket/")


@pytest.mark.parametrize("players", [4, 24])
def test_a_bracket_takes_the_same_queries_for_few_and_many(
    client: Client, players: int, django_assert_num_queries: Any
) -> None:
    event = start_bracket(players, kind="single")
    client.get(f"/e/{event.slug}/")
    with django_assert_num_queries(11):
        client.get(f"/e/{event.slug}/bracket/")


def test_pieces_on_the_hall_screen_go_as_far_as_their_own_last_match() -> None:
    views = group_for_screens(load_bracket_view(get_bracket_stage(start_bracket(16, kind="single"))), 4, 4)
    assert [[[len(column.slots) for column in part.columns] for part in view] for view in views] == [
        [[4, 2, 1]],
        [[4, 2, 1]],
        [[4, 2, 1]],
    ]


def test_a_losers_side_of_six_rounds_is_two_views_of_the_hall_screen() -> None:
    views = group_for_screens(load_bracket_view(get_bracket_stage(start_bracket(16, kind="double"))), 4, 4)
    assert [[part.name for part in view] for view in views][3:] == [
        ["Losers' side, first rounds"],
        ["Losers' side, last rounds", "Grand final"],
    ]


@pytest.mark.parametrize(("is_started", "links"), [(False, 0), (True, 1)])
def test_provisional_cut_is_linked_once_the_event_plays(is_started: bool, links: int, client: Client) -> None:
    event = make_event(cut="top", cut_size=4)
    add_players(event, 8)
    if is_started:
        events.start_event(event, organizer())
    empty = html_of(client.get(f"/e/{event.slug}/bracket/")).partition('<div class="empty">')[2]
    assert empty.count(f'href="/e/{event.slug}/cut/"') == links
