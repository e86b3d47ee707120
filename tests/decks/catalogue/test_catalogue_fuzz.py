"""Any input to the readers of catalogues gives an answer or a refusal.

A refusal comes with a sentence.
"""

from __future__ import annotations

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from decks.catalogue.importing.files import CatalogueFile, read_catalogue
from decks.catalogue.importing.plan import make_plan
from decks.catalogue.importing.preview import build_preview
from decks.catalogue.importing.stored import StoredCatalogue
from decks.shared.refusals import Refused
from tests import machine
from tests.decks.catalogue.test_catalogue_packages import NUPKG, a_set, package
from tests.everyday import each_case

FRUGAL = settings(max_examples=machine.examples(8), deadline=None)
PACKAGE = package(NUPKG)
XML = a_set("One", "Nina", "Ryu").encode()
TABLE = b'name,set,number,type\n"Gabe, Boy Wonder",PA,1,Character\nAnvil,PA,2,Foundation\n'
LACKEY = b"Name\tSet\tImageFile\tSymbols\nAnvil\tPA\tpa1\tAir, All\n"
JSON = json.dumps({"game": "ufs", "cards": {"a": {"name": "A", "gems": {"A": 1}}}}).encode()
FILES = [PACKAGE, XML, TABLE, LACKEY, JSON]


def answer(data: bytes) -> CatalogueFile | Refused:
    """Return the content of a file, or its refusal.

    A plan and a preview can be made of the content.
    """
    try:
        catalogue_file = read_catalogue(data, game="cfc")
    except Refused as refusal:
        return refusal
    plan = make_plan(
        catalogue_file.game, catalogue_file.card_records, StoredCatalogue(), sets=catalogue_file.sets
    )
    plan.problems += catalogue_file.problems
    json.dumps(build_preview(plan), allow_nan=False).encode()
    return catalogue_file


@FRUGAL
@given(st.sampled_from(FILES), st.data())
def test_a_file_with_a_few_bytes_changed_is_answered(whole, data):
    broken_bytes = bytearray(whole)
    for _ in range(data.draw(st.integers(1, 6))):
        broken_bytes[data.draw(st.integers(0, len(broken_bytes) - 1))] = data.draw(st.integers(0, 255))
    answer(bytes(broken_bytes))


@FRUGAL
@given(st.sampled_from(FILES), st.integers(0, 400), st.binary(max_size=12))
def test_a_file_cut_off_or_run_on_is_answered(whole, cut_at, more):
    answer(whole[: min(cut_at, len(whole))])
    answer(whole + more)


@FRUGAL
@given(st.lists(st.sampled_from([*TABLE.split(b","), b'"', b"\n", b"\r", b"\t", b";", b",", b"\x00"])))
def test_any_mess_of_cells_is_answered(parts):
    answer(b"name,set\n" + b"".join(parts))


@FRUGAL
@given(st.dictionaries(st.text(max_size=12), st.binary(max_size=60), max_size=5))
def test_any_package_is_answered(members):
    answer(package(members))


LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
BOMBS = {
    "billion laughs": f'<!DOCTYPE set [<!ENTITY l0 "ha">{LAUGHS}]><set name="&l9;"/>',
    "quadratic": f'<!DOCTYPE set [<!ENTITY a "{"a" * 50_000}">]><set name="x">{"&a;" * 9_000}</set>',
    "from a file": '<!DOCTYPE set [<!ENTITY f SYSTEM "file:///etc/passwd">]><set name="&f;"/>',
    "from the network": '<!DOCTYPE set SYSTEM "http://127.0.0.1:9/set.dtd"><set name="x"/>',
    "parameter entity": '<!DOCTYPE set [<!ENTITY % p SYSTEM "http://127.0.0.1:9/p">%p;]><set name="x"/>',
    "undeclared": '<set name="&nobody;"/>',
}


@each_case("kind", BOMBS)
@each_case("encoding", ["utf-8", "utf-16"])
def test_xml_with_entities_or_a_document_type_is_refused(kind, encoding):
    response = answer(BOMBS[kind].encode(encoding))
    assert isinstance(response, Refused)
    assert response.code == "catalogue_unreadable"


MANY = {
    "rows": (b"name\n" + b"a\n" * 200_001, "too_many_records"),
    "open quotations": (b"name,set\n" + b'"a,b\n' * 10_002, "too_many_problems"),
    "long rows": (b"name,set\n" + b"a,b,c\n" * 5_001, "too_many_problems"),
    "cards": (
        b'{"game":"cfc","cards":{' + b",".join(b'"%d":{}' % n for n in range(50_001)) + b"}}",
        "too_many_records",
    ),
    "nameless records": (
        b'{"game":"cfc","cards":{' + b",".join(b'"%d":{}' % n for n in range(5_002)) + b"}}",
        "too_many_problems",
    ),
    "deep xml": (b'<set name="x">' + b"<a>" * 100_000, "catalogue_unreadable"),
    "deep json": (b'{"cards":' * 100_000, "catalogue_unreadable"),
    "endless number": (
        b'{"game":"cfc","cards":{"a":{"name":' + b"9" * 100_000 + b"}}}",
        "catalogue_unreadable",
    ),
}


@each_case("kind", MANY)
def test_more_than_any_catalogue_holds_is_refused_early(kind):
    data, code = MANY[kind]
    response = answer(data)
    assert isinstance(response, Refused)
    assert response.code == code


def test_a_quotation_left_open_loses_its_own_line_alone():
    fuzz_answer = answer(b'name,set\n"Anvil,PA\nEmber Vow,PA\n"Two\nlines",PA\nLast,PA\n')
    assert isinstance(fuzz_answer, CatalogueFile)
    assert [(each.place.params["line"], each.name) for each in fuzz_answer.card_records] == [
        (3, "Ember Vow"),
        (4, "Two lines"),
        (6, "Last"),
    ]
    assert [(each.where, each.code) for each in fuzz_answer.problems] == [("line 2", "quotation_open")]
