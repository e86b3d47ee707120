"""Change what pairing uses of a player: club, seed, rating, table, byes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypedDict, Unpack

from decks.shared.refusals import Refused, refuse_all
from decks.shared.rows import find_row
from rules.reason import Reason, quote_value
from tournament.access.permissions import Actor
from tournament.events.models.event import Event
from tournament.events.models.player import ForbiddenPair, Player
from tournament.events.settings import LAST_TABLE
from tournament.log.facts import reference
from tournament.log.step import step
from tournament.pairing.services.draft_repair import FieldChange, keep_draft


class PairingFacts(TypedDict, total=False):
    """Facts of a player that pairing uses."""

    club: str
    seed: int | None
    rating: int | None
    fixed_table: int | None
    first_byes: int


PAIRING_FACTS = tuple(PairingFacts.__annotations__)
LIMITS = {
    "seed": (1, 100_000),
    "rating": (0, 1_000_000),
    "fixed_table": (1, LAST_TABLE),
    "first_byes": (0, 9),
}


def change_player_facts(player: Player, actor: Actor, **new_facts: Unpack[PairingFacts]) -> bool:
    """Set some of a player's club, seed, rating, fixed table and first byes.

    Returns whether anything changed. A draft changes as little as it has to. Raises Refused with everything
    that is wrong at once.
    """
    if "club" in new_facts:
        new_facts["club"] = new_facts["club"].strip()
    with step(player.event, actor) as recorder:
        refuse_all(list(_list_problems(player, new_facts)))
        before = Player.objects.values(*PAIRING_FACTS).get(pk=player.pk)
        if not recorder.update(player, **new_facts):
            return False
        changed_facts = {name for name, value in new_facts.items() if before[name] != value}
        at_tables = [player.pk] if "fixed_table" in changed_facts else []
        why = Reason("pairing_facts_changed", {"player": reference(player)})
        keep_draft(recorder, why, FieldChange(values=changed_facts, at_tables=at_tables))
        recorder.log("pairing_facts_changed", player=player)
    return True


def _list_problems(player: Player, new_facts: PairingFacts) -> Iterator[Refused]:
    yield from list_value_problems(new_facts)
    table = new_facts.get("fixed_table")
    if table is not None:
        yield from _list_table_problems(player, table)


def list_value_problems(new_facts: Mapping[str, object]) -> Iterator[Refused]:
    """Yield what is wrong with values of these facts by themselves."""
    if len(str(new_facts.get("club", ""))) > 80:
        yield Refused("club_too_long", field="club")
    for name, (least, maximum) in LIMITS.items():
        value = new_facts.get(name)
        if value is not None and not (type(value) is int and least <= value <= maximum):
            yield Refused(
                "fact_wrong", field=name, fact=name, least=least, maximum=maximum, value=quote_value(value)
            )


def _list_table_problems(player: Player, table: int) -> Iterator[Refused]:
    other_players = player.event.players.filter(fixed_table=table, dropped_after__isnull=True)
    other_players = other_players.exclude(pk=player.pk).exclude(status=Player.Status.WITHDRAWN)
    table_holder = other_players.first()
    if table_holder is not None:
        yield Refused("table_is_fixed", field="fixed_table", table=table, table_holder=table_holder.name)


def forbid_pair(event: Event, actor: Actor, one: int, two: int, *, reason: str) -> ForbiddenPair:
    """Forbid two players (by their numbers) to meet.

    Raises Refused without a reason or a second player.
    """
    with step(event, actor) as recorder:
        players_by_number = {player.number: player for player in event.players.filter(number__in=(one, two))}
        refuse_all(list(_list_pair_problems(players_by_number, one, two, reason.strip())))
        first, second = sorted(players_by_number.values(), key=lambda player: player.pk)
        existing_pair = ForbiddenPair.objects.filter(event=event, one=first, two=second).first()
        if existing_pair is not None:
            return existing_pair
        forbidden_pair = recorder.create(
            ForbiddenPair(event=recorder.event, one=first, two=second, reason=reason.strip()[:200])
        )
        why = Reason("pair_forbidden", {"one": reference(first), "two": reference(second)})
        keep_draft(recorder, why, FieldChange(separate_pairs=(first.pk, second.pk)))
        recorder.log("pair_forbidden", reason=reason, one=first, two=second)
    return forbidden_pair


def _list_pair_problems(
    players_by_number: dict[int, Player], one: int, two: int, reason: str
) -> Iterator[Refused]:
    for number, field in ((one, "one"), (two, "two")):
        if number not in players_by_number:
            yield Refused("no_such_player", field=field, number=number)
    if one == two:
        yield Refused("same_player", field="two")
    if not reason:
        yield Refused("reason_missing.forbidden_pair", field="reason")


def allow_pair(pair: ForbiddenPair, actor: Actor) -> None:
    """Allow the two to meet again; a draft stays as it is.

    A second press changes nothing.
    """
    with step(pair.event, actor) as recorder:
        locked_pair = find_row(ForbiddenPair.objects.select_related("one", "two").filter(pk=pair.pk))
        if locked_pair is not None:
            recorder.delete(locked_pair)
            recorder.log("pair_allowed", one=locked_pair.one, two=locked_pair.two)
