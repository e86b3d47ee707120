"""Read the end of an event: character statistics and the closing report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from tournament.brackets.selectors.bracket import FinalPlace, final_ranking, players_without_place
from tournament.engine import prizes as engine
from tournament.engine.prizes import Prize
from tournament.events.models.event import Event, StageEntrant
from tournament.events.models.player import Player
from tournament.events.models.round import Match, Round
from tournament.events.selectors import are_characters_public, get_bracket_stage, map_character_spellings
from tournament.shared.awards import load_prizes

BAR_WIDTH = 300

PLAYED_OUTCOMES = (Match.Outcome.P1, Match.Outcome.P2, Match.Outcome.DRAW)


@dataclass(frozen=True, slots=True)
class CharacterShare:
    """One character: its players, its matches against other characters, and its players in the cut.

    `width` is the length of its bar in a picture that is `BAR_WIDTH` wide for the most played one.
    """

    character: str
    players: int
    of: int
    won: int
    lost: int
    drawn: int
    in_cut: tuple[str, ...]
    width: int

    @property
    def share(self) -> Fraction:
        """The part of the field that plays it, exactly."""
        return Fraction(self.players, self.of)

    @property
    def matches(self) -> int:
        """How many matches the rate is made of."""
        return self.won + self.lost + self.drawn

    @property
    def rate(self) -> Fraction | None:
        """Matches won of those played, exactly; None without a match."""
        return Fraction(self.won, self.matches) if self.matches else None


@dataclass(frozen=True, slots=True)
class CharacterBreakdown:
    """Every declared character, the most played first, and how many players declared none."""

    shares: list[CharacterShare]
    undeclared: int
    has_cut: bool


def character_breakdown(event: Event) -> CharacterBreakdown | None:
    """How the characters of an event fare by what is published; None while nobody may know who plays what.

    Byes, wins without play and matches of a character against itself count for nobody. Five queries at most.
    """
    if not are_characters_public(event):
        return None
    rows = event.players.filter(status=Player.Status.REGISTERED).values_list("pk", "name", "character")
    named = {pk: (name, character) for pk, name, character in rows}
    spelled = map_character_spellings(event, (character for _, character in named.values()))
    plays = {pk: spelled[character] for pk, (_, character) in named.items() if character}
    won, lost, drawn = _results_by_character(event, plays)
    cut = _cut_player_ids(event)
    in_cut = {pk: named[pk][0] for pk in cut if pk in plays}
    counted = Counter(plays.values())
    most = max(counted.values(), default=1)
    shares = [
        CharacterShare(
            character=character,
            players=count,
            of=len(named),
            won=won[character],
            lost=lost[character],
            drawn=drawn[character],
            in_cut=tuple(name for pk, name in in_cut.items() if plays[pk] == character),
            width=max(2, count * BAR_WIDTH // most),
        )
        for character, count in sorted(counted.items(), key=lambda pair: (-pair[1], pair[0].casefold()))
    ]
    return CharacterBreakdown(shares, len(named) - len(plays), bool(cut))


def _results_by_character(
    event: Event, plays: dict[int, str]
) -> tuple[Counter[str], Counter[str], Counter[str]]:
    won, lost, drawn = Counter[str](), Counter[str](), Counter[str]()
    played = Match.objects.filter(round__stage__event=event, outcome__in=PLAYED_OUTCOMES, forfeit=False)
    played = played.exclude(round__state=Round.State.DRAFT)
    for p1, p2, outcome in played.values_list("p1_id", "p2_id", "outcome"):
        one, two = plays.get(p1), plays.get(p2)
        if one == two:
            continue
        winner, loser = (two, one) if outcome == Match.Outcome.P2 else (one, two)
        is_draw = outcome == Match.Outcome.DRAW
        for character, count in ((winner, drawn if is_draw else won), (loser, drawn if is_draw else lost)):
            if character is not None:
                count[character] += 1
    return won, lost, drawn


def _cut_player_ids(event: Event) -> list[int]:
    """The players of the bracket that a cut led into, by seed."""
    bracket = get_bracket_stage(event) if event.cut != Event.Cut.NONE else None
    if bracket is None:
        return []
    return list(
        StageEntrant.objects.filter(stage=bracket).order_by("seed").values_list("player_id", flat=True)
    )


PODIUM_PLACES = 3


@dataclass(frozen=True, slots=True)
class PlayerAward:
    """A prize and whom it falls to; with fewer `pieces` than players they share."""

    prize: Prize
    players: tuple[Player, ...]
    pieces: int
    is_shared: bool


@dataclass(frozen=True, slots=True)
class EventReport:
    """What there is to say at the end of an event.

    `unclaimed` prizes fall to nobody; nothing falls to those `without_place`, who are disqualified.
    """

    ranking: list[FinalPlace]
    without_place: list[Player]
    awards: list[PlayerAward]
    unclaimed: list[Prize]
    players: int
    rounds: int
    matches: int
    dropped: int

    @property
    def podium(self) -> list[FinalPlace]:
        """Whoever stands on one of the first three places."""
        return [ranked for ranked in self.ranking if ranked.place <= PODIUM_PLACES]

    def prizes_of(self, player: Player) -> list[str]:
        """What falls to a player, in words."""
        return [_describe_award(award) for award in self.awards if player in award.players]


def _describe_award(award: PlayerAward) -> str:
    if not award.is_shared:
        return award.prize.words
    piece = f"{award.pieces} × " if award.pieces > 1 else ""
    return f"{piece}{award.prize.words} (shared by {len(award.players)})"


def closing_report(event: Event) -> EventReport | None:
    """The closing report; None until the event is over."""
    if event.phase != Event.Phase.FINISHED:
        return None
    ranking, out = final_ranking(event), players_without_place(event)
    written = load_prizes(event.prizes)
    spelled = _character_spellings(event, written, ranking)
    prizes = [replace(prize, best=spelled.get(prize.best, "")) for prize in written]
    given = _awards(prizes, ranking, spelled)
    claimed = {award.prize for award in given}
    published = Round.objects.filter(stage__event=event).exclude(state=Round.State.DRAFT)
    return EventReport(
        ranking=ranking,
        without_place=out,
        awards=given,
        unclaimed=[prize for prize in prizes if prize not in claimed],
        players=len(ranking) + len(out),
        rounds=published.count(),
        matches=Match.objects.filter(round__in=published, p2__isnull=False).count(),
        dropped=sum(player.is_dropped for player in (*(ranked.player for ranked in ranking), *out)),
    )


def _awards(
    prizes: Sequence[Prize], ranking: Sequence[FinalPlace], spelled: Mapping[str, str]
) -> list[PlayerAward]:
    players = {ranked.player.pk: ranked.player for ranked in ranking}
    placed = [
        engine.PlacedPlayer(each.player.pk, each.place, spelled.get(each.player.character, ""))
        for each in ranking
    ]
    return [
        PlayerAward(award.prize, tuple(players[pk] for pk in award.players), award.pieces, award.is_shared)
        for award in engine.assign_prizes(prizes, placed)
    ]


def _character_spellings(
    event: Event, prizes: Sequence[Prize], ranking: Sequence[FinalPlace]
) -> Mapping[str, str]:
    """One spelling for each character that a prize or a player names; none where no prize asks."""
    asked = [prize.best for prize in prizes if prize.best]
    return (
        map_character_spellings(event, [*asked, *(each.player.character for each in ranking)])
        if asked
        else {}
    )
