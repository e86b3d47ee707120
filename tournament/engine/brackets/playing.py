"""Play a bracket: seat players, correct results, rank who is out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rules.reason import Reason, reason
from tournament.engine.brackets.layout import Bracket, BracketMatch, BracketSection, Feed, MatchId, Seed
from tournament.engine.problems import make_error

Pair = tuple[Seed | None, Seed | None]

FINALS = {1: "final", 2: "semi_final", 3: "quarter_final"}

GROUP_ROUNDS = {
    ("W", 1): "group_opening",
    ("W", 2): "group_winners",
    ("L", 1): "group_losers",
    ("L", 2): "group_decider",
}


@dataclass(frozen=True, slots=True)
class SeatedMatch:
    """A match as it is.

    Holds seeds (None: not known yet), the winner if there is one, and why these two meet. `round` is the wave
    of the whole bracket, so that matches of one round can run side by side.
    """

    id: MatchId
    side: BracketSection
    round: int
    p1: Seed | None
    p2: Seed | None
    winner: Seed | None
    why: Reason

    @property
    def pair(self) -> tuple[Seed | None, Seed | None]:
        """The two seeds."""
        return self.p1, self.p2

    @property
    def loser(self) -> Seed | None:
        """The loser; None while the match is open."""
        if self.winner is None:
            return None
        return self.p2 if self.winner == self.p1 else self.p1


@dataclass(frozen=True, slots=True)
class BracketPlace:
    """Where a seed came in.

    `level` is the best place of those beaten in the same round; seeds order them.
    """

    place: int
    level: int
    seed: Seed


@dataclass(frozen=True, slots=True)
class BracketState:
    """A bracket with its results so far.

    `invalid_results` no longer fit the players who sit there.
    """

    bracket: Bracket
    matches: tuple[SeatedMatch, ...]
    invalid_results: tuple[MatchId, ...]
    champion: Seed | None
    places: tuple[BracketPlace, ...]

    @property
    def ready_matches(self) -> tuple[SeatedMatch, ...]:
        """Matches that can start: both players known, no result yet."""
        return tuple(match for match in get_seated_matches(self) if match.winner is None)

    def match(self, number: MatchId) -> SeatedMatch:
        """Return the match with an id. Raises EngineError when there is none."""
        return self.matches[self.bracket.match(number).id - 1]


@dataclass(frozen=True, slots=True)
class ResultCorrection:
    """A corrected result.

    Holds the winners after it, the new state, and the results that no longer count.
    """

    winners: Mapping[MatchId, Seed]
    state: BracketState
    invalid_results: tuple[MatchId, ...]


def play_bracket(bracket: Bracket, winners: Mapping[MatchId, Seed]) -> BracketState:
    """Return the state of a bracket after some results.

    The results are given as the winning seed by match id. A result whose winner does not sit in the match is
    not used and listed as fallen; so is one of a second grand final that is not needed. Raises EngineError
    for a match that the bracket does not have.
    """
    for number in winners:
        bracket.match(number)
    return _state(bracket, winners, _seats(bracket, winners, {}))


def _seats(
    bracket: Bracket, winners: Mapping[MatchId, Seed], played_by: Mapping[MatchId, Pair]
) -> list[SeatedMatch]:
    """Seat every match.

    A result counts when its winner sits there, with the two whom `played_by` names.
    """
    matches: list[SeatedMatch] = []
    for match in bracket.matches:
        pair = _seat(matches, match.p1, match.p1_from), _seat(matches, match.p2, match.p2_from)
        if match.if_needed and not _reset_needed(matches[-1]):
            pair = None, None
        winner_seed = winners.get(match.id)
        counts = None not in pair and winner_seed in pair and set(played_by.get(match.id, pair)) == set(pair)
        winner = winner_seed if counts else None
        matches.append(SeatedMatch(match.id, match.side, match.wave, *pair, winner, _explain(bracket, match)))
    return matches


def _state(bracket: Bracket, winners: Mapping[MatchId, Seed], matches: list[SeatedMatch]) -> BracketState:
    undecided_numbers = (n for n in sorted(winners) if matches[n - 1].winner is None)
    fallen_numbers = tuple(undecided_numbers)
    champion = _champion(bracket, matches)
    return BracketState(
        bracket, tuple(matches), fallen_numbers, champion, _places(bracket, matches, champion)
    )


def get_seated_matches(state: BracketState) -> tuple[SeatedMatch, ...]:
    """Return every match whose two players are known, in the order of the ids.

    Both played and unplayed matches are included.
    """
    return tuple(match for match in state.matches if match.p1 is not None and match.p2 is not None)


def correct_result(
    bracket: Bracket, winners: Mapping[MatchId, Seed], number: MatchId, winner: Seed | None
) -> ResultCorrection:
    """Set, correct or (with None) undo one result.

    Later results between other players than before fall. Raises EngineError when the winner does not sit in
    that match.
    """
    before = play_bracket(bracket, winners)
    if winner is not None and winner not in before.match(number).pair:
        one, two = before.match(number).pair
        raise make_error("winner-not-seated", seed=winner, match=number, one=one, two=two)
    other_winners = {match: seed for match, seed in winners.items() if match != number}
    if winner is not None:
        other_winners[number] = winner
    played_by = {match.id: match.pair for match in before.matches if match.id != number}
    after = _seats(bracket, other_winners, played_by)
    still_won = {match.id: match.winner for match in after if match.winner is not None}
    fallen_numbers = tuple(sorted(set(other_winners) - set(still_won)))
    return ResultCorrection(still_won, _state(bracket, still_won, after), fallen_numbers)


def _seat(matches: list[SeatedMatch], seed: Seed | None, feed: Feed | None) -> Seed | None:
    if feed is None:
        return seed
    source = matches[feed.match - 1]
    return source.winner if feed.outcome == "winner" else source.loser


def _reset_needed(grand_final: SeatedMatch) -> bool:
    """Return whether the player from the losers' side won the grand final.

    If so, both have now lost once.
    """
    return grand_final.winner is not None and grand_final.winner == grand_final.p2


def _champion(bracket: Bracket, matches: list[SeatedMatch]) -> Seed | None:
    if not matches:
        return 1
    last = matches[-1]
    if bracket.kind == "group":
        last = next(match for match in reversed(matches) if match.side == "W")
    elif bracket.reset and last.p1 is None:
        last = matches[-2]
    return last.winner


def _places(bracket: Bracket, matches: list[SeatedMatch], champion: Seed | None) -> tuple[BracketPlace, ...]:
    """Return everyone who is out, and the champion.

    A later defeat gives a better place, then the better seed.
    """
    out = _rank_beaten(bracket, matches)
    groups: dict[tuple[int, ...], list[Seed]] = {}
    for seed, when in out.items():
        groups.setdefault(when, []).append(seed)
    finals: list[BracketPlace] = []
    place = bracket.entrants
    for when in sorted(groups):
        level = place - len(groups[when]) + 1
        finals += [
            BracketPlace(level + index, level, seed) for index, seed in enumerate(sorted(groups[when]))
        ]
        place = level - 1
    if champion is not None:
        finals.append(BracketPlace(1, 1, champion))
    return tuple(sorted(finals, key=lambda final: final.place))


def _rank_beaten(bracket: Bracket, matches: list[SeatedMatch]) -> dict[Seed, tuple[int, ...]]:
    """Return for every seed that is out a key, greater the later the defeat.

    Third place and consolation split their rounds. In a group, the winner of the decider is second.
    """
    out: dict[Seed, tuple[int, ...]] = {}
    for match, layout in zip(matches, bracket.matches, strict=True):
        if match.loser is None:
            continue
        if layout.side == "3P":
            out[match.loser] = (bracket.rounds["W"] - 1, 0)
            out[match.winner or 0] = (bracket.rounds["W"] - 1, 1)
        elif layout.side == "C":
            out[match.loser] = (1, layout.round)
            if layout.winner_to is None:
                out[match.winner or 0] = (1, layout.round + 1)
        elif bracket.kind == "group" and layout.winner_to is None and layout.side == "L":
            out[match.loser], out[match.winner or 0] = (layout.round, 0), (layout.round, 1)
        elif layout.loser_to is None or not _is_played(bracket.match(layout.loser_to), matches):
            out[match.loser] = _order_key(bracket, layout)
    return out


def _is_played(layout: BracketMatch, matches: list[SeatedMatch]) -> bool:
    """Return whether a loser's next match is really played.

    A second grand final is played only when needed.
    """
    return not layout.if_needed or matches[layout.id - 1].p1 is not None


def _order_key(bracket: Bracket, layout: BracketMatch) -> tuple[int, ...]:
    return (bracket.rounds.get("L", 0) * (layout.side == "GF") + layout.round, 0)


def _explain(bracket: Bracket, match: BracketMatch) -> Reason:
    """Return why these two meet: the round, and where each comes from."""
    one, two = _refer_to_source(match.p1, match.p1_from), _refer_to_source(match.p2, match.p2_from)
    return reason("bracket_match", round=name_round(bracket, match), one=one, two=two)


def _refer_to_source(seed: Seed | None, feed: Feed | None) -> Reason:
    if feed is None:
        return reason("seed", seed=seed)
    return reason("winner_of" if feed.outcome == "winner" else "loser_of", match=feed.match)


def name_round(bracket: Bracket, match: BracketMatch) -> Reason:
    """Return what players call the round of a match."""
    if match.side == "GF":
        return reason("grand_final.second" if match.if_needed else "grand_final")
    if match.side == "3P":
        return reason("third_place")
    if bracket.kind == "group":
        return Reason(GROUP_ROUNDS[match.side, match.round])
    if match.side == "C":
        return reason("consolation_round", round=match.round)
    rounds_left = bracket.rounds[match.side] - match.round + 1
    if bracket.kind == "double":
        side = "winners" if match.side == "W" else "losers"
        return (
            reason("side_final", side=side)
            if rounds_left == 1
            else reason("side_round", side=side, round=match.round)
        )
    return (
        Reason(FINALS[rounds_left]) if rounds_left in FINALS else reason("round_of", players=2**rounds_left)
    )
