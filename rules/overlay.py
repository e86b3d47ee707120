"""Local rules of one event: parse, validate and apply them to a format."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from rules.lists import LOCAL_ONLY, Edition
from rules.reason import Param, Reason, reason
from rules.rendering import Problem, problem, render, say
from rules.rule import Condition, Rule
from rules.text import mark_rank, truncate


class BadOverlay(Problem, ValueError):
    """An overlay that cannot be applied to a format; `reasons` are all objections."""

    def __init__(self, reasons: Iterable[Reason]) -> None:
        super().__init__("bad-overlay")
        self.reasons = tuple(reasons)


@dataclass(frozen=True, slots=True)
class Overlay:
    """The changes of one organizer for one event.

    `bans` and `unbans` are cards by their facts (`{"name": "Ken", "dots": 2}`); a bare name counts as
    `{"name": …}`. `parameters` gives a rule or condition, by its heading or digest row, other parameters
    (None takes a parameter away). `readings` picks one of the readings that a rule offers. `off` lifts rules.
    """

    name: str
    bans: tuple[Mapping[str, object], ...] = ()
    unbans: tuple[Mapping[str, object], ...] = ()
    parameters: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    readings: Mapping[str, str] = field(default_factory=dict)
    off: tuple[str, ...] = ()

    @classmethod
    def from_mapping(cls, data: Mapping[str, object]) -> Overlay:
        """Return an overlay from plain data.

        Raises `BadOverlay` with every part that is not understood.
        """
        strange = sorted(set(data) - set(_PARTS))
        problems = [problem("no-overlay-part", part=truncate(key)) for key in strange]
        problems += [problem("overlay-part", part=key) for key in _PARTS if not _fits(data, key)]
        if problems:
            raise BadOverlay(problems)
        return cls(
            str(data.get("name", "local rules")),
            _cards(data.get("bans", ())),
            _cards(data.get("unbans", ())),
            {str(rule): _get_mapping(part) for rule, part in _get_mapping(data.get("parameters")).items()},
            {str(rule): str(part) for rule, part in _get_mapping(data.get("readings")).items()},
            tuple(map(str, _sequence(data.get("off", ())))),
        )

    def to_json(self) -> dict[str, object]:
        return {
            "name": self.name,
            "bans": [dict(card) for card in self.bans],
            "unbans": [dict(card) for card in self.unbans],
            "parameters": {rule: dict(values) for rule, values in self.parameters.items()},
            "readings": dict(self.readings),
            "off": list(self.off),
        }

    def in_words(self) -> tuple[str, ...]:
        """Return every change as a sentence.

        `Format.overlay_in_words()` says the same with the rules' own words.
        """
        return (
            *map(render_local_rule, self.ban_changes()),
            *(say("format", "overlay-values", rule=r, values=_values(v)) for r, v in self.parameters.items()),
            *(
                say("format", "overlay-reading", rule=r, reading=reading)
                for r, reading in self.readings.items()
            ),
            *(say("format", "overlay-off", rule=rule) for rule in self.off),
        )

    def ban_changes(self) -> tuple[Reason, ...]:
        """Return the local bans, and those that are lifted."""
        return (
            *(local_rule("overlay-ban", card=card_reason(card)) for card in self.bans),
            *(local_rule("overlay-unban", card=card_reason(card)) for card in self.unbans),
        )


def local_rule(code: str, /, **params: Param) -> Reason:
    """Return one local change; `words` is what a changed rule demands."""
    return Reason(code, params)


def render_local_rule(change: Reason) -> str:
    """Return a local change as a sentence."""
    words = change.params.get("words")
    rendered_words = {"words": render("explain", words)} if isinstance(words, Reason) else {}
    return render("format", Reason(change.code, {**change.params, **rendered_words}))


def card_reason(card: Mapping[str, object]) -> Reason:
    """Return a card by its facts, as a part of a sentence.

    Examples: "Ken ●●", "Dark Hado (set SF03)".
    """
    facts = {fact: value for fact, value in card.items() if fact not in ("name", "title")}
    name = card.get("name", card.get("title"))
    marked_name = None if name is None else mark_rank(str(name), facts.get("dots"))
    rest = {fact: value for fact, value in facts.items() if fact != "dots" or marked_name == name}
    named_card = reason("any-card") if marked_name is None else marked_name
    rest_facts = tuple(reason("card-fact", fact=fact, value=str(value)) for fact, value in rest.items())
    return reason("card-with-facts" if rest else "card", card=named_card, facts=rest_facts)


def _values(values: Mapping[str, object]) -> tuple[Reason, ...]:
    return tuple(
        reason("value-taken-away", name=key) if value is None else reason("value", name=key, value=str(value))
        for key, value in values.items()
    )


_PARTS: Mapping[str, type | tuple[type, ...]] = {
    "name": str,
    "bans": (list, tuple),
    "unbans": (list, tuple),
    "parameters": Mapping,
    "readings": Mapping,
    "off": (list, tuple),
}


def _fits(data: Mapping[str, object], key: str) -> bool:
    if key not in data:
        return True
    value = data[key]
    if key in ("bans", "unbans"):
        return isinstance(value, list | tuple) and all(_is_card(card) for card in value)
    if key == "parameters":
        return isinstance(value, Mapping) and all(isinstance(part, Mapping) for part in value.values())
    return isinstance(value, _PARTS[key])


def _is_card(value: object) -> bool:
    """Accept a name, or facts each of which a card can have.

    No facts at all would match every card there is.
    """
    if not isinstance(value, Mapping):
        return isinstance(value, str) and bool(value.strip())
    return bool(value) and all(isinstance(fact, str | int | list | tuple) for fact in value.values())


def _cards(value: object) -> tuple[Mapping[str, object], ...]:
    return tuple(
        _get_mapping(card) if isinstance(card, Mapping) else {"name": card} for card in _sequence(value)
    )


def _sequence(value: object) -> tuple[object, ...]:
    return tuple(value) if isinstance(value, list | tuple) else ()


def _get_mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, Mapping) else {}


ParameterValues = Mapping[str, object]


def apply_overlay_to_rules(rules: tuple[Rule, ...], overlay: Overlay) -> tuple[Rule, ...]:
    """Return the rules with readings and parameters changed.

    Rules that are lifted are left out.
    """
    return tuple(_overlaid(rule, overlay) for rule in rules if not find_rule_name(rule, overlay.off))


def apply_overlay_to_conditions(conditions: tuple[Condition, ...], overlay: Overlay) -> tuple[Condition, ...]:
    """Return the conditions with the organizer's own numbers."""
    return tuple(_condition(condition, overlay) for condition in conditions)


