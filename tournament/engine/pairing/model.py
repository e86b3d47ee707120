"""Pairing input and output: entrants, tables, cost, proof and explanation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from tournament.engine.records import PlayerId, Score


class PairingError(ValueError):
    """A field that cannot be paired. `problems` holds one whole sentence for each thing that is wrong."""

    code = "cannot-be-paired"

    def __init__(self, problems: list[str]) -> None:
        super().__init__(" ".join(problems))
        self.problems = tuple(problems)


@dataclass(frozen=True, slots=True)
class Entrant:
    """One player (or team) who takes part in the round.

    `byes` counts the byes that should not be followed by another. `group` is a club, a team or a household.
    `fixed_table` is a seat that the entrant must not leave; `last_tables` are the numbers of the tables he
    has sat at.
    """

    id: PlayerId
    score: Score = 0
    byes: int = 0
    group: str = ""
    fixed_table: int | None = None
    last_tables: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class PairingPreferences:
    """What may be wished for among pairings that are equally good; it never costs a rematch or a float.

    `groups_apart`: entrants of one group should not meet in this round. `apart`: pairs that should not meet.
    `fresh_tables`: no one should sit at a table again at which they have sat.
    """

    groups_apart: bool = False
    apart: frozenset[tuple[PlayerId, PlayerId]] = frozenset()
    fresh_tables: bool = False


NO_PREFERENCES = PairingPreferences()


@dataclass(frozen=True, slots=True, order=True)
class Cost:
    """What is bad about a pairing, the worst first; compares in that order.

    `forbidden` counts pairs that must not meet, `rematches` pairs that meet again (a bye too many counts as
    one), `bye_score` is the score of the player with the bye (None without one), `floats` the sum of the
    float costs, `unwished` the pairs against a wish.
    """

    forbidden: int
    rematches: int
    bye_rank: int
    floats: Score
    unwished: int = 0
    bye_score: Score | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Certificate:
    """Why no pairing is better.

    `lower_bound` is what every pairing costs at least; `proved` is whether this one reaches it.

    `method` is "neighbours" (the order of scores alone proves it), "windows" (an exact matching of the
    score groups in `windows`, each named by its highest and lowest score, and the order of scores
    elsewhere), "exhaustive" (all pairings were compared), "look-ahead" (cheapest of those that leave the
    rest of the event playable), "table" (a schedule that is written down, not searched) or "lot".
    """

    lower_bound: Cost
    proved: bool
    method: str
    windows: tuple[tuple[Score, Score], ...] = ()


class PairingTable(NamedTuple):
    """One match of the round.

    `p1` has the higher score; between equals the lot decides. A table that a repair keeps keeps its seats.
    `note` says what is special.
    """

    number: int
    p1: PlayerId
    p2: PlayerId
    score1: Score = 0
    score2: Score = 0
    note: str = ""

    @property
    def gap(self) -> Score:
        """By how much the two scores differ."""
        return self.higher - self.lower

    @property
    def higher(self) -> Score:
        """The higher score of the two."""
        return max(self.score1, self.score2)

    @property
    def lower(self) -> Score:
        """The lower score of the two."""
        return min(self.score1, self.score2)

    @property
    def players(self) -> tuple[PlayerId, PlayerId]:
        """Both players, `p1` first."""
        return (self.p1, self.p2)

    @property
    def why(self) -> str:
        """In one sentence: why these two meet."""
        return explain_table(self)


class Pairing:
    """A whole round: its tables by number, the player with the bye, the seed, its cost and its proof.

    `groups` lists the scores in the field, high to low, each with the number of entrants that have it. The
    tables (and `remarks` about seats) are written out by `write_tables` when they are first asked for.
    """

    def __init__(
        self,
        write_tables: Callable[[], tuple[tuple[PairingTable, ...], tuple[str, ...]]],
        bye: PlayerId | None,
        seed: int,
        cost: Cost,
        certificate: Certificate,
        groups: tuple[tuple[Score, int], ...] = (),
    ) -> None:
        self._write_tables = write_tables
        self.bye, self.seed, self.cost, self.certificate = bye, seed, cost, certificate
        self.groups = groups

    @cached_property
    def _written(self) -> tuple[tuple[PairingTable, ...], tuple[str, ...]]:
        return self._write_tables()

    @property
    def tables(self) -> tuple[PairingTable, ...]:
        """The matches of the round, by table number."""
        return self._written[0]

    @property
    def remarks(self) -> tuple[str, ...]:
        """Whole sentences about what could not be done, as a fixed seat that two players have."""
        return self._written[1]

    def _facts(self) -> tuple[object, ...]:
        return (self.tables, self.bye, self.seed, self.cost, self.certificate, self.groups, self.remarks)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Pairing) and self._facts() == other._facts()

    def __hash__(self) -> int:
        return hash((self.tables, self.bye, self.seed))

    def __repr__(self) -> str:
        return f"Pairing(tables={self.tables!r}, bye={self.bye!r}, seed={self.seed!r}, cost={self.cost!r})"

    def explain(self, player: PlayerId) -> str:
        """Why `player` meets whom he meets, floats or has the bye.

        Raises KeyError for someone who is not in the round.
        """
        return explain_player(self, player)

    def opponent(self, player: PlayerId) -> PlayerId | None:
        """Whom `player` meets, None for the bye. Raises KeyError for someone who is not in the round."""
        return self._opponents[player]

    @cached_property
    def _opponents(self) -> dict[PlayerId, PlayerId | None]:
        opponents: dict[PlayerId, PlayerId | None] = {}
        for table in self.tables:
            opponents[table.p1], opponents[table.p2] = table.p2, table.p1
        if self.bye is not None:
            opponents[self.bye] = None
        return opponents


REMATCH, FORBIDDEN, UNPREFERRED, SCHEDULED = "rematch", "forbidden", "unwished", "listed"

SOLVED, AHEAD, ALONE, TWO = "solved", "ahead", "alone", "two"

UPPER_MET, LOWER_MET, BETWEEN = "upper-met", "lower-met", "between"

_DRAWBACKS = {
    FORBIDDEN: "They must not meet, but every pairing of this field has at least as many such tables.",
    REMATCH: "They have met before: every pairing of this field has at least as many rematches.",
    UNPREFERRED: "It was wished that they do not meet, but no equally good pairing heeds more of the wishes.",
}

_SCHEDULED = "The schedule puts them together."

_SCHEDULED_DRAWBACKS = {
    FORBIDDEN: "They must not meet, but no exchange of players leaves fewer such tables.",
    REMATCH: "They have met before, but no exchange of players leaves fewer such tables.",
    UNPREFERRED: "It was wished that they do not meet, but no exchange of players leaves fewer such tables.",
}


def format_points(score: Score) -> str:
    """A score with its unit.

    >>> points(1), points(9)
    ('1 point', '9 points')
    """
    return f"{score} point" if score == 1 else f"{score} points"


def explain_table(table: PairingTable) -> str:
    """Why the two players of `table` meet."""
    notes = table.note.split()
    if SCHEDULED in notes:
        return " ".join(
            [_SCHEDULED, *(sentence for note, sentence in _SCHEDULED_DRAWBACKS.items() if note in notes)]
        )
    drawbacks = [sentence for note, sentence in _DRAWBACKS.items() if note in notes]
    return " ".join([_why_scores(table, fresh=REMATCH not in notes), *drawbacks])


def _why_scores(table: PairingTable, fresh: bool) -> str:
    if not table.gap:
        return _why_equals_meet(table, fresh)
    meets = f"{format_points(table.higher)} against {format_points(table.lower)}"
    return f"{meets}: {_why_float_is_needed(table, table.note.split())}."


def _why_equals_meet(table: PairingTable, fresh: bool) -> str:
    have = f"Both have {format_points(table.score1)}"
    if not fresh:
        return f"{have}."
    if TWO in table.note.split():
        return f"{have}, nobody else has, and they have not met."
    return f"{have} and have not met; the lot drew them together."


def _why_float_is_needed(table: PairingTable, notes: Sequence[str]) -> str:
    if ALONE in notes:
        return f"nobody else has {format_points(table.higher)}"
    if UPPER_MET in notes or LOWER_MET in notes:
        score = table.higher if UPPER_MET in notes else table.lower
        between = " and in between" if BETWEEN in notes else ""
        return f"the player with {format_points(score)} has met everybody else on that score{between}"
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


def _why_float(pairing: Pairing, table: PairingTable) -> str:
    player_count = sum(size for score, size in pairing.groups if score >= table.higher)
    if player_count == 1:
        return f"Among those with {format_points(table.lower)} the lot chose the opponent."
    return (
        f"{player_count} players have {format_points(table.higher)} or more, which is odd: "
        "one of them is left over. "
        f"Among those with {format_points(table.higher)} and with "
        f"{format_points(table.lower)} the lot chose these two."
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
        return f"It goes to the lowest score, {format_points(score)}{who}."
    if pairing.certificate.method == "look-ahead":
        return (
            f"It goes to {format_points(score)}: with it further down fewer rounds could "
            "follow without a rematch."
        )
    return (
        f"It goes to {format_points(score)}, the lowest score at which somebody can have it "
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
