"""Rules and conditions of a format, with their parameters and sources."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from rules.checks import CheckFunction
from rules.deck import Entry
from rules.finding import Finding, MissingFact, Repair, Severity, make_finding
from rules.lists import NOWHERE, Citation, Lists
from rules.reason import Param, Reason, plain_reason, reason
from rules.rendering import get_messages, render, translate_text
from rules.zone_types import ZoneTypes

Basis = Literal["stated", "derived", "reading", "ours"]

BASES: Mapping[str, Basis] = {"stated": "stated", "derived": "derived", "reading": "reading", "ours": "ours"}

SEVERITIES: Mapping[str, Severity] = {"error": "error", "warning": "warning", "note": "note"}

REGISTRATION = "registration"

EXCHANGE = "exchange"

_NO_LISTS = Lists()

_NO_ZONE_TYPES = ZoneTypes()


@dataclass(frozen=True, slots=True)
class ZoneSize:
    """How many cards a zone may hold.

    `or_none` lets it be empty whatever the minimum.
    """

    least: int = 0
    most: int | None = None
    or_none: bool = False


@dataclass(frozen=True, slots=True)
class FormatContext:
    """The context of a rule.

    Holds the names, lists and zone sizes of its format, and the game's types by zone. `needed_cards` are the
    facts of cards that other rules of the game need.
    """

    game: str = ""
    format_key: str = ""
    format_name: str = ""
    zones: tuple[str, ...] = ()
    lists: Lists = _NO_LISTS
    sizes: Mapping[str, ZoneSize] = field(default_factory=dict)
    zone_types: ZoneTypes = _NO_ZONE_TYPES
    needed_cards: tuple[Mapping[str, object], ...] = ()


_NO_CONTEXT = FormatContext()


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule of a format.

    `name` is its heading in the format file, `rule` the row of the rules digest, `clause` the place in
    `document` (of `version`). `at` tells when it is judged: at registration, at an exchange of cards between
    games, or both. `follows` names rules (by heading) whose breach brings a breach of this one with it.
    `overlay` names the local rules that changed it.
    """

    name: str
    check: str
    rule: str
    clause: str
    document: str
    version: str
    params: Mapping[str, object]
    judge: CheckFunction
    basis: Basis = "stated"
    severity: Severity = "error"
    at: frozenset[str] = frozenset({REGISTRATION})
    follows: tuple[str, ...] = ()
    readings: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    words: str = ""
    says: Callable[..., Reason] = Reason
    origin: str = ""
    overlay: str | None = None
    setting: FormatContext = _NO_CONTEXT

    @property
    def lists(self) -> Lists:
        """The bans, errata and identities in force."""
        return self.setting.lists

    @property
    def format_name(self) -> str:
        """The format's name as people say it."""
        return self.setting.format_name

    def size(self, zone: str) -> ZoneSize:
        """Return what the format says about the size of a zone."""
        return self.setting.sizes.get(zone, ZoneSize())

    def in_words(self) -> str:
        """Return the rule with its parameters, as one sentence."""
        return render("explain", self.demand())

    def demand(self) -> Reason:
        """Return what the rule demands; a sentence of the format's file is `told`."""
        if self.words or not is_sayable(self.check):
            return plain_reason(translate_text(self.words).format(**self.params))
        return self.says(**self.params)

    def with_overlay(self, overlay: str, params: Mapping[str, object], words: str = "") -> Rule:
        """Return the same rule with other parameters.

        It is marked with the overlay that changed it.
        """
        new_words = words or ("" if is_sayable(self.check) else self.words)
        return replace(self, params=params, overlay=overlay, words=new_words)

    def fault(
        self,
        key: str,
        /,
        *,
        code: str = "",
        entries: Iterable[Entry] = (),
        limit: object = None,
        found: object = None,
        fix: Repair | None = None,
        overlay: str | None = None,
        source: Citation = NOWHERE,
        **params: Param,
    ) -> Finding:
        """Report that this rule is broken.

        `code`, for programs, is that of the message `key` unless given. `entries` are the cards concerned:
        keys and lines go into the finding. Whole numbers of `limit` and `found` are parameters of the message
        too. `source` is what is cited instead of the rule's clause.
        """
        return self._make_finding(
            self.severity, key, params, code, entries, source, limit, found, fix, overlay
        )

    def warning(
        self,
        key: str,
        /,
        *,
        entries: Iterable[Entry] = (),
        limit: object = None,
        found: object = None,
        source: Citation = NOWHERE,
        **params: Param,
    ) -> Finding:
        """Report advice that does not make a list illegal."""
        return self._make_finding("warning", key, params, "", entries, source, limit, found)

    def note(
        self,
        key: str,
        /,
        *,
        entries: Iterable[Entry] = (),
        row: str = "",
        source: Citation = NOWHERE,
        **params: Param,
    ) -> Finding:
        """Note something worth knowing about the list.

        `row` and `source` are given if a list says it.
        """
        return self._make_finding("note", key, params, "", entries, source, row=row)

    def unknown(
        self,
        key: str,
        /,
        facts: Iterable[MissingFact],
        *,
        code: str = "",
        entries: Iterable[Entry] = (),
        limit: object = None,
        source: Citation = NOWHERE,
        **params: Param,
    ) -> Finding:
        """Report that this rule cannot be checked until the facts are known."""
        return self._make_finding("unknown", key, params, code, entries, source, limit, facts=tuple(facts))

    def _make_finding(
        self,
        severity: Severity,
        key: str,
        params: dict[str, Param],
        code: str,
        entries: Iterable[Entry],
        source: Citation,
        limit: object = None,
        found: object = None,
        fix: Repair | None = None,
        overlay: str | None = None,
        facts: tuple[MissingFact, ...] = (),
        row: str = "",
    ) -> Finding:
        if type(limit) is int:
            params["limit"] = limit
        if type(found) is int:
            params["found"] = found
        cards, lines = _name_entries(entries) if entries else ((), ())
        return make_finding(
            (
                row or self.rule,
                source.clause or self.clause,
                source.document or self.document,
                self.version,
                code or key.partition(".")[0],
                severity,
                (Reason(key, params),),
                cards,
                lines,
                limit,
                found,
                fix,
                None,
                facts,
                self.overlay or overlay,
            )
        )


