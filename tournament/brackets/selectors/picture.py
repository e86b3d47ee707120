"""Layout of a bracket as pages and prints draw it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from decks.shared.wording import format_reason, say_reason
from rules.reason import Reason, reason
from tournament.brackets.selectors.bracket import load_bracket_state
from tournament.engine.brackets import layout as bracket_layout
from tournament.engine.brackets import playing as bracket_play
from tournament.engine.brackets.layout import Bracket, BracketMatch, BracketSection, Feed
from tournament.events.models.event import Stage
from tournament.events.models.player import Player
from tournament.events.models.round import Match


@dataclass(frozen=True, slots=True)
class BracketSide:
    """One side of a match in the picture.

    While no one is known, `waiting_text` says who will come.
    """

    seed: int | None
    player: Player | None
    waiting_text: str
    games: int | None
    is_winner: bool
    is_loser: bool


@dataclass(frozen=True, slots=True)
class BracketSlot:
    """One match of the picture.

    `match` is the played one, once both players are known.
    """

    id: int
    name: str
    sides: tuple[BracketSide, BracketSide]
    match: Match | None

    @property
    def is_open(self) -> bool:
        """Whether it is being played now."""
        return self.match is not None and not self.match.is_finished


@dataclass(frozen=True, slots=True)
class BracketColumn:
    """One round of the picture; None stands for a place that a bye left empty.

    `lines` says how it leads into the next one: "joined" two by two, "straight" one to one, else "loose".
    `title_with_part` names its side too, as it is below another's.
    """

    title: Reason
    slots: list[BracketSlot | None]
    lines: str
    title_with_part: Reason

    @property
    def name(self) -> str:
        """Its title in words."""
        words = say_reason(self.title)
        return f"{words[:1].upper()}{words[1:]}"


@dataclass(frozen=True, slots=True)
class BracketPart:
    """One side of the picture, or a piece of it.

    A single elimination has one without a title. `mention` is what a sentence calls it.
    """

    title: Reason | None
    columns: list[BracketColumn]
    mention: Reason | None = None

    @property
    def name(self) -> str:
        """Its title in words; empty if it has none."""
        return say_reason(self.title) if self.title else ""

    @property
    def is_one_match_high(self) -> bool:
        """Whether it is one match high, as a match for third place is."""
        return all(len(column.slots) == 1 for column in self.columns)


# How many matches at most the last rounds begin with where a large bracket is cut into pieces.
LAST_ROUNDS_MATCHES = 4
SIDES: tuple[BracketSection, ...] = ("W", "3P", "C", "L", "GF")
FINAL_TITLES = {0: "round_title.final", 1: "round_title.semi_finals", 2: "round_title.quarter_finals"}


def load_bracket_view(stage: Stage) -> list[BracketPart]:
    """Return the bracket as its picture shows it, side by side and round by round.

    Four queries.
    """
    state = load_bracket_state(stage)
    players = {e.seed: e.player for e in stage.entrants.select_related("player")}
    matches = Match.objects.filter(round__stage=stage).select_related("p1", "p2", "round__stage")
    matches_by_number = {match.bracket_match: match for match in matches}
    sides: dict[BracketSection, dict[int, list[BracketSlot | None]]] = {}
    for bracket_match, now in zip(state.bracket.matches, state.matches, strict=True):
        sides_now = _build_sides(bracket_match, now, players, matches_by_number.get(now.id), state)
        slot = BracketSlot(now.id, format_reason("reason", now.why), sides_now, matches_by_number.get(now.id))
        sides.setdefault(bracket_match.side, {}).setdefault(bracket_match.round, []).append(slot)
    names = {(m.side, m.round): bracket_play.name_round(state.bracket, m) for m in state.bracket.matches}
    _pad_first_round(sides.get("W", {}), len(players))
    next_by_match = {match.id: match.winner_to for match in state.bracket.matches}
    _pad_losers(sides.get("L", {}), next_by_match)
    _pad_losers(sides.get("C", {}), next_by_match)
    return [_build_part(state.bracket, side, sides[side], names) for side in SIDES if side in sides]


def split_part(
    part: BracketPart, most_rows: int, most_columns: int | None = None, *, to_the_end: bool = False
) -> list[BracketPart]:
    """Split a part into pieces of its first rounds and the rest.

    A part that is no deeper and no longer than allowed is returned whole. The rest is a whole: it begins
    where no more than four matches are left, the quarter-finals. Pieces go as far as that, or each
    `to_the_end`, its own last match.
    """
    deepest = max((len(column.slots) for column in part.columns), default=0)
    pieces = -(-deepest // most_rows)
    rounds_kept = LAST_ROUNDS_MATCHES if deepest > LAST_ROUNDS_MATCHES else LAST_ROUNDS_MATCHES // 2
    cut = [column for column in part.columns if len(column.slots) > rounds_kept]
    if not cut or (pieces == 1 and len(part.columns) <= (most_columns or len(part.columns))):
        return [part]
    last_part = BracketPart(reason("bracket_piece.last_rounds", part=part.title), part.columns[len(cut) :])
    if pieces == 1:
        return [BracketPart(reason("bracket_piece.first_rounds", part=part.title), cut), last_part]
    if to_the_end:
        cut = [column for column in part.columns if len(column.slots) >= pieces]
    new_parts = [
        BracketPart(
            reason("bracket_piece", part=part.title, number=index + 1, count=pieces),
            [_slice_column(column, index, pieces) for column in cut],
        )
        for index in range(pieces)
    ]
    return [*new_parts, last_part]


def _slice_column(column: BracketColumn, index: int, pieces: int) -> BracketColumn:
    share = -(-len(column.slots) // pieces)
    return replace(column, slots=column.slots[index * share : (index + 1) * share])


def group_for_screens(
    parts: list[BracketPart], most_rows: int, most_columns: int | None = None
) -> list[list[BracketPart]]:
    """Return parts and pieces in the order in which a screen shows them.

    A part that is one match high joins the one before.
    """
    screens: list[list[BracketPart]] = []
    for part in parts:
        if screens and part.is_one_match_high:
            screens[-1].append(part)
        else:
            screens += [[piece] for piece in split_part(part, most_rows, most_columns, to_the_end=True)]
    return screens


def _build_part(
    bracket: Bracket,
    side: BracketSection,
    columns: dict[int, list[BracketSlot | None]],
    names: Mapping[tuple[BracketSection, int], Reason],
) -> BracketPart:
    depth, is_plain = max(columns), bracket.kind == "single" and side == "W"
    next_by_match = {match.id: match.winner_to for match in bracket.matches}
    rounds = [
        BracketColumn(
            _title_of_last_rounds(depth - number) if is_plain else _short_title(names[side, number]),
            columns[number],
            _line_style(columns[number], columns.get(number + 1), next_by_match),
            _title_with_part(side, names[side, number]),
        )
        for number in sorted(columns)
    ]
    if is_plain:
        return BracketPart(None, rounds)
    return BracketPart(reason("bracket_part", side=side), rounds, reason("bracket_part.inside", side=side))


def _title_of_last_rounds(rounds_left: int) -> Reason:
    if rounds_left in FINAL_TITLES:
        return Reason(FINAL_TITLES[rounds_left])
    return reason("round_title.last", players=2 ** (rounds_left + 1))


def _short_title(name: Reason) -> Reason:
    """Return the round alone: the side is above."""
    if name.code in ("side_round", "consolation_round"):
        return reason("round_title", round=name.params["round"])
    return reason("round_title.final") if name.code == "side_final" else name


def _title_with_part(side: BracketSection, name: Reason) -> Reason:
    """Return the round with its side, where its name alone does not say it."""
    part = reason("bracket_part", side=side)
    if name.code == "side_round":
        return reason("round_title.of_part", part=part, round=name.params["round"])
    return reason("round_title.final_of_part", part=part) if name.code == "side_final" else name


def _line_style(
    slots: list[BracketSlot | None],
    next_column: list[BracketSlot | None] | None,
    next_by_match: Mapping[int, int | None],
) -> str:
    """Return how the winners of a round go on in the picture."""
    ids = [slot.id if slot else None for slot in next_column or ()]
    feeds = [(index, next_by_match[slot.id]) for index, slot in enumerate(slots) if slot is not None]
    if all(index < len(ids) and ids[index] == to for index, to in feeds):
        return "straight"
    return (
        "joined" if all(index // 2 < len(ids) and ids[index // 2] == to for index, to in feeds) else "loose"
    )


def _build_sides(
    bracket_match: BracketMatch,
    now: bracket_play.SeatedMatch,
    players: Mapping[int, Player],
    match: Match | None,
    state: bracket_play.BracketState,
) -> tuple[BracketSide, BracketSide]:
    games = (match.p1_games, match.p2_games) if match is not None and match.is_finished else (None, None)

    def side(seed: int | None, feed: Feed | None, games_won: int | None) -> BracketSide:
        return BracketSide(
            seed=seed,
            player=players[seed] if seed is not None else None,
            waiting_text=_waiting_text(bracket_match, feed, state) if seed is None else "",
            games=games_won,
            is_winner=seed is not None and now.winner == seed,
            is_loser=seed is not None and now.winner is not None and now.winner != seed,
        )

    return (
        side(now.pair[0], bracket_match.p1_from, games[0]),
        side(now.pair[1], bracket_match.p2_from, games[1]),
    )


def _waiting_text(bracket_match: BracketMatch, feed: Feed | None, state: bracket_play.BracketState) -> str:
    """Return who will sit here, in the words of the picture.

    The picture gives every match its number.
    """
    if bracket_match.if_needed:
        is_over = state.champion is not None
        return say_reason(reason("awaited_side.not_needed") if is_over else reason("awaited_side.if_needed"))
    return say_reason(reason("awaited_side", outcome=feed.outcome, match=feed.match)) if feed else ""


def _pad_first_round(columns: dict[int, list[BracketSlot | None]], entrants: int) -> None:
    """Put the first round's matches beside the places of the second that they feed."""
    if 1 not in columns or not entrants:
        return
    real_slots = iter(columns[1])
    order = bracket_layout.seed_order(1 << (entrants - 1).bit_length())
    pairs = zip(order[::2], order[1::2], strict=True)
    columns[1] = [next(real_slots) if max(pair) <= entrants else None for pair in pairs]


def _pad_losers(
    columns: dict[int, list[BracketSlot | None]], next_by_match: Mapping[int, int | None]
) -> None:
    """Align a losers' round thinned by byes with the matches that it leads to.

    Its matches are put beside them.
    """
    for number in sorted(columns, reverse=True):
        next_column = columns.get(number + 1, [])
        slot_by_next_match = {next_by_match[slot.id]: slot for slot in columns[number] if slot is not None}
        if len(columns[number]) < len(next_column) and len(slot_by_next_match) == len(columns[number]):
            columns[number] = [
                slot_by_next_match.get(slot.id) if slot is not None else None for slot in next_column
            ]
