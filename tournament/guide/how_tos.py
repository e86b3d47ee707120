"""The how-to guide of each page of staff, by the name of its address."""

from __future__ import annotations

from collections.abc import Mapping

from tournament.guide.selectors import GuidePage, find_page

VIEWS_BY_HOW_TO: Mapping[str, tuple[str, ...]] = {
    "organizers/create-an-event": ("console", "console_new", "console_new_event", "console_settings"),
    "organizers/move-an-event": ("console_import",),
    "organizers/copy-an-event": ("console_copy",),
    "organizers/archive-or-delete-an-event": ("console_archive", "console_delete"),
    "organizers/choose-the-structure": ("console_stages", "console_extra_round"),
    "organizers/set-points-and-tiebreakers": ("console_system",),
    "organizers/set-up-pairings-and-tables": ("console_pairing", "console_player_pairing"),
    "organizers/add-local-rules": ("console_rules",),
    "organizers/start-the-event": ("console_event",),
    "organizers/open-registration": ("console_players", "console_doubles"),
    "organizers/import-players": ("console_players_import", "console_players_import_job"),
    "organizers/collect-decklists": ("console_lists", "console_field"),
    "organizers/add-cards-for-an-event": ("console_added_cards", "console_added_card"),
    "organizers/set-up-the-round-timer": ("console_clock_settings",),
    "organizers/show-the-venue-screen": ("console_screen",),
    "organizers/run-a-booster-draft": ("console_pods",),
    "organizers/share-an-event": ("console_embedding",),
    "organizers/change-a-published-round": ("console_round_change", "console_round_changed"),
    "organizers/make-the-cut": ("console_cut",),
    "organizers/announce-prizes": ("console_prizes",),
    "organizers/manage-staff": ("console_staff",),
    "organizers/replace-a-private-link": ("console_player",),
    "organizers/remove-personal-data": ("console_remove_data",),
    "organizers/secure-your-account": ("account", "mfa_index"),
    "organizers/run-a-league": ("leagues", "league_new", "league_edit"),
    "organizers/import-cards": ("catalogue", "catalogue_import"),
    "organizers/publish-a-ban-list": (
        "lists_game",
        "list_draft",
        "list_entry_new",
        "list_entry",
        "list_would_break",
    ),
    "organizers/read-a-document": ("list_document",),
    "organizers/judge-a-list-on-another-day": ("console_list_days",),
    "scorekeepers/check-players-in": ("console_check_in", "console_scan", "console_check_in_one"),
    "scorekeepers/pair-a-round": ("console_standings",),
    "scorekeepers/enter-results": ("console_round", "console_tables", "console_match"),
    "scorekeepers/correct-a-result": ("console_correction", "console_match_result"),
    "scorekeepers/drop-a-player": ("console_leave", "console_return"),
    "scorekeepers/run-the-clock": ("console_clock",),
    "scorekeepers/print-sheets": ("console_print",),
    "scorekeepers/undo-a-step": ("console_log", "console_log_entry", "console_undo", "console_restore"),
    "judges/find-a-table": ("judge", "judge_find", "judge_table", "judge_lists", "judge_player"),
    "judges/answer-a-judge-call": ("judge_call",),
    "judges/check-a-deck": ("judge_checks", "judge_check"),
    "judges/give-a-penalty": ("judge_penalty", "judge_penalties"),
    "judges/check-an-exchange": ("console_exchange",),
    "judges/correct-a-decklist": ("console_list", "console_list_compare", "console_list_version"),
    "judges/settle-a-match-at-time": ("console_time",),
}
HOW_TO_BY_VIEW = {view: how_to for how_to, views in VIEWS_BY_HOW_TO.items() for view in views}


def find_how_to(view_name: str) -> GuidePage | None:
    """Return the how-to guide of a page; None if there is none."""
    how_to = HOW_TO_BY_VIEW.get(view_name)
    return find_page(f"how-to/{how_to}") if how_to else None
