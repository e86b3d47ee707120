"""Members of teams that play on boards.

There is a row for each seat, with a link and a decklist of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from tournament.decklists.services import lists as decklists
from tournament.events.models.player import SEAT_NUMBERS, Player
from tournament.log.step import Recorder


def write_seats(recorder: Recorder, teams: Iterable[Player]) -> None:
    """Give each seat of these teams its member, by the names that the teams have now."""
    if not recorder.event.has_boards:
        return
    ordered_teams = list(teams)
    holders = {
        (holder.team_id, holder.seat): holder for holder in Player.objects.filter(team__in=ordered_teams)
    }
    empty_seats = [
        (team, seat, name)
        for team in ordered_teams
        for seat, name in _name_seats(recorder, team)
        if not _rename(recorder, holders.get((team.pk, seat)), name)
    ]
    deck_lists = decklists.create_deck_lists(recorder.event, len(empty_seats))
    recorder.create_all(
        Player(
            event=recorder.event,
            team=team,
            seat=seat,
            number=seat * SEAT_NUMBERS + team.number,
            name=name,
            status=Player.Status.MEMBER,
            lot=0,
            registered_at=recorder.now,
            deck_list=deck_list,
        )
        for (team, seat, name), deck_list in zip(empty_seats, deck_lists, strict=True)
    )


def _name_seats(recorder: Recorder, team: Player) -> Iterator[tuple[int, str]]:
    """Yield the seats of a team from 1, with their members.

    One without a name is called by the team.
    """
    for seat in range(1, recorder.event.board_count + 1):
        yield seat, team.members[seat - 1] if seat <= len(team.members) else team.name


def _rename(recorder: Recorder, holder: Player | None, name: str) -> bool:
    """Call a member by this name; return whether there is one."""
    if holder is not None:
        recorder.update(holder, name=name)
    return holder is not None


def merge_seats(recorder: Recorder, remaining_player: Player, merged_player: Player) -> None:
    """Keep for each seat the decklist that was submitted last.

    It counts for the team that remains.
    """
    merged_holders = {holder.seat: holder for holder in _with_lists(merged_player)}
    for holder in _with_lists(remaining_player):
        other = merged_holders.get(holder.seat)
        if other is None or not _is_later(other, holder):
            continue
        deck_list, other_list = holder.deck_list, other.deck_list
        recorder.update(holder, deck_list=None)
        recorder.update(other, deck_list=deck_list)
        recorder.update(holder, deck_list=other_list)


def _with_lists(team: Player) -> Sequence[Player]:
    return list(Player.objects.filter(team=team).select_related("deck_list__current").order_by("seat"))


def _is_later(one: Player, other: Player) -> bool:
    """Return whether one list was submitted after another."""
    first, second = (each.deck_list.current if each.deck_list else None for each in (one, other))
    return first is not None and (second is None or first.submitted_at > second.submitted_at)
