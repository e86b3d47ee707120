"""The cut out of a real standing: seeds, reasons, reserves, and who moves up."""

from __future__ import annotations

import random

import pytest

from rules.reason import Reference, reason
from tests.tournament.engine.events import event
from tournament.engine.cut import CutResult, Short, select_cut
from tournament.engine.problems import EngineError
from tournament.engine.records import Event, Match, Player, Result
from tournament.engine.seeded_random import draw_random_numbers
from tournament.engine.standings.standing import StandingRow, compute_standings
from tournament.engine.standings.systems.loading import load_system, parse_system

# Eight players, three rounds; the lot separates those on equal points.
ORDERED = parse_system({"tiebreakers": [{"kind": "lot"}]})
PLAYED = event(
    "1-8 2:0, 2-7 2:0, 3-6 2:0, 4-5 2:0",
    "1-4 2:0, 2-3 2:0, 5-8 2:0, 6-7 2:0",
    "1-2 2:0, 3-4 2:0, 5-6 2:0, 7-8 2:0",
)
LOTS = {player: player for player in range(1, 9)}
FIGHTERS = dict(enumerate(("Ken", "ken ●●●", "Ryu", "Guile", "RYU", "Chun-Li", "Vega", "Guile"), 1))


def table(drops: dict[int, int] | None = None) -> tuple[StandingRow, ...]:
    return compute_standings(PLAYED._replace(drops=drops or {}), ORDERED, lots=LOTS)


def seeds(result: CutResult) -> list[tuple[int, int]]:
    return [(place.seed, place.player) for place in result.places]


def codes(result: CutResult) -> dict[int, str]:
    return {decision.player: decision.code for decision in result.decisions}


def test_the_standing_of_these_tests() -> None:
    assert [row.player for row in table()] == [1, 2, 3, 5, 4, 6, 7, 8]


def test_the_best_four_go_on_and_everyone_has_a_reason() -> None:
    result = select_cut(table(), 4, reserves=2)
    assert seeds(result) == [(1, 1), (2, 2), (3, 3), (4, 5)]
    assert result.reserves == (4, 6)
    assert (result.size, result.asked_size, result.notes) == (4, 4, ())
    assert [d.is_in for d in result.decisions] == [True] * 4 + [False] * 4
    assert all(decision.reason.code for decision in result.decisions)
    assert select_cut(table(), 4).reserves == ()


def test_who_dropped_declines_or_is_disqualified_is_passed_over_and_the_next_moves_up() -> None:
    result = select_cut(table(drops={2: 3}), 4, decliners={3}, disqualified_players={5})
    assert seeds(result) == [(1, 1), (2, 4), (3, 6), (4, 7)]
    assert [codes(result)[player] for player in (2, 3, 5, 8)] == [
        "dropped",
        "declined",
        "disqualified",
        "no_place",
    ]


def test_diversity_takes_the_best_of_each_character() -> None:
    result = select_cut(table(), 4, diversity=True, characters=FIGHTERS, reserves=1)
    # 2 plays Ken as 1 does, 5 plays Ryu as 3 does
    assert seeds(result) == [(1, 1), (2, 3), (3, 4), (4, 6)]
    assert (codes(result)[2], codes(result)[5], codes(result)[7]) == (
        "same_character",
        "same_character",
        "no_place",
    )
    assert result.reserves == (7,)
    assert result.decisions[1].reason == reason("same_character", character="ken", rank=1)


def test_who_moves_up_depends_on_the_character_that_is_set_free() -> None:
    qualified_players = {1, 3, 4, 6}
    moved_up = []
    for player in sorted(qualified_players):
        result = select_cut(table(), 4, diversity=True, characters=FIGHTERS, decliners={player})
        moved_up += [place.player for place in result.places if place.player not in qualified_players]
    assert moved_up == [2, 5, 7, 7]


@pytest.mark.parametrize(
    ("short", "expected_ranks", "size"),
    [("shrink", [1, 3, 4, 6, 7], 5), ("fill", [1, 2, 3, 5, 4, 6, 7, 8], 8)],
)
def test_too_few_characters_shrink_or_fill_and_say_so(
    short: str, expected_ranks: list[int], size: int
) -> None:
    result = select_cut(table(), 8, diversity=True, characters=FIGHTERS, short=short)
    assert [place.player for place in result.places] == expected_ranks
    assert (result.size, result.asked_size) == (size, 8)
    assert result.notes


def test_every_missing_character_within_reach_is_named() -> None:
    unknown = FIGHTERS | {2: None, 3: " "}
    with pytest.raises(EngineError) as excinfo:
        select_cut(table(), 4, diversity=True, characters=unknown)
    assert [problem.code for problem in excinfo.value.problems] == ["character-undeclared"] * 2
    beyond = FIGHTERS | {8: None}
    assert len(select_cut(table(), 4, diversity=True, characters=beyond).places) == 4


@pytest.mark.parametrize("size", [0, -2])
def test_a_cut_needs_a_place(size: int) -> None:
    with pytest.raises(EngineError, match="at least one place"):
        select_cut(table(), size)


