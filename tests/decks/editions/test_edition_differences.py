"""Differences between two editions, and the words for their entries."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from decks.editions.domain.content import compare_entries, edition_digest, edition_to_json, format_entry
from decks.editions.domain.kinds import list_kinds
from rules import Edition, games, shipped_editions
from rules.reason import Reason
from tests.everyday import each_case

KEN = {"card": {"name": "Ken", "dots": 2}, "printed": {"set": "SF01", "number": 38, "set_size": 143}}
STONE = {"card": {"name": "Stone"}}
SAYS_NOTHING = {"card": "Stone", "zones": (), "says": None}


@each_case(
    ("kind", "entry", "words"),
    [
        ("bans", KEN, "Ken ●● (SF01 38/143)"),
        ("bans", STONE, "Stone"),
        ("bans", {"card": {"name": "Stone", "set": "SF01", "number": 4}}, "Stone (SF01 4)"),
        ("bans", {"card": {"name": "Quickening", "id": "HTGQ-036"}}, "Quickening (HTGQ-036)"),
        ("bans", {**STONE, "formats": ["draft", "sealed"]}, "Stone, only in draft and sealed"),
        ("allowances", {**STONE, "zones": ["main"], "formats": []}, "Stone, only in main"),
        ("bans", {"card": {"type": "asset"}}, "Any card (type asset)"),
        ("errata", {**KEN, "says": "Draws a card."}, "Ken ●● (SF01 38/143): Draws a card."),
        ("identities", {"same": ["Green", "Luck"]}, "Green and Luck are one card"),
        (
            "identities",
            {"name": "Dark Hado", "distinct": [{"set": "SF03", "number": 15}, {"set": "SF04", "number": 70}]},
            "Dark Hado is 2 cards: SF03 15 and SF04 70",
        ),
        (
            "identities",
            {"name": "Ken", "one_card_in_printings": ["SF01 1", "SF02 2"]},
            "Ken is one card in these printings: SF01 1 and SF02 2",
        ),
        ("identities", {"clause": "7"}, "This name is one card"),
        ("groups", {"clause": "7", "limit": 2}, "An entry (limit 2)"),
        ("factions", {"name": "Clan", "members": ["Connor", "Duncan"]}, "Clan (members Connor and Duncan)"),
        ("misprints", {"name": "Darius", "back": "HS2-191"}, "Darius (back HS2-191)"),
    ],
)
def test_an_entry_is_said_in_words(kind, entry, words):
    assert format_entry(kind, entry) == words


def test_what_came_went_and_changed_is_told_apart():
    before = [KEN, STONE, {"card": {"name": "Pebble"}, "clause": "1"}]
    after = [{"card": {"name": "Pebble"}, "clause": "2"}, {"card": {"name": "Rock"}}, STONE]
    difference = compare_entries("bans", before, after)

    assert difference.in_words == "1 new, 1 removed, 1 changed, 1 unchanged"
    assert [(each.sentence, each.place_after) for each in difference.new] == [("Rock", 1)]
    assert [(each.sentence, each.place_before) for each in difference.gone] == [("Ken ●● (SF01 38/143)", 0)]
    assert [
        (each.sentence, each.changed, each.place_before, each.place_after) for each in difference.changed
    ] == [("Pebble — changed: clause", ("clause",), 2, 0)]


def test_a_changed_entry_is_a_fact_with_what_it_said_before():
    (change,) = compare_entries("bans", [STONE], [{**STONE, "formats": ["draft"]}]).changed
    before, after = (Reason("card_entry", {**SAYS_NOTHING, "formats": each}) for each in ((), ("draft",)))

    assert change.reason == Reason("changed_entry", {"before": before, "after": after})
    assert change.sentence == "Stone, only in draft — before: Stone"


def test_nothing_differs_where_all_entries_stay():
    assert compare_entries("bans", [STONE], [STONE]).in_words == "No differences."


def test_another_version_of_a_card_is_another_entry():
    difference = compare_entries("bans", [KEN], [{**KEN, "card": {"name": "Ken", "dots": 3}}])

    assert (len(difference.new), len(difference.gone), difference.changed) == (1, 1, ())


def test_the_order_of_entries_is_no_difference():
    entries = [KEN, STONE, {"card": {"name": "Pebble"}}]

    assert not compare_entries("bans", entries, entries[::-1])


@given(
    st.lists(st.sampled_from([KEN, STONE, {**STONE, "clause": "2"}, {"name": "Clan"}]), max_size=12),
    st.randoms(),
)
def test_every_entry_is_new_changed_or_as_before_and_every_other_is_gone(entries, chance):
    other = [entry for entry in entries if chance.random() < 0.6]
    difference = compare_entries("bans", entries, other)

    assert len(difference.new) + len(difference.changed) + difference.same == len(other)
    assert len(difference.gone) + len(difference.changed) + difference.same == len(entries)


def test_every_game_has_the_three_lists_and_those_of_its_own():
    kinds = {game.key: [kind.key for kind in list_kinds(game.key)] for game in games()}

    assert kinds["cfc"] == kinds["sf_miniatures"] == kinds["ufs"] == ["bans", "errata", "identities"]
    assert kinds["highlander"][3:] == ["allowances", "factions", "groups", "misprints", "weapons"]


def test_a_digest_tells_editions_apart_by_all_that_they_say():
    bans = next(each for each in shipped_editions("ufs") if each.kind == "bans")
    others = [
        replace(bans, number=2),
        replace(bans, in_force=date(2026, 1, 1)),
        replace(bans, versions=()),
        replace(bans, entries=bans.entries[1:]),
        replace(bans, document="Another"),
    ]

    assert len({edition_digest(each) for each in (bans, *others)}) == 6
    data = {**edition_to_json(bans), "in_force": bans.in_force}
    assert edition_digest(Edition.from_mapping("ufs", data)) == edition_digest(bans)
