"""Whole sentences that tests look for on purpose, in one place.

No code or context holds these facts.
"""

from __future__ import annotations

CUT_IS_MADE = "The cut is made."
EVENT_IS_OVER = "The event is over"
NO_DECKLIST = "You submitted no decklist. Ask the organizer."
PASSWORD_CHANGED = "The password of your account was changed."
REGISTER_DURING_CHECK_IN = "Check-in is open. You can still register."
ROUND_1_APPEARS = "Round 1 appears here as soon as staff publish it."
VERDICT_APPEARS = "The verdict appears here while you type."

# The publish box of a ban list promises what the recheck then does.
IS_CHECKED_AGAIN = "Decklists of upcoming events from that day are checked again."
IS_NOTIFIED = "Their organizers are notified, and each player whose verdict changes."
KEEPS_VERDICT = "Locked decklists and decklists of started events keep their verdict."

# A message must be true in the state in which it appears.
ELIMINATED_UNLESS_DROP = "You are eliminated from the cut, unless a player drops."
ELIMINATED_UNLESS_LOSSES = (
    "You are eliminated from the cut, unless a player drops or both players lose a match."
)
LATE_REGISTRATION = {
    "preparing": "Registration is not open yet.",
    "swiss": "The organizer can still add you between rounds or during a round.",
    "cut": "The bracket is in progress.",
    "finished": "The event is over.",
}
