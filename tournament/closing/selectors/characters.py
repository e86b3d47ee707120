"""Which characters are played, how they fare against the others, and which of them made the cut."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction

from tournament.events.models.event import Event, StageEntrant
from tournament.events.models.player import Player
from tournament.events.models.round import Match, Round
from tournament.events.selectors.characters import spellings
from tournament.events.selectors.published import characters_are_public
from tournament.events.selectors.stages import bracket_of

BAR_WIDTH = 300
PLAYED = (Match.Outcome.P1, Match.Outcome.P2, Match.Outcome.DRAW)


@dataclass(frozen=True, slots=True)
class Share:
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
class Breakdown:
    """Every declared character, the most played first, and how many players declared none."""

    shares: list[Share]
    undeclared: int
    has_cut: bool


def breakdown(event: Event) -> Breakdown | None:
    """How the characters of an event fare by what is published; None while nobody may know who plays what.

    Byes, wins without play and matches of a character against itself count for nobody. Five queries at most.
    """
    if not characters_are_public(event):
        return None
    rows = event.players.filter(status=Player.Status.REGISTERED).values_list("pk", "name", "character")
    named = {pk: (name, character) for pk, name, character in rows}
    spelled = spellings(event, (character for _, character in named.values()))
    plays = {pk: spelled[character] for pk, (_, character) in named.items() if character}
    won, lost, drawn = _results(event, plays)
    cut = _in_cut(event)
    in_cut = {pk: named[pk][0] for pk in cut if pk in plays}
    counted = Counter(plays.values())
    most = max(counted.values(), default=1)
    shares = [
        Share(
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
    return Breakdown(shares, len(named) - len(plays), bool(cut))


def _results(event: Event, plays: dict[int, str]) -> tuple[Counter[str], Counter[str], Counter[str]]:
    won, lost, drawn = Counter[str](), Counter[str](), Counter[str]()
    played = Match.objects.filter(round__stage__event=event, outcome__in=PLAYED, forfeit=False)
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


def _in_cut(event: Event) -> list[int]:
    """The players of the bracket that a cut led into, by seed."""
    bracket = bracket_of(event) if event.cut != Event.Cut.NONE else None
    if bracket is None:
        return []
    return list(
        StageEntrant.objects.filter(stage=bracket).order_by("seed").values_list("player_id", flat=True)
    )
