"""Game packages: every set of an OCTGN game or a LackeyCCG plugin at once.

Hostile packages are refused.
"""

from __future__ import annotations

import io
import zipfile

import pytest

from decks.catalogue.importing.files import CatalogueFile, read_catalogue
from decks.catalogue.models import Card
from decks.catalogue.services.catalogue import import_catalogue
from decks.shared.refusals import Refused
from rules.reason import reason
from tests.everyday import each_case

pytestmark = pytest.mark.both_databases

CFC = 'gameId="e3d56d9e-900d-49c6-b6ae-22cbb51be153"'


def a_set(name: str, *cards: str, is_hidden: str = "false", game: str = CFC) -> str:
    inside = "".join(
        f'<card name="{card}" id="{name}-{card}"><property name="BP" value="300"/>'
        '<alternate name="Back" type="flip"><property name="BP" value="999"/></alternate></card>'
        for card in cards
    )
    head = f'<?xml version="1.0"?><set name="{name}" id="{name}" hidden="{is_hidden}" {game}>'
    return f"{head}<cards>{inside}</cards></set>"


def package(members: dict[str, str | bytes], compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", compression) as archive:
        for name, content in members.items():
            entry = zipfile.ZipInfo("any")
            # Set later, as `ZipInfo` changes names and `writestr` refuses some.
            entry.filename, entry.compress_type = name, compression
            with archive.open(entry, "w") as member:
                member.write(content.encode() if isinstance(content, str) else content)
    return out.getvalue()


NUPKG = {
    "[Content_Types].xml": "<Types/>",
    "def/definition.xml": '<game name="Clash" id="e3d56d9e-900d-49c6-b6ae-22cbb51be153"/>',
    "def/Sets/one/set.xml": a_set("One", "Nina", "Ryu"),
    "def/Sets/two/set.xml": a_set("Two", "Nina"),
    "def/Sets/ui/set.xml": a_set("Buttons", "Start", is_hidden="True"),
    "def/Decks/first.o8d": "<deck/>",
    "def/Scripts/actions.py": "print()",
    "def/Sets/one/Cards/nina.jpg": b"\xff\xd8\xff",
}


def of(catalogue_file: CatalogueFile) -> list[tuple[str, str, bool, object]]:
    return [
        (each.name, each.set_code, each.is_deck_card, each.card_facts["bp"])
        for each in catalogue_file.card_records
    ]


def test_an_octgn_package_brings_every_set_and_its_hidden_cards_are_no_deck_cards():
    catalogue_file = read_catalogue(package(NUPKG))
    assert (catalogue_file.game, catalogue_file.kind, catalogue_file.problems) == ("cfc", "octgn_package", [])
    assert of(catalogue_file) == [
        ("Nina", "One", True, 300),
        ("Ryu", "One", True, 300),
        ("Nina", "Two", True, 300),
        ("Start", "Buttons", False, 300),
    ]
    assert {code: facts["is_hidden"] for code, facts in catalogue_file.sets.items()} == {
        "One": False,
        "Two": False,
        "Buttons": True,
    }
    assert catalogue_file.card_records[0].place == reason(
        "catalogue_place.member", file="def/Sets/one/set.xml", place=reason("catalogue_place.card", card=1)
    )


def test_what_holds_no_cards_is_left_aside_and_counted():
    assert read_catalogue(package({**NUPKG, "more.zip": package(NUPKG)})).notes == [
        reason("files_without_cards", count=5),
        reason("archives_not_opened", count=1),
    ]


@each_case("name", ["", "\0", "\0set.xml", ".", "...", " ", ".xml", "a\\b"])
def test_package_member_without_a_usable_name_is_left_aside(name):
    catalogue_file = read_catalogue(package({name: "hello", "set.xml": a_set("One", "Nina")}))
    assert [each.name for each in catalogue_file.card_records] == ["Nina"]
    assert catalogue_file.notes == [reason("files_without_cards", count=1)]


@each_case("name", ["/", "///", "./", "a\\b/"])
def test_package_member_named_like_a_folder_is_skipped(name):
    catalogue_file = read_catalogue(package({name: "hello", "set.xml": a_set("One", "Nina")}))
    assert ([each.name for each in catalogue_file.card_records], catalogue_file.notes) == (["Nina"], [])


@each_case("name", ["..", "../..", "/.", "a/..", "\\", "\\\\", "..\\", "\\set.xml", "..\0"])
def test_package_member_named_outside_of_it_refuses_the_package(name):
    with pytest.raises(Refused, match="refers to a file outside the package"):
        read_catalogue(package({name: "hello", "set.xml": a_set("One", "Nina")}))


def test_a_lackey_plugin_brings_the_card_data_of_its_sets():
    plugin = {
        "ufs/plugininfo.txt": "UFS plugin, made by hand",
        "ufs/sets/first.txt": "Name\tSet\tImageFile\tNumber\tType\tSymbols\tText\r\n"
        '"Anvil" Stance\tZZ1\tzz1001\t1/120\tFoundation\tAir, All\t"Enhance": +1\r\n',
        "ufs/sets/second.txt": "Name\tSet\tImageFile\tNumber\nEmber Vow\tZZ2\tzz2001\t7\n",
        "ufs/packs/booster.txt": "3 Common",
    }
    catalogue_file = read_catalogue(package(plugin), game="ufs")
    assert [(each.key, each.name, each.set_size) for each in catalogue_file.card_records] == [
        ("ZZ1-001", '"Anvil" Stance', 120),
        ("ZZ2-007", "Ember Vow", None),
    ]
    assert catalogue_file.card_records[0].card_facts["symbols"] == ["Air", "All"]
    assert catalogue_file.card_records[0].card_facts["text"] == '"Enhance": +1'
    assert catalogue_file.problems == []


def test_a_member_that_cannot_be_read_is_named_and_the_others_come_in():
    broken_package = {**NUPKG, "def/Sets/two/set.xml": a_set("Two", "Nina")[:-9]}
    catalogue_file = read_catalogue(package(broken_package))
    assert [(each.where, each.code) for each in catalogue_file.problems] == [
        ("def/Sets/two/set.xml", "catalogue_unreadable")
    ]
    assert len(catalogue_file.card_records) == 3


def test_long_set_names_stay_apart():
    names = ["The Very Long Name Of A Set, Part One", "The Very Long Name Of A Set, Part Two"]
    catalogue_file = read_catalogue(package({f"{name}.xml": a_set(name, "Nina") for name in names}))
    assert len({each.set_code for each in catalogue_file.card_records}) == 2
    assert all(len(each.set_code) <= 32 for each in catalogue_file.card_records)


def enciphered() -> bytes:
    data = bytearray(package({"set.xml": a_set("One", "Nina")}))
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.find(mark) + offset] |= 1
    return bytes(data)


