"""Import players from CSV: plan each line, then apply the plan as one step."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from decks.jobs.models import Job
from decks.jobs.queue import enqueue
from decks.shared.refusals import Conflict, Refused
from rules.reason import reason
from tournament.access.permissions import ALL_RIGHTS, Actor, Right, format_roles_with
from tournament.access.player_details import list_fields
from tournament.brackets.services import stages
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.log.step import Recorder, step
from tournament.pairing.services import player_facts
from tournament.pairing.services.draft_repair import FieldChange, keep_draft
from tournament.registration.detail_cells import find_changed
from tournament.registration.fields import merge_details
from tournament.registration.import_choices import NEW_PERSON, ImportChoices
from tournament.registration.player_csv import CsvPlayer, PlayerCsv
from tournament.registration.services import entry as entry_services
from tournament.registration.services import validation, waiting_list
from tournament.registration.services.import_plan import (
    LineKind,
    PersonQuestion,
    PlannedLine,
    PlayerImportPlan,
)
from tournament.registration.services.player_cells import PlayerCells, read_player_cells
from tournament.registration.services.seats import write_seats
from tournament.registration.services.validation import BEFORE_START
from tournament.shared.text import fold_name

IMPORT_JOB_KIND = "import_players"

# So many lines are written at the press of the button; a longer table is a background job.
LINES_AT_ONCE = 200


def request_player_import(
    event: Event, actor: Actor, text: str, mark: str, choices: ImportChoices | None = None
) -> Job:
    """Return the job that imports a table whose plan was looked at.

    The plan has this mark. Pressing the button twice makes one job.
    """
    user = actor.user.pk if actor.user else None
    choices_data = (choices or ImportChoices()).to_json()
    payload = {"event": event.pk, "user": user, "text": text, "mark": mark, "choices": choices_data}
    return enqueue(IMPORT_JOB_KIND, payload, key=f"{event.pk}/{mark}", requested_by=actor.label)


def plan_player_import(
    event: Event,
    table: PlayerCsv,
    rights: frozenset[Right] = ALL_RIGHTS,
    choices: ImportChoices | None = None,
) -> PlayerImportPlan:
    """Return what each line would do for someone with these rights.

    Writes nothing. Two queries.
    """
    reader = _ImportPlanner(event, rights, choices or ImportChoices())
    return PlayerImportPlan(tuple(reader.plan_line(line) for line in table.lines))


def run_player_import(
    event: Event,
    actor: Actor,
    table: PlayerCsv,
    rights: frozenset[Right] = ALL_RIGHTS,
    *,
    choices: ImportChoices | None = None,
    seen_mark: str | None = None,
) -> PlayerImportPlan:
    """Add and change the players of a table as one step.

    Refused lines are left out, and returned. `seen_mark` is the mark of the plan that was looked at: Conflict
    when something else would happen by now.
    """
    with step(event, actor) as recorder:
        now = plan_player_import(recorder.event, table, rights, choices)
        if seen_mark is not None and seen_mark != now.fingerprint:
            raise Conflict("import_changed_meanwhile")
        counts = now.counts
        if counts["add"] or counts["change"]:
            recorder.log(
                "players_imported", added=counts["add"], changed=counts["change"], refused=counts["refused"]
            )
            _change_players(recorder, now.of("change"))
            _add_players(recorder, now.of("add"))
            keep_draft(recorder, reason("players_imported"), _field_change(now))
    return now


def _field_change(plan: PlayerImportPlan) -> FieldChange:
    lines = [line for line in plan.lines if line.kind in ("add", "change")]
    return FieldChange(
        values={name for line in lines for name in line.values},
        at_tables=[line.player.pk for line in lines if line.player and "fixed_table" in line.values],
    )


def _change_players(recorder: Recorder, lines: list[PlannedLine]) -> None:
    """Write what changes.

    There is one statement for all players of whom the same columns change.
    """
    changes: dict[tuple[str, ...], dict[int, PlannedLine]] = {}
    for line in lines:
        if line.player is not None:
            changes.setdefault(tuple(line.columns), {})[line.player.pk] = line
    for same_columns in changes.values():
        recorder.update_all(
            Player,
            {pk: line.columns for pk, line in same_columns.items()},
            current_rows={pk: line.player for pk, line in same_columns.items() if line.player},
        )
    write_seats(
        recorder, recorder.event.players.filter(pk__in=[line.player.pk for line in lines if line.player])
    )


def _add_players(recorder: Recorder, lines: list[PlannedLine]) -> None:
    if not lines:
        return
    stages.refuse_late_entry(recorder.event)
    entries = [(line.entry, line.values) for line in lines if line.entry is not None]
    players = entry_services.create_players(recorder, entries)
    if recorder.event.phase == Event.Phase.SWISS:
        for player in players:
            entry_services.enter_late(recorder, player, entry_services.MISSED_AS_LOSS)


class _ImportPlanner:
    """Knows who is registered, and what earlier lines of the file say."""

    def __init__(self, event: Event, rights: frozenset[Right], choices: ImportChoices) -> None:
        self.event, self.rights, self.choices = event, rights, choices
        self.fields = list_fields(event.game)
        self.players = list(event.players.exclude(status=Player.Status.WITHDRAWN).order_by("number"))
        self.by_email = {p.email.casefold(): p for p in self.players if p.email}
        self.by_name: dict[str, list[Player]] = {}
        for player in self.players:
            for name in (player.name, *player.members):
                self.by_name.setdefault(fold_name(name), []).append(player)
        self.tables = {p.fixed_table: p.name for p in self.players if p.fixed_table and not p.is_dropped}
        self.first_lines: dict[tuple[str, str | int], int] = {}
        self.late_entry_problems = self._refuse_closed()
        self.free = waiting_list.free_places(event) if event.phase not in BEFORE_START else None

    def _refuse_closed(self) -> tuple[Refused, ...]:
        try:
            stages.refuse_late_entry(self.event)
        except Refused as refusal:
            return tuple(refusal.problems)
        return ()

    def plan_line(self, line: CsvPlayer) -> PlannedLine:
        """Return what would happen to a line."""
        written_cells, problems = read_player_cells(line, self.fields)
        answer = self.choices.find_person(line.line_number, written_cells.name)
        cells = replace(written_cells, is_namesake=True) if answer == NEW_PERSON else written_cells
        player = self._find_chosen(cells, answer) or self._find_known(cells)
        problems += self._twice(line, cells, player)
        planned_line = (
            self._plan_new(line, cells) if player is None else self._plan_change(line, cells, player)
        )
        if player is None:
            problems += self._problems_of_new(cells)
        else:
            problems += self._problems_of_known(player, cells, planned_line.values)
        problems += self._fact_problems(planned_line, cells)
        question = self._question(written_cells, player, answer, {problem.code for problem in problems})
        planned_line = replace(planned_line, question=question)
        if problems:
            return replace(
                planned_line, kind="refused", values={}, details=None, entry=None, problems=tuple(problems)
            )
        return planned_line

    def _plan_new(self, line: CsvPlayer, cells: PlayerCells) -> PlannedLine:
        return PlannedLine(line.line_number, "add", cells.name, cells.facts, entry=cells.entry)

    def _plan_change(self, line: CsvPlayer, cells: PlayerCells, player: Player) -> PlannedLine:
        values = {name: value for name, value in cells.columns.items() if getattr(player, name) != value}
        changed_details = find_changed(player.details, cells.details, self.fields)
        details = merge_details(self.event, player.details, changed_details) if changed_details else None
        kind: LineKind = "change" if values or changed_details else "same"
        return PlannedLine(line.line_number, kind, cells.name, values, details, player=player)

    def _find_chosen(self, cells: PlayerCells, answer: str) -> Player | None:
        """Find the player of a line by its email address, or else the chosen one."""
        by_email = self.by_email.get(cells.email.casefold()) if cells.email else None
        return by_email or next((p for p in self._namesakes(cells) if str(p.number) == answer), None)

    def _namesakes(self, cells: PlayerCells) -> list[Player]:
        return [p for p in self.by_name.get(fold_name(cells.name), []) if _has_name(p, cells.name)]

    def _question(
        self, cells: PlayerCells, player: Player | None, answer: str, codes: set[str]
    ) -> PersonQuestion | None:
        """Return whom a line may be about, where its name alone says so."""
        is_certain = player is not None and (
            (cells.email and player.email.casefold() == cells.email.casefold()) or self._find_numbered(cells)
        )
        if is_certain or not (answer or player or codes & {"same_name", "twice_in_file"}):
            return None
        chosen_person = answer or (str(player.number) if player else "")
        return PersonQuestion(fold_name(cells.name), tuple(self._namesakes(cells)), chosen_person)

    def _find_known(self, cells: PlayerCells) -> Player | None:
        """Find the player of a line.

        A namesake is found by number, another player by a unique name.
        """
        if cells.is_namesake:
            return self._find_numbered(cells)
        namesakes = self._namesakes(cells)
        if len(namesakes) != 1:
            return self._find_numbered(cells)
        return None if cells.email and namesakes[0].email else namesakes[0]

    def _find_numbered(self, cells: PlayerCells) -> Player | None:
        """Find a player by number if the name agrees.

        This works for a table that Ringside wrote.
        """
        return next(
            (p for p in self.players if str(p.number) == cells.number and _has_name(p, cells.name)), None
        )

    def _twice(self, line: CsvPlayer, cells: PlayerCells, player: Player | None) -> list[Refused]:
        keys: list[tuple[str, str | int]] = [("email", cells.email.casefold())] if cells.email else []
        keys += [("player", player.pk)] if player else []
        if not player and not cells.is_namesake:
            keys += [("name", fold_name(name)) for name in (cells.name, *cells.members)]
        first = next((self.first_lines[key] for key in keys if key in self.first_lines), None)
        for key in keys:
            self.first_lines.setdefault(key, line.line_number)
        if first is None:
            return []
        return [Refused("twice_in_file", first=first)]

    def _problems_of_new(self, cells: PlayerCells) -> list[Refused]:
        problems = [*self.late_entry_problems, *validation.name_problems(cells.name)]
        problems += validation.email_syntax_problems(cells.email)
        problems += validation.character_problems(cells.character)
        problems += validation.team_problems(self.event, cells.members)
        names = () if cells.is_namesake else (cells.name, *cells.members)
        namesakes = {p.number: p for name in names for p in self.by_name.get(fold_name(name), [])}
        problems += [validation.same_name_refusal(player) for player in namesakes.values()]
        if self.free is not None and not problems:
            if self.free == 0:
                problems.append(Refused("event_full.import", capacity=self.event.capacity))
            else:
                self.free -= 1
        return problems

    def _problems_of_known(
        self, player: Player, cells: PlayerCells, changed_details: Mapping[str, object]
    ) -> Iterator[Refused]:
        if "email" in changed_details:
            if Right.LINKS not in self.rights:
                yield Refused("email_is_fixed", field="email", roles=format_roles_with(Right.LINKS))
            yield from validation.email_syntax_problems(cells.email)
        if "members" in changed_details:
            yield from validation.team_problems(self.event, cells.members)
        if "character" in changed_details:
            yield from validation.character_problems(cells.character)
            if player.character and self.event.phase not in validation.OPEN_PHASES:
                yield validation.fixed_character_refusal(self.event)

    def _fact_problems(self, planned_line: PlannedLine, cells: PlayerCells) -> Iterator[Refused]:
        yield from player_facts.list_value_problems(dict(planned_line.values))
        table = cells.numbers["fixed_table"] if "fixed_table" in planned_line.values else None
        if table is None:
            return
        player, table_holder = planned_line.player, self.tables.get(table)
        if table_holder is not None and (player is None or table_holder != player.name):
            yield Refused("table_is_fixed.import", table=table, table_holder=table_holder)
        self.tables.setdefault(table, player.name if player else cells.name)


def _has_name(player: Player, name: str) -> bool:
    return fold_name(player.name) == fold_name(name)
