"""The steps of one player by name, for staff and for the player."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tournament.access.permissions import Actor
from tournament.brackets.services import cut as cut_services
from tournament.events.models.player import Player
from tournament.registration import services as registration
from tournament.registration.services.entry import MISSED_AS_BYE
from tournament.results.services import drops

PlayerStep = Callable[[Player, Actor, str], Any]

PLAYER_ACTIONS: dict[str, PlayerStep] = {
    "check-in": lambda p, a, why: registration.check_in(p, a),
    "undo-check-in": lambda p, a, why: registration.undo_check_in(p, a),
    "withdraw": lambda p, a, why: registration.withdraw(p, a),
    "restore": lambda p, a, why: registration.undo_withdrawal(p, a),
    "drop": lambda p, a, why: registration.drop(p, a, reason=why),
    "undo-drop": lambda p, a, why: registration.undo_drop(p, a),
    "let-in": lambda p, a, why: registration.admit_player(p, a),
    "let-in-with-byes": lambda p, a, why: registration.admit_player(p, a, missed_handling=MISSED_AS_BYE),
    "paid": lambda p, a, why: registration.mark_paid(p, a),
    "unpaid": lambda p, a, why: registration.mark_paid(p, a, has_paid=False),
    "leave-now": lambda p, a, why: drops.drop(p, a, reason=why, open_match_policy=drops.OpenMatchPolicy.WIN),
    "decline-cut": lambda p, a, why: cut_services.decline_cut(p, a),
    "accept-cut": lambda p, a, why: cut_services.decline_cut(p, a, has_declined=False),
}

OWN_ACTIONS: dict[str, PlayerStep] = {
    name: PLAYER_ACTIONS[name]
    for name in (
        "check-in",
        "withdraw",
        "restore",
        "drop",
        "leave-now",
        "undo-drop",
        "decline-cut",
        "accept-cut",
    )
}
