"""Editions that staff publish.

They count beside the shipped ones, by number and day.
"""

from __future__ import annotations

from datetime import date

import pytest

from rules import Edition, check_deck, load_format, load_lists
from rules.lint import lint_edition
from rules.lint_lists import lint_list
from rules.rendering import say
from tests.everyday import each_case
from tests.rules.builders import constructed, foundation

STONE = constructed((4, foundation("Stone")))


def _bans(number: int, *names: str, **values: object) -> Edition:
    entries = [{"card": {"name": name}, "clause": "502.1"} for name in names]
    return Edition.from_mapping(
        "ufs", {"kind": "bans", "number": number, "document": "News", "entries": entries, **values}
    )


def _list_broken_rules(form) -> list[str]:
    return [finding.rule for finding in check_deck(STONE, form).errors]


def test_a_later_edition_replaces_the_shipped_one():
    form = load_format("ufs", "constructed", editions=[_bans(2, "Stone")])

    assert _list_broken_rules(form) == ["UFS-L06"]
    assert check_deck(constructed((1, foundation("Turbo"))), form).outcome == "legal"


def test_an_edition_counts_from_its_day_on():
    later = _bans(2, "Stone", in_force=date(2008, 6, 1))

    assert _list_broken_rules(load_format("ufs", "constructed", on=date(2008, 5, 31), editions=[later])) == []
    assert _list_broken_rules(load_format("ufs", "constructed", on=date(2008, 6, 1), editions=[later])) == [
        "UFS-L06"
    ]


def test_the_highest_number_counts_not_the_last_one_given():
    editions = [_bans(3), _bans(2, "Stone")]

    assert _list_broken_rules(load_format("ufs", "constructed", editions=editions)) == []


def test_an_edition_belongs_to_its_versions():
    for_new = _bans(2, "Stone", versions=["1.9"])

    assert _list_broken_rules(load_format("ufs", "constructed", rules="1.8", editions=[for_new])) == []


def test_a_list_can_be_attached_to_1_8():
    form = load_format("ufs", "constructed", rules="1.8", editions=[_bans(2, "Stone", versions=["1.8"])])
    verdict = check_deck(STONE, form)

    assert [(f.severity, f.rule) for f in verdict.findings] == [("error", "UFS-L06"), ("warning", "UFS-B20")]
    assert verdict.findings[1].message.startswith("Rules 1.8 come with no errata list")


def test_a_format_takes_new_lists():
    form = load_format("ufs", "constructed").with_lists([_bans(2, "Stone")])

    assert _list_broken_rules(form) == ["UFS-L06"]
    assert _list_broken_rules(load_format("ufs", "constructed")) == []


def test_the_verdict_names_the_editions_it_rests_on():
    form = load_format(
        "ufs", "constructed", editions=[_bans(2, "Stone", name="Spring list", in_force=date(2008, 6, 1))]
    )

    assert check_deck(STONE, form).edition_words == (
        "Spring list (News, in force from Sun 1 Jun 2008)",
        "Errata (UFS Tournament Rules v1.9, in force from Wed 27 Feb 2008)",
        "Card identities (UFS Tournament Rules v1.9, in force from Wed 27 Feb 2008)",
    )


def test_the_lists_of_a_day_tell_what_is_said_of_a_card():
    later = _bans(2, "Stone", in_force=date(2008, 6, 1))
    cards_by_day = {
        day: [
            entry["card"] for entry, _ in load_lists("ufs", on=day, editions=[later]).entries_of("bans", card)
        ]
        for day in (date(2008, 5, 31), date(2008, 6, 1))
        for card in [foundation("Stone")]
    }

    assert cards_by_day == {date(2008, 5, 31): [], date(2008, 6, 1): [{"name": "Stone"}]}


def test_lists_are_asked_for_by_version():
    assert set(load_lists("ufs", rules="1.8").editions) == {"identities"}
    assert set(load_lists("ufs").editions) == {"bans", "errata", "identities"}


def test_a_new_identity_adds_copies_together():
    same = {"same": ["Stone", "Pebble"], "clause": "501.30"}
    edition = Edition.from_mapping(
        "ufs", {"kind": "identities", "number": 3, "document": "News", "entries": [same]}
    )
    deck = constructed((3, foundation("Stone")), (2, foundation("pebble")))

    assert check_deck(deck, load_format("ufs", "constructed")).outcome == "legal"
    assert check_deck(deck, load_format("ufs", "constructed", editions=[edition])).outcome == "illegal"


def test_one_card_under_three_names_may_be_told_in_two_steps():
    steps = [{"same": ["Stone", "Pebble"], "clause": "1"}, {"same": ["Pebble", "Rock"], "clause": "2"}]
    edition = Edition.from_mapping(
        "ufs", {"kind": "identities", "number": 3, "document": "News", "entries": steps}
    )
    deck = constructed((2, foundation("Stone")), (2, foundation("Pebble")), (1, foundation("Rock")))

    assert check_deck(deck, load_format("ufs", "constructed", editions=[edition])).outcome == "illegal"


