"""Write the catalogues in `fixtures/` from lists of printings.

A printing has name, set, number and type, nothing else.

    python bin/_catalogues.py --ufs printings.csv --cfc set.xml set-hidden.xml

Existing entries of a catalogue keep their keys. A further name for a known printing becomes another name of
that card. A second run changes nothing. `fixtures/README.md` says where the facts come from.
"""

from __future__ import annotations

import argparse
import csv
import json
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from rules import games
from rules.catalogue import read_text
from rules.catalogue_files.known_facts import KnownFacts
from rules.names import normalize_name, split_rank_marks

CLONE = Path(__file__).resolve().parents[1]
FIXTURES = CLONE / "fixtures"
Facts = dict[str, object]


class CatalogueDraft:
    """A catalogue of one game to be written into `fixtures/`."""

    def __init__(self, game: str) -> None:
        self.file = FIXTURES / game / "catalogue.json"
        stored_texts = json.loads(self.file.read_text(encoding="utf-8"))
        self.game, self.sets, self.cards = game, dict(stored_texts["sets"]), dict(stored_texts["cards"])

    def write(self) -> None:
        """Write the file, one set and one card a line, by set and number."""
        cards = dict(sorted(self.cards.items(), key=lambda each: _place(*each)))
        parts = [f' "game": {_json(self.game)}', _block("sets", self.sets), _block("cards", cards)]
        self.file.write_text("{\n" + ",\n".join(parts) + "\n}\n", encoding="utf-8")


def _block(name: str, rows: Mapping[str, Facts]) -> str:
    lines = ",\n".join(f"  {_json(key)}: {_json(facts)}" for key, facts in rows.items())
    return f" {_json(name)}: {{\n{lines}\n }}"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _place(key: str, facts: Facts) -> tuple[bool, str, int, str, str]:
    number = facts.get("number")
    whole = number if isinstance(number, int) else 0
    code = str(facts.get("set", ""))
    return not code, code, whole, str(facts.get("number_as_printed", "")) if not whole else "", key


def add_ufs(draft: CatalogueDraft, rows: Iterable[Mapping[str, str]]) -> None:
    """Add printings of UFS.

    The rows have set, number, name, type and the other code of the set.
    """
    for row in rows:
        of_set = draft.sets.setdefault(row["set"], {})
        codes = of_set.setdefault("other_codes", [])
        if row["uvsultra_slug"] not in codes:
            codes.append(row["uvsultra_slug"])
        _add_ufs_printing(draft, row["set"], int(row["number"]), row["name"], row["type"].casefold())


def _add_ufs_printing(draft: CatalogueDraft, code: str, number: int, written_name: str, kind: str) -> None:
    name, dots = split_rank_marks(written_name) if kind == "character" else (written_name, 0)
    here = [card for card in draft.cards.values() if (card.get("set"), card.get("number")) == (code, number)]
    same = [card for card in here if name in (card["name"], *card.get("aliases", ()))]
    if here and not same:
        here[0].setdefault("aliases", []).append(name)
    for card in same or here[:1]:
        card.setdefault("type", kind)
    if not here:
        rank = {} if dots is None else {"dots": dots}
        unplaced_facts = _take_unplaced(draft, name)
        facts = {"name": name, "set": code, "number": number, "type": kind, **rank}
        draft.cards[f"{code}-{number:03d}"] = facts | unplaced_facts


def add_octgn_set(draft: CatalogueDraft, text: str) -> None:
    """Add the cards of an OCTGN set, with its identifiers.

    A card without a set takes its place there.
    """
    content = read_text(text, KnownFacts.of(games()))
    for code, of_set in content.sets.items():
        draft.sets.setdefault(code, {"is_hidden": True} if of_set["is_hidden"] else {})
    for record in content.records:
        facts = _octgn_facts(record.facts)
        unplaced_facts = {} if "is_deck_card" in facts else _take_unplaced(draft, str(facts["name"]))
        draft.cards[str(record.key)] = {**facts, **unplaced_facts, **draft.cards.get(str(record.key), {})}


def _octgn_facts(facts: Mapping[str, object]) -> Facts:
    """Return name, set, number and type of a card, and whether it is a deck card.

    Its number may contain letters.
    """
    renamed_facts = {**facts, "number_as_printed": facts.get("number")}
    kept_columns = ("name", "set", "number_as_printed", "type", "external_ids", "is_deck_card")
    return {name: renamed_facts[name] for name in kept_columns if renamed_facts.get(name) is not None}


def _take_unplaced(draft: CatalogueDraft, name: str) -> Facts:
    """Take the facts of a card of that name without a set out of the draft."""
    plain_name = normalize_name(name)
    keys = [
        key
        for key, each in draft.cards.items()
        if "set" not in each and normalize_name(each["name"]) == plain_name
    ]
    return {fact: value for key in keys for fact, value in draft.cards.pop(key).items()}


def main() -> None:
    """Read the files that are named and write the catalogues of their games."""
    parser = argparse.ArgumentParser(description="Write the catalogues in fixtures/.")
    parser.add_argument("--ufs", type=Path, help="table with set, number, name, type and uvsultra_slug")
    parser.add_argument("--cfc", type=Path, nargs="*", default=[], help="OCTGN sets of Card Fighters' Clash")
    arguments = parser.parse_args()
    if arguments.ufs:
        draft = CatalogueDraft("ufs")
        with arguments.ufs.open(encoding="utf-8", newline="") as file:
            add_ufs(draft, csv.DictReader(file))
        draft.write()
    if arguments.cfc:
        draft = CatalogueDraft("cfc")
        for each in arguments.cfc:
            add_octgn_set(draft, each.read_text(encoding="utf-8-sig"))
        draft.write()


if __name__ == "__main__":
    main()