def apply_overlay_to_bans(edition: Edition | None, overlay: Overlay, game: str) -> Edition:
    """Return the ban list with local bans added and lifted ones taken out."""
    base = edition or Edition(game, "bans", LOCAL_ONLY, (), name="local bans")
    entries_left = [
        entry for entry in base.entries if not any(_covers(card, entry) for card in overlay.unbans)
    ]
    added_bans = [{"card": card, "overlay": overlay.name} for card in overlay.bans]
    return replace(base, entries=(*entries_left, *added_bans))


def find_rule_name(rule: Rule, names: Iterable[str]) -> str | None:
    """Return the first of the names that represents the rule."""
    return next((name for name in names if name in (rule.name, rule.rule)), None)


def find_overlay_problems(
    overlay: Overlay, format_name: str, rules: tuple[Rule, ...], conditions: tuple[Condition, ...]
) -> list[Reason]:
    """Find every part of an overlay that is not valid.

    The format does not have the part, or the part cannot be there.
    """
    headings = tuple(rule.name for rule in rules)
    rule_names = {name for rule in rules for name in (rule.name, rule.rule)}
    settings = rule_names | {condition.key for condition in conditions}
    problems = [
        problem("no-rule-of-format", format=format_name, rule=truncate(name), rules=headings)
        for names, there in (
            (overlay.parameters, settings),
            (overlay.readings, rule_names),
            (overlay.off, rule_names),
        )
        for name in names
        if name not in there
    ]
    for rule in rules:
        problems += _misfit_reading(rule, overlay)
    for name, values in overlay.parameters.items():
        if name in settings:
            problems += _misfit_values(name, values, rules, conditions)
    return problems or [misfit for rule in rules for misfit in _misfit_rule(rule, overlay)]


