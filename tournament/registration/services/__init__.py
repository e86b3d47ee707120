"""Write players: entry, details, check-in, drops, duplicates, import, emails."""

from tournament.registration.services.attendance import (
    check_in,
    drop_no_shows,
    undo_check_in,
    undo_drop,
    undo_withdrawal,
    withdraw,
)
from tournament.registration.services.details import (
    answer_fields,
    change_details,
    declare_character,
    mark_paid,
)
from tournament.registration.services.duplicates import merge_players
from tournament.registration.services.entry import add_player, admit_player, register, register_by_email
from tournament.registration.services.validation import OPEN_PHASES
from tournament.results.services.drops import drop

__all__ = [
    "OPEN_PHASES",
    "add_player",
    "admit_player",
    "answer_fields",
    "change_details",
    "check_in",
    "declare_character",
    "drop",
    "drop_no_shows",
    "mark_paid",
    "merge_players",
    "register",
    "register_by_email",
    "undo_check_in",
    "undo_drop",
    "undo_withdrawal",
    "withdraw",
]
