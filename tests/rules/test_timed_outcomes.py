"""Questions and outcomes as the event desk uses them.

Clocks, first turns and concessions are covered too.
"""

from __future__ import annotations

import pytest

from rules import UnknownFormat, timed
from rules.library import Library
from rules.reason import Reason
from rules.timed.facts import Facts
from rules.timed.procedure import build_procedure
from tests.everyday import each_case

BEST_OF_3 = "best_of_3_50min"
LEVEL = {"games_p1": 0, "games_p2": 0, "game_in_progress": True, "last_turn_winner": None}
NUMBERS = {
    "vitality_p1": 20,
    "character_vitality_p1": 25,
    "vitality_p2": 15,
    "character_vitality_p2": 20,
}


def keys(questions: tuple[timed.Question, ...]) -> list[str]:
    return [question.key for question in questions]


def test_a_swiss_match_is_asked_about_games_alone():
    assert keys(timed.questions("ufs", "1.9", "swiss", BEST_OF_3, {})) == [
        "games_p1",
        "games_p2",
        "game_in_progress",
        "last_turn_winner",
    ]
    assert timed.questions("ufs", "1.9", "swiss", BEST_OF_3, LEVEL) == ()


def test_elimination_asks_one_step_after_the_other():
    def question_keys(facts: dict[str, object]) -> list[str]:
        return keys(timed.questions("ufs", "1.9", "single_elimination", BEST_OF_3, facts))

    assert question_keys(LEVEL) == [
        "vitality_p1",
        "vitality_p2",
        "character_vitality_p1",
        "character_vitality_p2",
    ]
    assert question_keys({**LEVEL, **NUMBERS}) == ["removed_p1", "removed_p2"]
    assert question_keys({**LEVEL, **NUMBERS, "vitality_p1": 25}) == []
    assert question_keys({**LEVEL, **NUMBERS, "removed_p1": 3, "removed_p2": 3}) == ["first_blood_winner"]
    assert question_keys({**LEVEL, "games_p1": 1}) == []


def test_version_1_8_asks_for_a_ruling_instead_of_first_blood():
    facts = {**LEVEL, **NUMBERS, "removed_p1": 3, "removed_p2": 3}

    assert keys(timed.questions("ufs", "1.8", "single_elimination", BEST_OF_3, facts)) == ["organizer_ruling"]


OUTCOMES = (
    ("1.9", "swiss", LEVEL, ("draw", None, "102.3", (0, 0), None)),
    ("1.9", "swiss", {**LEVEL, "last_turn_winner": "p2"}, ("p2", "games", "102.3", (0, 1), None)),
    (
        "1.9",
        "single_elimination",
        {**LEVEL, **NUMBERS, "vitality_p1": 19},
        ("p2", "vitality_difference", "102.3.1", (0, 1), None),
    ),
    (
        "1.9",
        "single_elimination",
        {**LEVEL, **NUMBERS, "removed_p1": 1, "removed_p2": 2},
        ("p1", "removed_count", "102.3.1", (1, 0), None),
    ),
    (
        "1.9",
        "single_elimination",
        {**LEVEL, **NUMBERS, "removed_p1": 2, "removed_p2": 2},
        ("play_on", None, "102.3.1", (0, 0), "first_blood"),
    ),
    (
        "1.8",
        "single_elimination",
        {**LEVEL, **NUMBERS, "removed_p1": 2, "removed_p2": 2},
        ("ask_organizer", None, "100.2", (0, 0), None),
    ),
    (
        "1.8",
        "single_elimination",
        {**LEVEL, **NUMBERS, "removed_p1": 2, "removed_p2": 2, "organizer_ruling": "p2"},
        ("p2", "organizer", "100.2", (0, 1), None),
    ),
    (
        "1.9",
        "top_cut",
        {**LEVEL, "game_in_progress": False, "first_blood_winner": "p1"},
        ("p1", "first_blood", "102.3.1", (1, 0), None),
    ),
)


