"""Restore an archived event, here or on another installation."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from typing import IO, Any, TypeVar

from django.core.exceptions import ValidationError
from django.db import DatabaseError, models, transaction
from django.utils import timezone
from django.utils.translation import gettext

import rules
from decks.shared.refusals import Invalid, Refused, refuse_all
from decks.submissions.models import DeckList, DeckVersion, ListAnswer, Rechecked, Ruling
from rules.reason import reason
from tournament.access.models import RetiredLink
from tournament.access.permissions import Actor
from tournament.archive.column_values import UNREADABLE
from tournament.archive.document import read_archive
from tournament.archive.log_entries import restore_log
from tournament.archive.references import GONE, map_references
from tournament.archive.upgrade import Document, upgrade_archive, upgrade_later_verdict
from tournament.archive.values import clean_value, own_fields
from tournament.booster_drafts.models import PodSeat, PodSeating
from tournament.clock.models import BuildClockEntry, ClockEntry, TimeSettlement
from tournament.clock.services import MAX_DRAW_SEED
from tournament.decklists.models import AddedCard, ExchangeCheck, ListNotice
from tournament.engine.clock import draw_hidden_end
from tournament.events.models.event import Event, StaffRole, Stage, StageEntrant
from tournament.events.models.player import ForbiddenPair, Player, new_token
from tournament.events.models.round import Match, ResultReport, Round, Seat
from tournament.judging.models import CheckDraw, DeckCheck, JudgeCall, TableRuling
from tournament.log.models import LogEntry
from tournament.log.step import step
from tournament.penalties.models import Penalty
from tournament.registration.fields import detail_problems
from tournament.setup.services.events import refuse_invalid_settings, unused_slug

ModelRow = TypeVar("ModelRow", bound=models.Model)


def restore_event(source: bytes | str | IO[bytes], actor: Actor) -> Event:
    """Create the archived event again, owned by the actor.

    A slug or a private link that is already in use is replaced. Raises Refused with every problem found when
    the document is not an archive; then nothing is written.
    """
    document = read_archive(source)
    try:
        with transaction.atomic():
            event = _EventRestorer(upgrade_archive(document)).run()
            with step(event, actor) as recorder:
                if actor.user is not None:
                    recorder.create(StaffRole(event=event, user=actor.user, kind=StaffRole.Kind.OWNER))
                recorder.log("event_imported")
    except UNREADABLE as error:
        raise Refused("archive_incomplete", error_kind=type(error).__name__, error=str(error)) from error
    except DatabaseError as error:
        raise Refused("archive_contradicts_itself") from error
    return event


class _EventRestorer:
    """Builds the rows of one archive, parents first."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.players: dict[int, Player] = {}

    def run(self) -> Event:
        event = _build_row(Event, self.document["event"], "event")
        refuse_invalid_settings(event)
        event.slug = self._slug(event)
        event.save(force_insert=True)
        for index, values in enumerate(self.document.get("added_cards", [])):
            _build_row(AddedCard, values, f"added_cards[{index}]", event=event).save(force_insert=True)
        for index, values in enumerate(self.document["players"]):
            self._player(event, values, f"players[{index}]")
        self._link_merged()
        for index, values in enumerate(self.document["forbidden_pairs"]):
            self._restore_forbidden(event, values, f"forbidden_pairs[{index}]")
        self._pods(event)
        for index, values in enumerate(self.document["stages"]):
            self._stage(event, values, f"stages[{index}]")
        restore_judging(event, self.document, self.players)
        restore_log(
            event,
            self.document["log"],
            lambda values, place: _build_row(LogEntry, values, f"log[{place}]", event=event),
        )
        RetiredLink.objects.bulk_create(
            (
                _build_row(RetiredLink, values, f"retired_links[{index}]", event=event)
                for index, values in enumerate(self.document.get("retired_links", []))
            ),
            ignore_conflicts=True,
        )
        return event

    @staticmethod
    def _slug(event: Event) -> str:
        is_free = event.slug and not Event.objects.filter(slug=event.slug).exists()
        return event.slug if is_free else unused_slug(event.name, event.starts_local.year)

    def _link_merged(self) -> None:
        """Link registrations that were merged into another one."""
        for values in self.document["players"]:
            if values.get("merged_into") is not None:
                player = self.players[values["number"]]
                player.merged_into = self.players[values["merged_into"]]
                player.save(update_fields=["merged_into"])

    def _player(self, event: Event, values: Document, at: str) -> None:
        deck_list = self._list(values["list"], f"{at}.list") if values["list"] else None
        team = self.players[values["team"]] if values["team"] is not None else None
        player = _build_row(Player, values, at, event=event, deck_list=deck_list, team=team)
        _refuse_undeclared(event, player, f"{at}.details")
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
            _build_row(ExchangeCheck, row, f"{at}.exchange_checks[{index}]", **links).save(force_insert=True)

    @staticmethod
    def _notices(player: Player, values: Document | None, at: str) -> None:
        """Restore the notices about later verdicts.

        The verdicts are in the order of the archive.
        """
        notice_rows = [later for row in values["versions"] for later in row["later"]] if values else []
        recheck_rows = Rechecked.objects.filter(version__deck_list=player.deck_list_id).order_by("pk")
        for index, (recheck, row) in enumerate(zip(recheck_rows, notice_rows, strict=True)):
            links = {"event": player.event, "player": player, "rechecked": recheck}
            for notice in row["notices"]:
                _build_row(ListNotice, notice, f"{at}.later[{index}].notices", **links).save(
                    force_insert=True
                )

    def _restore_forbidden(self, event: Event, values: Document, at: str) -> None:
        pair = sorted((self.players[values["one"]], self.players[values["two"]]), key=lambda p: p.pk)
        _build_row(ForbiddenPair, values, at, event=event, one=pair[0], two=pair[1]).save(force_insert=True)

    def _pods(self, event: Event) -> None:
        """Restore pods and build time, which older archives do not have."""
        if seating := self.document.get("pod_seating"):
            _build_row(PodSeating, seating, "pod_seating", event=event).save(force_insert=True)
        for index, row in enumerate(self.document.get("pod_seats", [])):
            links = {"event": event, "player": self.players[row["player"]]}
            _build_row(PodSeat, row, f"pod_seats[{index}]", **links).save(force_insert=True)
        for index, row in enumerate(self.document.get("build_clock", [])):
            _build_row(BuildClockEntry, row, f"build_clock[{index}]", event=event).save(force_insert=True)

    @staticmethod
    def _list(values: Document, at: str) -> DeckList:
        deck_list = _build_row(DeckList, values, at)
        _refuse_unknown_format(deck_list, at)
        deck_list.created_at = values["versions"][0]["submitted_at"] if values["versions"] else timezone.now()
        deck_list.save(force_insert=True)
        for index, row in enumerate(values["versions"]):
            version = _build_row(DeckVersion, row, f"{at}.versions[{index}]", deck_list=deck_list)
            version.save(force_insert=True)
            for ruling in row["rulings"]:
                _build_row(Ruling, ruling, f"{at}.versions[{index}].rulings", version=version).save()
            for later in row["later"]:
                own_at, own_values = f"{at}.versions[{index}].later", upgrade_later_verdict(later)
                _build_row(Rechecked, own_values, own_at, version=version).save()
            for answer in row["answers"]:
                _build_row(ListAnswer, answer, f"{at}.versions[{index}].answers", version=version).save()
            if version.number == values["current"]:
                deck_list.current = version
        deck_list.save()
        return deck_list

    def _stage(self, event: Event, values: Document, at: str) -> None:
        stage = _build_row(Stage, values, at, event=event)
        selection = [{**row, "player": self.players[row["player"]].pk} for row in values["selection"]]
        stage.selection = self._name_players(selection)
        stage.save(force_insert=True)
        StageEntrant.objects.bulk_create(
            _build_row(StageEntrant, row, f"{at}.entrants", stage=stage, player=self.players[row["player"]])
            for row in values["entrants"]
        )
        for index, row in enumerate(values["rounds"]):
            self._round(stage, row, f"{at}.rounds[{index}]")

    def _round(self, stage: Stage, values: Document, at: str) -> None:
        round_ = _build_row(Round, values, at, stage=stage)
        round_.pairing = self._name_players(round_.pairing)
        round_.save(force_insert=True)
        matches = [
            self._match(round_, row, f"{at}.matches[{index}]") for index, row in enumerate(values["matches"])
        ]
        restore_clock(round_, matches, values, at)

    def _match(self, round_: Round, values: Document, at: str) -> Match:
        p1 = self.players[values["p1"]]
        p2 = self.players[values["p2"]] if values["p2"] is not None else None
        match = _build_row(Match, values, at, round=round_, p1=p1, p2=p2)
        match.why = self._name_players(match.why)
        match.save(force_insert=True)
        self._seats(match, values["sides"], f"{at}.sides")
        for row in values["reports"]:
            report = _build_row(ResultReport, row, at, match=match, player=self.players[row["player"]])
            report.save(force_insert=True)
        self._settlements(match, values["settlements"], f"{at}.settlements")
        return match

    def _seats(self, match: Match, sides: Sequence[Document], at: str) -> None:
        """Seat both players, or all sides of a table with more of them."""
        _refuse_other_sides(match, sides, at)
        seats = [
            _build_row(Seat, row, at, round=match.round, match=match, player=self.players[row["player"]])
            for row in sides
        ]
        both = [player for player in (match.p1, match.p2) if player is not None]
        Seat.objects.bulk_create(
            seats or (Seat(round=match.round, match=match, player=player) for player in both)
        )

    def _settlements(self, match: Match, rows: Sequence[Document], at: str) -> None:
        """Restore the answers given at the table, or at its boards, when time was called."""
        for row in rows:
            settlement = _build_row(TimeSettlement, row, at, match=match)
            settlement.reasons = self._name_players(settlement.reasons)
            settlement.save(force_insert=True)

    def _name_players(self, value: Any) -> Any:
        """Return what reasons refer to, by the ids of this installation.

        Raises KeyError for unknown players.
        """
        return map_references(value, self._id_of)

    def _id_of(self, kind: str, number: int) -> int:
        if kind != "player":
            raise KeyError(f"{kind} {number}")
        return GONE if number == GONE else self.players[number].pk