def is_sayable(check: str) -> bool:
    """Return whether there are words for what a check demands.

    The parameters of the check do not matter.
    """
    codes = get_messages().sections.get("explain", {})
    return any(code == check or code.startswith(f"{check}.") for code in codes)


def _name_entries(entries: Iterable[Entry]) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """Return the keys of cards and the lines of the list, each once.

    The lines are in their order.
    """
    named_entries = tuple(entries)
    if len(named_entries) == 1:
        [entry] = named_entries
        return (entry.card.key,), () if entry.line is None else (entry.line,)
    keys = dict.fromkeys([entry.card.key for entry in named_entries])
    return tuple(keys), tuple(sorted({entry.line for entry in named_entries if entry.line is not None}))


def missing_fact(entry: Entry, fact: str) -> MissingFact:
    """Return the fact that is not known of an entry's card."""
    return MissingFact(fact, entry.card.key, entry.card.name)


def fact_reasons(facts: Iterable[MissingFact]) -> tuple[Reason, ...]:
    """Return facts of cards, for a message that names several: "the type of Ken"."""
    return tuple(reason("fact-of-a-card", fact=fact.fact, card=fact.name) for fact in facts)


@dataclass(frozen=True, slots=True)
class Condition:
    """Something that players must know before the event (G-05), with its clause.

    `params` are the numbers it is about. `is_adjustable` says that local rules may set them; others are
    settings of the event, such as points and clocks. `basis` is "ours" if no document says it.
    """

    key: str
    rule: str
    clause: str
    words: str
    params: Mapping[str, object]
    basis: str = "stated"
    overlay: str | None = None
    is_adjustable: bool = False

    def in_words(self) -> str:
        words_by_place = {
            name: translate_text(value) if isinstance(value, str) else value
            for name, value in self.params.items()
        }
        return translate_text(self.words).format(**words_by_place)


# The file of what holds for every list of every game.
EVERY_GAME = "every_game"