@each_case(("version", "stage", "facts", "expected_outcome"), OUTCOMES)
def test_a_ufs_match_is_settled_with_its_clause(version, stage, facts, expected_outcome):
    outcome = timed.outcome("ufs", version, stage, BEST_OF_3, facts)

    assert (
        outcome.result,
        outcome.decided_by,
        outcome.clause,
        outcome.score,
        outcome.next_step,
    ) == expected_outcome
    assert (outcome.document, outcome.version) == (f"UFS Tournament Rules v{version}", version)


def test_an_outcome_waits_for_its_facts():
    outcome = timed.outcome("ufs", "1.9", "swiss", BEST_OF_3, {"games_p1": 1})

    assert (outcome.result, outcome.missing_facts) == (
        "facts_needed",
        ("games_p2", "game_in_progress", "last_turn_winner"),
    )


IMPOSSIBLE = (
    ({**LEVEL, "games_p1": 3}, "impossible-score", {"needed": 2, "first": 3, "second": 0}),
    ({**LEVEL, "games_p1": 2}, "impossible-score", {"needed": 2, "first": 2, "second": 0}),
    ({**LEVEL, "games_p1": -1}, "not-whole", {"key": "games_p1", "value": "-1"}),
    ({**LEVEL, "game_in_progress": False, "last_turn_winner": "p1"}, "no-game-to-win", {}),
    ({**LEVEL, **NUMBERS, "vitality_p1": 26}, "vitality-too-high", {"printed": 25}),
    (
        {**LEVEL, "last_turn_winner": "A"},
        "not-of-choices",
        {"key": "last_turn_winner", "choices": ("p1", "p2"), "value": "'A'"},
    ),
)


@each_case(("facts", "code", "params"), IMPOSSIBLE)
def test_impossible_facts_are_refused_with_the_code_of_the_fault(facts, code, params):
    outcome = timed.outcome("ufs", "1.9", "single_elimination", BEST_OF_3, facts)

    assert outcome.result == "facts_needed"
    assert outcome.reasons == (Reason(code, params),)


def test_an_impossible_score_is_named_with_the_wins_that_a_match_needs():
    outcome = timed.outcome("ufs", "1.9", "single_elimination", BEST_OF_3, {**LEVEL, "games_p1": 3})

    assert outcome.sentence == "A match to 2 wins cannot be 3-0 with a game to decide."


def test_an_unknown_stage_or_form_is_told_with_those_that_exist():
    stage = timed.outcome("ufs", "1.9", "picnic", BEST_OF_3, {})
    form = timed.outcome("ufs", "1.9", "swiss", "best_of_9", {})

    assert "swiss" in stage.sentence
    assert "best_of_3_50min and one_game_30min" in form.sentence


CLOCKS = (
    ("ufs", BEST_OF_3, (50, 10, False, "100.4", False)),
    ("ufs", "one_game_30min", (30, 10, False, "100.4", False)),
    ("highlander", "one_game_30min", (30, None, True, "Official Tournament Rules (l.2050)", False)),
    ("cfc", "one_game_30min", (30, None, False, "not in the document", True)),
    ("sf_miniatures", "versus_25min", (25, None, False, "Versus Mode p.9 (l.574)", False)),
    ("sf_miniatures", "rounds_of_15min", (45, None, False, "Glossary: Round (l.2171)", False)),
)


@each_case(("game", "form", "expected_outcome"), CLOCKS)
def test_the_clock_of_a_match_form(game, form, expected_outcome):
    clock = timed.clock(game, None, form)

    assert (
        clock.minutes,
        clock.warning_minutes_left,
        clock.hidden_random_end,
        clock.clause,
        clock.is_ours,
    ) == expected_outcome
    assert clock.end_procedure.endswith(".")


def test_highlander_never_ends_in_a_draw():
    question_keys = keys(
        timed.questions("highlander", "1.7", "swiss", "one_game_30min", {"last_turn_winner": None})
    )
    facts = {"last_turn_winner": None, "finished_turn": "p1"}
    outcome = timed.outcome("highlander", "1.7", "swiss", "one_game_30min", facts)
    over = timed.outcome("highlander", "1.7", "swiss", "one_game_30min", {**facts, "end_game_winner": "p2"})

    assert question_keys == ["finished_turn"]
    assert (outcome.result, outcome.next_step) == ("play_on", "end_game")
    assert (over.result, over.decided_by, over.score) == ("p2", "end_game", (0, 1))


