"""Export of an event as one JSON document.

It has no ids of this installation, and is for staff only. Players are named by their number in the event, so
the document holds no ids of an installation. It carries the private links and is for staff only.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db import models
from django.db.models import Prefetch, QuerySet

from decks.submissions.models import DeckList, DeckVersion, ListAnswer, Rechecked, Ruling
from tournament.access.player_details import declared_details
from tournament.archive.log_entries import export_log
from tournament.archive.references import GONE, map_references
from tournament.archive.upgrade import FORMAT_VERSION, Document
from tournament.archive.values import own_values
from tournament.booster_drafts.models import PodSeating
from tournament.clock.models import ClockEntry, TimeSettlement
from tournament.clock.selectors import get_archived_entries
from tournament.decklists.models import ExchangeCheck, ListNotice
from tournament.events.models.event import Event, Stage
from tournament.events.models.player import Player
from tournament.events.models.round import Match, ResultReport, Round, Seat


def export_event(event: Event) -> Document:
    """Export the whole event; the same event gives the same document."""
    players = list(_players(event))
    numbers = {player.pk: player.number for player in players}
    for player in players:
        player.event = event
    return {
        "ringside_archive": FORMAT_VERSION,
        "event": own_values(event),
        "added_cards": [own_values(card) for card in event.added_cards.order_by("pk")],
        "players": [_player(player) for player in players],
        "forbidden_pairs": [
            {**own_values(pair), "one": numbers[pair.one_id], "two": numbers[pair.two_id]}
            for pair in event.forbidden_pairs.order_by("pk")
        ],
        **_export_pods(event, numbers),
        "stages": [_stage(stage, numbers) for stage in event.stages.order_by("position")],
        **export_judging(event),
        "log": export_log(event, own_values),
        "retired_links": [own_values(link) for link in event.retired_links.all()],
    }


def _export_pods(event: Event, numbers: dict[int, int]) -> Document:
    """Export what happened before round 1 of a limited event: pods and build time."""
    seating = PodSeating.objects.filter(event=event).first()
    return {
        "pod_seating": own_values(seating) if seating else None,
        "pod_seats": [
            {**own_values(seat), "player": numbers[seat.player_id]} for seat in event.pod_seats.all()
        ],
        "build_clock": [own_values(entry) for entry in event.build_clock.all()],
    }


def _players(event: Event) -> QuerySet[Player]:
    """Query the players and the members of teams with all their rows, prefetched."""
    checks = ExchangeCheck.objects.select_related("version").order_by("pk")
    later = Rechecked.objects.order_by("pk").prefetch_related(_in_order("notices", ListNotice))
    versions = DeckVersion.objects.order_by("number").prefetch_related(
        _in_order("rulings", Ruling), _in_order("answers", ListAnswer), Prefetch("rechecks", later)
    )
    everyone = Player.objects.filter(event=event).order_by("number")
    players = everyone.select_related("deck_list__current", "merged_into", "team")
    return players.prefetch_related(
        Prefetch("exchange_checks", checks), Prefetch("deck_list__versions", versions)
    )


def _in_order(name: str, model: type[models.Model]) -> Prefetch[Any, Any, Any]:
    return Prefetch(name, model._default_manager.order_by("pk"))


def _player(player: Player) -> Document:
    checks = player.exchange_checks.all()
    return {
        **own_values(player),
        "details": declared_details(player),
        "merged_into": player.merged_into.number if player.merged_into else None,
        "team": player.team.number if player.team else None,
        "list": _list(player.deck_list) if player.deck_list else None,
        "exchange_checks": [{**own_values(check), "list_version": check.version.number} for check in checks],
    }


def _list(deck_list: DeckList) -> Document:
    current = deck_list.current.number if deck_list.current else None
    versions = [_version(version) for version in deck_list.versions.all()]
    return {**own_values(deck_list), "current": current, "versions": versions}


def _version(version: DeckVersion) -> Document:
    return {
        **own_values(version),
        "rulings": [own_values(ruling) for ruling in version.rulings.all()],
        "answers": [own_values(answer) for answer in version.answers.all()],
        "later": [
            {**own_values(later), "notices": [own_values(notice) for notice in later.notices.all()]}
            for later in version.rechecks.all()
        ],
    }


def _stage(stage: Stage, numbers: dict[int, int]) -> Document:
    selection = [{**row, "player": numbers[row["player"]]} for row in stage.selection]
    return {
        **own_values(stage),
        "selection": _number_players(selection, numbers),
        "entrants": [
            {**own_values(e), "player": numbers[e.player_id]} for e in stage.entrants.order_by("seed")
        ],
        "rounds": [_round(r, numbers) for r in stage.rounds.order_by("number")],
    }


def _round(round_: Round, numbers: dict[int, int]) -> Document:
    matches: list[Match] = list(
        round_.matches.prefetch_related(
            "reports", "settlements", Prefetch("seats", Seat.objects.filter(side__gt=0).order_by("side"))
        ).order_by("pk")
    )
    places = {match.pk: place for place, match in enumerate(matches)}
    return {
        **own_values(round_),
        "pairing": _number_players(round_.pairing, numbers),
        "matches": [_match(m, numbers) for m in matches],
        "clock": [_clock(entry, places) for entry in get_archived_entries(round_)],
    }


def _clock(entry: ClockEntry, places: dict[int, int]) -> Document:
    """Export a clock fact; its match is named by its place in the round."""
    return {**own_values(entry), "match": places[entry.match_id] if entry.match_id else None}


def _match(match: Match, numbers: dict[int, int]) -> Document:
    reports: Iterable[ResultReport] = sorted(match.reports.all(), key=lambda r: r.pk)
    return {
        **own_values(match),
        "why": _number_players(match.why, numbers),
        "p1": numbers[match.p1_id],
        "p2": numbers[match.p2_id] if match.p2_id else None,
        "sides": [_side(seat, numbers) for seat in match.seats.all()] if match.is_pod else [],
        "reports": [{**own_values(r), "player": numbers[r.player_id]} for r in reports],
        "settlements": [_settlement(each, numbers) for each in match.settlements.all()],
    }


def _side(seat: Seat, numbers: dict[int, int]) -> Document:
    return {**own_values(seat), "player": numbers[seat.player_id]}


def _settlement(settlement: TimeSettlement, numbers: dict[int, int]) -> Document:
    return {**own_values(settlement), "reasons": _number_players(settlement.reasons, numbers)}


def _number_players(value: Any, numbers: dict[int, int]) -> Any:
    """Return what reasons refer to, by the numbers of players.

    Players who are gone become 0.
    """
    return map_references(value, lambda _, pk: numbers.get(pk, GONE))


def export_judging(event: Event) -> Document:
    """Export draws, deck checks, penalties, calls and rulings.

    Each is in order of creation time.
    """
    draws = list(event.check_draws.order_by("pk"))
    checks = list(event.deck_checks.select_related("player", "version").order_by("pk"))
    calls = list(event.judge_calls.select_related("player").order_by("pk"))
    of_draw, of_check, of_call = _index_by_id(draws), _index_by_id(checks), _index_by_id(calls)
    return {
        "check_draws": [own_values(draw) for draw in draws],
        "deck_checks": [
            {
                **own_values(check),
                "player": check.player.number,
                "list_version": check.version.number if check.version else None,
                "draw": of_draw.get(check.draw_id),
            }
            for check in checks
        ],
        "penalties": [
            {**own_values(p), "player": p.player.number, "deck_check": of_check.get(p.deck_check_id)}
            for p in event.penalties.select_related("player").order_by("pk")
        ],
        "judge_calls": [{**own_values(call), "player": call.player.number} for call in calls],
        "table_rulings": [
            {
                **own_values(ruling),
                "player": ruling.player.number if ruling.player else None,
                "call": of_call.get(ruling.call_id),
            }
            for ruling in event.table_rulings.select_related("player").order_by("pk")
        ],
    }


def _index_by_id(rows: list[Any]) -> dict[int | None, int]:
    return {row.pk: place for place, row in enumerate(rows)}
