"""Check a deck against a format and return a verdict."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from rules.deck import Deck
from rules.finding import ORDER, Finding, Outcome, Severity, Verdict
from rules.formats import Format
from rules.joint_fixes import JointFixes
from rules.rule import EXCHANGE, REGISTRATION


def check_deck(deck: Deck, format: Format, *, at: str = REGISTRATION) -> Verdict:
    """Return the verdict on a deck list under a format.

    `at` is the stage whose rules are asked: "registration", or "exchange" for the lists presented for one
    game (see `check_exchange`). Raises ValueError for a deck of another game.
    """
    if deck.game != format.game.key:
        raise ValueError(f"A deck of {deck.game} cannot be judged by a format of {format.game.key}.")
    findings = [finding for judge, rule, params in format.plan(at) for finding in judge(deck, rule, **params)]
    traced_findings = _trace_causes(_once(findings), format.causes) if findings else ()
    return Verdict(
        outcome_of(traced_findings),
        traced_findings,
        format.game.key,
        format.key,
        format.version,
        format.document,
        format.edition_names,
        format.overlay.name if format.overlay else None,
        JointFixes(deck, lambda other: check_deck(other, format, at=at))
        if len(traced_findings) > 1
        else None,
    )


def check_exchange(
    registered: Deck, presented: Deck, format: Format, *, game_in_round: int, first_round: bool | None = None
) -> Verdict:
    """Return the verdict on the lists that a player presents for one game of a round.

    `presented` brings its own options (`diversity`, `declared_character`); `game_in_round` counts from 1;
    `first_round` tells whether it is the first round of the event, if that is known. In limited play the pool
    is the registered one; if none was recorded, the registered lists are all there is.
    """
    recorded_pool = presented.pool or registered.pool
    pool = recorded_pool or (*registered.main, *registered.sideboard)
    exchange_options = {
        "registered": registered,
        "game_in_round": game_in_round,
        "first_round": first_round,
        "pool_recorded": bool(recorded_pool),
    }
    presented_deck = replace(presented, pool=pool, options={**presented.options, **exchange_options})
    return check_deck(presented_deck, format, at=EXCHANGE)


def _once(findings: Sequence[Finding]) -> list[Finding]:
    """Merge findings of one rule and severity.

    Errors come first. Otherwise the order is kept.
    """
    if len({finding.rule for finding in findings}) == len(findings):
        return sorted(findings, key=_order)
    joined_findings: dict[tuple[str, Severity], Finding] = {}
    for finding in findings:
        place = (finding.rule, finding.severity)
        joined_findings[place] = (
            joined_findings[place].merged_with(finding) if place in joined_findings else finding
        )
    return sorted(joined_findings.values(), key=_order)


def _order(finding: Finding) -> int:
    return ORDER[finding.severity]


def _trace_causes(findings: list[Finding], causes: Mapping[str, tuple[str, ...]]) -> tuple[Finding, ...]:
    """Return the findings, with those that another brought about saying so."""
    broken_rules = {finding.rule for finding in findings if finding.severity == "error"}
    if len(broken_rules) < 2 or causes.keys().isdisjoint(broken_rules):
        return tuple(findings)
    return tuple(_trace(finding, broken_rules, causes.get(finding.rule, ())) for finding in findings)


def _trace(finding: Finding, broken_rules: set[str], causes: Iterable[str]) -> Finding:
    if finding.severity != "error" or finding.follows_from:
        return finding
    cause = next((cause for cause in causes if cause in broken_rules and cause != finding.rule), None)
    return finding._replace(follows_from=cause) if cause else finding


def outcome_of(findings: Iterable[Finding]) -> Outcome:
    """Return what findings come to."""
    severities = [finding.severity for finding in findings]
    if "error" in severities:
        return "illegal"
    return "unknown" if "unknown" in severities else "legal"