def _build_row(model: type[ModelRow], values: Document, at: str, **links: Any) -> ModelRow:
    """Build a row from archived values; raises Invalid with every wrong field."""
    row = model(**links)
    problems = []
    for field in own_fields(model):
        try:
            setattr(row, field.attname, clean_value(field, values[field.name]))
        except Refused as refusal:
            problems += [
                problem.at_place(reason("path", path=f"{at}.{field.name}")) for problem in refusal.problems
            ]
        except (ValidationError, KeyError) as error:
            why = gettext("is missing") if isinstance(error, KeyError) else "; ".join(error.messages)
            problems.append(Refused("archive_value_wrong.column", at=at, label=field.name, why=why))
    if problems:
        raise Invalid(problems)
    return row


def _refuse_other_sides(match: Match, sides: Sequence[Document], at: str) -> None:
    """Refuse a table whose sides are not as many as it says, numbered from 1."""
    numbers = [row["side"] for row in sides]
    if numbers != (list(range(1, match.side_count + 1)) if match.is_pod else []):
        raise Refused("archive_value_wrong", at=at, error=f"{match.side_count}: {numbers}"[:80])


def _refuse_undeclared(event: Event, player: Player, at: str) -> None:
    """Refuse answers that registration of the event does not ask for, or not so.

    Raises Refused.
    """
    problems = detail_problems(event, player.details, is_own=False)
    refuse_all([problem.at_place(reason("path", path=at)) for problem in problems])


