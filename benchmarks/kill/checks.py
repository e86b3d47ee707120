"""Checks after a restart.

Nothing acknowledged is lost, and each event agrees with its log.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from django.db import connection

from benchmarks.kill.acknowledgements import Acknowledgements
from tournament.events.models.event import Event, Stage, StageEntrant
from tournament.events.models.player import Player
from tournament.events.models.round import Match, ResultReport, Round, Seat
from tournament.log.changes import iter_row_changes
from tournament.log.models import LogEntry, get_table_model, to_json_values

OF_AN_EVENT = {
    Player: "event",
    Stage: "event",
    StageEntrant: "stage__event",
    Round: "stage__event",
    Match: "round__stage__event",
    Seat: "round__stage__event",
    ResultReport: "match__round__stage__event",
}


def broken_acknowledgements(acknowledgements: Acknowledgements) -> Iterator[str]:
    """Report what was acknowledged and is not in the database."""
    yield from _lost_results(acknowledgements)
    yield from _lost_reports(acknowledgements)
    yield from _lost_registrations(acknowledgements)
    rounds = set(Round.objects.values_list("stage__event__slug", "number"))
    out = set(Round.objects.exclude(state="draft").values_list("stage__event__slug", "number"))
    yield from (
        f"round {number} of {slug} was paired and is gone"
        for slug, number in acknowledgements.paired - rounds
    )
    yield from (
        f"round {number} of {slug} was published: not so"
        for slug, number in acknowledgements.published_rounds - out
    )


def _lost_results(acknowledgements: Acknowledgements) -> Iterator[str]:
    stand = {pk: (outcome, score) for pk, outcome, *score in Match.objects.filter(
        pk__in=acknowledgements.results).values_list("pk", "outcome", "p1_games", "p2_games")}  # fmt: skip
    for pk in list(acknowledgements.results):
        outcome, score = stand.get(pk, ("gone", []))
        current_score = tuple(score) if outcome else None
        if current_score not in acknowledgements.possible_scores(pk):
            yield f"match {pk} has {current_score}; it may have {acknowledgements.possible_scores(pk)}"


def _lost_reports(acknowledgements: Acknowledgements) -> Iterator[str]:
    stored_reports = {
        (match, number): (p1, p2)
        for match, number, p1, p2 in ResultReport.objects.values_list(
            "match_id", "player__number", "p1_games", "p2_games"
        )
    }
    for (match, number), score in list(acknowledgements.reports.items()):
        reported_score = stored_reports.get((match, number))
        if reported_score != score and score not in _list_ended_reports(match):
            yield f"player {number} reported {score} of match {match}; kept is {reported_score}"


def _list_ended_reports(match: int) -> list[tuple[int, int]]:
    """Leave out reports that equal the stored result.

    They change nothing and need not be stored.
    """
    return list(Match.objects.filter(pk=match).values_list("p1_games", "p2_games"))


def _lost_registrations(acknowledgements: Acknowledgements) -> Iterator[str]:
    rows = Counter(Player.objects.exclude(email="").values_list("event__slug", "email"))
    tokens = set(Player.objects.values_list("token", flat=True))
    for (slug, mail), tokens_sent in list(acknowledgements.registered.items()):
        if rows[slug, mail] != 1 or len(tokens_sent) != 1 or not tokens_sent <= tokens:
            yield f"{mail} was registered {rows[slug, mail]} times in {slug}, told {len(tokens_sent)} links"


def inconsistencies(event: Event) -> Iterator[str]:
    """Report inconsistencies within one event."""
    yield from (f"{event.slug}: {fault}" for fault in [*_seats(event), *_rounds(event), *_log(event)])


def _seats(event: Event) -> Iterator[str]:
    seats = Counter(
        Seat.objects.filter(round__stage__event=event).values_list("round_id", "match_id", "player_id")
    )
    sides = Counter(
        (match.round_id, match.pk, player)
        for match in Match.objects.filter(round__stage__event=event)
        for player in (match.p1_id, match.p2_id)
        if player is not None
    )
    if seats != sides:
        yield f"chairs and sides of matches differ: {(seats - sides) + (sides - seats)}"
    twice = [key for key, times in Counter((r, p) for r, _, p in seats).items() if times > 1]
    if twice:
        yield f"somebody sits twice: {twice}"


def _rounds(event: Event) -> Iterator[str]:
    for stage in event.stages.all():
        rounds = list(stage.rounds.order_by("number"))
        if not stage.is_elimination and [r.number for r in rounds] != [
            *range(first := rounds[0].number if rounds else 1, first + len(rounds))
        ]:
            yield f"rounds are numbered {[each.number for each in rounds]}"
        for each in rounds:
            is_open = each.matches.filter(outcome="").exists()
            state = "finished" if not is_open else "published"
            if each.state not in ("draft", state) or (each.state == "finished") != bool(each.finished_at):
                yield f"round {each.number} is {each.state}, with open tables: {is_open}"
            # A schedule continues if all players of a round have left.
            if stage.kind != Stage.Kind.ROBIN and not each.matches.exists():
                yield f"round {each.number} has no tables"


def _log(event: Event) -> Iterator[str]:
    """Replay the log; it must end in the rows of the database."""
    logged_rows: dict[tuple[str, int], dict[str, Any]] = {}
    heads = LogEntry.objects.filter(event=event, head=None).order_by("pk")
    for entry in heads:
        for change in iter_row_changes(entry.changes):
            if change.after is None:
                logged_rows.pop(change.key, None)
            else:
                logged_rows[change.key] = {**logged_rows.get(change.key, {}), **change.after}
    stand = dict(_rows(event))
    for key in {key for key in logged_rows if get_table_model(key[0]) in OF_AN_EVENT} ^ stand.keys():
        yield f"the log and the tables do not agree whether there is {key}"
    for key, values in stand.items():
        logged_values = logged_rows.get(key, {})
        different = [name for name in logged_values if name in values and values[name] != logged_values[name]]
        if different:
            yield f"{key}: the log says {[logged_values[n] for n in different]} of {different}"
    if event.version != 1 + heads.count():
        yield f"version {event.version} after {heads.count()} steps"


def _rows(event: Event) -> Iterator[tuple[tuple[str, int], dict[str, Any]]]:
    for model, path in OF_AN_EVENT.items():
        for row in model._default_manager.filter(**{path: event}).values():
            yield (str(model._meta.model_name), row["id"]), to_json_values(row)


def database_damage() -> Iterator[str]:
    """Report what the integrity checks of the database find."""
    if connection.vendor != "sqlite":
        return
    with connection.cursor() as cursor:
        for question, good in (("integrity_check", [("ok",)]), ("foreign_key_check", [])):
            cursor.execute(f"PRAGMA {question}")
            if (answer := cursor.fetchall()) != good:
                yield f"{question}: {answer[:3]}"