LEVEL = event("1-2 2:0, 3-4 2:0")
DRAWN = reason(
    "rank_drawn", players=(Reference("player", 3), Reference("player", 1)), place=Reference("place", 1)
)


def test_a_rank_shared_across_the_line_needs_lots() -> None:
    system = load_system("magic")
    with pytest.raises(EngineError, match="Player 1 and player 3 share rank 1 at the cut line"):
        select_cut(compute_standings(LEVEL, system), 1)
    assert seeds(select_cut(compute_standings(LEVEL, system), 2)) == [(1, 1), (2, 3)]
    cut = select_cut(compute_standings(LEVEL, system, lots={1: 2, 3: 1}), 1)
    assert (seeds(cut), cut.notes) == ([(1, 3)], (DRAWN,))


def test_a_rank_shared_by_two_with_one_character_needs_lots() -> None:
    system, kens = load_system("magic"), {1: "Ken", 2: "Ryu", 3: "ken", 4: "Vega"}
    with pytest.raises(EngineError, match="Player 1 and player 3 share rank 1 at the cut line"):
        select_cut(compute_standings(LEVEL, system), 1, diversity=True, characters=kens)
    rows = compute_standings(LEVEL, system, lots={1: 2, 3: 1, 2: 3, 4: 4})
    cut = select_cut(rows, 3, diversity=True, characters=kens)
    assert seeds(cut) == [(1, 3), (2, 2), (3, 4)]
    assert cut.notes == (DRAWN,)


def test_a_rank_shared_by_a_filled_place_and_one_left_out_needs_lots() -> None:
    # 1 and 3 take the characters; 2 and 4, level behind them, are left for one place more
    characters = {1: "Ken", 3: "Ryu", 2: "Ken", 4: "Ryu"}
    rows = compute_standings(LEVEL, load_system("magic"))
    with pytest.raises(EngineError, match="Player 2 and player 4 share rank 3 at the cut line"):
        select_cut(rows, 3, diversity=True, characters=characters, short="fill")


def test_every_rank_shared_across_the_line_is_named() -> None:
    kens = {1: "Ken", 2: "Ryu", 3: "Ken", 4: "Vega"}
    with pytest.raises(EngineError) as excinfo:
        select_cut(compute_standings(LEVEL, load_system("magic")), 2, diversity=True, characters=kens)
    assert [str(problem) for problem in excinfo.value.problems] == [
        "Player 1 and player 3 share rank 1 at the cut line. Decide at random.",
        "Player 2 and player 4 share rank 3 at the cut line. Decide at random.",
    ]


def test_a_shared_rank_is_kept_in_the_decisions() -> None:
    cut = select_cut(
        compute_standings(LEVEL, load_system("magic"), lots=draw_random_numbers((1, 2, 3, 4), 5)), 1
    )
    assert sorted(decision.rank for decision in cut.decisions) == [1, 1, 3, 3]


def test_a_cut_may_be_larger_than_the_field() -> None:
    result = select_cut(table(), 16)
    assert (result.size, result.reserves) == (8, ())
    assert result.notes


@pytest.mark.parametrize("short", ["shrink", "fill"])
def test_those_named_as_drawn_are_those_who_could_have_taken_each_others_places(short: Short) -> None:
    for seed in range(40):
        rng = random.Random(seed)
        ids = range(1, 13)
        first_round = tuple(Match(one, one + 1, Result.P1) for one in ids[::2])
        event = Event(tuple(map(Player, ids)), (first_round,), dict.fromkeys(rng.sample(ids, 2), 1))
        rows = compute_standings(event, load_system("go"), lots={p: rng.randrange(99) for p in ids})
        characters = {player: rng.choice("abcde") for player in ids}
        cut = select_cut(rows, 4, diversity=rng.random() < 0.7, characters=characters, short=short)
        assert _list_named_players(cut) == _could_change_places(cut, characters)


def _list_named_players(cut: CutResult) -> set[int]:
    drawn_players = [note.params["players"] for note in cut.notes if note.code == "rank_drawn"]
    return {reference.key for references in drawn_players for reference in references}  # type: ignore[union-attr]


def _could_change_places(cut: CutResult, characters: dict[int, str]) -> set[int]:
    named_numbers: set[int] = set()
    for one in cut.decisions:
        for two in cut.decisions:
            if one.rank != two.rank or not one.is_in or two.is_in:
                continue
            same = characters[one.player] == characters[two.player]
            if two.code == "no_place" or (two.code == "same_character" and (same or one.code == "filled")):
                named_numbers |= {one.player, two.player}
    return named_numbers


def test_every_missing_declaration_within_reach_is_named_at_once() -> None:
    rows = compute_standings(
        Event(tuple(map(Player, range(1, 6)))), load_system("ufs"), lots=dict.fromkeys(range(6), 1)
    )
    with pytest.raises(EngineError) as refusal:
        select_cut(rows, 3, diversity=True, characters={1: "Ken", 3: " ", 5: "Ryu"})
    keys = [problem.reason.params["player"].key for problem in refusal.value.problems]  # type: ignore[union-attr]
    assert keys == [2, 3]
