"""Answer worked examples of Highlander events, double elimination included."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta

from rules import timed
from rules.games.highlander.end_game import EndGameEvent, play_end_game
from rules.library import get_shipped_library
from rules.timed.cases import CaseInput, InvalidCase, register_answer
from rules.timed.procedure import get_procedure

_FINALIST = re.compile(r"^\s*(?P<name>.+?)\s*(?:\(\s*(?P<losses>\d+)\s+loss(?:es)?\s*\))?\s*$", re.IGNORECASE)

_UNTAKEN = ("unsuccessful", "failed", "blocked", "dodged", "defended", "not ")


@register_answer("highlander", "end_game")
def answer_end_game(case_input: CaseInput) -> Mapping[str, object]:
    """Return the winner and the turn of End Game in which it ends.

    There is such a turn only if End Game starts at all.
    """
    if case_input.raw("ability") is None:
        winner = case_input.text("winner")
        return {"end_game_starts": winner is None, "winner": winner}
    ability = case_input.inner("ability")
    second = case_input.text("finished_turn")
    first = case_input.text("next_turn") or _opponent(second)
    second = second or _opponent(first)
    if ability is None or first is None or second is None or first == second:
        raise InvalidCase("turns-unknown")
    ability_left = {player: ability.require(player) for player in (first, second)}
    ending = play_end_game(
        first, second, ability_left, [_event(event) for event in case_input.inners("events")]
    )
    return {"end_game_starts": True, "winner": ending.winner, "end_game_turn": ending.turn}


def _opponent(player: str | None) -> str | None:
    return {"A": "B", "B": "A"}.get(player or "")


# Events of a turn, by the first of these words in their kind: "takes_damage" is damage.
_EVENT_WORDS = (
    ("prevent", "prevent_damage"),
    ("heal", "gain_ability"),
    ("gain", "gain_ability"),
    ("head_shot", "head_shot"),
    ("exhaust", "exhaust"),
    ("skip", "skips_attack_phase"),
    ("damage", "damage"),
)


def _event(event: CaseInput) -> EndGameEvent:
    kind = (event.text("kind") or "").casefold().replace(" ", "_").replace("-", "_")
    plain = next((event_kind for word, event_kind in _EVENT_WORDS if word in kind), kind)
    if plain == "head_shot" and any(word in kind for word in ("fail", "dodge", "block", "miss")):
        # A defended attack changes nothing, like healing in End Game.
        plain = "gain_ability"
    turn, player, amount = event.require("turn"), event.text("player") or "", event.whole("amount") or 0
    phase = (event.text("phase") or "").casefold().removesuffix("phase").strip().replace(" ", "_")
    return EndGameEvent(turn, player, plain, amount, phase)


@register_answer("highlander", "procedure")
def answer_procedure(case_input: CaseInput) -> Mapping[str, object]:
    """Return what the input asks about.

    This is the round, concession, Quickenings, formats, updates or the system.
    """
    answer: dict[str, object] = {}
    for part in (_round, _concession, _loss, _format, _heads_taken, _update, _system):
        answer |= part(case_input)
    if not answer:
        raise InvalidCase("no-procedure")
    return answer


def _timed_table(case_input: CaseInput, name: str) -> Mapping[str, object]:
    return get_procedure("highlander", case_input.version).tables[name]


def _round(case_input: CaseInput) -> dict[str, object]:
    if "round" not in case_input:
        return {}
    clock = timed.clock("highlander", case_input.version, "one_game_30min")
    return {
        "round_minutes": clock.minutes,
        "may_be_randomized": clock.hidden_random_end,
        "warning_minutes_left": clock.warning_minutes_left,
    }


def _concession(case_input: CaseInput) -> dict[str, object]:
    when = case_input.text("concession")
    if when is None:
        return {}
    if "after" in when.casefold() or case_input.flag("opponent_accepts") is not True:
        return {"concession_valid": False}
    forfeited_count = count_forfeited_quickenings("concession", case_input.whole("loser_quickenings") or 0)
    return {
        "concession_valid": True,
        "match_result": "loss by concession",
        "quickenings_forfeited": forfeited_count,
    }


def _loss(case_input: CaseInput) -> dict[str, object]:
    loss = case_input.text("loss_by")
    if loss is None:
        return {}
    words = loss.casefold().replace("-", " ").replace("_", " ")
    is_head_taken = "head shot" in words and not any(word in words for word in _UNTAKEN)
    forfeited_count = count_forfeited_quickenings(
        HEAD_SHOT if is_head_taken else "other", case_input.whole("loser_quickenings") or 0
    )
    return {"quickenings_forfeited": forfeited_count, "winner_may_decline": is_head_taken}


def _format(case_input: CaseInput) -> dict[str, object]:
    key = (case_input.text("format") or "").casefold()
    answer: dict[str, object] = {}
    if key in get_shipped_library().game("highlander").formats:
        answer["sanctioned"] = key != "plot_hilt"
    if key == "sealed":
        answer |= {
            name: value for name, value in _timed_table(case_input, "sealed").items() if name != "clause"
        }
    return answer


def _heads_taken(case_input: CaseInput) -> dict[str, object]:
    heads_taken = case_input.whole("heads_taken")
    if heads_taken is None:
        return {}
    heads = 2 if case_input.text("format") == "two_headed_giant" else 1
    return {"game_over": heads_taken >= heads}


def _update(case_input: CaseInput) -> dict[str, object]:
    published_text = case_input.text("rule_update_published")
    if published_text is None:
        return {}
    weeks = get_shipped_library().game("highlander").cards.lists.waiting_weeks
    try:
        since = date.fromisoformat(published_text) + timedelta(weeks=weeks)
    except (ValueError, OverflowError) as problem:
        raise InvalidCase("no-day", day=published_text) from problem
    return {"effective_from": since.isoformat()}


def _system(case_input: CaseInput) -> dict[str, object]:
    size = (case_input.text("event_size") or case_input.text("event") or "").casefold()
    if not size:
        return {}
    large = any(word in size for word in ("large", "regional", "world"))
    return {"system": _timed_table(case_input, "events")["large"] if large else "organizer_decides"}


@register_answer("highlander", "double_elimination")
def size(case_input: CaseInput) -> Mapping[str, object]:
    """Return matches, rounds and byes for a number of players."""
    double_elimination = double_elimination_size(case_input.require("players"))
    return {
        "min_matches": double_elimination.least_matches,
        "max_matches": double_elimination.most_matches,
        "winners_bracket_rounds": double_elimination.winners_rounds,
        "first_round_byes": double_elimination.first_round_byes,
    }


@register_answer("highlander", "double_elimination_state")
def answer_double_elimination_state(case_input: CaseInput) -> Mapping[str, object]:
    """Return who is out, or what follows a final."""
    final = case_input.text("final")
    if final is not None:
        return _after_final(final, case_input.text("winner"))
    inner = case_input.inner("losses")
    loss_counts = case_input.raw("losses")
    if inner is None or not isinstance(loss_counts, Mapping):
        raise InvalidCase("losses-missing")
    losses = {str(player): inner.require(player) for player in loss_counts}
    champion = find_champion(losses)
    over = champion is not None
    out, players_left = list(eliminated_players(losses)), list(remaining_players(losses))
    return {"eliminated": out, "alive": players_left, "tournament_over": over, "champion": champion}


def _after_final(final: str, winner: str | None) -> Mapping[str, object]:
    losses = _finalists(final)
    if winner not in losses:
        raise InvalidCase("no-finalist", players=tuple(losses))
    (loser,) = (player for player in losses if player != winner)
    losses[loser] += 1
    champion = find_champion(losses)
    if champion is None:
        return {"tournament_over": False, "next": f"decider between {winner} and {loser}", "champion": None}
    return {"tournament_over": True, "champion": champion, "next": None}


def _finalists(final: str) -> dict[str, int]:
    """Return the finalists' losses.

    The input is "C (0 losses) against A (1 loss)", or "decider between A and C".
    """
    decider = re.match(r"^\s*decider\b(?:\s+between)?", final, re.IGNORECASE)
    rest = final[decider.end() :] if decider else final
    sides = re.split(r"\s+(?:against|vs\.?|and)\s+", rest, maxsplit=1, flags=re.IGNORECASE)
    matches = [match for side in sides if (match := _FINALIST.match(side))]
    if len(matches) != 2 or matches[0]["name"] == matches[1]["name"]:
        raise InvalidCase("no-finalists", final=final)
    return {match["name"]: 1 if decider else int(match["losses"] or 0) for match in matches}


LOSSES_TO_ELIMINATE = 2


@dataclass(frozen=True, slots=True)
class DoubleEliminationSize:
    """The size of a double elimination event.

    Holds the matches without and with a deciding one, winners' rounds, and first-round byes.
    """

    least_matches: int
    most_matches: int
    winners_rounds: int
    first_round_byes: int


def double_elimination_size(players: int) -> DoubleEliminationSize:
    """Return the size of an event of a given number of players.

    Raises ValueError for fewer than two. Everyone but the champion loses twice, the champion at most once.
    """
    if type(players) is not int or players < 2:
        raise ValueError(f"Double elimination needs two players or more, not {players!r}.")
    rounds = (players - 1).bit_length()
    losses = LOSSES_TO_ELIMINATE * (players - 1)
    return DoubleEliminationSize(losses, losses + 1, rounds, (1 << rounds) - players)


def eliminated_players(losses: Mapping[str, int]) -> tuple[str, ...]:
    """Return the players who are out, in the order given."""
    return tuple(player for player, lost in losses.items() if lost >= LOSSES_TO_ELIMINATE)


def remaining_players(losses: Mapping[str, int]) -> tuple[str, ...]:
    """Return the players who are still in, in the order given."""
    return tuple(player for player, lost in losses.items() if lost < LOSSES_TO_ELIMINATE)


def find_champion(losses: Mapping[str, int]) -> str | None:
    """Return the only player left, or None while more than one (or no one) is in."""
    players_left = remaining_players(losses)
    return players_left[0] if len(players_left) == 1 else None


HEAD_SHOT = "head_shot"


def count_forfeited_quickenings(loss_by: str, in_play: int) -> int:
    """Return how many of the loser's Quickenings go to the winner.

    The winner may decline them. `loss_by` is "head_shot" or another way to lose ("ability", "concession", …):
    only a successful head shot costs Quickenings. Raises ValueError for a number below zero.
    """
    if type(in_play) is not int or in_play < 0:
        raise ValueError(f"The Quickenings in play are a whole number of zero or more, not {in_play!r}.")
    return in_play if loss_by == HEAD_SHOT else 0
