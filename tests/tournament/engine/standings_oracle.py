"""A slow second calculation of the tiebreakers.

It takes one player, one opponent and one Fraction at a time.
"""

from __future__ import annotations

from fractions import Fraction as Q

from tournament.engine.records import Event, Match, PlayerId, Result

ZERO = Q(0)


class Oracle:
    """An oracle for the tiebreakers of an event.

    Points are 3, 1, 0 unless others are given. A bye is worth a win unless points are written on it.
    """

    def __init__(self, event: Event, win: Q = Q(3), draw: Q = Q(1), *, by_games: bool = False) -> None:
        self.event, self.win, self.draw, self.by_games = event, win, draw, by_games
        self.matches: dict[PlayerId, list[Match]] = {player.id: [] for player in event.players}
        for matches in event.rounds:
            for match in matches:
                for player in (match.p1, match.p2):
                    if player is not None and match.result is not None:
                        self.matches[player].append(match)

    def points_of(self, player: PlayerId, match: Match) -> Q:
        if match.result is Result.BYE:
            return self.win if match.bye_points is None else Q(match.bye_points)
        mine, theirs, even = self.games_of(player, match)
        if self.by_games and match.p2 is not None and mine + theirs + even:
            return Q(3 * mine + even)
        own_win = Result.P1 if player == match.p1 else Result.P2
        return {own_win: self.win, Result.DRAW: self.draw}.get(match.result, ZERO)

    def games_of(self, player: PlayerId, match: Match) -> tuple[int, int, int]:
        mine, theirs = match.p1_games, match.p2_games
        return (mine, theirs, match.draws) if player == match.p1 else (theirs, mine, match.draws)

    def points(self, player: PlayerId) -> Q:
        return sum((self.points_of(player, match) for match in self.matches[player]), ZERO)

    def opponents(self, player: PlayerId) -> list[PlayerId]:
        pairs = [(match.p1, match.p2) for match in self.matches[player] if match.p2 is not None]
        return [two if one == player else one for one, two in pairs]

    def mean(self, values: list[Q]) -> Q:
        return sum(values, ZERO) / len(values) if values else ZERO

    def list_counted(self, player: PlayerId, byes: bool) -> list[Match]:
        return [match for match in self.matches[player] if byes or match.result is not Result.BYE]

    def match_win(self, player: PlayerId, floor: Q, byes: bool) -> Q:
        rounds = self.list_counted(player, byes)
        points = sum((self.points_of(player, match) for match in rounds), ZERO)
        return max(floor, points / (3 * len(rounds)) if rounds else ZERO)

    def game_win(self, player: PlayerId, floor: Q, byes: bool) -> Q:
        games = [self.games_of(player, match) for match in self.list_counted(player, byes)]
        game_count = sum(map(sum, games))
        return max(
            floor,
            Q(sum(3 * wins + draws for wins, _, draws in games), 3 * game_count) if game_count else ZERO,
        )

    def board_points(self, player: PlayerId) -> Q:
        games = [self.games_of(player, match) for match in self.matches[player]]
        return sum((wins + Q(draws, 2) for wins, _, draws in games), ZERO)

    def board_win(self, player: PlayerId, byes: bool) -> Q:
        games = [self.games_of(player, match) for match in self.list_counted(player, byes)]
        boards = sum(map(sum, games))
        return sum((wins + Q(draws, 2) for wins, _, draws in games), ZERO) / boards if boards else ZERO

    def omw(self, player: PlayerId, floor: Q, byes: bool) -> Q:
        return self.mean([self.match_win(other, floor, byes) for other in self.opponents(player)])

    def ogw(self, player: PlayerId, floor: Q, byes: bool) -> Q:
        return self.mean([self.game_win(other, floor, byes) for other in self.opponents(player)])

    def sos(self, player: PlayerId) -> Q:
        return sum((self.points(other) for other in self.opponents(player)), ZERO)

    def sosos(self, player: PlayerId) -> Q:
        return sum((self.sos(other) for other in self.opponents(player)), ZERO)

    def sodos(self, player: PlayerId) -> Q:
        met_matches = [match for match in self.matches[player] if match.p2 is not None]
        shares = [self.points_of(player, match) / self.win for match in met_matches]
        return sum(
            (share * self.points(o) for share, o in zip(shares, self.opponents(player), strict=True)), ZERO
        )

    def sosos_with_the_bye(self, player: PlayerId) -> Q:
        """Count the bye as a player on nothing, who met everyone that had it."""
        byes = [p for p, matches in self.matches.items() for m in matches if m.result is Result.BYE]
        of_the_bye = sum(map(self.points, byes), ZERO)
        return self.sosos(player) + byes.count(player) * of_the_bye

    def a_round(self, player: PlayerId) -> Q:
        """Return points per round, byes and lost rounds without an opponent included."""
        rounds = len(self.matches[player])
        return self.points(player) / rounds if rounds else ZERO

    def mean_sos(self, player: PlayerId) -> Q:
        return self.mean([self.a_round(other) for other in self.opponents(player)])

    def mean_esos(self, player: PlayerId) -> Q:
        return self.mean([self.mean_sos(other) for other in self.opponents(player)])

    def games(self, player: PlayerId) -> tuple[int, int]:
        """Return games, or board points, won and lost."""
        every = [self.games_of(player, match) for match in self.matches[player]]
        return sum(wins for wins, _, _ in every), sum(losses for _, losses, _ in every)
