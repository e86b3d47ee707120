"""A format in words, and what differs between two versions of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from .finding import Finding, Verdict
from .formats import Format
from .library import EVERY_GAME
from .lists import Edition
from .overlay import card_in_words
from .rule import EXCHANGE, REGISTRATION, Rule

_BASIS = {"derived": "follows from the rules", "reading": "our reading", "ours": "ours, not the document's"}


def explain(format: Format) -> str:
    """The whole format as text: rules with clauses, lists, what players must know, local rules."""
    return "\n".join(_explained(format))


def _explained(format: Format) -> Iterator[str]:
    yield f"{format.game.name}: {format.name}, {format.document}"
    if format.summary:
        yield format.summary
    if not format.sanctioned:
        yield "This format is described but not sanctioned."
    for stage, heading in ((REGISTRATION, "Deck lists"), (EXCHANGE, "Lists presented for a game")):
        rules = [rule for rule in format.rules if stage in rule.at]
        if stage == EXCHANGE and all(rule.origin == EVERY_GAME for rule in rules):
            continue
        if rules:
            yield f"\n{heading}"
            yield from (f"  {_said(rule)}" for rule in rules)
    yield "\nLists in force"
    yield from (f"  {edition.in_words()}: {len(edition.entries)} entries" for edition in _editions(format))
    yield "\nTo know beforehand"
    for condition in format.conditions():
        yield f"  {condition.in_words()} [{_cited(condition.rule, condition.clause, condition.basis)}]"
    if format.overlay is not None:
        yield f"\nLocal rules: {format.overlay.name}"
        yield from (f"  {sentence}" for sentence in format.overlay_in_words())


def _said(rule: Rule) -> str:
    advice = (
        ""
        if rule.severity == "error"
        else f" ({'advice' if rule.severity == 'warning' else 'for information'})"
    )
    return f"{rule.in_words()}{advice} [{_cited(rule.rule, rule.clause, rule.basis)}]"


def _cited(row: str, clause: str, basis: str) -> str:
    reading = f"; {_BASIS[basis]}" if basis in _BASIS else ""
    return f"{row}, {clause}{reading}"


def _editions(format: Format) -> Iterable[Edition]:
    return format.lists.editions.values() or [Edition(format.game.key, "none", 0, (), name="none attached")]


def diff(old: Format, new: Format) -> str:
    """What differs between two versions of a format, as text; one line says so where nothing does."""
    lines = [*_changed_rules(old, new), *_changed_conditions(old, new), *_changed_lists(old, new)]
    heading = f"{new.game.name}, {new.name}: from {old.document} to {new.document}"
    return "\n".join([heading, *(f"  {line}" for line in lines or ["Nothing differs."])])


def _changed_rules(old: Format, new: Format) -> Iterator[str]:
    before, after = ({rule.name: rule for rule in form.rules} for form in (old, new))
    for name in (*before, *(name for name in after if name not in before)):
        then, now = before.get(name), after.get(name)
        if then is None and now is not None:
            yield f"added: {_said(now)}"
        elif now is None and then is not None:
            yield f"gone: {_said(then)}"
        elif then is not None and now is not None and _said(then) != _said(now):
            yield f"changed: {_said(then)} becomes {_said(now)}"


def _changed_conditions(old: Format, new: Format) -> Iterator[str]:
    before, after = ({c.key: c.in_words() for c in form.conditions()} for form in (old, new))
    for key in (*before, *(key for key in after if key not in before)):
        if before.get(key) != after.get(key):
            yield f"to know beforehand: {before.get(key, 'nothing')} becomes {after.get(key, 'nothing')}"


def _changed_lists(old: Format, new: Format) -> Iterator[str]:
    kinds = dict.fromkeys((*old.lists.editions, *new.lists.editions))
    for kind in kinds:
        before, after = (form.lists.entries(kind) for form in (old, new))
        yield from (f"{kind}: no longer {entry_in_words(entry)}" for entry in before if entry not in after)
        yield from (f"{kind}: now {entry_in_words(entry)}" for entry in after if entry not in before)


def entry_in_words(entry: Mapping[str, object]) -> str:
    """A record of a list, named for people, with its clause."""
    clause = f" [{entry['clause']}]" if "clause" in entry else ""
    return f"{_entry_named(entry)}{clause}"


def _entry_named(entry: Mapping[str, object]) -> str:
    card, same, name = entry.get("card"), entry.get("same"), entry.get("name")
    if isinstance(same, list | tuple):
        return f"{' and '.join(map(str, same))} are one card"
    if "distinct" in entry:
        return f"{name} is two cards, told apart by their printing"
    if isinstance(card, Mapping):
        said = entry.get("says")
        return f"{card_in_words(card)}: {said}" if said else card_in_words(card)
    return str(name or entry.get("id", "a record"))


def verdict_in_words(verdict: Verdict) -> str:
    """A verdict as text: the outcome, what it was judged under, and each finding with its mend."""
    outcome = {"unknown": "cannot be checked"}.get(verdict.outcome, verdict.outcome)
    under = f"{verdict.game} {verdict.format}, {verdict.document}"
    local = [f"  Local rules: {verdict.overlay}."] if verdict.overlay else []
    lists = [f"  Lists: {'; '.join(verdict.editions)}."] if verdict.editions else []
    return "\n".join([f"{outcome} ({under})", *local, *lists, *map(_finding_in_words, verdict.findings)])


def _finding_in_words(finding: Finding) -> str:
    lines = f" (line {', '.join(map(str, finding.lines))})" if finding.lines else ""
    cited = f"[{finding.rule}, {finding.clause}, {finding.document}]"
    said = f"  {finding.severity}: {finding.message}{lines} {cited}"
    mend = [f"    {finding.fix.sentence}"] if finding.fix else []
    cause = [f"    It follows from {finding.follows_from}."] if finding.follows_from else []
    return "\n".join([said, *cause, *mend])
