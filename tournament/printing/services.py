"""Queue PDFs of sheets and league tables, reuse fresh ones, set the paper size."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from hashlib import sha256
from typing import Any

from decks.jobs.handlers import JobFailed
from decks.jobs.models import Job
from decks.jobs.queue import enqueue, latest_job
from decks.shared.refusals import Refused
from tournament.access.permissions import Actor
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Round
from tournament.leagues.models import League
from tournament.log.step import step
from tournament.printing.registry import Sheet, sheet_or_404
from tournament.printing.request import PrintRequest, find_round
from tournament.printing.selectors import SHEET_JOB_KIND
from tournament.shared.hashes import make_fingerprint


def request_sheet_pdf(
    event: Event,
    actor: Actor,
    sheet: str,
    shown: Round | None,
    paper: str,
    *,
    player: Player | None = None,
    is_blank: bool = False,
    base: str = "",
) -> Job:
    """The job that makes the sheet; one that was made for the same state of the event is used again.

    `base` is the address of this installation, to which codes on the sheet lead.
    """
    where = (shown.stage.position, shown.number) if shown else (None, None)
    version = Event.objects.values_list("version", flat=True).get(pk=event.pk)
    whose = "blank" if is_blank else player.number if player else ""
    host = sha256(base.encode()).hexdigest()[:8]
    key = f"{event.pk}/{sheet}/{where[0]}/{where[1]}/{paper}/{whose}/{host}/{version}"
    last_job = latest_job(SHEET_JOB_KIND, key)
    if (
        last_job is not None
        and last_job.state == Job.State.DONE
        and last_job.file_path
        and last_job.file_path.exists()
    ):
        return last_job
    payload = {
        "event": event.pk,
        "sheet": sheet,
        "stage": where[0],
        "round": where[1],
        "paper": paper,
        "player": player.number if player else None,
        "blank": is_blank,
        "base": base,
    }
    return enqueue(SHEET_JOB_KIND, payload, key=key, requested_by=actor.label)


def set_paper_size(event: Event, actor: Actor, paper: str) -> None:
    """Choose the paper of an event; empty is that of the installation. Raises Refused for an unknown one."""
    if paper not in ("", *Event.Paper.values):
        raise Refused("unknown_paper", paper=paper[:20])
    with step(event, actor) as recorder:
        if recorder.event.paper == paper:
            return
        recorder.update(recorder.event, paper=paper)
        recorder.log("paper_chosen", paper=paper or None)


LEAGUE_JOB_KIND = "print_league"


def request_league_pdf(league: League, actor: Actor, paper: str) -> Job:
    """The job that makes the table; one that was made for the same state of the league is used again."""
    key = f"{league.pk}/{paper}/{_league_fingerprint(league)}"
    last_job = latest_job(LEAGUE_JOB_KIND, key)
    if (
        last_job is not None
        and last_job.state == Job.State.DONE
        and last_job.file_path
        and last_job.file_path.exists()
    ):
        return last_job
    return enqueue(LEAGUE_JOB_KIND, {"league": league.pk, "paper": paper}, key=key, requested_by=actor.label)


def _league_fingerprint(league: League) -> str:
    """All that the table hangs on, in a word: the last line of the league's log, its events' versions."""
    entries = Event.objects.filter(league_entries__league=league).order_by("pk")
    versions = list(entries.values_list("pk", "version"))
    last = league.log.values_list("pk", flat=True).first()
    return make_fingerprint((last, league.name, versions))


def read_job_payload(payload: Mapping[str, Any], now: datetime) -> tuple[Sheet, PrintRequest]:
    """The sheet and the wish. Raises JobFailed for an event, round or player that is gone by now."""
    event = Event.objects.filter(pk=payload["event"]).first()
    if event is None:
        raise JobFailed("event_gone", "The event no longer exists.")
    sheet = sheet_or_404(payload["sheet"])
    shown = find_round(event, payload["stage"], payload["round"])
    if shown is None and sheet.of_a_round:
        raise JobFailed("round_gone", "The round no longer exists.")
    number = payload.get("player")
    player = event.players.filter(number=number).select_related("deck_list__current").first()
    if number is not None and player is None:
        raise JobFailed("player_gone", "The player is no longer in the event.")
    return sheet, PrintRequest(
        event=event,
        round=shown,
        paper=payload["paper"],
        now=now,
        base=payload.get("base", ""),
        player=player if number is not None else None,
        is_blank=bool(payload.get("blank")),
    )