def package_with_false_size() -> bytes:
    """Return a member whose entry declares a far smaller size than it has."""
    data = bytearray(package({"set.xml": a_set("One", *("Nina",) * 5_000)}))
    offset = data.find(b"PK\x01\x02")
    data[offset + 24 : offset + 28] = (100).to_bytes(4, "little")
    return bytes(data)


# Some are large: each is made by the test that reads it, and not when tests are collected.
HOSTILE = {
    "bomb": lambda: package({"set.xml": b" " * 30_000_000}),
    "giant": lambda: package({"set.xml": bytes(33 * 2**20)}, zipfile.ZIP_STORED),
    "outside": lambda: package({"../set.xml": a_set("One", "Nina")}),
    "outside-windows": lambda: package({"..\\set.xml": a_set("One", "Nina"), "a.xml": "<a/>"}),
    "absolute": lambda: package({"/etc/set.xml": a_set("One", "Nina")}),
    "drive": lambda: package({"C:/set.xml": a_set("One", "Nina")}),
    "enciphered": enciphered,
    "lying": package_with_false_size,
    "cut": lambda: package(NUPKG)[:400],
    "empty": lambda: package({}),
    "no cards": lambda: package({"readme.txt": "hello"}),
    "only an archive": lambda: package({"inner.zip": package(NUPKG), "inner.xml": package(NUPKG)}),
    "two games": lambda: package(
        {"a.xml": a_set("A", "Nina"), "b.json": '{"game": "ufs", "cards": {"x": {"name": "Y"}}}'}
    ),
    "not a zip": lambda: b"PK\x03\x04" + bytes(500),
    "many": lambda: package({f"{number}.xml": "" for number in range(20_001)}, zipfile.ZIP_STORED),
    "entities": lambda: package({"a.xml": '<!DOCTYPE s [<!ENTITY a "b">]><set name="x"/>'}),
}


@pytest.mark.django_db
@pytest.mark.parametrize("first", ["a", "z"])
def test_a_button_that_bears_the_name_of_a_card_is_another_card(first):
    """Either of the two sets may come first in the package."""
    members = {"m.xml": a_set("Core", "Ryu"), f"{first}.xml": a_set("Buttons", "Ryu", is_hidden="true")}
    plan = import_catalogue(package(dict(sorted(members.items()))))
    assert (len(plan.new_cards), plan.conflicts) == (2, [])
    assert sorted(Card.objects.values_list("identity", flat=True)) == ["ryu", "ryu|no deck card"]
    assert [card.printings.get().is_deck_card for card in Card.objects.order_by("identity")] == [True, False]


@each_case("kind", [kind for kind in HOSTILE if kind != "entities"])
def test_a_hostile_or_empty_package_is_refused_with_a_sentence(kind):
    with pytest.raises(Refused) as refusal:
        read_catalogue(HOSTILE[kind](), game="cfc")
    assert refusal.value.code in {"catalogue_unreadable", "file_too_large"}
    assert refusal.value.sentence.endswith(".")


def test_one_set_with_too_many_cards_ends_the_reading_of_the_whole_package(monkeypatch):
    monkeypatch.setattr("rules.catalogue_files.octgn_set.MOST_RECORDS", 1)
    with pytest.raises(Refused) as refusal:
        read_catalogue(package(NUPKG))
    assert refusal.value.code == "too_many_records"


def test_entities_inside_a_package_are_refused_where_they_stand():
    (problem,) = read_catalogue(HOSTILE["entities"](), game="cfc").problems
    assert problem.where == "a.xml"
    assert "entities" in problem.sentence


def test_a_package_of_spreadsheets_is_no_catalogue():
    with pytest.raises(Refused, match="contains no card data"):
        read_catalogue(
            package({"xl/workbook.xml": "<workbook/>", "[Content_Types].xml": "<Types/>"}), game="ufs"
        )
