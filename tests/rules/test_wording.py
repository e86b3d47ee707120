"""Messages: parameters, plurals, choices and lists, and syntax errors."""

from __future__ import annotations

from fractions import Fraction

import pytest

from rules.reason import Reason, Reference, params_from_json, plain_reason, reason
from rules.rendering import get_messages
from rules.wording import BadMessage, Message, Messages, parameters, parse
from tests.everyday import each_case


def write(text: str, name=None, **params) -> str:
    messages = Messages("en", {"test": {"code": Message(text)}})
    return messages.text("test", Reason("code", params), name)


@each_case(
    ("text", "params", "words"),
    [
        ("Table {table}.", {"table": 4}, "Table 4."),
        ("{n, plural, one {# card} other {# cards}}", {"n": 1}, "1 card"),
        ("{n, plural, one {# card} other {# cards}}", {"n": 0}, "0 cards"),
        ("{n, plural, =0 {no card} one {# card} other {# cards}}", {"n": 0}, "no card"),
        ("{n, selectordinal, one {#st} two {#nd} few {#rd} other {#th}}", {"n": 22}, "22nd"),
        ("{n, selectordinal, one {#st} two {#nd} few {#rd} other {#th}}", {"n": 112}, "112th"),
        ("The {zone, select, main {main deck} other {sideboard}}.", {"zone": "main"}, "The main deck."),
        ("{late, select, yes {late} other {in time}}", {"late": False}, "in time"),
        ("{names, list}", {"names": ("Ann", "Bea", "Cem")}, "Ann, Bea and Cem"),
        ("{names, list, or}", {"names": ("Ann", "Bea")}, "Ann or Bea"),
        ("{names, list}", {"names": ("Ann", "Ann")}, "Ann"),
        ("{share}", {"share": Fraction(2, 3)}, "2/3"),
        (
            "It’s {n, plural, one {{who}’s # win} other {{who}’s # wins}}.",
            {"n": 2, "who": "Ann"},
            "It’s Ann’s 2 wins.",
        ),
        ("{who}", {"who": "{n}"}, "{n}"),
    ],
)
def test_message_is_written_with_its_parameters(text, params, words):
    assert write(text, **params) == words


@each_case(
    ("language", "words"),
    [
        ("en", "Ann won 2-1 at table 4"),
        ("de-ch", "Ann won 2-1 at table 4"),
        ("ar", "\u2068Ann\u2069 won \u20682-1\u2069 at table 4"),
        ("he-il", "\u2068Ann\u2069 won \u20682-1\u2069 at table 4"),
    ],
)
def test_text_parameter_is_isolated_in_languages_read_from_right_to_left(language, words):
    messages = Messages(language, {"test": {"code": Message("{who} won {score} at table {table}")}})
    assert messages.text("test", Reason("code", {"who": "Ann", "score": "2-1", "table": 4})) == words


@each_case(
    ("value", "words"),
    [
        ("2026-11-23", "Mon 23 Nov 2026"),
        ("2026-12-01T14:30", "Tue 1 Dec 2026, 14:30"),
        ("after the cut", "after the cut"),
        (None, ""),
        (reason("calendar_day", weekday=None, day=7, month=2, year=2008), "7 Feb 2008"),
    ],
)
def test_day_is_written_with_its_weekday_and_the_name_of_its_month(value, words):
    calendar = get_messages().sections["reason"]
    sections = {"test": {"code": Message("{day, date}")}, "reason": calendar}
    assert Messages("en", sections).text("test", Reason("code", {"day": value})) == words


def test_references_are_named_by_the_caller_and_otherwise_by_kind_and_key():
    params = {"player": Reference("player", 12), "round": Reference("round", (1, 3))}
    assert write("{player}, {round}", **params) == "player 12, round 1.3"
    assert write("{player}", lambda reference: f"<{reference.key}>", **params) == "<12>"


def test_reason_inside_a_reason_is_said_in_its_own_words():
    sections = {
        "log": {"outer": Message("Changed: {why}")},
        "reason": {"inner": Message("{n} byes.")},
    }
    assert (
        Messages("en", sections).text("log", reason("outer", why=reason("inner", n=2))) == "Changed: 2 byes."
    )


def test_reason_inside_a_log_line_is_a_part_where_a_line_has_its_code_too():
    sections = {
        "log": {"draft": Message("Paired again: {why}."), "drop": Message("{actor} dropped {player}.")},
        "reason": {"drop": Message("{player} dropped")},
    }
    drop = reason("drop", actor="Ann", player="Bo")
    messages = Messages("en", sections)
    assert messages.text("log", drop) == "Ann dropped Bo."
    assert messages.text("log", reason("draft", why=drop)) == "Paired again: Bo dropped."


def test_words_of_others_are_shown_as_they_are():
    assert Messages("en", {}).text("log", plain_reason("Ann {left}.")) == "Ann {left}."


def test_code_without_a_message_shows_itself():
    assert Messages("en", {}).text("log", reason("unheard_of")) == "unheard_of"


@each_case("text", ["{n", "n}", "{n, plural, one {#}}", "{n, number}", "{}", "{n, select, a}"])
def test_unreadable_messages_are_refused(text):
    with pytest.raises(BadMessage):
        parse(text)


def test_parameters_of_a_message_are_those_in_all_its_texts():
    assert parameters(parse("{a} {n, plural, one {{b}} other {{c, list}}}")) == {"a", "n", "b", "c"}


def test_message_that_stands_twice_is_refused(tmp_path):
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "en.toml").write_text('[log]\ncode = "Text."\n')
    with pytest.raises(BadMessage, match=r"log\.code stands twice"):
        Messages.load([tmp_path / "one", tmp_path / "two"])


def test_reasons_come_back_from_json_as_they_were():
    params = {
        "n": 3,
        "share": Fraction(1, 3),
        "player": Reference("player", 12),
        "round": Reference("round", (1, 3)),
        "names": ("Ann", "Bea"),
        "why": reason("inner", n=2),
        "none": None,
        "late": True,
    }
    assert Reason.from_json(reason("code", **params).to_json()) == Reason("code", params)


@each_case(
    "value",
    [
        1.5,
        {"player": 1, "round": 2},
        {"secret": 1},
        {"player": [1.5]},
        {"fraction": "1/0"},
        {"fraction": "x"},
        {},
    ],
)
def test_unknown_shapes_of_parameters_are_refused(value):
    with pytest.raises(ValueError):
        params_from_json({"value": value})


def test_a_text_of_data_in_a_sentence_is_said_in_the_language_of_the_sentence():
    sections = {
        "text": {"Banned list": Message("Bannliste")},
        "reason": {"edition.nameless": Message("{name}"), "banned": Message("durch {by} gebannt, {name}")},
    }
    messages = Messages("de", sections)
    edition = Reason("edition.nameless", {"name": "Banned list"})
    ban_reason = Reason("banned", {"by": edition, "name": "Banned list"})
    assert messages.text("reason", ban_reason) == "durch Bannliste gebannt, Banned list"
    assert Messages("en", {"reason": sections["reason"]}).text("reason", edition) == "Banned list"
