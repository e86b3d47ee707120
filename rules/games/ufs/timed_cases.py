"""Worked examples of UFS rounds.

They cover time called, clock and procedure, diversity, and the declared character.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from rules import timed
from rules.cuts import (
    DiversityCut,
    Finisher,
    ShortCutPolicy,
    UndeclaredCharacter,
    normalize_character,
    pair_bracket_first_round,
    select_diversity_cut,
)
from rules.timed.cases import CaseInput, InvalidCase, register_answer
from rules.timed.model import Player, TimedOutcome
from rules.timed.procedure import get_procedure

PLAYERS: Mapping[str, Player] = {"A": "p1", "B": "p2"}
_LETTERS = {player: letter for letter, player in PLAYERS.items()}
_RESULTS: Mapping[str, str] = {
    "p1": "A",
    "p2": "B",
    "draw": "draw",
    "ask_organizer": "organizer_decides",
    "play_on": "first_blood_needed",
}
_CONCEDED = re.compile(r"\bconce\w* by ([AB])\b")
UNDECLARED = "undeclared character"
# A foundation that acts as the character of a draft deck has no name: all of them share this one (UFS-T11).
NO_CHARACTER = "no character"


@register_answer("ufs", "time_called")
def time_called(case_input: CaseInput) -> Mapping[str, object]:
    """Return result, score of the match and the step that decided."""
    time_outcome = timed.outcome(
        "ufs", case_input.version, _stage(case_input), _match_form(case_input), _facts(case_input)
    )
    if time_outcome.result == "facts_needed":
        raise InvalidCase("case-told", sentence=time_outcome.sentence)
    return _describe_outcome(time_outcome)


def _describe_outcome(time_outcome: TimedOutcome) -> Mapping[str, object]:
    score = list(time_outcome.score or (0, 0))
    return {
        "result": _RESULTS[time_outcome.result],
        "match_score": score,
        "decided_by": time_outcome.decided_by,
    }


def _stage(case_input: CaseInput) -> str:
    stage = case_input.text("stage")
    if stage is None:
        raise InvalidCase("case-value-missing", key="stage")
    return stage


def _match_form(case_input: CaseInput) -> str:
    return case_input.text("match") or "best_of_3_50min"


def _facts(case_input: CaseInput) -> dict[str, object]:
    games_won = case_input.pair("games_won") or (0, 0)
    is_game_running = case_input.flag("game_in_progress")
    facts: dict[str, object] = {
        "games_p1": games_won[0],
        "games_p2": games_won[1],
        "game_in_progress": False if is_game_running is None else is_game_running,
        "last_turn_winner": _winner_of_last_turn(case_input),
        "first_blood_winner": _player(case_input, "first_blood_winner"),
        "organizer_ruling": _player(case_input, "organizer_ruling"),
    }
    for letter, player in PLAYERS.items():
        facts |= _side(case_input, letter, player)
    return facts


def _winner_of_last_turn(case_input: CaseInput) -> Player | None:
    """Return who won the game in the last turn.

    The winner is named, or is the player to whom the game was conceded then (102.5).
    """
    named_player = _player(case_input, "winner_in_last_turn")
    concession_match = _CONCEDED.search(case_input.text("last_turn_end") or "")
    if concession_match is None:
        return named_player
    winner = PLAYERS["B" if concession_match[1] == "A" else "A"]
    if named_player not in (None, winner):
        raise InvalidCase("conceded-and-won", player=concession_match[1])
    return winner


def _player(case_input: CaseInput, key: str) -> Player | None:
    letter = case_input.text(key)
    if letter is not None and letter not in PLAYERS:
        raise InvalidCase("no-player", key=key, value=letter)
    return PLAYERS[letter] if letter else None


def _side(case_input: CaseInput, letter: str, player: Player) -> dict[str, object]:
    side = case_input.inner(letter)
    if side is None:
        return {}
    return {
        f"vitality_{player}": side.whole("vitality"),
        f"character_vitality_{player}": _printed_vitality(case_input, side),
        f"removed_{player}": side.whole("removed_from_game"),
    }


def _printed_vitality(case_input: CaseInput, side: CaseInput) -> int | None:
    """Return the character's printed vitality.

    In a draft, only a foundation that acts as a character has none printed (UFS-L15).
    """
    printed_vitality = side.whole("character_vitality")
    if printed_vitality is None and case_input.text("format") == "draft":
        return _number(case_input, "draft_foundation", "vitality")
    return printed_vitality


def _number(case_input: CaseInput, table: str, key: str) -> int:
    value = get_procedure("ufs", case_input.version).tables[table].get(key)
    if type(value) is not int:
        raise InvalidCase("number-unknown", key=key)
    return value


@register_answer("ufs", "clock_or_procedure")
def clock_or_procedure(case_input: CaseInput) -> Mapping[str, object]:
    """Return what the input asks about.

    This is the clock, who settles the first turn, or what an event costs.
    """
    answer = {**_clock(case_input), **_first_turn(case_input), **_event(case_input)}
    if not answer:
        raise InvalidCase("asks-nothing-known")
    return answer


def _clock(case_input: CaseInput) -> dict[str, object]:
    form = case_input.text("match")
    if form is None:
        return {}
    clock = timed.clock("ufs", case_input.version, form)
    minutes, warning_minutes = clock.minutes or 0, clock.warning_minutes_left or 0
    return {
        "round_minutes": minutes,
        "warning_at_elapsed_minutes": minutes - warning_minutes,
        "minutes_added": 0,
    }


def _first_turn(case_input: CaseInput) -> dict[str, object]:
    game = case_input.whole("game_in_match")
    if game is None:
        return {}
    loser = _player(case_input, "previous_loser")
    chooser = timed.first_turn("ufs", case_input.version, game_in_match=game, previous_loser=loser).chooser
    return {"first_turn_chooser": _LETTERS[chooser] if chooser else "random"}


def _event(case_input: CaseInput) -> dict[str, object]:
    event = (case_input.text("event") or "").casefold()
    if "first blood" in event:
        return {"first_turn_chooser": "random"}
    if "cycle" in event:
        return {"cards_removed": _number(case_input, "cycling", case_input.text("format") or "constructed")}
    if "mulligan" in event:
        hand = case_input.whole("hand_size") or case_input.whole("cards_in_hand")
        return {"mulligans_allowed": _number(case_input, "mulligan", "each"), "cards_removed": hand}
    if "conce" in event:
        rule = timed.concession("ufs", case_input.version)
        return {"loses": rule.loses, "consent_needed": rule.consent_needed}
    if "time" in event and "between" in event:
        return {"new_game_starts": False}
    return {}


@register_answer("ufs", "diversity_cut")
def cut(case_input: CaseInput) -> Mapping[str, object]:
    """Return who qualifies by rank, and the bracket that follows.

    A missing declaration is an error.
    """
    diversity, short = case_input.flag("diversity"), case_input.text("policy_when_short") or "shrink"
    if short not in ("shrink", "fill"):
        raise InvalidCase("no-policy", value=short)
    policy: ShortCutPolicy = "fill" if short == "fill" else "shrink"
    character_default = NO_CHARACTER if case_input.text("format") == "draft" else None
    finishers = [_finisher(row, character_default) for row in case_input.inners("standings")]
    try:
        diversity_cut = select_diversity_cut(
            finishers, case_input.require("cut_size"), diversity=diversity is not False, short=policy
        )
    except UndeclaredCharacter as problem:
        return {"error": UNDECLARED, "player": problem.player}
    return _bracket(diversity_cut)


def _finisher(row: CaseInput, character_default: str | None) -> Finisher[str]:
    has_left = row.flag("dropped") is True or row.flag("disqualified") is True
    player = str(row.raw("player") or f"rank {row.require('rank')}")
    is_declined = row.flag("declined") is True
    return Finisher(
        row.require("rank"), player, row.text("character") or character_default, has_left, is_declined
    )


def _bracket(diversity_cut: DiversityCut[str]) -> Mapping[str, object]:
    ranks = [finisher.rank for finisher in diversity_cut.qualifiers]
    return {
        "qualified_ranks": ranks,
        "bracket_byes": diversity_cut.byes,
        "bracket_possible": diversity_cut.is_playable,
        "first_round": [list(pair) for pair in pair_bracket_first_round(ranks)],
        "note": diversity_cut.note,
    }


@register_answer("ufs", "diversity_setup")
def diversity_setup(case_input: CaseInput) -> Mapping[str, object]:
    """Return whether diversity may be used: everywhere, if announced.

    For drafts the document advises against it.
    """
    diversity = case_input.flag("diversity") is not False
    is_announced = case_input.flag("advertised") is not False and case_input.flag("published") is not False
    warns = diversity and case_input.text("format") == "draft"
    return {"allowed": is_announced or not diversity, "warning": warns}


@register_answer("ufs", "declared_character_check")
def declared_character(case_input: CaseInput) -> Mapping[str, object]:
    """Return whether a player may start a game with a character.

    Only the first game of a round is bound.
    """
    game, declared_text = case_input.require("game_in_round"), case_input.text("declared")
    starting_character = case_input.text("started_with")
    if game > 1 or case_input.flag("diversity") is False:
        return {"ok": True}
    if not declared_text:
        return {"ok": False, "error": UNDECLARED}
    return {
        "ok": starting_character is not None
        and normalize_character(starting_character) == normalize_character(declared_text)
    }