def test_end_game_is_foretold_where_ability_is_known():
    facts = {"last_turn_winner": None, "finished_turn": "p1", "ability_p1": 4, "ability_p2": 4}
    outcome = timed.outcome("highlander", "1.7", "swiss", "one_game_30min", facts)

    assert outcome.sentence.endswith("If nothing else happens, the first player wins in turn 5 of End Game.")


def test_a_game_that_ends_in_the_last_turn_never_enters_end_game():
    outcome = timed.outcome(
        "highlander", None, "double_elimination", "one_game_30min", {"last_turn_winner": "p1"}
    )

    assert (outcome.result, outcome.decided_by) == ("p1", "last_turn")


CLASH = {"games_p1": 0, "games_p2": 0, "last_turn_winner": None}
CLASH_OUTCOMES = (
    ("swiss", {**CLASH, "hp_tiebreak": False}, ("draw", None)),
    ("swiss", {**CLASH, "hp_tiebreak": True, "hp_p1": 900, "hp_p2": 1200}, ("p2", "hp")),
    ("swiss", {**CLASH, "hp_tiebreak": True, "hp_p1": 900, "hp_p2": 900}, ("draw", None)),
    ("swiss", {**CLASH, "last_turn_winner": "p1"}, ("p1", "games")),
    ("single_elimination", {**CLASH, "hp_tiebreak": False}, ("ask_organizer", None)),
    ("single_elimination", {**CLASH, "hp_tiebreak": False, "organizer_ruling": "p1"}, ("p1", "organizer")),
)


@each_case(("stage", "facts", "expected_outcome"), CLASH_OUTCOMES)
def test_card_fighters_clash_follows_our_defaults_and_says_so(stage, facts, expected_outcome):
    outcome = timed.outcome("cfc", None, stage, "one_game_30min", facts)

    assert (outcome.result, outcome.decided_by, outcome.is_ours, outcome.clause) == (
        *expected_outcome,
        True,
        "not in the document",
    )


ROUNDS = {"rounds_p1": 1, "rounds_p2": 0}
LEFT = {"health_p1": 5, "health_p2": 5, "meter_p1": 2, "meter_p2": 1}
STREET_OUTCOMES = (
    ("versus_25min", {**ROUNDS, "rounds_p1": 2}, ("p1", "rounds", (2, 0))),
    ("versus_25min", {**ROUNDS, "time_out_agreed": True, **LEFT}, ("p1", "meter", (2, 0))),
    (
        "versus_25min",
        {**ROUNDS, "time_out_agreed": True, **LEFT, "health_p2": 6},
        ("ask_organizer", None, (1, 1)),
    ),
    ("versus_25min", {**ROUNDS, "time_out_agreed": False}, ("ask_organizer", None, (1, 0))),
    ("one_round_25min", {"rounds_p1": 0, "rounds_p2": 0}, ("ask_organizer", None, (0, 0))),
    (
        "one_round_25min",
        {"rounds_p1": 0, "rounds_p2": 0, "organizer_ruling": "p2"},
        ("p2", "organizer", (0, 0)),
    ),
)


@each_case(("form", "facts", "expected_outcome"), STREET_OUTCOMES)
def test_street_fighter_settles_by_time_out_or_asks(form, facts, expected_outcome):
    outcome = timed.outcome("sf_miniatures", None, "swiss", form, facts)

    assert (outcome.result, outcome.decided_by, outcome.score) == expected_outcome


def test_street_fighters_organizer_may_leave_the_winner_open_where_rounds_can_be_drawn():
    facts = {**ROUNDS, "time_out_agreed": False}
    (question,) = timed.questions("sf_miniatures", None, "swiss", "versus_25min", facts)
    outcome = timed.outcome("sf_miniatures", None, "swiss", "versus_25min", {**facts, question.key: None})
    (in_a_cut,) = timed.questions("sf_miniatures", None, "single_elimination", "versus_25min", facts)

    assert (question.key, question.kind, in_a_cut.kind) == ("organizer_ruling", "player_or_none", "player")
    assert (outcome.result, outcome.decided_by, outcome.score, outcome.is_ours) == (
        "draw",
        "organizer",
        (0, 0),
        True,
    )


