"""Rules and conditions of a format, with their parameters and sources."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple

from rules.checks import CheckFunction
from rules.deck import Entry
from rules.finding import Finding, Fix, MissingFact, Severity
from rules.lists import Lists

Basis = Literal["stated", "derived", "reading", "ours"]

BASES: Mapping[str, Basis] = {"stated": "stated", "derived": "derived", "reading": "reading", "ours": "ours"}

SEVERITIES: Mapping[str, Severity] = {"error": "error", "warning": "warning", "note": "note"}

REGISTRATION = "registration"

EXCHANGE = "exchange"

_NO_LISTS = Lists()


class ZoneSize(NamedTuple):
    """How many cards a zone may hold; `or_none` lets it be empty whatever the minimum."""

    least: int = 0
    most: int | None = None
    or_none: bool = False


class FormatContext(NamedTuple):
    """What a rule is in: the names, lists and zone sizes of its format."""

    game: str = ""
    format_key: str = ""
    format_name: str = ""
    zones: tuple[str, ...] = ()
    lists: Lists = _NO_LISTS
    sizes: Mapping[str, ZoneSize] = MappingProxyType({})


_NO_CONTEXT = FormatContext()


class Rule(NamedTuple):
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
    readings: Mapping[str, Mapping[str, object]] = MappingProxyType({})
    words: str = ""
    says: Callable[..., str] | None = None
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
        """What the format says about the size of a zone."""
        return self.setting.sizes.get(zone, ZoneSize())

    def in_words(self) -> str:
        """The rule with its parameters, as one sentence."""
        if self.words:
            return self.words.format(**self.params)
        return self.says(**self.params) if self.says else ""

    def changed(self, overlay: str, params: Mapping[str, object], words: str = "") -> Rule:
        """The same rule with other parameters, marked with the overlay that changed it."""
        new_words = words or ("" if self.says else self.words)
        return self._replace(params=params, overlay=overlay, words=new_words)

    def fault(
        self,
        code: str,
        message: str,
        *,
        entries: Iterable[Entry] = (),
        limit: object = None,
        found: object = None,
        fix: Fix | None = None,
        overlay: str | None = None,
    ) -> Finding:
        """This rule is broken. `entries` are the cards concerned: keys and lines go into the finding."""
        return self._finding(self.severity, code, message, entries, limit, found, fix, (), overlay)

    def warning(
        self,
        code: str,
        message: str,
        *,
        entries: Iterable[Entry] = (),
        limit: object = None,
        found: object = None,
    ) -> Finding:
        """Advice that does not make a list illegal."""
        return self._finding("warning", code, message, entries, limit, found, None, (), None)

    def note(
        self, code: str, message: str, *, entries: Iterable[Entry] = (), row: str = "", clause: str = ""
    ) -> Finding:
        """Something worth knowing about the list; `row` and `clause` where a list says it, not the rule."""
        return self._finding("note", code, message, entries, None, None, None, (), None, row, clause)

    def unknown(
        self,
        code: str,
        message: str,
        facts: Iterable[MissingFact],
        *,
        entries: Iterable[Entry] = (),
        limit: object = None,
    ) -> Finding:
        """This rule cannot be checked until the facts are known."""
        return self._finding("unknown", code, message, entries, limit, None, None, tuple(facts), None)

    def _finding(
        self,
        severity: Severity,
        code: str,
        message: str,
        entries: Iterable[Entry],
        limit: object,
        found: object,
        fix: Fix | None,
        facts: tuple[MissingFact, ...],
        overlay: str | None,
        row: str = "",
        clause: str = "",
    ) -> Finding:
        named_entries = tuple(entries)
        return Finding(
            row or self.rule,
            clause or self.clause,
            self.document,
            self.version,
            code,
            severity,
            message,
            tuple(dict.fromkeys([entry.card.key for entry in named_entries])),
            tuple(sorted({entry.line for entry in named_entries if entry.line is not None})),
            limit,
            found,
            fix,
            None,
            facts,
            self.overlay or overlay,
        )


def missing_fact(entry: Entry, fact: str) -> MissingFact:
    """The fact that is not known of an entry's card."""
    return MissingFact(fact, entry.card.key, entry.card.name)


class Condition(NamedTuple):
    """Something that players must know before the event (G-05), with its clause.

    `params` are the numbers that an organizer may set; `basis` is "ours" where no document says it.
    """

    key: str
    rule: str
    clause: str
    words: str
    params: Mapping[str, object]
    basis: str = "stated"
    overlay: str | None = None

    def in_words(self) -> str:
        return self.words.format(**self.params)


# The file of what holds for every list of every game.
EVERY_GAME = "every_game"
