"""Facts of log lines that were stored as sentences.

They are found from what the steps of the lines changed, and taken only where they say the very sentence, with
the names of that time. Every other line keeps its sentence, with references for names that are surely a
player's.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from rules.reason import TOLD, Param, Reason, Reference, params_to_json
from rules.wording import Messages
from tournament.events.models.match_result import format_score
from tournament.log.changes import ChangeData, RowKey, Values, iter_row_changes
from tournament.matches import BOTH_PLAYERS
from tournament.shared.message_words import is_said_by_messages

# As these lines read while they were stored as sentences.
LOG_WORDS = {
    "round_paired": "{actor} paired round {round}.",
    "round_published": "{actor} published round {round}.",
    "round_finished": "Round {round} is finished.",
    "round_finished.bracket": "{has_cut, select, yes {Cut} other {Bracket}}, round {round} is finished.",
    "player_added": "{actor} added {player}.",
    "result_entered": "{actor}: {match} {both_lose, select, yes {is} other {ended}} {result}.",
    "match": (
        "{table, select, none {} other {table {table}, }}"
        "{p1} against {p2, select, none {nobody} other {{p2}}},"
    ),
    "result": (
        "{score, select, none {a loss for both} other {{score}}}{ending, select, none {} "
        "time { (time was called)} concession { ({loser} conceded)} agreed_draw { (drawn by agreement)} "
        "no_show { ({loser} did not show up)} left { ({loser} left the event)} "
        "penalty { ({loser} lost by a penalty)} disqualified { ({loser} disqualified)} "
        "head_shot { ({winner} took the head of {loser})} other {}}"
    ),
    "both_players": "both players",
}
WORDS = Messages.of([("old lines", {"log": LOG_WORDS})])


@dataclass(frozen=True, slots=True)
class ToldLine:
    """A line of the log that has a sentence.

    `changes` are those of its step, `players` the ids of those it is about.
    """

    action: str
    sentence: str
    actor: str
    changes: Iterable[ChangeData]
    players: Collection[int] = ()


PLAYER_COLUMNS = ("player_id", "p1_id", "p2_id")


@dataclass(frozen=True, slots=True)
class _Games:
    p1_games: int
    p2_games: int
    draws: int


class EventHistory:
    """The rows of one event as its log tells them, step by step."""

    def __init__(self) -> None:
        self._rows: dict[RowKey, Values] = {}
        self._bearers: defaultdict[str, set[int]] = defaultdict(set)

    def apply(self, changes: Iterable[ChangeData]) -> None:
        """Take over what a step changed; of a row that goes, what it was stays known."""
        for change in iter_row_changes(changes):
            self._rows.setdefault(change.key, {}).update(change.after or {})
            if change.table == "player" and (name := (change.after or {}).get("name")):
                self._bearers[name].add(change.id)

    def translate(self, line: ToldLine) -> Reason | None:
        """Return the facts of a line, or else its sentence with references.

        None if it stays as it is.
        """
        if facts := self.find_facts(line):
            return facts
        parts = self.refer_to_players(line)
        return Reason("", {TOLD: parts}) if parts else None

    def refer_to_players(self, line: ToldLine) -> tuple[Param, ...]:
        """Return the sentence in parts, with references for names.

        Empty if no name is sure. A name is sure if the line is about its bearer, no one else ever had it,
        messages do not say it, and it stands there as a whole: not in a longer name, nor in that of an actor
        who may be someone else.
        """
        author = self.find_author(line)
        subjects = {*line.players, *self._iterate_players(line.changes)}
        parts: list[Param] = []
        end = 0
        for match in _iterate_names(line.sentence, {*self._bearers, line.actor} - {""}):
            bearer = author if match[0] == line.actor else self._find_bearer(match[0])
            if bearer in subjects and bearer is not None:
                parts += [line.sentence[end : match.start()], Reference("player", bearer)]
                end = match.end()
        return tuple(part for part in (*parts, line.sentence[end:]) if part != "") if parts else ()

    def find_author(self, line: ToldLine) -> int | None:
        """Return the player who made a step; None if it may be someone on the staff.

        Only players report.
        """
        changes = [change for change in iter_row_changes(line.changes) if change.table == "resultreport"]
        reporters = {
            change.after.get("player_id") for change in changes if change.after and not change.before
        }
        bearer = self._find_bearer(line.actor)
        return bearer if bearer in reporters else None

    def _find_bearer(self, name: str) -> int | None:
        """Return the only player who ever had a name.

        The name must not be a word or number of a sentence.
        """
        bearers = self._bearers.get(name, set())
        if len(bearers) != 1 or is_said_by_messages(name) or not _is_like_name(name):
            return None
        (bearer,) = bearers
        return bearer

    def _iterate_players(self, changes: Iterable[ChangeData]) -> Iterator[int]:
        """Yield the players whom changed rows name, and those of their match."""
        for change in iter_row_changes(changes):
            row = self._rows.get(change.key, {})
            match = self._rows.get(("match", row.get("match_id") or 0), {})
            yield from (
                each[column] for each in (row, match) for column in PLAYER_COLUMNS if each.get(column)
            )

    def find_facts(self, line: ToldLine) -> Reason | None:
        """Return the code and facts that say the sentence of a line.

        None if no facts do, or if different ones do.
        """
        matching_reasons = [reason for reason in self._list_candidates(line) if self._says(reason, line)]
        return matching_reasons[0] if len(matching_reasons) == 1 else None

    def _says(self, reason: Reason, line: ToldLine) -> bool:
        spoken_reason = Reason(reason.code, {**reason.params, "actor": line.actor})
        return WORDS.text("log", spoken_reason, self._name) == line.sentence

    def _name(self, reference: Reference) -> str:
        if isinstance(reference.key, tuple):
            return str(reference.key[-1])
        return str(self._rows.get((reference.kind, int(reference.key)), {}).get("name", ""))

    def _list_candidates(self, line: ToldLine) -> Iterator[Reason]:
        candidate = _CANDIDATES.get(line.action)
        if candidate is None:
            return
        table, list_params = candidate
        ids = dict.fromkeys(change.id for change in iter_row_changes(line.changes) if change.table == table)
        for pk in ids:
            # If the log line lacks a part, it gets no facts.
            try:
                yield from (
                    Reason(code, params) for code, params in list_params(self, pk, self._rows[table, pk])
                )
            except KeyError:
                continue

    def _round(self, row: Values) -> Reference:
        return Reference("round", (self._rows["stage", row["stage_id"]]["position"], row["number"]))


def _is_like_name(name: str) -> bool:
    """Return whether a name cannot be a word or a score.

    One word has capitals or another script.
    """
    return " " in name or not name.isascii() or name.lower() != name


def _iterate_names(sentence: str, names: Collection[str]) -> Iterator[re.Match[str]]:
    """Yield where names stand as a whole in a sentence, the longest at each place."""
    if not names:
        return iter(())
    longest_first = sorted(names, key=len, reverse=True)
    return re.finditer(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first))})(?!\w)", sentence)


Facts = Iterator[tuple[str, Mapping[str, Param]]]


def _name_round(code: str) -> Callable[[EventHistory, int, Values], Facts]:
    def list_params(history: EventHistory, pk: int, row: Values) -> Facts:
        yield code, {"round": history._round(row)}

    return list_params


def _name_finished_round(history: EventHistory, pk: int, row: Values) -> Facts:
    finished_round = history._round(row)
    yield "round_finished", {"round": finished_round}
    for has_cut in (True, False):
        yield "round_finished.bracket", {"round": finished_round, "has_cut": has_cut}


def _name_player(history: EventHistory, pk: int, row: Values) -> Facts:
    yield "player_added", {"player": Reference("player", pk)}


def _name_result(history: EventHistory, pk: int, row: Values) -> Facts:
    if row.get("details"):
        return
    sides = [None if row[side] is None else Reference("player", row[side]) for side in ("p1_id", "p2_id")]
    winner, loser = sides if row["outcome"] == "p1" else reversed(sides)
    both_lose = row["outcome"] == "double_loss"
    result: dict[str, Param] = {
        "score": None if both_lose else format_score(_Games(row["p1_games"], row["p2_games"], row["draws"])),
        "ending": row["ending"] or None,
        "winner": winner,
        "loser": BOTH_PLAYERS if both_lose or loser is None else loser,
        "has_details": False,
        "details": (),
    }
    match = Reason("match", {"table": row["table"], "p1": sides[0], "p2": sides[1]})
    yield (
        "result_entered",
        {"match": match, "result": Reason("result", result), "both_lose": both_lose, "before": None},
    )


# For the commonest lines: the table of what they are about, and what they may say of one of its rows.
_CANDIDATES: Mapping[str, tuple[str, Callable[[EventHistory, int, Values], Facts]]] = {
    "round_paired": ("round", _name_round("round_paired")),
    "round_published": ("round", _name_round("round_published")),
    "round_finished": ("round", _name_finished_round),
    "player_added": ("player", _name_player),
    "result_entered": ("match", _name_result),
}


def translate_told_lines(lines: Iterable[Values]) -> None:
    """Add facts or references to archive lines that have a sentence.

    The facts say the sentence. The references are for its names.
    """
    history, changes = EventHistory(), []
    for line in lines:
        if line.get("head") is None:
            changes = line.get("changes", [])
            history.apply(changes)
        sentence = line["params"].get(TOLD)
        if set(line["params"]) != {TOLD} or line["variant"] or not isinstance(sentence, str):
            continue
        players = {int(word[1:]) for word in line.get("about", []) if word[0] == "p"}
        told_line = ToldLine(line["action"], sentence, line["actor"], changes, players)
        if author := history.find_author(told_line):
            line |= {"actor": "", "by_player": author}
        if line_reason := history.translate(told_line):
            line["variant"] = line_reason.code.partition(".")[2]
            line["params"] = params_to_json(line_reason.params)
