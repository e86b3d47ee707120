"""The cost of reading, matching and searching.

The command is `python benchmarks/importers.py`. Prints processor time, which a busy machine hardly changes,
and the memory used. The aims: a megabyte of anything below 200 ms and 50 MB, 60 lines matched against 10,000
printings below 50 ms, a search as one types below 16 ms. Catalogues are read by a worker; ordinary ones cost
as much as their records. `read`, `catalogue`, `match` or `write` behind the command measures that alone.
"""

from __future__ import annotations

import gc
import io
import random
import sys
import tracemalloc
import zipfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from time import process_time

sys.path.insert(0, str(Path(__file__).parents[1]))

from decks.catalogue.importing.files import read_catalogue
from decks.exporters.exporting import export
from decks.exporters.model import ExportEntry
from decks.importers.model import DeckLine
from decks.importers.parsing import FORMATS, parse
from decks.matching.index import CardIndex
from decks.matching.model import IndexedPrinting
from decks.shared.refusals import Refused

MEGABYTE = 1_000_000
SYLLABLES = (
    "ka",
    "zu",
    "mi",
    "ro",
    "shen",
    "go",
    "dra",
    "kon",
    "lin",
    "ter",
    "vel",
    "bran",
    "tos",
    "ash",
    "ur",
)


# Each of these lines is slow to read, and is repeated a thousand times.
SLOW_LINES = {
    "honest lines": "4 Copper Golem (RIM 12/60)",
    "blanks": "4" + " " * 190 + "Golem",
    "digits": "1" * 195,
    "words": "a " * 99,
    "dots": ". " * 98 + "a",
    "brackets": "[(" * 99,
    "prices": "$1 " * 66,
    "remarks": "a #a " * 39,
    "tags": "(4) x4 SF01-38 [SF01] ● " * 8,
    "symbols": "a (all, " * 24,
    "garbled": "â€™" * 65,
    "colons": "a:4 " * 49,
    "headings": "12 Foundations (24)",
    "totals": "Total: 60",
    "unbalanced": "[({" * 66,
    "zone marks": "a " + "[side] " * 28,
    "open marks": "a " + " [ab" * 48,
    "braces": "a [" + "{" * 190 + "]",
    "slashes": "a // " * 39,
    "small sets": "(ab) 1 " * 28,
    "half tags": "(2006 1/" * 24,
    "combining": "a" + "\u0301" * 190,
    "full width": "１" * 190,
    "right to left": "\u202e" * 190,
}


def worst_lists() -> dict[str, bytes]:
    """Return files of the maximum size, each made to be slow."""
    return {name: f"{line}\n".encode() * 1_000 for name, line in SLOW_LINES.items()} | whole_files()


