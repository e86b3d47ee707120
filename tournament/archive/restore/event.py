"""Bring an archived event back, here or on another installation."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, TypeVar

from django.core.exceptions import ValidationError
from django.db import DatabaseError, models, transaction
from django.utils import timezone

from decks.shared.refusals import Invalid, Refused
from decks.submissions.models import DeckList, DeckVersion, ListAnswer, Rechecked, Ruling
from tournament.access.actor import Actor
from tournament.access.models import RetiredLink
from tournament.archive.export.event import FORMAT, plain_fields
from tournament.archive.restore.clock import restore_clock, restore_settlement
from tournament.archive.restore.judging import restore_judging
from tournament.archive.restore.log import restore_log
from tournament.decklists.models.exchange import ExchangeCheck
from tournament.decklists.models.notice import ListNotice
from tournament.events.models.event import Event, StaffRole, Stage, StageEntrant
from tournament.events.models.player import ForbiddenPair, Player, new_token
from tournament.events.models.round import Match, ResultReport, Round, Seat
from tournament.log.models import LogEntry
from tournament.log.step import step
from tournament.setup.services.events import free_slug
from tournament.setup.services.settings import refuse_unreadable

LARGEST_ARCHIVE = 64 * 1024 * 1024
Row = TypeVar("Row", bound=models.Model)
Values = Mapping[str, Any]


def restore_event(data: bytes | str, actor: Actor) -> Event:
    """Create the archived event anew, owned by the actor.

    An address or a private link that is taken here gets a new one. Raises Refused, with every problem that
    could be found, when the document is not an archive; then nothing is written.
    """
    document = _read(data)
    try:
        with transaction.atomic():
            event = _Restorer(document).run()
            with step(event, actor) as recorder:
                if actor.user is not None:
                    recorder.create(StaffRole(event=event, user=actor.user, kind=StaffRole.Kind.OWNER))
                recorder.say("event_imported", f"{actor.label} imported the event from an archive.")
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise Refused(
            "archive_incomplete",
            f"The archive is not whole: {type(error).__name__} at {error}.",
            fix="Export it again.",
        ) from error
    except DatabaseError as error:
        raise Refused(
            "archive_contradicts_itself",
            "The archive contradicts itself: it names a player, table or round twice.",
            fix="Export it again.",
        ) from error
    return event


def _read(data: bytes | str) -> Values:
    if len(data) > LARGEST_ARCHIVE:
        raise Refused("archive_too_large", "The file is larger than 64 MB, which no archive is.")
    try:
        document = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise Refused(
            "archive_not_json", "The file is not JSON.", fix="Choose the exported archive."
        ) from error
    if not isinstance(document, dict) or "ringside_archive" not in document:
        raise Refused(
            "not_an_archive", "The file is JSON, but no event archive.", fix="Choose the exported archive."
        )
    if document["ringside_archive"] != FORMAT:
        raise Refused(
            "archive_version_unknown",
            f"The archive has version {document['ringside_archive']}; version {FORMAT} can be read here.",
            fix="Update this installation.",
        )
    return document


class _Restorer:
    """Builds the rows of one archive, parents first."""

    def __init__(self, document: Values) -> None:
        self.document = document
        self.players: dict[int, Player] = {}

    def run(self) -> Event:
        event = _build(Event, self.document["event"], "event")
        refuse_unreadable(event)
        event.slug = self._slug(event)
        event.save(force_insert=True)
        for index, values in enumerate(self.document["players"]):
            self._player(event, values, f"players[{index}]")
        self._merged()
        for index, values in enumerate(self.document["forbidden_pairs"]):
            self._forbidden(event, values, f"forbidden_pairs[{index}]")
        for index, values in enumerate(self.document["stages"]):
            self._stage(event, values, f"stages[{index}]")
        restore_judging(event, self.document, self.players, _build)
        restore_log(
            event,
            self.document["log"],
            lambda values, place: _build(LogEntry, values, f"log[{place}]", event=event),
        )
        RetiredLink.objects.bulk_create(
            (
                _build(RetiredLink, values, f"retired_links[{index}]", event=event)
                for index, values in enumerate(self.document.get("retired_links", []))
            ),
            ignore_conflicts=True,
        )
        return event

    @staticmethod
    def _slug(event: Event) -> str:
        taken = Event.objects.filter(slug=event.slug).exists()
        return free_slug(event.name, event.starts_local.year) if taken else event.slug

    def _merged(self) -> None:
        """Registrations that became one with another."""
        for values in self.document["players"]:
            if values.get("merged_into") is not None:
                player = self.players[values["number"]]
                player.merged_into = self.players[values["merged_into"]]
                player.save(update_fields=["merged_into"])

    def _player(self, event: Event, values: Values, at: str) -> None:
        deck_list = self._list(values["list"], f"{at}.list") if values["list"] else None
        player = _build(Player, values, at, event=event, deck_list=deck_list)
        player.token = values["token"]
        if Player.objects.filter(token=player.token).exists():
            player.token = new_token()
        player.save(force_insert=True)
        self.players[player.number] = player
        self._notices(player, values["list"], f"{at}.list")
        for index, row in enumerate(values["exchange_checks"]):
            version = DeckVersion.objects.filter(deck_list=deck_list, number=row["list_version"]).first()
            if version is None:
                raise KeyError(f"{at}.exchange_checks[{index}].list_version")
            links = {"player": player, "version": version}
            _build(ExchangeCheck, row, f"{at}.exchange_checks[{index}]", **links).save(force_insert=True)

    @staticmethod
    def _notices(player: Player, values: Values | None, at: str) -> None:
        """What the player was told of later verdicts, which stand in the order of the archive."""
        told = [later for row in values["versions"] for later in row["later"]] if values else []
        made = Rechecked.objects.filter(version__deck_list=player.deck_list_id).order_by("pk")
        for index, (rechecked, row) in enumerate(zip(made, told, strict=True)):
            links = {"event": player.event, "player": player, "rechecked": rechecked}
            for notice in row["notices"]:
                _build(ListNotice, notice, f"{at}.later[{index}].notices", **links).save(force_insert=True)

    def _forbidden(self, event: Event, values: Values, at: str) -> None:
        pair = sorted((self.players[values["one"]], self.players[values["two"]]), key=lambda p: p.pk)
        _build(ForbiddenPair, values, at, event=event, one=pair[0], two=pair[1]).save(force_insert=True)

    @staticmethod
    def _list(values: Values, at: str) -> DeckList:
        deck_list = _build(DeckList, values, at)
        deck_list.created_at = values["versions"][0]["submitted_at"] if values["versions"] else timezone.now()
        deck_list.save(force_insert=True)
        for index, row in enumerate(values["versions"]):
            version = _build(DeckVersion, row, f"{at}.versions[{index}]", deck_list=deck_list)
            version.save(force_insert=True)
            for ruling in row["rulings"]:
                _build(Ruling, ruling, f"{at}.versions[{index}].rulings", version=version).save()
            for later in row["later"]:
                _build(Rechecked, later, f"{at}.versions[{index}].later", version=version).save()
            for said in row["answers"]:
                _build(ListAnswer, said, f"{at}.versions[{index}].answers", version=version).save()
            if version.number == values["current"]:
                deck_list.current = version
        deck_list.save()
        return deck_list

    def _stage(self, event: Event, values: Values, at: str) -> None:
        stage = _build(Stage, values, at, event=event)
        stage.selection = [{**row, "player": self.players[row["player"]].pk} for row in values["selection"]]
        stage.save(force_insert=True)
        StageEntrant.objects.bulk_create(
            _build(StageEntrant, row, f"{at}.entrants", stage=stage, player=self.players[row["player"]])
            for row in values["entrants"]
        )
        for index, row in enumerate(values["rounds"]):
            self._round(stage, row, f"{at}.rounds[{index}]")

    def _round(self, stage: Stage, values: Values, at: str) -> None:
        played = _build(Round, values, at, stage=stage)
        played.save(force_insert=True)
        matches = [
            self._match(played, row, f"{at}.matches[{index}]") for index, row in enumerate(values["matches"])
        ]
        restore_clock(played, matches, values, at, _build)

    def _match(self, played: Round, values: Values, at: str) -> Match:
        p1 = self.players[values["p1"]]
        p2 = self.players[values["p2"]] if values["p2"] is not None else None
        match = _build(Match, values, at, round=played, p1=p1, p2=p2)
        match.save(force_insert=True)
        Seat.objects.bulk_create(Seat(round=played, match=match, player=p) for p in (p1, p2) if p is not None)
        for row in values["reports"]:
            report = _build(ResultReport, row, at, match=match, player=self.players[row["player"]])
            report.save(force_insert=True)
        restore_settlement(match, values, at, _build)
        return match


def _build(model: type[Row], values: Values, at: str, **links: Any) -> Row:
    """A row from its archived values, checked field by field. Raises Invalid naming every wrong one."""
    row = model(**links)
    problems = []
    for field in plain_fields(model):
        try:
            setattr(row, field.attname, _value(field, values[field.name]))
        except (ValidationError, KeyError) as error:
            why = "is missing" if isinstance(error, KeyError) else "; ".join(error.messages)
            problems.append(Refused("archive_value_wrong", f"{at}.{field.name}: {why}"))
    if problems:
        raise Invalid(problems)
    return row


def _value(field: models.Field, archived: Any) -> Any:
    try:
        return field.clean(archived, None)
    except ValidationError as error:
        if getattr(error, "code", "") == "blank":  # what people must fill in, Ringside itself may leave empty
            return field.to_python(archived)
        raise
