"""The registry of checks: small named functions that format data calls by name.

A check is written as

    @check("zone_size", says=_zone_size_in_words)
    def zone_size(deck: Deck, rule: Rule, *, zone: str, min: int = 0) -> Iterator[Finding]: ...

The keyword-only arguments are the parameters that a format file may give; `says` puts the same parameters
into a sentence. A name with a dot ("highlander.gem_limits") belongs to a game: its module `checks`
registers it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple, TypeVar

if TYPE_CHECKING:
    from ..finding import Finding

Judge = Callable[..., "Iterable[Finding]"]
_J = TypeVar("_J", bound=Judge)

_SHARED_MODULES = ("sizes", "copies", "contents", "lists", "pool")


class UnknownCheck(LookupError):
    """A format names a check that nothing has registered."""


class Check(NamedTuple):
    """A registered check: how it judges and how it says its parameters."""

    name: str
    judge: Judge
    says: Callable[..., str] | None

    def parameters(self) -> Mapping[str, bool]:
        """The parameters that data may give, each with whether it must be given."""
        from inspect import Parameter, signature

        accepted = signature(self.judge).parameters.values()
        return {p.name: p.default is Parameter.empty for p in accepted if p.kind is Parameter.KEYWORD_ONLY}


_registered: dict[str, Check] = {}


def check(name: str, *, says: Callable[..., str] | None = None) -> Callable[[_J], _J]:
    """Register a check under a name; a name can be taken once."""

    def register(judge: _J) -> _J:
        if name in _registered and _registered[name].judge.__code__ != judge.__code__:
            raise ValueError(f"A check named {name} is registered already.")
        _registered[name] = Check(name, judge, says)
        return judge

    return register


def find_check(name: str) -> Check:
    """The check of that name. Raises `UnknownCheck`, naming those that exist."""
    if name not in _registered and "." not in name:
        for module in _SHARED_MODULES:
            import_module(f"{__name__}.{module}")
    try:
        return _registered[name]
    except KeyError:
        known = ", ".join(sorted(_registered))
        raise UnknownCheck(f"No check is called {name}. There are: {known}.") from None


def shared_checks() -> Mapping[str, Check]:
    """All checks that belong to no single game, by name."""
    find_check("zone_size")
    return {name: found for name, found in sorted(_registered.items()) if "." not in name}
