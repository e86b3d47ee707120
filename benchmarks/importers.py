"""What reading, matching and searching cost: `python benchmarks/importers.py`.

Prints processor time, so that a busy machine does not falsify it. The aims: a megabyte of anything below
200 ms, 60 lines matched against 10,000 printings below 50 ms, a search as one types below 16 ms.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from time import process_time

sys.path.insert(0, str(Path(__file__).parents[1]))

from decks.exporters import Entry, export
from decks.importers import FORMATS, Line, parse
from decks.resolve import CardIndex, Printing

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


def worst_lists() -> dict[str, bytes]:
    """Files of the largest size that is read at all, each made to be slow."""
    lines = {
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
    }
    files = {name: f"{line}\n".encode() * 1_000 for name, line in lines.items()}
    return files | {
        "one line": b"x" * MEGABYTE,
        "json arrays": b'["a",' + b"[]," * (MEGABYTE // 3),
        "json entries": b'{"main": [' + b",".join([b'{"card": "Copper Golem", "qty": 4}'] * 1_000) + b"]}",
        "xml elements": b"<deck>" + b"<a/>" * (MEGABYTE // 4),
        "xml attributes": b"<deck " + b"".join(b'a%d="" ' % n for n in range(90_000)) + b"/>",
        "csv commas": b"qty,name\n" + b"," * (MEGABYTE - 10),
    }


def catalogue(size: int) -> list[Printing]:
    """Printings with made-up names, one in ten of them characters with rank dots."""
    rng = random.Random(7)
    found = []
    for number in range(size):
        words = [
            "".join(rng.choices(SYLLABLES, k=rng.randint(1, 3))).title() for _ in range(rng.randint(1, 4))
        ]
        name, dots = " ".join(words), number % 3 + 1 if number % 10 == 0 else 0
        code = f"AB{number // 150:02d}"
        found.append(Printing(f"{code}-{number}", f"{name}|{dots}", name, code, number % 150, "", dots))
    return found


def cost(work: Callable[[], object], times: int = 3) -> float:
    """The least processor time of a few runs, in milliseconds."""
    best = float("inf")
    for _ in range(times):
        start = process_time()
        work()
        best = min(best, process_time() - start)
    return best * 1000


def report_reading() -> None:
    for name, data in worst_lists().items():
        print(f"read {name:16}{len(data):>10,} bytes {cost(lambda data=data: parse(data)):8.1f} ms")


def match_all(index: CardIndex, lines: Sequence[Line]) -> None:
    for line in lines:
        index.resolve(line)


def report_matching(printings: list[Printing]) -> None:
    print(f"index {len(printings):,} printings {cost(lambda: CardIndex(printings), 1):26.1f} ms")
    index = CardIndex(printings)
    print(f"first search, which arranges the names {cost(lambda: index.search('kazu'), 1):14.1f} ms")
    chosen = random.Random(1).sample(printings, 60)
    known = "\n".join(f"4 {each.name} {'●' * (each.dots or 0)}" for each in chosen)
    wrong = "\n".join(f"4 {each.name[:-1]}x" for each in chosen)
    for name, text in (("60 known lines", known), ("60 misspelled lines", wrong)):
        lines = parse(text).lines
        print(f"read {name:34}{cost(lambda text=text: parse(text)):14.1f} ms")
        index = CardIndex(printings)
        index.search("kazu")
        print(f"match {name:33}{cost(partial(match_all, index, lines), 1):14.1f} ms")
    for typed in ("k", "kazu", "kazu br", "kasu drakon", "drakkon●●", "AB07 38", "38/143"):
        print(f"search {typed:32}{cost(lambda typed=typed: index.search(typed)):14.1f} ms")


def report_writing() -> None:
    deck = [Entry(4, f"Golem {letter}", set_code="RIM", collector_number="7") for letter in "ABCDEFGHIJKLMNO"]
    for format in FORMATS:
        print(f"write 15 lines as {format:21}{cost(lambda format=format: export(deck, format)):14.1f} ms")


if __name__ == "__main__":
    report_reading()
    report_matching(catalogue(10_000))
    report_writing()