def _refuse_unknown_format(deck_list: DeckList, at: str) -> None:
    try:
        rules.load_format(deck_list.game, deck_list.format_key, rules=deck_list.rules_version or None)
    except rules.UnknownFormat as error:
        raise Refused("archive_value_wrong", at=at, error=str(error)) from error


def restore_clock(round_: Round, matches: Sequence[Match], values: Document, at: str) -> None:
    """Restore a round's clock facts.

    A hidden end is drawn again, because archives leave it out.
    """
    for index, row in enumerate(values.get("clock", [])):
        match = matches[row["match"]] if row["match"] is not None else None
        entry = _build_row(ClockEntry, row, f"{at}.clock[{index}]", round=round_, match=match)
        if entry.earliest is not None and entry.latest is not None and entry.drawn is None:
            entry.drawn = draw_hidden_end(secrets.randbelow(MAX_DRAW_SEED), entry.earliest, entry.latest)
        entry.save(force_insert=True)


def restore_judging(event: Event, document: Document, players: Mapping[int, Player]) -> None:
    """Restore draws, checks, penalties, calls and rulings.

    They are restored only where the archive has them. Raises KeyError when a row names another one that is
    missing.
    """
    judging = _JudgingRestorer(event, document, players)
    draws = judging.create_rows(CheckDraw, "check_draws")
    checks = judging.create_rows(DeckCheck, "deck_checks", draw=draws)
    judging.create_rows(Penalty, "penalties", deck_check=checks)
    calls = judging.create_rows(JudgeCall, "judge_calls")
    judging.create_rows(TableRuling, "table_rulings", call=calls)


class _JudgingRestorer:
    def __init__(self, event: Event, document: Document, players: Mapping[int, Player]) -> None:
        self.event = event
        self.document = document
        self.players = players

    def create_rows(
        self, model: type[models.Model], name: str, **targets: Sequence[models.Model]
    ) -> list[Any]:
        """Create the rows of one list; `targets` are the lists that they link to."""
        return [
            self._row(model, values, f"{name}[{index}]", targets)
            for index, values in enumerate(self.document.get(name, []))
        ]

    def _row(
        self,
        model: type[models.Model],
        values: Document,
        at: str,
        targets: Mapping[str, Sequence[models.Model]],
    ) -> Any:
        links: dict[str, object] = {"event": self.event}
        if values.get("player") is not None:
            links["player"] = self.players[values["player"]]
        if values.get("list_version") is not None:
            links["version"] = self._version(self.players[values["player"]], values["list_version"], at)
        for name, rows in targets.items():
            if values[name] is not None:
                links[name] = dict(enumerate(rows))[values[name]]
        row = _build_row(model, values, at, **links)
        row.save(force_insert=True)
        return row

    @staticmethod
    def _version(player: Player, number: int, at: str) -> DeckVersion:
        version = DeckVersion.objects.filter(deck_list=player.deck_list_id, number=number).first()
        if version is None:
            raise KeyError(f"{at}.list_version")
        return version