FIRST_TURNS = (
    ("ufs", 1, None, (None, "random")),
    ("ufs", 2, "p1", ("p1", "choice")),
    ("ufs", 2, None, (None, "random")),
    ("highlander", 1, None, (None, "gem_count")),
    ("cfc", 1, None, (None, "random")),
    ("sf_miniatures", 1, None, (None, "dice")),
    ("sf_miniatures", 2, "p2", ("p2", "choice")),
    ("sf_miniatures", 3, None, (None, "dice")),
)


@each_case(("game", "number", "loser", "expected_outcome"), FIRST_TURNS)
def test_who_settles_the_first_turn(game, number, loser, expected_outcome):
    first_turn = timed.first_turn(game, None, game_in_match=number, previous_loser=loser)

    assert (first_turn.chooser, first_turn.method) == expected_outcome


CONCESSIONS = (
    ("ufs", ("game", False, False)),
    ("highlander", ("match", True, False)),
    ("cfc", ("game", False, True)),
    ("sf_miniatures", ("match", False, True)),
)


@each_case(("game", "expected_outcome"), CONCESSIONS)
def test_what_giving_up_means(game, expected_outcome):
    concession = timed.concession(game, None)

    assert (concession.loses, concession.consent_needed, concession.is_ours) == expected_outcome


def test_an_unknown_game_or_version_is_told_with_those_that_exist():
    with pytest.raises(UnknownFormat, match="ufs"):
        timed.clock("chess", None, BEST_OF_3)
    with pytest.raises(UnknownFormat, match=r"1\.8 and 1\.9"):
        timed.clock("ufs", "3", BEST_OF_3)


def test_a_game_without_a_procedure_has_our_default(tmp_path):
    folder = tmp_path / "tidewater"
    folder.mkdir()
    (folder / "game.toml").write_text(
        'key = "tidewater"\nname = "Tidewater"\nformats = ["crew"]\nzones = ["main"]\n'
        '[[versions]]\nnumber = "1"\ndocument = "Tidewater leaflet"\n'
        '[[match_forms]]\nkey = "one_game"\nname = "One game"\n'
        'games_to_win = 1\nminutes = 20\nclause = "ours"\n',
        encoding="utf-8",
    )
    procedure = build_procedure(Library(tmp_path), "tidewater", None)
    level = Facts({"games_p1": 0, "games_p2": 0, "last_turn_winner": None})

    assert keys(procedure.questions("swiss", "one_game", Facts({}))) == [
        "games_p1",
        "games_p2",
        "last_turn_winner",
    ]
    assert (procedure.outcome("swiss", "one_game", level).result, procedure.clock("one_game").minutes) == (
        "draw",
        20,
    )
    assert procedure.outcome("final", "one_game", level).result == "ask_organizer"
    assert procedure.concession().is_ours
    assert procedure.first_turn(1, None).is_ours


@each_case(
    ("game", "version", "stage", "clauses"),
    [
        ("ufs", "1.9", "swiss", ["100.4", "100.4", "102.3"]),
        ("ufs", "1.9", "single_elimination", ["100.4", "100.4", "102.3", "102.3.1", "102.3.1", "102.3.1"]),
        ("ufs", "1.8", "single_elimination", ["100.4", "100.4", "102.3", "102.3.1", "102.3.1", "100.2"]),
        ("cfc", None, "swiss", ["not in the document"] * 4),
    ],
)
def test_the_end_of_a_round_is_told_step_by_step_with_its_clauses(
    game: str, version: str | None, stage: str, clauses: list[str]
) -> None:
    steps = timed.end_steps(game, version, stage)
    assert [step.clause for step in steps] == clauses
    assert {step.is_ours for step in steps} == {game == "cfc"}
