"""Plural forms by language, against the examples of Unicode CLDR."""

from __future__ import annotations

from rules.plurals import plural_form
from tests.everyday import each_case


@each_case(
    ("language", "forms"),
    [
        ("en", {0: "other", 1: "one", 2: "other"}),
        ("de", {0: "other", 1: "one", 21: "other"}),
        ("pt-br", {0: "one", 1: "one", 2: "other"}),
        ("ja", {0: "other", 1: "other"}),
        ("ru", {1: "one", 2: "few", 5: "many", 11: "many", 12: "many", 21: "one", 22: "few"}),
        ("hr", {1: "one", 3: "few", 5: "other", 11: "other", 21: "one"}),
        ("pl", {1: "one", 2: "few", 5: "many", 21: "many", 22: "few", 112: "many"}),
        ("cs", {1: "one", 4: "few", 5: "other"}),
        ("lt", {1: "one", 2: "few", 10: "other", 11: "other", 21: "one"}),
        ("ro", {0: "few", 1: "one", 19: "few", 20: "other", 101: "few"}),
        ("sl", {1: "one", 2: "two", 3: "few", 5: "other", 101: "one"}),
        ("he", {1: "one", 2: "two", 3: "other"}),
        ("ar", {0: "zero", 1: "one", 2: "two", 3: "few", 11: "many", 100: "other", 103: "few"}),
    ],
)
def test_number_takes_the_form_of_the_language(language, forms):
    assert {number: plural_form(language, number) for number in forms} == forms


def test_ordinal_forms_are_those_of_english():
    forms = {1: "one", 2: "two", 3: "few", 4: "other", 11: "other", 22: "two", 113: "other"}
    assert {number: plural_form("en", number, ordinal=True) for number in forms} == forms
    assert plural_form("de", 1, ordinal=True) == "other"
