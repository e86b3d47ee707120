"""A format as text.

Gives all that the format says, and what differs between two of its versions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from rules.formats import Format
from rules.lists import NO_CLAUSE
from rules.overlay import card_reason
from rules.reason import Reason, reason
from rules.rendering import say, translate_text
from rules.round_sheet import build_round_sheet, compare_round_sheets
from rules.rule import EVERY_GAME, EXCHANGE, REGISTRATION, Condition, Rule


def explain_format(format: Format) -> str:
    """Return the whole format as text.

    It has rules with clauses, lists, what players must know, and local rules.
    """
    return "\n".join(_explain(format))


def _explain(format: Format) -> Iterator[str]:
    names = {"game": translate_text(format.game.name), "format": translate_text(format.name)}
    yield say("format", "headline", **names, document=format.document)
    if format.summary:
        yield translate_text(format.summary)
    if not format.sanctioned:
        yield say("format", "not-sanctioned")
    for stage in (REGISTRATION, EXCHANGE):
        rules = [rule for rule in format.rules if stage in rule.at]
        if stage == EXCHANGE and all(rule.origin == EVERY_GAME for rule in rules):
            continue
        if rules:
            yield f"\n{say('format', 'stage', stage=stage)}"
            yield from (f"  {_format_rule(rule)}" for rule in rules)
    yield from _explained_round(format)
    yield f"\n{say('format', 'lists')}"
    yield from (f"  {line}" for line in _format_editions(format))
    conditions = tuple(format.conditions())
    if conditions:
        yield f"\n{say('format', 'conditions')}"
    yield from (f"  {_format_condition(condition)}" for condition in conditions)
    if format.overlay is not None:
        yield f"\n{say('format', 'overlay', name=format.overlay.name)}"
        yield from (f"  {sentence}" for sentence in format.overlay_in_words())


def _explained_round(format: Format) -> Iterator[str]:
    """Yield the sheet by which a judge runs a round."""
    for part in build_round_sheet(format):
        yield f"\n{part.title}"
        yield from (f"  {line.words}" for line in part.lines)


def _format_rule(rule: Rule) -> str:
    words, severity = rule.in_words(), rule.severity
    return say(
        "format", "rule", words=words, severity=severity, row=rule.rule, clause=rule.clause, basis=rule.basis
    )


def _format_condition(condition: Condition) -> str:
    words, row, clause = condition.in_words(), condition.rule, condition.clause
    return say("format", "rule", words=words, severity="error", row=row, clause=clause, basis=condition.basis)


def _format_editions(format: Format) -> Iterator[str]:
    """Yield each list with its number of entries.

    It also says how many of the entries come from other documents.
    """
    editions = format.lists.editions.values()
    if not editions:
        yield say("format", "no-edition")
    for edition in editions:
        documents = Counter(edition.cite(entry).document for entry in edition.entries)
        others = tuple(
            reason("entries-of-document", count=count, document=document)
            for document, count in documents.items()
            if document != edition.document
        )
        count = len(edition.entries)
        key = "edition-line.of-several" if others else "edition-line"
        yield say("format", key, edition=edition.reason(), count=count, others=others)


def diff_formats(old: Format, new: Format) -> str:
    """Return the differences between two versions of a format as text.

    If there are none, one line says so.
    """
    lines = list_differences(old, new)
    names = {"game": translate_text(new.game.name), "format": translate_text(new.name)}
    heading = say("format", "diff", **names, old=old.document, new=new.document)
    return "\n".join([heading, *(f"  {line}" for line in lines or [say("format", "diff-nothing")])])


def list_differences(old: Format, new: Format) -> list[str]:
    """Return the differences between two versions of a format, one per line.

    What changes in a round comes first.
    """
    return [
        *_changed_round(old, new),
        *_changed_rules(old, new),
        *_changed_conditions(old, new),
        *_changed_lists(old, new),
    ]


def _changed_round(old: Format, new: Format) -> Iterator[str]:
    for title, line, is_new in compare_round_sheets(old, new):
        yield say("format", "diff-round", part=title, line=line.words, is_new=is_new)


def _changed_rules(old: Format, new: Format) -> Iterator[str]:
    before, after = ({rule.name: _format_rule(rule) for rule in form.rules} for form in (old, new))
    for name in (*before, *(name for name in after if name not in before)):
        then, now = before.get(name), after.get(name)
        if then is None:
            yield say("format", "diff-added", rule=now)
        elif now is None:
            yield say("format", "diff-gone", rule=then)
        elif then != now:
            yield say("format", "diff-changed", then=then, now=now)


def _changed_conditions(old: Format, new: Format) -> Iterator[str]:
    before, after = ({c.key: c.in_words() for c in form.conditions()} for form in (old, new))
    for key in (*before, *(key for key in after if key not in before)):
        if before.get(key) != after.get(key):
            yield say("format", "diff-condition", then=before.get(key), now=after.get(key))


def _changed_lists(old: Format, new: Format) -> Iterator[str]:
    kinds = dict.fromkeys((*old.lists.editions, *new.lists.editions))
    for kind in kinds:
        before, after = (form.lists.entries(kind) for form in (old, new))
        both = (before, after)
        edition = new.lists.editions.get(kind) or old.lists.editions[kind]
        name = translate_text(edition.name)
        old_entries, new_entries = ([drop_document(entry) for entry in entries] for entries in both)
        for entry in before:
            if drop_document(entry) not in new_entries:
                yield say("format", "diff-entry-gone", kind=name, entry=_list_entry(entry))
        for entry in after:
            if drop_document(entry) not in old_entries:
                yield say("format", "diff-entry-new", kind=name, entry=_list_entry(entry))


def _list_entry(entry: Mapping[str, object]) -> Reason:
    """Return a record of a list as people name it, with its clause.

    Its document is included if the record has its own.
    """
    own = str(entry.get("document") or "")
    clause = str(entry.get("clause") or (NO_CLAUSE if own else ""))
    if not (own or clause):
        return _named_entry(entry)
    if own:
        return reason("list-entry.of-document", entry=_named_entry(entry), document=own, clause=clause)
    return reason("list-entry", entry=_named_entry(entry), clause=clause)


def drop_document(entry: Mapping[str, object]) -> dict[str, object]:
    """Return a record without its document, which alone makes it no other record."""
    return {key: value for key, value in entry.items() if key != "document"}


def _named_entry(entry: Mapping[str, object]) -> Reason:
    card, same, name = entry.get("card"), entry.get("same"), entry.get("name")
    if isinstance(same, list | tuple):
        return reason("same-cards", cards=tuple(map(str, same)))
    if "distinct" in entry:
        return reason("distinct-cards", card=str(name))
    printings = entry.get("one_card_in_printings")
    if isinstance(printings, list | tuple):
        return reason("one-card-in-printings", card=str(name), printings=tuple(map(str, printings)))
    if isinstance(card, Mapping):
        sentence = entry.get("says")
        if not sentence:
            return card_reason(card)
        return reason("card-says", card=_add_printing(card_reason(card), entry), says=str(sentence))
    record = name or entry.get("id")
    return reason("record", record=str(record)) if record else reason("record.nameless")


def _add_printing(named_card: Reason, entry: Mapping[str, object]) -> Reason:
    """Return a card with the set and number by which a document names it.

    They are added only if the document gives them.
    """
    printing = entry.get("printed")
    if not isinstance(printing, Mapping):
        return named_card
    number = str(printing.get("number"))
    return reason("printed-card", card=named_card, set=str(printing.get("set")), number=number)
