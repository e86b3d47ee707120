"""Labels of the kinds of steps whose code does not use the words of the glossary."""

from __future__ import annotations

from django.utils.translation import pgettext_lazy

from rules.rendering import translate_text

LABELS = {
    "walkover": pgettext_lazy("kind of step", "Forfeit win"),
    "bracket_match_fell": pgettext_lazy("kind of step", "Bracket match removed"),
    "cut_made_again": pgettext_lazy("kind of step", "Cut re-made"),
    "exchange_checked": pgettext_lazy("kind of step", "Sideboarding checked"),
    "exchange_check_taken_back": pgettext_lazy("kind of step", "Sideboarding check undone"),
    "list_submitted": pgettext_lazy("kind of step", "Decklist submitted"),
    "list_answered": pgettext_lazy("kind of step", "Decklist answered"),
    "card_added": pgettext_lazy("kind of step", "Card added for the event"),
    "card_changed": pgettext_lazy("kind of step", "Card of the event changed"),
    "card_removed": pgettext_lazy("kind of step", "Card of the event removed"),
    "lists_opened": pgettext_lazy("kind of step", "Decklists opened"),
    "lists_checked_again": pgettext_lazy("kind of step", "Decklists checked again"),
    "call_taken": pgettext_lazy("kind of step", "Judge call taken"),
    "call_closed": pgettext_lazy("kind of step", "Judge call resolved"),
    "deck_check_begun": pgettext_lazy("kind of step", "Deck check started"),
    "deck_check_called_off": pgettext_lazy("kind of step", "Deck check canceled"),
    "penalty_taken_back": pgettext_lazy("kind of step", "Penalty undone"),
    "seeded_by_season": pgettext_lazy("kind of step", "Seeded from a league"),
    "restored": pgettext_lazy("kind of step", "Rolled back"),
    "round_paired_again": pgettext_lazy("kind of step", "Round re-paired"),
    "draft_thrown_away": pgettext_lazy("kind of step", "Draft discarded by staff"),
    "draft_paired_again": pgettext_lazy("kind of step", "Draft re-paired"),
    "pairing_facts_changed": pgettext_lazy("kind of step", "Pairing preferences changed"),
    "pair_forbidden": pgettext_lazy("kind of step", "Pairing blocked"),
    "pair_allowed": pgettext_lazy("kind of step", "Pairing allowed"),
    "paper_chosen": pgettext_lazy("kind of step", "Paper size chosen"),
    "player_let_in": pgettext_lazy("kind of step", "Late player added"),
    "check_in_undone": pgettext_lazy("kind of step", "Check-in undone"),
    "missing_dropped": pgettext_lazy("kind of step", "No-shows dropped"),
    "link_renewed": pgettext_lazy("kind of step", "Private link created"),
    "link_sent": pgettext_lazy("kind of step", "Private link sent"),
    "moved_up": pgettext_lazy("kind of step", "Waiting player moved up"),
    "time_answered": pgettext_lazy("kind of step", "Time rules applied"),
    "round_kept": pgettext_lazy("kind of step", "Pairings kept"),
    "round_match_cancelled": pgettext_lazy("kind of step", "Round match canceled"),
    "result_agreed": pgettext_lazy("kind of step", "Result confirmed"),
    "phase_registration": pgettext_lazy("kind of step", "Registration opened"),
    "phase_check_in": pgettext_lazy("kind of step", "Check-in opened"),
    "handed_over": pgettext_lazy("kind of step", "Ownership transferred"),
    "screen_changed": pgettext_lazy("kind of step", "Venue screen changed"),
    "standings_system_changed": pgettext_lazy("kind of step", "Scoring system changed"),
}


def format_action(action: str) -> str:
    """Name a kind of step as a person reads it: result_entered is “Result entered”."""
    return str(LABELS[action]) if action in LABELS else translate_text(spell_action(action))


def spell_action(action: str) -> str:
    """Spell a code as words: result_entered is “Result entered”."""
    return action.replace("_", " ").replace("-", " ").capitalize()
