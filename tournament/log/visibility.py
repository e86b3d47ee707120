"""The parts of the log that a person may read.

Steps of judges and of decklists need their rights.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tournament.access.permissions import Right
from tournament.log.changes import ChangeData, iter_row_changes
from tournament.log.models import LogEntry

RIGHT_BY_TABLE: Mapping[str, Right] = {
    **dict.fromkeys(("penalty", "checkdraw", "deckcheck", "judgecall", "tableruling"), Right.JUDGE),
    **dict.fromkeys(("deckversion", "exchangecheck", "ruling", "listanswer", "listnotice"), Right.LISTS),
}

# A name before its correction is for who may correct it.
RIGHT_BY_COLUMN: Mapping[tuple[str, str], Right] = {
    ("player", name): Right.PLAYERS for name in ("email", "members", "name")
}

RIGHT_BY_ACTION: Mapping[str, Right] = {
    **dict.fromkeys(
        (
            "call_closed", "call_taken", "deck_check_begun", "deck_check_called_off", "deck_check_reopened",
            "deck_checked", "deck_checks_drawn", "judge_called", "penalty_given", "penalty_taken_back",
            "ruled",
        ),
        Right.JUDGE,
    ),
    **dict.fromkeys(
        ("exchange_check_taken_back", "exchange_checked", "list_answered", "verdict_overruled"), Right.LISTS
    ),
}  # fmt: skip

HIDDEN_CODES: Mapping[Right, str] = {Right.JUDGE: "hidden.judge", Right.LISTS: "hidden.lists"}

HIDDEN_ACTION = "hidden"

UNDO_ACTIONS = frozenset({"undone", "redone"})

Rights = frozenset[Right]


def hide_steps(entries: Iterable[LogEntry], targets: Mapping[int, LogEntry | None], rights: Rights) -> None:
    """Take facts and reason off entries where the rights to read them are missing.

    An undo needs what the step it undid needs (`targets`, by the undo's id), and what its rows need. At most
    one query.
    """
    shown_entries = list(entries)
    undo_ids = [entry.pk for entry in shown_entries if entry.action in UNDO_ACTIONS]
    undos = LogEntry.objects.filter(pk__in=undo_ids).values_list("pk", "changes") if undo_ids else ()
    undone_changes = dict(undos)
    for entry in shown_entries:
        target = targets.get(entry.pk)
        actions = {entry.action, target.action if target else ""}
        missing_right = _find_missing_right(actions, undone_changes.get(entry.pk, ()), rights)
        if missing_right is not None:
            entry.action, _, entry.variant = HIDDEN_CODES[missing_right].partition(".")
            entry.params, entry.reason = {}, ""


def is_hidden(entry: LogEntry) -> bool:
    """Return whether facts and reason of the entry were taken away."""
    return entry.action == HIDDEN_ACTION


def _find_missing_right(
    actions: Iterable[str], undone_changes: Iterable[ChangeData], rights: Rights
) -> Right | None:
    needed_rights = {RIGHT_BY_ACTION.get(action) for action in actions}
    needed_rights |= {RIGHT_BY_TABLE.get(change.table) for change in iter_row_changes(undone_changes)}
    return min((right for right in needed_rights if right and right not in rights), default=None)


def list_hidden_actions(rights: Rights) -> list[str]:
    """Return the kinds of steps that someone with these rights cannot read."""
    return [action for action, right in RIGHT_BY_ACTION.items() if right not in rights]


def can_read_table(table: str, rights: Rights) -> bool:
    """Return whether the rows of a table are shown to someone with these rights."""
    right = RIGHT_BY_TABLE.get(table)
    return right is None or right in rights


def can_read_column(table: str, column: str, rights: Rights) -> bool:
    """Return whether a column is shown, too."""
    right = RIGHT_BY_COLUMN.get((table, column))
    return right is None or right in rights
