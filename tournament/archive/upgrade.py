"""Upgrades of the documents of older installations.

They bring a document to the shape of today's archive, one format after another.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from decks.shared.refusals import Refused
from rules.reason import TOLD, plain_reason, reasons_to_json
from rules.wording import SOURCE_LANGUAGE
from tournament.archive.old_results import OLD_COLUMNS, ChangeFolder, fold_details, fold_log_params
from tournament.archive.old_sentences import (
    upgrade_changes,
    upgrade_pairing,
    upgrade_selection,
    upgrade_sentence,
)
from tournament.archive.old_texts import encode_changes, encode_drop, encode_row, encode_text
from tournament.archive.tables import TABLES_LEFT_OUT
from tournament.shared.coded_texts import BY_PLAYER
from tournament.shared.names import AS_WRITTEN
from tournament.shared.text import fold_name

# Rises whenever the shape of an archive changes, with a step in UPGRADES and a golden archive in the tests.
FORMAT_VERSION = 16

Document = dict[str, Any]  # Any: JSON of an archive of any format, whose columns are checked one by one

# Additions to format 1 while it was in use, with the meaning of an archive without them.
FIRST_EVENT_VALUES: Mapping[str, object] = {
    "entry_fee": "",
    "team_size": None,
    "own_system": {},
    "plan": [],
    "pairing_options": {},
    "hall": "",
    "first_table": 1,
    "table_count": None,
    "reserved_tables": [],
    "no_show_minutes": 10,
    "prizes": [],
    "paper": "",
    "clock_options": {},
    "screen": [],
}
FIRST_PLAYER_VALUES: Mapping[str, object] = {
    "members": [],
    "club": "",
    "seed": None,
    "rating": None,
    "fixed_table": None,
    "first_byes": 0,
    "waiting_since": None,
    "moved_up_at": None,
    "has_paid": False,
    "merged_into": None,
    "exchange_checks": [],
}
FIRST_STAGE_VALUES: Mapping[str, object] = {"groups": 1, "twice": False, "third_place": False}
FORMAT_9_STAGE_VALUES: Mapping[str, object] = {
    "consolation": False,
    "reset": True,
    "wins_in": None,
    "losses_out": None,
}
FIRST_ROUND_VALUES: Mapping[str, object] = {"amended_at": None, "clock": []}
FIRST_MATCH_VALUES: Mapping[str, object] = {
    "forfeit": False,
    "ending": "",
    "consent": False,
    **OLD_COLUMNS,
    "amended_at": None,
    "settlement": None,
}
FIRST_VERSION_VALUES: Mapping[str, object] = {"answers": [], "later": [], "pool_text": ""}
LISTS_OF_FORMAT_2 = (
    "forbidden_pairs", "check_draws", "deck_checks", "penalties", "judge_calls", "table_rulings",
    "retired_links",
)  # fmt: skip


def upgrade_archive(document: Document) -> Document:
    """Return the document in today's format; the argument may be changed on the way.

    Raises Refused for a format that is newer than this installation or that never was, and KeyError,
    TypeError or AttributeError where an older document is not whole.
    """
    version = document["ringside_archive"]
    refuse_unknown_version(version)
    for step in UPGRADES[version - 1 :]:
        document = step(document)
    return {**document, "ringside_archive": FORMAT_VERSION}


def upgrade_later_verdict(values: Document) -> Document:
    """Return a later verdict with reasons.

    The cause of an earlier one is a sentence, kept as `told`.
    """
    if "cause" not in values:
        return values
    return {**values, "causes": reasons_to_json([plain_reason(str(values["cause"]))])}


def refuse_unknown_version(version: Any) -> None:
    """Raise Refused for an unknown format.

    An unknown format is newer than this installation or never existed.
    """
    if type(version) is not int or not 1 <= version <= FORMAT_VERSION:
        raise Refused("archive_version_unknown", version=str(version)[:20], format_version=FORMAT_VERSION)


def _upgrade_1(document: Document) -> Document:
    """Fill in what format 1 gained over time.

    Changes of rows that are not archived are left out of the log.
    """
    _fill_in(document["event"], FIRST_EVENT_VALUES)
    _name_players(document["players"])
    for version in _versions(document["players"]):
        _fill_in(version, FIRST_VERSION_VALUES)
    for stage in document["stages"]:
        _fill_in(stage, FIRST_STAGE_VALUES)
        for entrant in stage["entrants"]:
            _fill_in(entrant, {"group": 0})
        for round_ in stage["rounds"]:
            _fill_in(round_, FIRST_ROUND_VALUES)
            for match in round_["matches"]:
                _fill_in(match, FIRST_MATCH_VALUES)
                for report in match["reports"]:
                    _fill_in(report, {"ending": ""})
    for line in document["log"]:
        changes = line.get("changes", [])
        line["changes"] = [change for change in changes if change["table"] not in TABLES_LEFT_OUT]
    return {**{name: [] for name in LISTS_OF_FORMAT_2}, **document}


def _upgrade_2(document: Document) -> Document:
    """Give players answers to declared fields."""
    for player in document["players"]:
        _fill_in(player, {"details": {}})
    return document


def _upgrade_3(document: Document) -> Document:
    """Keep the sentences of the log as `told`."""
    for line in document["log"]:
        line["params"] = {TOLD: line.pop("sentence")}
        _fill_in(line, {"variant": "", "by_player": None})
    return document


def _upgrade_4(document: Document) -> Document:
    """Give reasons where sentences were."""
    for stage in document["stages"]:
        stage["selection"] = upgrade_selection(stage["selection"])
        for round_ in stage["rounds"]:
            round_["pairing"] = upgrade_pairing(round_["pairing"])
            for match in round_["matches"]:
                match["why"] = upgrade_sentence(match["why"])
                if settlement := match["settlement"]:
                    settlement["reasons"] = upgrade_sentence(settlement.pop("sentence"))
    for line in document["log"]:
        line["changes"] = upgrade_changes(line.get("changes", []))
    return document


def _upgrade_5(document: Document) -> Document:
    """Move the result fields of one game into `details`.

    Every game declares these for itself.
    """
    for match in _matches(document["stages"]):
        match["details"] = fold_details(match)
        for name in OLD_COLUMNS:
            match.pop(name, None)
        for report in match["reports"]:
            _fill_in(report, {"details": {}})
    folder = ChangeFolder()
    for line in document["log"]:
        line["changes"] = [folder.fold(change) for change in line.get("changes", [])]
        line["params"] = fold_log_params(line["params"])
    return document


def _upgrade_6(document: Document) -> Document:
    """Give events a language; earlier ones were in English."""
    _fill_in(document["event"], {"language": SOURCE_LANGUAGE})
    return document


def _upgrade_7(document: Document) -> Document:
    """Say how names are sorted; earlier events sorted them as written."""
    _fill_in(document["event"], {"name_order": AS_WRITTEN})
    return document


def _upgrade_8(document: Document) -> Document:
    """Allow tables of more than two sides; earlier matches had two."""
    _fill_in(document["event"], {"place_points": []})
    for match in _matches(document["stages"]):
        _fill_in(match, {"side_count": 2, "sides": []})
        for report in match["reports"]:
            _fill_in(report, {"places": []})
    return document


def _upgrade_9(document: Document) -> Document:
    """Give stages a consolation bracket, a single grand final and exits.

    Earlier stages had none.
    """
    for stage in document["stages"]:
        _fill_in(stage, FORMAT_9_STAGE_VALUES)
    return document


def _upgrade_10(document: Document) -> Document:
    """Give team matches boards; earlier ones had none."""
    _fill_in(document["event"], {"has_boards": False})
    for match in _matches(document["stages"]):
        _fill_in(match, {"boards": []})
        for report in match["reports"]:
            _fill_in(report, {"boards": []})
    return document


def _upgrade_11(document: Document) -> Document:
    """Give submitted lists the file that they were made from; earlier ones had none."""
    for version in _versions(document["players"]):
        _fill_in(version, {"original_text": ""})
    return document


def _upgrade_12(document: Document) -> Document:
    """Give codes to texts that Ringside wrote in English.

    A player who closed a judge call also gets a code.
    """
    for player in document["players"]:
        player.update(encode_row("player", player))
    for match in _matches(document["stages"]):
        match.update(encode_row("match", match))
        if settlement := match["settlement"]:
            settlement.update(encode_row("timesettlement", settlement))
    for version in _versions(document["players"]):
        version.update(encode_row("deckversion", version))
    names = {player["number"]: player["name"] for player in document["players"]}
    for call in document["judge_calls"]:
        if call["closed_by"] == names.get(call["player"]):
            call["closed_by"] = BY_PLAYER
    for line in document["log"]:
        line["actor"] = encode_text(line["actor"])
        line.update(encode_drop(line))
        line["changes"] = encode_changes(line.get("changes", []))
    return document


def _upgrade_13(document: Document) -> Document:
    """Judge calls have a topic; earlier ones said it in their words."""
    for call in document["judge_calls"]:
        _fill_in(call, {"topic": ""})
    return document


def _upgrade_14(document: Document) -> Document:
    """Add members of teams to the players, and let each board be settled.

    A board is settled when time is called.
    """
    for player in document["players"]:
        _fill_in(player, {"team": None, "seat": 0})
    for match in _matches(document["stages"]):
        settlement = match.pop("settlement")
        match["settlements"] = [{**settlement, "board": 0}] if settlement else []
    return document


def _upgrade_15(document: Document) -> Document:
    """Let log sentences name players by reference.

    `restore_log` finds those of earlier archives.
    """
    return document


def _matches(stages: Sequence[Document]) -> Iterator[Document]:
    for stage in stages:
        for round_ in stage["rounds"]:
            yield from round_["matches"]


def _versions(players: Sequence[Document]) -> Iterator[Document]:
    for player in players:
        yield from player["list"]["versions"] if player["list"] else ()


def _name_players(players: Sequence[Document]) -> None:
    """Give players the folded names by which namesakes are distinguished."""
    counts_by_name: Counter[str] = Counter()
    for player in players:
        _fill_in(player, FIRST_PLAYER_VALUES)
        folded_text = player.setdefault("folded_name", fold_name(player["name"]))
        player.setdefault("namesake", counts_by_name[folded_text])
        counts_by_name[folded_text] += 1


def _fill_in(values: Document, absent: Mapping[str, object]) -> None:
    for name, value in absent.items():
        values.setdefault(name, value)


UPGRADES: tuple[Callable[[Document], Document], ...] = (
    _upgrade_1,
    _upgrade_2,
    _upgrade_3,
    _upgrade_4,
    _upgrade_5,
    _upgrade_6,
    _upgrade_7,
    _upgrade_8,
    _upgrade_9,
    _upgrade_10,
    _upgrade_11,
    _upgrade_12,
    _upgrade_13,
    _upgrade_14,
    _upgrade_15,
)
