"""Read the end of an event: character statistics and the closing report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from django.utils.translation import gettext

from decks.shared.json_shapes import Published
from decks.shared.wording import say_reason
from tournament.brackets.selectors.bracket import RankedPlayer, final_ranking, players_without_place
from tournament.engine import prizes as engine_prizes
from tournament.engine.prizes import Prize
from tournament.events.models.event import Event, StageEntrant
from tournament.events.models.player import Player
from tournament.events.models.round import Match, Round
from tournament.events.selectors import are_characters_public, get_bracket_stage, map_character_spellings
from tournament.shared.awards import load_prizes

BAR_WIDTH = 300

PLAYED_OUTCOMES = (Match.Outcome.P1, Match.Outcome.P2, Match.Outcome.DRAW)


@dataclass(frozen=True, slots=True)
class CharacterShare(Published):
    """One character.

    Holds its players, its matches against other characters, and its players in the cut. `width` is the length
    of its bar in a picture that is `BAR_WIDTH` wide for the most played one.
    """

    PUBLISHED = {
        "character": "character",
        "players": "players",
        "share": "share",
        "won": "wins",
        "lost": "losses",
        "drawn": "draws",
        "win_rate": "rate",
        "in_cut": "in_cut",
    }
    character: str
    players: int
    total_players: int
    wins: int
    losses: int
    draws: int
    in_cut: tuple[str, ...]
    width: int

    @property
    def share(self) -> Fraction:
        """The part of the field that plays it, exactly."""
        return Fraction(self.players, self.total_players)

    @property
    def matches(self) -> int:
        """Number of matches behind the rate."""
        return self.wins + self.losses + self.draws

    @property
    def rate(self) -> Fraction | None:
        """Matches won of those played, exactly; None without a match."""
        return Fraction(self.wins, self.matches) if self.matches else None


@dataclass(frozen=True, slots=True)
class CharacterBreakdown:
    """Every declared character, the most played first.

    Also holds how many players declared none.
    """

    shares: list[CharacterShare]
    undeclared_count: int
    has_cut: bool


def character_breakdown(event: Event) -> CharacterBreakdown | None:
    """Return how the characters of an event fare by what is published.

    None while no one may know who plays what.

    Byes, wins without play and matches of a character against itself count for no one. Five queries at most.
    """
    if not are_characters_public(event):
        return None
    rows = event.players.filter(status=Player.Status.REGISTERED).values_list("pk", "name", "character")
    name_and_character = {pk: (name, character) for pk, name, character in rows}
    spellings = map_character_spellings(event, (character for _, character in name_and_character.values()))
    plays = {pk: spellings[character] for pk, (_, character) in name_and_character.items() if character}
    wins, losses, draws = _results_by_character(event, plays)
    cut = _cut_player_ids(event)
    in_cut = {pk: name_and_character[pk][0] for pk in cut if pk in plays}
    players_by_character = Counter(plays.values())
    largest_count = max(players_by_character.values(), default=1)
    shares = [
        CharacterShare(
            character=character,
            players=count,
            total_players=len(name_and_character),
            wins=wins[character],
            losses=losses[character],
            draws=draws[character],
            in_cut=tuple(name for pk, name in in_cut.items() if plays[pk] == character),
            width=max(2, count * BAR_WIDTH // largest_count),
        )
        for character, count in sorted(
            players_by_character.items(), key=lambda pair: (-pair[1], pair[0].casefold())
        )
    ]
    return CharacterBreakdown(shares, len(name_and_character) - len(plays), bool(cut))


def _results_by_character(
    event: Event, plays: dict[int, str]
) -> tuple[Counter[str], Counter[str], Counter[str]]:
    wins, losses, draws = Counter[str](), Counter[str](), Counter[str]()
    played_matches = Match.objects.filter(
        round__stage__event=event, outcome__in=PLAYED_OUTCOMES, forfeit=False
    )
    played_matches = played_matches.exclude(round__state=Round.State.DRAFT)
    for p1, p2, outcome in played_matches.values_list("p1_id", "p2_id", "outcome"):
        one, two = plays.get(p1), plays.get(p2)
        if one == two:
            continue
        winner, loser = (two, one) if outcome == Match.Outcome.P2 else (one, two)
        is_draw = outcome == Match.Outcome.DRAW
        for character, count in ((winner, draws if is_draw else wins), (loser, draws if is_draw else losses)):
            if character is not None:
                count[character] += 1
    return wins, losses, draws


def _cut_player_ids(event: Event) -> list[int]:
    """Return the players of the bracket that a cut led into, by seed."""
    bracket = get_bracket_stage(event) if event.cut != Event.Cut.NONE else None
    if bracket is None:
        return []
    return list(
        StageEntrant.objects.filter(stage=bracket).order_by("seed").values_list("player_id", flat=True)
    )


PODIUM_PLACES = 3


@dataclass(frozen=True, slots=True)
class PlayerAward(Published):
    """A prize and its players; with fewer `pieces` than players they share."""

    PUBLISHED = {"prize": "prize", "players": "numbers", "pieces": "pieces", "is_shared": "is_shared"}
    prize: Prize
    players: tuple[Player, ...]
    pieces: int
    is_shared: bool

    @property
    def numbers(self) -> list[int]:
        """The numbers of the players."""
        return [player.number for player in self.players]


@dataclass(frozen=True, slots=True)
class EventReport(Published):
    """The report at the end of an event; None before the end.

    `unclaimed_prizes` have no player; players `without_place` are disqualified and get none.
    """

    PUBLISHED = {
        "is_over": "is_over",
        "players": "players",
        "rounds": "rounds",
        "matches": "matches",
        "dropped": "dropped_count",
        "ranking": "ranking",
        "without_place": "numbers_without_place",
        "awards": "awards",
        "unclaimed": "unclaimed_prizes",
        "characters": "characters",
    }
    is_over: bool = False
    ranking: Sequence[RankedPlayer] = ()
    without_place: Sequence[Player] = ()
    awards: Sequence[PlayerAward] = ()
    unclaimed_prizes: Sequence[Prize] = ()
    characters: Sequence[CharacterShare] = ()
    players: int = 0
    rounds: int = 0
    matches: int = 0
    dropped_count: int = 0

    @property
    def numbers_without_place(self) -> list[int]:
        """The numbers of the players without a place."""
        return [player.number for player in self.without_place]

    @property
    def podium(self) -> list[RankedPlayer]:
        """Return the players in the first three places."""
        return [final_place for final_place in self.ranking if final_place.place <= PODIUM_PLACES]

    @property
    def unclaimed_texts(self) -> list[str]:
        """Each prize without a player, with what it was announced for."""
        text = gettext("%(place)s (%(prize)s)")
        return [
            text % {"place": say_reason(prize.given_for), "prize": prize.words}
            for prize in self.unclaimed_prizes
        ]

    def prizes_of(self, player: Player) -> list[str]:
        """Return the prizes of a player, in words."""
        return [_describe_award(award) for award in self.awards if player in award.players]


def _describe_award(award: PlayerAward) -> str:
    if not award.is_shared:
        return award.prize.words
    pieces = f"{award.pieces} × " if award.pieces > 1 else ""
    shared_prize_text = gettext("%(prize)s (shared by %(players)s)")
    return shared_prize_text % {"prize": f"{pieces}{award.prize.words}", "players": len(award.players)}


def closing_report(event: Event) -> EventReport | None:
    """Return the closing report; None until the event is over."""
    if event.phase != Event.Phase.FINISHED:
        return None
    ranking, players_out = final_ranking(event), players_without_place(event)
    stored_prizes = load_prizes(event.prizes)
    spellings = _character_spellings(event, stored_prizes, ranking)
    prizes = [replace(prize, best=spellings.get(prize.best, "")) for prize in stored_prizes]
    player_awards = _awards(prizes, ranking, spellings)
    awarded_prizes = {award.prize for award in player_awards}
    published_rounds = Round.objects.filter(stage__event=event).exclude(state=Round.State.DRAFT)
    return EventReport(
        is_over=True,
        ranking=ranking,
        without_place=players_out,
        awards=player_awards,
        unclaimed_prizes=[prize for prize in prizes if prize not in awarded_prizes],
        players=len(ranking) + len(players_out),
        rounds=published_rounds.count(),
        matches=Match.objects.filter(round__in=published_rounds, p2__isnull=False).count(),
        dropped_count=sum(
            player.is_dropped for player in (*(final_place.player for final_place in ranking), *players_out)
        ),
    )


def _awards(
    prizes: Sequence[Prize], ranking: Sequence[RankedPlayer], spellings: Mapping[str, str]
) -> list[PlayerAward]:
    players = {final_place.player.pk: final_place.player for final_place in ranking}
    placed_players = [
        engine_prizes.PlacedPlayer(each.player.pk, each.place, spellings.get(each.player.character, ""))
        for each in ranking
    ]
    return [
        PlayerAward(award.prize, tuple(players[pk] for pk in award.players), award.pieces, award.is_shared)
        for award in engine_prizes.assign_prizes(prizes, placed_players)
    ]


def _character_spellings(
    event: Event, prizes: Sequence[Prize], ranking: Sequence[RankedPlayer]
) -> Mapping[str, str]:
    """Return one spelling for each character that a prize or a player names.

    None if no prize asks.
    """
    prize_characters = [prize.best for prize in prizes if prize.best]
    return (
        map_character_spellings(event, [*prize_characters, *(each.player.character for each in ranking)])
        if prize_characters
        else {}
    )
