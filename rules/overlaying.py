"""Lays an event's local rules over the rules, conditions and bans of a format.

A name stands for every rule and condition of that heading, and for every rule of that digest row; each takes
the parameters that it has.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from .condition import Condition
from .lists import LOCAL_ONLY, Edition
from .overlay import Overlay
from .quoting import in_short
from .rule import Rule

Values = Mapping[str, object]


def overlaid_rules(rules: tuple[Rule, ...], overlay: Overlay) -> tuple[Rule, ...]:
    """The rules with readings and parameters changed, without those that are lifted."""
    return tuple(_overlaid(rule, overlay) for rule in rules if not named(rule, overlay.off))


def overlaid_conditions(conditions: tuple[Condition, ...], overlay: Overlay) -> tuple[Condition, ...]:
    """The conditions with the organizer's own numbers."""
    return tuple(_condition(condition, overlay) for condition in conditions)


def overlaid_bans(edition: Edition | None, overlay: Overlay, game: str) -> Edition:
    """The ban list with local bans added and lifted ones taken out."""
    base = edition or Edition(game, "bans", LOCAL_ONLY, (), name="local bans")
    kept = [entry for entry in base.entries if not any(_covers(card, entry) for card in overlay.unbans)]
    added = [{"card": card, "overlay": overlay.name} for card in overlay.bans]
    return base._replace(entries=(*kept, *added))


def named(rule: Rule, names: Iterable[str]) -> str | None:
    """The first of the names that stands for the rule."""
    return next((name for name in names if name in (rule.name, rule.rule)), None)


def misfits(
    overlay: Overlay, format_name: str, rules: tuple[Rule, ...], conditions: tuple[Condition, ...]
) -> list[str]:
    """Every part of an overlay that the format does not have or that cannot stand there."""
    headings = ", ".join(rule.name for rule in rules)
    known = {name for rule in rules for name in (rule.name, rule.rule)}
    settings = known | {condition.key for condition in conditions}
    problems = [
        f"{format_name} has no rule {in_short(name)}; its rules are: {headings}."
        for names, there in ((overlay.parameters, settings), (overlay.readings, known), (overlay.off, known))
        for name in names
        if name not in there
    ]
    for rule in rules:
        problems += _misfit_reading(rule, overlay)
    for name, values in overlay.parameters.items():
        if name in settings:
            problems += _misfit_values(name, values, rules, conditions)
    return problems or [problem for rule in rules for problem in _misfit_rule(rule, overlay)]


def _condition(condition: Condition, overlay: Overlay) -> Condition:
    values = overlay.parameters.get(condition.key, {})
    own = {key: value for key, value in values.items() if key in condition.params}
    return condition._replace(params={**condition.params, **own}, overlay=overlay.name) if own else condition


def _covers(unban: Values, entry: Values) -> bool:
    card = entry.get("card")
    if not isinstance(card, Mapping):
        return False
    return all(str(card.get(fact)).casefold() == str(value).casefold() for fact, value in unban.items())


def _overlaid(rule: Rule, overlay: Overlay) -> Rule:
    reading, values = named(rule, overlay.readings), _own(rule, overlay)
    if not reading and not values:
        return rule
    said = rule.readings[overlay.readings[reading]].get("words", "") if reading and not values else ""
    return rule.changed(overlay.name, _params(rule, overlay), str(said))


def _params(rule: Rule, overlay: Overlay) -> dict[str, object]:
    """The parameters of a rule under local rules: a reading replaces them all, then single ones change."""
    reading = named(rule, overlay.readings)
    stated = rule.readings[overlay.readings[reading]] if reading else rule.params
    params = {key: value for key, value in stated.items() if key != "words"} | _own(rule, overlay)
    return {
        key: tuple(value) if isinstance(value, list) else value
        for key, value in params.items()
        if value is not None
    }


def _own(rule: Rule, overlay: Overlay) -> dict[str, object]:
    """What an overlay says to a rule: the parameters that its check takes."""
    name = named(rule, overlay.parameters)
    if name is None:
        return {}
    return {key: value for key, value in overlay.parameters[name].items() if key in _takes(rule)}


def _takes(rule: Rule) -> Iterable[str]:
    from .checks import find_check

    return find_check(rule.check).parameters()


def _misfit_reading(rule: Rule, overlay: Overlay) -> list[str]:
    reading = named(rule, overlay.readings)
    if not reading or overlay.readings[reading] in rule.readings:
        return []
    offered = ", ".join(rule.readings) or "none"
    return [f"{rule.name} has no reading {in_short(overlay.readings[reading])}; it offers: {offered}."]


def _misfit_values(
    name: str, values: Values, rules: tuple[Rule, ...], conditions: tuple[Condition, ...]
) -> list[str]:
    """Parameters that neither the rules nor the condition of that name have, and terms of another kind."""
    terms = next((condition.params for condition in conditions if condition.key == name), {})
    taken = dict.fromkeys(key for rule in rules if named(rule, (name,)) for key in _takes(rule))
    has = ", ".join(dict.fromkeys((*taken, *terms))) or "none"
    strange = [key for key in values if key not in taken and key not in terms]
    wrong = [key for key in values if key in terms and type(values[key]) is not type(terms[key])]
    return [
        *(f"{name} has no parameter {in_short(key)}; it has: {has}." for key in strange),
        *(
            f"{name} cannot have {key} {in_short(repr(values[key]))}; it stands there as {terms[key]!r}."
            for key in wrong
        ),
    ]


def _misfit_rule(rule: Rule, overlay: Overlay) -> list[str]:
    """Parameters of another kind than the check takes."""
    from .checks import find_check

    return find_check(rule.check).misfits(_params(rule, overlay), rule.name) if _own(rule, overlay) else []
