"""The rows that the home page of a player is made of.

After a round is published, hundreds of phones load the same version of an event. Then each process reads the
rows of all players at once, instead of a few for each phone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db import connection
from django.db.models import prefetch_related_objects

from decks.shared.cache import SingleFlightCache
from decks.shared.rows import find_row
from decks.submissions.selectors import verdict_prefetches
from tournament.brackets.selectors.bracket import champion_of_event
from tournament.clock.selectors import AnyEntry, find_played_round, get_clock_entries
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Match, Round
from tournament.events.selectors import get_player_by_token, get_players_with_lists, get_published_rounds
from tournament.my_page import digests
from tournament.my_page.digests import Digests
from tournament.results.selectors import (
    MyMatch,
    build_my_matches,
    list_my_matches,
    load_matches_with_reports,
)
from tournament.standings.selectors.player import (
    SettledRanks,
    line_of_player,
    map_lines_by_player,
    settled_ranks,
)
from tournament.standings.selectors.standings import StandingsLine

# So many pages of one version read their own rows, before those of all players are read.
LOADS_BEFORE_SHARING = 8
SHARED_VERSIONS = 4
COUNTED_EVENTS = 64


@dataclass(frozen=True, slots=True)
class PageRows:
    """Data of one page, all of it read after the digests.

    A change in between is found by its digest.
    """

    digests: Digests
    rounds: Sequence[Round]
    clock_entries: list[AnyEntry] | None
    matches: list[MyMatch]
    line: StandingsLine | None
    settled_ranks: SettledRanks
    champion: Player | None


@dataclass(frozen=True, slots=True)
class SharedRows:
    """The same of all players of an event.

    Threads share these records, and no page changes them.
    """

    digests: Digests
    players: Mapping[int, Player]
    rounds: Sequence[Round]
    clock_entries: list[AnyEntry] | None
    matches: Mapping[int, Sequence[Match]]
    lines: Mapping[int, StandingsLine]
    settled_ranks: SettledRanks
    champion: Player | None

    def select_rows(self, player: Player) -> PageRows:
        """Return the rows of one of these players."""
        return PageRows(
            self.digests,
            self.rounds,
            self.clock_entries,
            build_my_matches(player, self.matches.get(player.pk, ())),
            self.lines.get(player.pk),
            self.settled_ranks,
            self.champion,
        )


_shared_rows: SingleFlightCache[tuple[int, int], SharedRows] = SingleFlightCache(SHARED_VERSIONS)
_load_counts: SingleFlightCache[int, tuple[int, int]] = SingleFlightCache(COUNTED_EVENTS)


def find_player(token: str) -> Player | None:
    """Return the player of a private link.

    While many phones load one version, it is taken from the shared rows. One small query then, two otherwise.
    None for an unknown link.
    """
    # Inside a step the rows may already have changed while the version has not.
    if connection.in_atomic_block:
        return get_player_by_token(token)
    current_version = digests.find_version(token)
    if current_version is None:
        return None
    player, event, version = current_version
    if not _is_loaded_by_many(event, version):
        return find_row(get_players_with_lists().filter(pk=player))
    shared_page_rows = _shared_rows.get_or_compute((event, version), lambda: load_shared_rows(event, version))
    return shared_page_rows.players.get(player)


def load_page_rows(player: Player) -> PageRows:
    """Return the rows of a page.

    They are those that came with the player, or else take four queries or more.
    """
    shared_page_rows = _shared_rows.get((player.event_id, player.event.version))
    if shared_page_rows is not None and shared_page_rows.players.get(player.pk) is player:
        return shared_page_rows.select_rows(player)
    event = player.event
    loaded_digests = digests.load_digests(event.pk, event.version)
    rounds = get_published_rounds(event)
    return PageRows(
        loaded_digests,
        rounds,
        None,
        list_my_matches(player, rounds),
        line_of_player(player),
        settled_ranks(event, rounds),
        champion_of_event(event),
    )


def load_shared_rows(pk: int, version: int) -> SharedRows:
    """Read the rows of all players of an event.

    The number of queries does not grow with the field.
    """
    loaded_digests = digests.load_digests(pk, version)
    event = Event.objects.get(pk=pk)
    # A later version may be there by now. The page names that of its digest, and so hears of the later one.
    event.version = version
    players = _load_players(event)
    rounds = get_published_rounds(event)
    round_ = find_played_round(rounds)
    return SharedRows(
        loaded_digests,
        players,
        rounds,
        get_clock_entries(round_) if round_ else None,
        _load_matches(players, rounds),
        map_lines_by_player(event),
        settled_ranks(event, rounds),
        champion_of_event(event),
    )


def _is_loaded_by_many(event: int, version: int) -> bool:
    counted_version, count = _load_counts.get(event) or (version, 0)
    count = count + 1 if counted_version == version else 1
    _load_counts.put(event, (version, count))
    return count > LOADS_BEFORE_SHARING


def _load_players(event: Event) -> dict[int, Player]:
    players = list(get_players_with_lists().filter(event=event).order_by())
    with_list = [player for player in players if player.deck_list and player.deck_list.current]
    current = "deck_list__current"
    prefetch_related_objects(with_list, f"{current}__answers", *verdict_prefetches(current))
    for player in players:
        player.event = event
    return {player.pk: player for player in players}


def _load_matches(players: Mapping[int, Player], rounds: Sequence[Round]) -> Mapping[int, Sequence[Match]]:
    """Return the published matches of each player, the latest first."""
    matches: defaultdict[int, list[Match]] = defaultdict(list)
    for match in load_matches_with_reports(Match.objects.all(), rounds):
        match.p1 = players[match.p1_id]
        match.p2 = players[match.p2_id] if match.p2_id else None
        for side in match.sides:
            matches[side.player.pk].append(match)
    return dict(matches)
