"""Plural forms of whole numbers by language, as Unicode CLDR has them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

Rule = Callable[[int], str]


def _one(number: int) -> str:
    return "one" if number == 1 else "other"


def _zero_or_one(number: int) -> str:
    return "one" if number in (0, 1) else "other"


def _none(number: int) -> str:
    return "other"


def _is_few(number: int) -> bool:
    """Return whether a Slavic language counts this number as few.

    These are 2 to 4 and 22 to 24, not 12 to 14.
    """
    return number % 10 in (2, 3, 4) and number % 100 not in (12, 13, 14)


def _east_slavic(number: int) -> str:
    if number % 10 == 1 and number % 100 != 11:
        return "one"
    return "few" if _is_few(number) else "many"


def _serbo_croatian(number: int) -> str:
    form = _east_slavic(number)
    return "other" if form == "many" else form


def _polish(number: int) -> str:
    if number == 1:
        return "one"
    return "few" if _is_few(number) else "many"


def _czech(number: int) -> str:
    return {1: "one", 2: "few", 3: "few", 4: "few"}.get(number, "other")


def _lithuanian(number: int) -> str:
    if number % 100 in range(11, 20) or number % 10 == 0:
        return "other"
    return "one" if number % 10 == 1 else "few"


def _romanian(number: int) -> str:
    if number == 1:
        return "one"
    return "few" if number == 0 or number % 100 in range(1, 20) else "other"


def _slovenian(number: int) -> str:
    return {1: "one", 2: "two", 3: "few", 4: "few"}.get(number % 100, "other")


def _hebrew(number: int) -> str:
    return {1: "one", 2: "two"}.get(number, "other")


def _arabic(number: int) -> str:
    exact = {0: "zero", 1: "one", 2: "two"}
    if number in exact:
        return exact[number]
    if number % 100 in range(3, 11):
        return "few"
    return "many" if number % 100 >= 11 else "other"


_FAMILIES: Mapping[Rule, str] = {
    _zero_or_one: "fr pt hi fa bn",
    _none: "ja zh ko th vi id ms lo my",
    _east_slavic: "ru uk be",
    _serbo_croatian: "hr sr bs",
    _polish: "pl",
    _czech: "cs sk",
    _lithuanian: "lt",
    _romanian: "ro",
    _slovenian: "sl",
    _hebrew: "he",
    _arabic: "ar",
}
_RULES = {language: rule for rule, languages in _FAMILIES.items() for language in languages.split()}


def plural_form(language: str, number: int, *, ordinal: bool = False) -> str:
    """Return the plural form of a whole number in a language ("de", "pt-br").

    It is zero, one, two, few, many or other. A language that is not listed has one and other. Ordinal forms
    are known of English alone.
    """
    base = language.partition("-")[0]
    if ordinal:
        return _english_ordinal(number) if base == "en" else "other"
    return _RULES.get(base, _one)(number)


def _english_ordinal(number: int) -> str:
    if number % 100 in (11, 12, 13):
        return "other"
    return {1: "one", 2: "two", 3: "few"}.get(number % 10, "other")
