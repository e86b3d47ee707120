"""A game as its `game.toml` describes it.

Holds versions of its rules, formats, match forms and zones.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from rules.rendering import say, translate_text
from rules.tables import get_table, get_tables, get_whole, get_words, to_record

if TYPE_CHECKING:
    from rules.cards import CardData
    from rules.endings import GameEnding
    from rules.plan.terms import PlanTerms
    from rules.registration import RegistrationField
    from rules.result_fields import ResultField
    from rules.sheets import GameSheet
    from rules.zone_types import ZoneTypes

# A page or a line of a document, or several.
PAGE, LINE = re.compile(r"\bp\.\d+(?:[-–]\d+)?"), re.compile(r"\bl\.\d+(?:(?:, |-)\d+)*")
NO_DATA: Mapping[str, object] = MappingProxyType({})
LAST = 1_000
"""The order of a game that says none."""


@dataclass(frozen=True, slots=True)
class Version:
    """One version of a game's rules.

    `number` orders versions; the day only says since when it holds.
    """

    number: str
    document: str
    in_force: date | None = None
    also_called: tuple[str, ...] = ()

    @property
    def order(self) -> tuple[int | str, ...]:
        """The key by which versions are ordered: 1.10 comes after 1.9."""
        return tuple(int(part) if part.isdigit() else part for part in self.number.split("."))

    def clamp(self, on: date | None) -> date | None:
        """Return a day that is valid under this version.

        A request for an earlier day has the lists of the first day of the version.
        """
        return self.in_force if on and self.in_force and on < self.in_force else on


@dataclass(frozen=True, slots=True)
class MatchForm:
    """How many games decide a match, and how long a round takes.

    `is_ours` is set if no document says so.
    """

    key: str
    name: str
    games_to_win: int
    minutes: int | None
    warning_minutes_left: int | None
    clause: str
    is_ours: bool = False


# No slots: what a command may never ask for is read, with its module, when someone first does.
@dataclass(frozen=True)
class Game:
    """A game that has rules here.

    `folder` holds its data; `zones` are the parts of its deck lists. Where one chooses a game, a lower
    `order` comes first. `checking_order` are the types of cards as a judge counts them.
    """

    key: str
    name: str
    formats: tuple[str, ...]
    versions: tuple[Version, ...]
    match_forms: tuple[MatchForm, ...]
    zones: tuple[str, ...]
    folder: Path
    knows_draws: bool = True
    rank_attribute: str | None = None
    ranked_types: frozenset[str] = frozenset()
    case_defaults: Mapping[str, object] = field(default_factory=dict)
    checking_order: tuple[str, ...] = ()
    data: Mapping[str, object] = field(default_factory=dict)
    short_name: str = ""
    order: int = LAST
    card_data: Mapping[str, object] = field(default_factory=dict)

    @classmethod
    def from_mapping(
        cls, folder: Path, data: Mapping[str, object], card_data: Mapping[str, object] = NO_DATA
    ) -> Game:
        """Return a game from its `game.toml` and `cards.toml`.

        Raises ValueError naming what is missing.
        """
        lacking = [part for part in ("key", "name", "formats", "versions", "zones") if not data.get(part)]
        if lacking:
            raise ValueError(f"{folder.name}/game.toml lacks {', '.join(lacking)}.")
        identity = get_table(data, "identity")
        rank = identity.get("rank")
        return cls(
            str(data["key"]),
            str(data["name"]),
            get_words(data, "formats"),
            _versions(data),
            tuple(_match_form(form) for form in get_tables(data, "match_forms")),
            get_words(data, "zones"),
            folder,
            data.get("knows_draws") is not False,
            str(rank) if rank else None,
            frozenset(get_words(identity, "ranked_types")),
            get_table(data, "case_defaults"),
            get_words(data, "checking_order"),
            data,
            str(data.get("short_name", data["name"])),
            LAST if (order := get_whole(data, "order")) is None else order,
            card_data,
        )

    @cached_property
    def cards(self) -> CardData:
        """Return what the game says of its cards.

        Raises ValueError naming what `cards.toml` lacks.
        """
        from rules.cards import CardData

        return CardData(self.card_data, f"{self.folder.name}/cards.toml")

    @cached_property
    def registration_fields(self) -> tuple[RegistrationField, ...]:
        """Return what registration asks for this game."""
        from rules.registration import RegistrationField

        return tuple(map(RegistrationField.from_mapping, get_tables(self.data, "registration_fields")))

    @cached_property
    def endings(self) -> tuple[GameEnding, ...]:
        """How matches of this game end, beside as in every game.

        Raises ValueError naming what is missing.
        """
        from rules.endings import GameEnding

        where = f"{self.folder.name}/game.toml: [[endings]]"
        return tuple(to_record(GameEnding, table, where) for table in get_tables(self.data, "endings"))

    @cached_property
    def result_fields(self) -> tuple[ResultField, ...]:
        """Return what results have beside the games won.

        Raises ValueError naming what `game.toml` lacks.
        """
        from rules.result_fields import read_result_field

        try:
            return tuple(map(read_result_field, get_tables(self.data, "result_fields")))
        except ValueError as problem:
            raise ValueError(f"{self.folder.name}/game.toml: {problem}") from problem

    @cached_property
    def sheets(self) -> tuple[GameSheet, ...]:
        """The printouts that only this game has.

        Raises ValueError naming what is missing.
        """
        from rules.sheets import read_sheet

        where = f"{self.folder.name}/game.toml: [[sheets]]"
        return tuple(read_sheet(table, where) for table in get_tables(self.data, "sheets"))

    def cite(self, topic: str) -> str:
        """Return where the documents of the game say it; empty if none does."""
        return str(get_table(self.data, "clauses").get(topic, ""))

    def shorten_clause(self, clause: str) -> str:
        """Return a clause as a short tag.

        It is the letters of the game, then a number, pages or lines. Pages come before lines. Empty if it
        names neither nor begins with a number.
        """
        clause = self.strip_citation(clause)
        pages, lines = (", ".join(dict.fromkeys(pattern.findall(clause))) for pattern in (PAGE, LINE))
        place = clause if clause[:1].isdigit() else pages or lines
        return f"{self.citation}\N{NO-BREAK SPACE}{place}" if place else ""

    def strip_citation(self, clause: str) -> str:
        """Return a clause without the letters of the game."""
        return clause.removeprefix(f"{self.citation} ")

    def has_document(self, name: str) -> bool:
        """Return whether a document is one of the versions of the rules."""
        return any(version.document == name for version in self.versions)

    @cached_property
    def zone_types(self) -> ZoneTypes:
        """Which types of cards may be in which zone."""
        from rules.zone_types import ZoneTypes

        types = get_table(self.data, "zone_types")
        return ZoneTypes({zone: get_words(types, zone) for zone in types})

    @cached_property
    def needed_cards(self) -> tuple[Mapping[str, object], ...]:
        """Return the facts of cards that other rules need.

        A change that may take any card takes other cards first.
        """
        return tuple(get_tables(get_table(self.data, "plan"), "needed"))

    @cached_property
    def plan_terms(self) -> PlanTerms:
        """Return what the game says of plans.

        Raises ValueError naming what `game.toml` lacks.
        """
        from rules.plan.terms import PlanTerms

        return PlanTerms.of(get_table(self.data, "plan"), f"{self.folder.name}/game.toml")

    @property
    def citation(self) -> str:
        """The letters by which clauses of the game are cited."""
        return str(self.data.get("citation", self.short_name))

    @property
    def newest(self) -> Version:
        """The version with the highest number."""
        return self.versions[-1]

    def slip_lines(self, *, is_elimination: bool) -> tuple[str, ...]:
        """Return what a result slip asks in addition to the games.

        It is for Swiss rounds or for a bracket.
        """
        from rules.result_fields import fill_slip_lines

        slips = get_table(self.data, "slip_lines")
        lines = get_words(slips, "elimination") if is_elimination else ()
        slip_questions = lines or get_words(slips, "always") or (say("timed", "slip-line"),)
        return fill_slip_lines([translate_text(line) for line in slip_questions], self.result_fields)

    def version(self, number: str) -> Version | None:
        """Return the version of that number or other name."""
        return next((v for v in self.versions if number == v.number or number in v.also_called), None)

    def version_on(self, day: date) -> Version | None:
        """Return the highest version that is in force on a day."""
        return next((v for v in reversed(self.versions) if v.in_force is None or v.in_force <= day), None)


def _versions(data: Mapping[str, object]) -> tuple[Version, ...]:
    versions = []
    for table in get_tables(data, "versions"):
        day = table.get("in_force")
        since = day if isinstance(day, date) else None
        also = get_words(table, "also_called")
        versions.append(Version(str(table["number"]), str(table.get("document", "")), since, also))
    return tuple(sorted(versions, key=lambda version: version.order))


def _match_form(table: Mapping[str, object]) -> MatchForm:
    return MatchForm(
        str(table["key"]),
        str(table["name"]),
        get_whole(table, "games_to_win") or 1,
        get_whole(table, "minutes"),
        get_whole(table, "warning_minutes_left"),
        str(table.get("clause", "")),
        table.get("is_ours") is True,
    )