def _condition(condition: Condition, overlay: Overlay) -> Condition:
    values = overlay.parameters.get(condition.key, {})
    own = {key: value for key, value in values.items() if key in condition.params}
    return replace(condition, params={**condition.params, **own}, overlay=overlay.name) if own else condition


def _covers(unban: ParameterValues, entry: ParameterValues) -> bool:
    card = entry.get("card")
    if not isinstance(card, Mapping):
        return False
    return all(str(card.get(fact)).casefold() == str(value).casefold() for fact, value in unban.items())


def _overlaid(rule: Rule, overlay: Overlay) -> Rule:
    reading_name, values = find_rule_name(rule, overlay.readings), _overlay_parameters(rule, overlay)
    if not reading_name and not values:
        return rule
    sentence = (
        rule.readings[overlay.readings[reading_name]].get("words", "") if reading_name and not values else ""
    )
    return rule.with_overlay(overlay.name, _params(rule, overlay), str(sentence))


def _params(rule: Rule, overlay: Overlay) -> dict[str, object]:
    """Return the parameters of a rule under local rules.

    A reading replaces all of them, then single ones are changed.
    """
    reading_name = find_rule_name(rule, overlay.readings)
    stated_params = rule.readings[overlay.readings[reading_name]] if reading_name else rule.params
    params = {key: value for key, value in stated_params.items() if key != "words"} | _overlay_parameters(
        rule, overlay
    )
    return {
        key: tuple(value) if isinstance(value, list) else value
        for key, value in params.items()
        if value is not None
    }


def _overlay_parameters(rule: Rule, overlay: Overlay) -> dict[str, object]:
    """Return what an overlay says to a rule: the parameters that its check takes."""
    name = find_rule_name(rule, overlay.parameters)
    if name is None:
        return {}
    return {
        key: value for key, value in overlay.parameters[name].items() if key in _accepted_parameters(rule)
    }


def _accepted_parameters(rule: Rule) -> Iterable[str]:
    from rules.checks import find_check

    return find_check(rule.check).parameters()


def _misfit_reading(rule: Rule, overlay: Overlay) -> list[Reason]:
    reading_name = find_rule_name(rule, overlay.readings)
    if not reading_name or overlay.readings[reading_name] in rule.readings:
        return []
    name, offered_readings = truncate(overlay.readings[reading_name]), tuple(rule.readings)
    return [problem("no-reading", rule=rule.name, reading=name, offered=offered_readings or None)]


def _misfit_values(
    name: str, values: ParameterValues, rules: tuple[Rule, ...], conditions: tuple[Condition, ...]
) -> list[Reason]:
    """Return parameters that are unknown, and terms of another kind.

    Neither the rules nor the condition of that name have such a parameter.
    """
    terms = next((condition.params for condition in conditions if condition.key == name), {})
    accepted_params = dict.fromkeys(
        key for rule in rules if find_rule_name(rule, (name,)) for key in _accepted_parameters(rule)
    )
    has = tuple(dict.fromkeys((*accepted_params, *terms))) or None
    strange = [key for key in values if key not in accepted_params and key not in terms]
    wrong = [key for key in values if key in terms and type(values[key]) is not type(terms[key])]
    return [
        *(problem("no-parameter", who=name, parameter=truncate(key), has=has) for key in strange),
        *(
            problem(
                "term-of-other-kind",
                who=name,
                term=key,
                value=truncate(repr(values[key])),
                stated=repr(terms[key]),
            )
            for key in wrong
        ),
    ]


def _misfit_rule(rule: Rule, overlay: Overlay) -> list[Reason]:
    """Return parameters of another kind than the check takes."""
    from rules.checks import find_check

    return (
        find_check(rule.check).misfits(_params(rule, overlay), rule.name)
        if _overlay_parameters(rule, overlay)
        else []
    )