def whole_files() -> dict[str, bytes]:
    """Return files that are slow as a whole, most of them a megabyte."""
    return {
        "one line": b"x" * MEGABYTE,
        "json arrays": b'["a",' + b"[]," * (MEGABYTE // 3),
        "json entries": b'{"main": [' + b",".join([b'{"card": "Copper Golem", "qty": 4}'] * 1_000) + b"]}",
        "xml elements": b"<deck>" + b"<a/>" * (MEGABYTE // 4),
        "xml attributes": b"<deck " + b"".join(b'a%d="" ' % n for n in range(90_000)) + b"/>",
        "csv commas": b"qty,name\n" + b"," * (MEGABYTE - 10),
        "csv quotes": b"name,qty\n" + b'"a\n' * (MEGABYTE // 3),
        "one long mark": ("e" + "\u0301" * (MEGABYTE // 2 - 1)).encode(),
        "entities": b"&amp;" * (MEGABYTE // 5),
        "quotes": b'"' * MEGABYTE,
        "sections": b"[Sideboard]\n" * (MEGABYTE // 12),
        "xml depth": b"<deck>" + b"<section>" * (MEGABYTE // 9),
        "xml cdata": b"<deck><![CDATA[" + b"]]" * (MEGABYTE // 2 - 20) + b"]]></deck>",
        "json depth": b'{"main":' * (MEGABYTE // 8),
        "bad utf-8": b"\xc3\x28" * (MEGABYTE // 2),
    }


def worst_catalogues() -> dict[str, bytes]:
    """Catalogue files of a megabyte each, ordinary files first."""
    numbers = range(MEGABYTE)
    card = b'"SF01-%d":{"name":"Golem %d","type":"foundation","set":"SF01","number":%d,"rarity":"Rare"}'
    octgn = b'<card name="Golem %d" id="%d"><property name="Type" value="Character"/></card>'
    head, tail = b'<set name="x"><cards>', b"</cards></set>"
    return {
        "honest json": b'{"cards":{' + b",".join(card % (n, n, n) for n in numbers[:11_500]) + b"}}",
        "honest table": b"set,number,name,type,rarity\n"
        + b"".join(b"SF01,%d,Golem %d,Foundation,Rare\n" % (n, n) for n in numbers[:27_000]),
        "honest set": head + b"".join(octgn % (n, n) for n in numbers[:11_500]) + tail,
        "json lists": b'{"cards":{"a":{"name":"x","l":[' + b"[]," * (MEGABYTE // 3) + b"0]}}}",
        "json depth": b'{"cards":' * (MEGABYTE // 9),
        "json nameless": b'{"cards":{' + b",".join(b'"%d":{}' % n for n in numbers[:80_000]) + b"}}",
        "json number": b'{"cards":{"a":{"name":' + b"9" * MEGABYTE + b"}}}",
        "table of rows": b"name\n" + b"a\n" * (MEGABYTE // 2),
        "table of quotes": b"name,b\n" + b'"a,b\n' * (MEGABYTE // 5),
        "table of blanks": b"name\n" + b"\n" * MEGABYTE,
        "table of commas": b"name,b\n" + b"," * MEGABYTE,
        "tabs": b"\t" * MEGABYTE,
        "xml properties": head
        + b'<card name="a">'
        + b'<property name="b" value="1"/>' * (MEGABYTE // 30)
        + b"</card>"
        + tail,
        "xml depth": b'<set name="x">' + b"<a>" * (MEGABYTE // 3),
        "xml attributes": b"<set " + b"".join(b'a%d="" ' % n for n in range(90_000)) + b"/>",
        "package of sets": _package(
            {f"{n}.xml": head + b'<card name="a"/>' * 60_000 + tail for n in range(60)}
        ),
        "package of files": _package({f"{n}.xml": b"" for n in range(9_000)}),
    }


def _package(members: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as package:
        for name, content in members.items():
            package.writestr(name, content)
    return out.getvalue()


def catalogue(size: int) -> list[IndexedPrinting]:
    """Return printings with made-up names.

    One in ten of them is a character with rank dots.
    """
    rng = random.Random(7)
    cards = []
    for number in range(size):
        words = [
            "".join(rng.choices(SYLLABLES, k=rng.randint(1, 3))).title() for _ in range(rng.randint(1, 4))
        ]
        name, dots = " ".join(words), number % 3 + 1 if number % 10 == 0 else 0
        code = f"AB{number // 150:02d}"
        cards.append(
            IndexedPrinting(f"{code}-{number}", f"{name}|{dots}", name, code, number % 150, "", dots)
        )
    return cards


def cost(work: Callable[[], object], times: int = 3) -> float:
    """Return the least processor time of a few runs, in milliseconds."""
    best = float("inf")
    for _ in range(times):
        start = process_time()
        work()
        best = min(best, process_time() - start)
    return best * 1000


def memory(work: Callable[[], object]) -> float:
    """Return the most memory that a run holds at once, in megabytes."""
    gc.collect()
    tracemalloc.start()
    work()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / 1e6


def report(what: str, files: dict[str, bytes], read_file: Callable[[bytes], object]) -> None:
    for name, data in files.items():
        work = partial(read_file, data)
        print(
            f"{what} {name:18}{len(data):>10,} bytes {cost(work):8.1f} ms {memory(work):6.1f} MB", flush=True
        )


def answer(data: bytes) -> object:
    """Return a catalogue, or the refusal of it."""
    try:
        return read_catalogue(data, game="ufs")
    except Refused as refusal:
        return refusal


def match_all(index: CardIndex, lines: Sequence[DeckLine]) -> None:
    for line in lines:
        index.resolve(line)


def report_matching(printings: list[IndexedPrinting]) -> None:
    print(f"index {len(printings):,} printings {cost(lambda: CardIndex(printings), 1):26.1f} ms")
    index = CardIndex(printings)
    print(f"first search, which arranges the names {cost(lambda: index.search('kazu'), 1):14.1f} ms")
    sampled_printings = random.Random(1).sample(printings, 60)
    deck_text = "\n".join(f"4 {each.name} {'●' * (each.dots or 0)}" for each in sampled_printings)
    wrong = "\n".join(f"4 {each.name[:-1]}x" for each in sampled_printings)
    for name, text in (("60 known lines", deck_text), ("60 misspelled lines", wrong)):
        lines = parse(text).lines
        print(f"read {name:34}{cost(lambda text=text: parse(text)):14.1f} ms")
        index = CardIndex(printings)
        index.search("kazu")
        print(f"match {name:33}{cost(partial(match_all, index, lines), 1):14.1f} ms")
    for typed_text in ("k", "kazu", "kazu br", "kasu drakon", "drakkon●●", "AB07 38", "38/143"):
        print(
            f"search {typed_text:32}{cost(lambda typed_text=typed_text: index.search(typed_text)):14.1f} ms"
        )


def report_writing() -> None:
    deck = [
        ExportEntry(4, f"Golem {letter}", set_code="RIM", collector_number="7")
        for letter in "ABCDEFGHIJKLMNO"
    ]
    for format in FORMATS:
        print(f"write 15 lines as {format:21}{cost(lambda format=format: export(deck, format)):14.1f} ms")


PARTS: dict[str, Callable[[], None]] = {
    "read": lambda: report("read", worst_lists(), parse),
    "catalogue": lambda: report("catalogue", worst_catalogues(), answer),
    "match": lambda: report_matching(catalogue(10_000)),
    "write": report_writing,
}

if __name__ == "__main__":
    for part in sys.argv[1:] or PARTS:
        PARTS[part]()
