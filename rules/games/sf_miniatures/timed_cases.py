"""Worked examples of Street Fighter miniatures.

They show the end of a round and what follows it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from rules.games.sf_miniatures.timed import (
    MODES,
    ONE_AGAINST_ONE,
    TEAM_MODES,
    allows_time_out,
    rounds_to_win,
    settle_time_out,
)
from rules.timed.cases import CaseInput, InvalidCase, register_answer

SIDES = ("A", "B")
_RESHUFFLE = {"action": "reshuffle the discard pile", "round_over": False, "match_over": False}
# Power-Up alone has three rounds, as Versus has (l.656).
_ALIASES = {
    "1v1": "versus",
    "free-for-all": "ffa",
    "tag team": "tag2",
    "arcade": "classic_arcade",
    "power-up": "versus",
    "power_up": "versus",
}
_ORDINALS = {"first": 1, "second": 2, "third": 3}


@register_answer("sf_miniatures", "round_end")
def round_end(case_input: CaseInput) -> Mapping[str, object]:
    """Return how the round ended, the rounds won, and whether the match is over."""
    mode, event = _mode(case_input), (case_input.text("event") or "").strip()
    for pattern, answer in _EVENTS:
        match = re.search(pattern, event, re.IGNORECASE)
        if match:
            return answer(case_input, mode, match)
    raise InvalidCase("no-end-of-round", event=event or None)


def _mode(case_input: CaseInput) -> str:
    requested_mode = (case_input.text("mode") or "versus").casefold()
    mode = _ALIASES.get(requested_mode, requested_mode)
    if mode not in MODES:
        raise InvalidCase("no-mode", mode=requested_mode, modes=tuple(sorted(MODES)))
    return mode


def _empty_deck(case_input: CaseInput, mode: str, match: re.Match[str]) -> Mapping[str, object]:
    if not _timed_out(case_input, mode):
        return _RESHUFFLE
    return _by_time_out(case_input, mode)


def _timed_out(case_input: CaseInput, mode: str) -> bool:
    is_agreed = case_input.flag("time_out") is True and case_input.flag("time_out_agreed") is not False
    return is_agreed and allows_time_out(mode)


def _clock_ends(case_input: CaseInput, mode: str, match: re.Match[str]) -> Mapping[str, object]:
    if not _timed_out(case_input, mode):
        return {"result": "organizer_decides", "round_winner": None, "decided_by": None}
    return _by_time_out(case_input, mode)


def _by_time_out(case_input: CaseInput, mode: str) -> Mapping[str, object]:
    health, meter = case_input.pair("health"), case_input.pair("meter")
    if health is None or meter is None:
        raise InvalidCase("time-out-numbers-missing")
    if health == (0, 0):
        return _draw_answer(case_input, "draw")
    time_out_end = settle_time_out(health, meter)
    if time_out_end.winner is None:
        return _draw_answer(case_input, "draw, both lose")
    return _win_answer(case_input, mode, time_out_end.winner, time_out_end.decided_by)


def _draw_answer(case_input: CaseInput, result: str) -> Mapping[str, object]:
    return {
        "round_winner": None,
        "round_result": result,
        "decided_by": None,
        "round_wins": list(case_input.pair("round_wins") or (0, 0)),
        "extra_round": True,
        "round_over": True,
        "match_over": False,
        "champion": None,
    }


def _win_answer(case_input: CaseInput, mode: str, winner: int, step: str | None) -> Mapping[str, object]:
    wins = list(case_input.pair("round_wins") or (0, 0))
    wins[winner] += 1
    over = wins[winner] >= rounds_to_win(mode)
    return {
        "round_winner": SIDES[winner],
        "round_result": f"{SIDES[winner]} wins",
        "decided_by": step,
        "round_wins": wins,
        "extra_round": False,
        "round_over": True,
        "match_over": over,
        "champion": SIDES[winner] if over else None,
    }


def _double_ko(case_input: CaseInput, mode: str, match: re.Match[str]) -> Mapping[str, object]:
    return _draw_answer(case_input, "draw")


def _ko(case_input: CaseInput, mode: str, match: re.Match[str]) -> Mapping[str, object]:
    if mode not in ONE_AGAINST_ONE:
        raise InvalidCase("who-is-out-unknown", mode=mode)
    return _win_answer(case_input, mode, 1 - SIDES.index(match["side"].upper()), "ko")


def _last_standing(case_input: CaseInput, mode: str, match: re.Match[str]) -> Mapping[str, object]:
    winner = case_input.text("winner")
    if winner is None:
        raise InvalidCase("last-standing-unknown")
    return _single_round(winner)


def _single_round(champion: str) -> Mapping[str, object]:
    return {"round_winner": champion, "match_over": True, "champion": champion, "rounds_played": 1}


def _team_out(case_input: CaseInput, mode: str, match: re.Match[str]) -> Mapping[str, object]:
    """Answer for teams all of whose characters are out.

    The match ends when a single team is left.
    """
    teams = ("A", "B", "C") if mode.endswith("2v2v2") else SIDES
    out = {letter.upper() for letter in re.findall(r"\b[ABC]\b", match["teams"])}
    teams_left = [team for team in teams if team not in out]
    if len(teams_left) == 1:
        return _single_round(f"team {teams_left[0]}" if mode in TEAM_MODES else teams_left[0])
    if not teams_left:
        return _draw_answer(case_input, "draw")
    return {"round_winner": None, "match_over": False, "champion": None, "round_over": False}


def _character_out(case_input: CaseInput, mode: str, match: re.Match[str]) -> Mapping[str, object]:
    """Answer for one more character of a side that is out.

    This applies in the modes where a side has several characters.
    """
    size = 3 if mode in ("3-on-3", "3v3", "tag3") else 2
    loser = match["side"].upper()
    survivor = SIDES[1 - SIDES.index(loser)]
    if _ORDINALS[match["ordinal"].casefold()] >= size:
        champion = survivor if mode == "3-on-3" else f"team {survivor}"
        return _single_round(champion)
    if mode != "3-on-3":
        return {"round_winner": None, "match_over": False, "champion": None, "round_over": False}
    return _swapped_in(case_input, survivor, loser)


def _partner_out(case_input: CaseInput, mode: str, match: re.Match[str]) -> Mapping[str, object]:
    """Answer for one of several characters that is out.

    Play continues, and a teammate gets the turn token (SFM-T07).
    """
    if mode in ONE_AGAINST_ONE:
        return _ko(case_input, mode, match)
    return {"round_winner": None, "match_over": False, "champion": None, "turn_token": "to a teammate"}


def _swapped_in(case_input: CaseInput, survivor: str, loser: str) -> Mapping[str, object]:
    kept_facts = {
        "health": case_input.whole(f"surviving_health_{survivor}"),
        "meter": case_input.whole(f"surviving_meter_{survivor}"),
        "hand": True,
        "deck": True,
    }
    return {
        "start_spaces": "kept",
        "objects": "reset",
        f"{survivor}_keeps": kept_facts,
        f"{loser}_new_character": {
            "meter": case_input.whole(f"meter_KO_{loser}"),
            "old_deck": "out of the game",
        },
        "match_over": False,
        "champion": None,
    }


def _next_round(case_input: CaseInput, mode: str, match: re.Match[str]) -> Mapping[str, object]:
    meter, health = case_input.pair("meter"), case_input.pair("health_card")
    return {
        "first_turn_decided_by": case_input.text("loser_previous") or "roll again",
        "meter": dict(zip(SIDES, meter, strict=True)) if meter else None,
        "health": dict(zip(SIDES, health, strict=True)) if health else None,
        "start_spaces": "swapped",
        "objects": "reset",
        "hand_and_discard": "reshuffled",
    }


_Told = Callable[[CaseInput, str, re.Match[str]], Mapping[str, object]]
_EVENTS: tuple[tuple[str, _Told], ...] = (
    (r"next round|round set-?up", _next_round),
    (r"double ko", _double_ko),
    (r"empty deck", _empty_deck),
    (r"clock|time (?:is )?called|time ends|minutes", _clock_ends),
    (r"all (?:three |two )?characters of (?P<teams>.+) KO", _team_out),
    (r"(?P<ordinal>first|second|third) character of (?:team )?(?P<side>[AB])\b", _character_out),
    (r"(?:team )?\b(?P<side>[AB])'s (?P<ordinal>first|second|third) character", _character_out),
    (r"\b(?:one|a) character of (?:team )?(?P<side>[ABC])\b", _partner_out),
    (r"last (?:fighter|team|character|player|side)s? (?:left )?standing", _last_standing),
    (r"\bKO of (?P<side>[AB])\b", _ko),
)