def test_a_ban_may_name_one_of_two_cards_of_a_name():
    banned_printing = {"card": {"name": "Dark Hado", "set": "SF03", "number": 15}, "clause": "502.1"}
    edition = Edition.from_mapping(
        "ufs", {"kind": "bans", "number": 2, "document": "News", "entries": [banned_printing]}
    )
    form = load_format("ufs", "constructed", editions=[edition])
    outcomes = [
        check_deck(constructed((1, foundation("Dark Hado", **facts))), form).outcome
        for facts in ({"set": "SF03", "number": "015"}, {"set": "SF04", "number": 70}, {})
    ]

    assert outcomes == ["illegal", "legal", "unknown"]


@each_case(
    ("entry", "problem"),
    [
        ({"clause": "502.1"}, "Entry 1 has no card. Enter the card."),
        (
            {"card": {"name": "X"}, "printed": {"set": "SCO3", "number": 1}},
            "Entry 1 (X) has the set SCO3 with a letter O instead of a zero. Enter SC03.",
        ),
        (
            {"card": {"name": "X"}, "printed": {"set": "SC03", "number": 145, "set_size": 144}},
            "Entry 1 (X) has number 145, but the set has 144 cards. Correct the number or the size.",
        ),
        (
            {"card": {"name": "X"}, "printed": {"set": "SC03", "number": "12"}},
            "Entry 1 (X) has the number 12, which is not a positive whole number. Correct it.",
        ),
    ],
)
def test_a_draft_of_an_edition_can_be_linted(entry, problem):
    edition = Edition("ufs", "bans", 9, (entry,), document="News", clause="502.1")

    assert lint_edition(edition) == [problem]


def test_an_entry_given_twice_is_found():
    assert lint_edition(_bans(9, "Stone", "Pebble", "Stone")) == [
        "Entry 3 (Stone) repeats entry 1. Remove one of them."
    ]


def _lint(kind: str, *entries: dict[str, object]) -> list[tuple[str, str, str]]:
    edition = Edition("ufs", kind, 9, entries, document="News", clause="501")
    return [(problem.code, problem.severity, problem.message) for problem in lint_list(edition)]


def test_two_errata_of_one_paragraph_are_told_apart():
    first = {"id": "UFS-501.20", "card": {"name": "Adon"}, "says": "Draws nothing."}
    second = {"id": "UFS-501.20", "card": {"name": "Stone"}, "says": "Is cheap."}

    assert _lint("errata", first, second) == [
        (
            "id-twice",
            "error",
            "Entry 2 (Stone) has the id of entry 1 but different content. "
            "Name them UFS-501.20a and UFS-501.20b.",
        )
    ]
    assert _lint("errata", first, {**second, "says": "Draws nothing."}) == []


def test_a_version_banned_beside_its_whole_name_is_pointed_out():
    lint_problem = _lint("bans", {"card": {"name": "Ken", "dots": 2}}, {"card": {"name": "Ken"}})

    assert lint_problem == [
        (
            "ban-within-ban",
            "warning",
            "Entry 2 (Ken) and entry 1 ban the same card. "
            "To ban every version, keep the ban without set or number. Otherwise keep the other.",
        )
    ]
    assert _lint("bans", {"card": {"name": "Ken", "dots": 2}}, {"card": {"name": "Ken", "dots": 1}}) == []


def test_a_card_banned_by_two_paragraphs_is_pointed_out():
    twice = ({"card": {"name": "Stone"}, "clause": clause} for clause in ("1", "2"))

    assert [lint_problem[0] for lint_problem in _lint("bans", *twice)] == ["ban-within-ban"]


@each_case(
    ("entry", "code"),
    [
        ({"same": ["Green", "green"]}, "one-name"),
        ({"name": "Dark Hado", "distinct": [{"set": "SF03", "number": 15}]}, "one-printing"),
        ({"rule": "UFS-I01"}, "no-card"),
    ],
)
def test_an_identity_that_says_nothing_is_found(entry, code):
    assert [lint_problem[0] for lint_problem in _lint("identities", entry)] == [code]


@each_case(
    ("data", "message"),
    [
        ({"kind": "bans"}, say("problem", "edition-nameless")),
        ({"kind": "bans", "number": 1, "in_force": "soon"}, "List bans 1: in_force must be a day."),
        ({"kind": "bans", "number": 1, "entries": "all"}, "List bans 1: entries must be a list of records."),
        ({"kind": "bans", "number": 1, "versions": "1.9"}, "List bans 1: versions must be a list."),
    ],
)
def test_data_that_is_no_edition_is_refused(data, message):
    with pytest.raises(ValueError) as problem:
        Edition.from_mapping("ufs", data)

    assert str(problem.value) == message
