"""A pairing in words: why these two meet, why this player floats, why this one has the bye."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tournament.engine.records import PlayerId, Score

if TYPE_CHECKING:
    from tournament.engine.pairing.records import Pairing, Table

REMATCH, FORBIDDEN, UNWISHED, LISTED = "rematch", "forbidden", "unwished", "listed"
SOLVED, AHEAD, ALONE, TWO = "solved", "ahead", "alone", "two"
UPPER_MET, LOWER_MET, BETWEEN = "upper-met", "lower-met", "between"

_DRAWBACKS = {
    FORBIDDEN: "They must not meet, but every pairing of this field has at least as many such tables.",
    REMATCH: "They have met before: every pairing of this field has at least as many rematches.",
    UNWISHED: "It was wished that they do not meet, but no equally good pairing heeds more of the wishes.",
}
_LISTED = "The schedule puts them together."
_LISTED_DRAWBACKS = {
    FORBIDDEN: "They must not meet, but no exchange of players leaves fewer such tables.",
    REMATCH: "They have met before, but no exchange of players leaves fewer such tables.",
    UNWISHED: "It was wished that they do not meet, but no exchange of players leaves fewer such tables.",
}


def points(score: Score) -> str:
    """A score with its unit.

    >>> points(1), points(9)
    ('1 point', '9 points')
    """
    return f"{score} point" if score == 1 else f"{score} points"


def why_table(table: Table) -> str:
    """Why the two players of `table` meet."""
    notes = table.note.split()
    if LISTED in notes:
        return " ".join(
            [_LISTED, *(sentence for note, sentence in _LISTED_DRAWBACKS.items() if note in notes)]
        )
    drawbacks = [sentence for note, sentence in _DRAWBACKS.items() if note in notes]
    return " ".join([_why_scores(table, fresh=REMATCH not in notes), *drawbacks])


def _why_scores(table: Table, fresh: bool) -> str:
    if not table.gap:
        return _why_equals_meet(table, fresh)
    meets = f"{points(table.higher)} against {points(table.lower)}"
    return f"{meets}: {_why_float_is_needed(table, table.note.split())}."


def _why_equals_meet(table: Table, fresh: bool) -> str:
    have = f"Both have {points(table.score1)}"
    if not fresh:
        return f"{have}."
    if TWO in table.note.split():
        return f"{have}, nobody else has, and they have not met."
    return f"{have} and have not met; the lot drew them together."


def _why_float_is_needed(table: Table, notes: Sequence[str]) -> str:
    if ALONE in notes:
        return f"nobody else has {points(table.higher)}"
    if UPPER_MET in notes or LOWER_MET in notes:
        score = table.higher if UPPER_MET in notes else table.lower
        between = " and in between" if BETWEEN in notes else ""
        return f"the player with {points(score)} has met everybody else on that score{between}"
    if AHEAD in notes:
        return "with smaller gaps fewer of the rounds still planned could be played without a rematch"
    if SOLVED in notes:
        return "within their own scores not everybody could find an opponent whom he may meet"
    return "an odd number of players stood above, so somebody had to meet the next lower score"


def explain_player(pairing: Pairing, player: PlayerId) -> str:
    """Why `player` meets whom he meets. Raises KeyError for someone who is not in the round."""
    if pairing.opponent(player) is None:
        return _why_bye(pairing, player)
    table = next(t for t in pairing.tables if player in t.players)
    other = table.p2 if player == table.p1 else table.p1
    sentences = [f"Player {player} meets player {other} at table {table.number}.", table.why]
    if table.gap and not table.note:
        sentences.append(_why_float(pairing, table))
    return " ".join([*sentences, _proof(pairing)]).strip()


def _why_float(pairing: Pairing, table: Table) -> str:
    standing = sum(size for score, size in pairing.groups if score >= table.higher)
    if standing == 1:
        return f"Among those with {points(table.lower)} the lot chose the opponent."
    return (
        f"{standing} players have {points(table.higher)} or more, which is odd: one of them is left over. "
        f"Among those with {points(table.higher)} and with {points(table.lower)} the lot chose these two."
    )


def _why_bye(pairing: Pairing, player: PlayerId) -> str:
    size = sum(count for _, count in pairing.groups)
    reason = f"{size} players are an odd number" if size != 1 else "nobody else can be paired"
    sentences = [f"Player {player} has the bye: {reason}."]
    if pairing.cost.bye_score is not None:
        sentences.append(_why_bye_score(pairing, pairing.cost.bye_score))
    sentences += [remark for remark in pairing.remarks if "bye" in remark]
    return " ".join([*sentences, _proof(pairing)]).strip()


def _why_bye_score(pairing: Pairing, score: Score) -> str:
    lowest, sharing = pairing.groups[-1] if pairing.groups else (score, 1)
    if score == lowest:
        who = "; among those who may have it the lot decided" if sharing > 1 else ", which nobody else has"
        return f"It goes to the lowest score, {points(score)}{who}."
    if pairing.certificate.method == "look-ahead":
        return (
            f"It goes to {points(score)}: with it further down fewer rounds could follow without a rematch."
        )
    return (
        f"It goes to {points(score)}, the lowest score at which somebody can have it "
        "without more rematches or second byes."
    )


def _proof(pairing: Pairing) -> str:
    if pairing.certificate.method in ("lot", "table"):
        return ""
    if pairing.certificate.proved and pairing.certificate.method == "look-ahead":
        return "After every better pairing of this field fewer rounds could be played without a rematch."
    if pairing.certificate.proved:
        return "No better pairing of this field exists."
    return "No better pairing was found; that none exists is not proved."
