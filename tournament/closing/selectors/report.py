"""The closing report of an event: podium, prizes, final ranking, and what was played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from tournament.brackets.selectors.ranking import Ranked, final_ranking, without_place
from tournament.engine import prizes as engine
from tournament.engine.prizes import Prize
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Match, Round
from tournament.events.selectors.characters import spellings
from tournament.shared.place_lines import prizes_of

PODIUM = 3


@dataclass(frozen=True, slots=True)
class Award:
    """A prize and whom it falls to; with fewer `pieces` than players they share."""

    prize: Prize
    players: tuple[Player, ...]
    pieces: int
    is_shared: bool


@dataclass(frozen=True, slots=True)
class Report:
    """What there is to say at the end of an event.

    `unclaimed` prizes fall to nobody; nothing falls to those `without_place`, who are disqualified.
    """

    ranking: list[Ranked]
    without_place: list[Player]
    awards: list[Award]
    unclaimed: list[Prize]
    players: int
    rounds: int
    matches: int
    dropped: int

    @property
    def podium(self) -> list[Ranked]:
        """Whoever stands on one of the first three places."""
        return [ranked for ranked in self.ranking if ranked.place <= PODIUM]

    def prizes_of(self, player: Player) -> list[str]:
        """What falls to a player, in words."""
        return [_words(award) for award in self.awards if player in award.players]


def _words(award: Award) -> str:
    if not award.is_shared:
        return award.prize.words
    piece = f"{award.pieces} × " if award.pieces > 1 else ""
    return f"{piece}{award.prize.words} (shared by {len(award.players)})"


def report(event: Event) -> Report | None:
    """The closing report; None until the event is over."""
    if event.phase != Event.Phase.FINISHED:
        return None
    ranking, out = final_ranking(event), without_place(event)
    written = prizes_of(event.prizes)
    spelled = _spellings(event, written, ranking)
    prizes = [replace(prize, best=spelled.get(prize.best, "")) for prize in written]
    given = _awards(prizes, ranking, spelled)
    claimed = {award.prize for award in given}
    published = Round.objects.filter(stage__event=event).exclude(state=Round.State.DRAFT)
    return Report(
        ranking=ranking,
        without_place=out,
        awards=given,
        unclaimed=[prize for prize in prizes if prize not in claimed],
        players=len(ranking) + len(out),
        rounds=published.count(),
        matches=Match.objects.filter(round__in=published, p2__isnull=False).count(),
        dropped=sum(player.is_dropped for player in (*(ranked.player for ranked in ranking), *out)),
    )


def _awards(prizes: Sequence[Prize], ranking: Sequence[Ranked], spelled: Mapping[str, str]) -> list[Award]:
    players = {ranked.player.pk: ranked.player for ranked in ranking}
    placed = [
        engine.Placed(each.player.pk, each.place, spelled.get(each.player.character, "")) for each in ranking
    ]
    return [
        Award(award.prize, tuple(players[pk] for pk in award.players), award.pieces, award.is_shared)
        for award in engine.awards(prizes, placed)
    ]


def _spellings(event: Event, prizes: Sequence[Prize], ranking: Sequence[Ranked]) -> Mapping[str, str]:
    """One spelling for each character that a prize or a player names; none where no prize asks."""
    asked = [prize.best for prize in prizes if prize.best]
    return spellings(event, [*asked, *(each.player.character for each in ranking)]) if asked else {}
