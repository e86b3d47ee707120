"""The `set.xml` of an OCTGN game package: cards by guid, hidden sets holding markers and buttons."""

from __future__ import annotations

import re
from typing import Any
from xml.etree.ElementTree import Element, ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

from decks.cataloguing.content import Content
from decks.cataloguing.describe import Record
from decks.errors import Refused

GAMES = {"e3d56d9e-900d-49c6-b6ae-22cbb51be153": "cfc"}
NUMBERS = frozenset({"bp", "sp", "gid"})
OTHER_NAMES = {"ability_type": "ability_symbol"}


def read(text: str) -> Content:
    """Records of a set. Raises Refused for XML that is broken, declares entities or is no set."""
    try:
        root = fromstring(re.sub(r"^\s*<\?xml[^>]*\?>", "", text), forbid_dtd=True)
    except (DefusedXmlException, ParseError, ValueError, RecursionError) as error:
        sentence = "The XML cannot be read, or declares entities, which no set needs."
        raise Refused("catalogue_unreadable", sentence) from error
    name = root.get("name", "").strip()
    if root.tag != "set" or not name:
        raise Refused("catalogue_unreadable", "The XML is not an OCTGN set with a name.")
    is_hidden = root.get("hidden", "").strip().casefold() == "true"
    content = Content(game=GAMES.get(root.get("gameId", "").casefold()))
    code = name[:32]
    content.sets = {code: {"name": name[:120], "is_hidden": is_hidden}}
    for position, card in enumerate(root.iterfind("./cards/card"), start=1):
        content.records.append(_record(f"card {position}", card, code, is_hidden=is_hidden))
    return content


def _record(place: str, card: Element, code: str, *, is_hidden: bool) -> Record:
    facts: dict[str, Any] = {"name": card.get("name", "").strip(), "set": code}
    backups = []
    for part in card.iterfind("./property"):
        name = re.sub(r"\W+", "_", part.get("name", "").strip().casefold()).strip("_")
        value = (part.get("value") or part.text or "").strip()
        if not name or not value:
            continue
        if re.fullmatch(r"backup_\d", name):
            backups.append(value)
        else:
            facts[OTHER_NAMES.get(name, name)] = _value(name, value)
    if backups:
        facts["backups"] = backups
    guid = card.get("id", "").strip().casefold()
    if guid:
        facts["external_ids"] = {"octgn": guid}
    if is_hidden:
        facts["is_deck_card"] = False
    return Record(place, guid or None, facts)


def _value(name: str, value: str) -> Any:
    if name == "number" and not value.isdigit():
        return value
    return int(value) if name in NUMBERS and value.isdigit() else value
