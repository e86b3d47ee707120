"""Registry of checks: named functions that format files refer to.

A check is written as

    @check("zone_size", says=_zone_size_says)
    def zone_size(deck: Deck, rule: Rule, *, zone: str, min: int = 0) -> Iterator[Finding]: ...

The keyword-only arguments are the parameters that a format file may give. The message of the check's name in
the section `explain` says what it demands, with the same parameters; where these decide between several
messages, `says` gives the reason. A name with a dot ("highlander.gem_limits") belongs to a game: its module
`checks` registers it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache, partial
from importlib import import_module
from typing import TYPE_CHECKING, TypeVar

from rules.deck import ZONES
from rules.reason import Param, Reason
from rules.rendering import Problem, problem
from rules.text import truncate

if TYPE_CHECKING:
    from rules.finding import Finding

CheckFunction = Callable[..., "Iterable[Finding]"]
_J = TypeVar("_J", bound=CheckFunction)

_SHARED_MODULES = ("counts", "contents", "lists", "pool", "limits", "affiliation")


class UnknownCheck(Problem, LookupError):
    """A format names a check that nothing has registered."""


@dataclass(frozen=True, slots=True)
class Check:
    """A registered check.

    Holds how it judges, and the reason that states its parameters in words. `contradictions` finds parameters
    that do not fit each other. If `is_weighed`, its limit and what was found are no numbers of cards.
    """

    name: str
    judge: CheckFunction
    says: Callable[..., Reason]
    contradictions: Callable[..., Iterable[Reason]] | None = None
    is_weighed: bool = False

    def parameters(self) -> Mapping[str, bool]:
        """Return the parameters that data may give, and whether each is required."""
        return {name: must for name, (must, _) in _accepted_arguments(self.judge).items()}

    def misfits(self, given_parameters: Mapping[str, object], who: Param) -> list[Reason]:
        """Return what is wrong with the parameters that someone gives.

        Strange, lacking, or of another kind.
        """
        accepted_params = _accepted_arguments(self.judge)
        has = tuple(accepted_params) or None
        strange = [name for name in given_parameters if name not in accepted_params]
        lacking = [
            name for name, (must, _) in accepted_params.items() if must and name not in given_parameters
        ]
        wrong = [
            problem(
                "parameter-of-other-kind",
                who=who,
                parameter=name,
                value=truncate(repr(value)),
                kind=_KINDS[accepted_params[name][1]][1],
            )
            for name, value in given_parameters.items()
            if name in accepted_params and not _fits(name, accepted_params[name][1], value)
        ]
        problems = [
            *(problem("no-parameter", who=who, parameter=truncate(name), has=has) for name in strange),
            *(problem("parameter-missing", who=who, parameter=name) for name in lacking),
            *wrong,
        ]
        if problems or self.contradictions is None:
            return problems
        return [
            Reason(each.code, {**each.params, "who": who}) for each in self.contradictions(**given_parameters)
        ]


@cache
def _accepted_arguments(judge: CheckFunction) -> Mapping[str, tuple[bool, str]]:
    """Return the keyword-only arguments of a check.

    Each has whether it is required, and its annotation.
    """
    from inspect import Parameter, signature

    accepted_params = [p for p in signature(judge).parameters.values() if p.kind is Parameter.KEYWORD_ONLY]
    return {p.name: (p.default is Parameter.empty, str(p.annotation)) for p in accepted_params}


# The kinds of parameters that are looked at; a check that takes others looks at them itself.
_KINDS: Mapping[str, tuple[Callable[[object], bool], str]] = {
    "int": (lambda value: type(value) is int, "whole"),
    "int | None": (lambda value: type(value) is int, "whole"),
    "bool": (lambda value: isinstance(value, bool), "yes_no"),
    "str": (lambda value: isinstance(value, str), "word"),
    "tuple[str, ...]": (
        lambda value: isinstance(value, list | tuple) and all(isinstance(part, str) for part in value),
        "words",
    ),
    "tuple[int, ...]": (
        lambda value: isinstance(value, list | tuple) and all(type(part) is int for part in value),
        "wholes",
    ),
    "tuple[tuple[str, ...], ...]": (
        lambda value: (
            isinstance(value, list | tuple) and all(isinstance(part, list | tuple) for part in value)
        ),
        "lists",
    ),
}


def _fits(name: str, annotation: str, value: object) -> bool:
    if annotation not in _KINDS:
        return True
    named_values = value if isinstance(value, list | tuple) else (value,)
    in_place = name not in ("zone", "zones", "unused") or all(zone in ZONES for zone in named_values)
    return _KINDS[annotation][0](value) and in_place


def demand(code: str, /, **params: Param) -> Reason:
    """Return what a check demands.

    It is given by the code of its message in the section `explain`.
    """
    return Reason(code, params)


_registered: dict[str, Check] = {}


def check(
    name: str,
    *,
    says: Callable[..., Reason] | None = None,
    contradictions: Callable[..., Iterable[Reason]] | None = None,
    is_weighed: bool = False,
) -> Callable[[_J], _J]:
    """Register a check under a name; a name can be taken once."""

    def register(judge: _J) -> _J:
        if name in _registered and _registered[name].judge.__code__ != judge.__code__:
            raise ValueError(f"A check named {name} is registered already.")
        words = says or partial(_state_parameters, name, judge)
        _registered[name] = Check(name, judge, words, contradictions, is_weighed)
        return judge

    return register


def _state_parameters(name: str, judge: CheckFunction, **given_parameters: Param) -> Reason:
    """State the parameters of a check.

    Parameters that are not given have their defaults.
    """
    return Reason(name, {**(judge.__kwdefaults__ or {}), **given_parameters})


def find_check(name: str) -> Check:
    """Return the check of that name. Raises `UnknownCheck`, naming those that exist."""
    modules = iter(_SHARED_MODULES if "." not in name else ())
    while name not in _registered and (module := next(modules, None)):
        import_module(f"{__name__}.{module}")
    try:
        return _registered[name]
    except KeyError:
        raise UnknownCheck("no-check", name=name, known=tuple(sorted(_registered))) from None


def get_shared_checks() -> Mapping[str, Check]:
    """Return all checks that belong to no single game, by name."""
    for module in _SHARED_MODULES:
        import_module(f"{__name__}.{module}")
    return {name: check for name, check in sorted(_registered.items()) if "." not in name}
