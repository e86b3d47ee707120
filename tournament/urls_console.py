"""Addresses of the console."""

from django.urls import path

from tournament.archive import views as archive
from tournament.brackets import views as brackets_console
from tournament.clock import views as clock
from tournament.closing import views as closing_views
from tournament.decklists import views as lists
from tournament.desk import views
from tournament.log import views as log
from tournament.pairing import views as pairing_views
from tournament.registration.views import console
from tournament.results import views as results
from tournament.screens import views as screens_views
from tournament.setup import views as events
from tournament.staff import views as staff
from tournament.standings import views as standings_views

urlpatterns = [
    path("", views.home, name="console"),
    path("new/", events.choose_format, name="console_new"),
    path("new/<slug:game>/<slug:format_key>/", events.new_event, name="console_new_event"),
    path("import/", archive.restore, name="console_import"),
    path("<slug:slug>/", views.overview, name="console_event"),
    path("<slug:slug>/settings/", events.event_settings, name="console_settings"),
    path("<slug:slug>/rules/", events.local_rules, name="console_rules"),
    path("<slug:slug>/standings-system/", standings_views.standings_system, name="console_system"),
    path("<slug:slug>/step/<slug:step>/", events.event_step, name="console_step"),
    path("<slug:slug>/start/", events.start_event, name="console_start"),
    path("<slug:slug>/log/", log.log, name="console_log"),
    path("<slug:slug>/log/<int:entry>/", log.entry, name="console_log_entry"),
    path("<slug:slug>/log/<int:entry>/undo/", log.take_back, name="console_undo"),
    path("<slug:slug>/rounds/<int:stage>/<int:number>/restore/", log.restore, name="console_restore"),
    path("<slug:slug>/staff/", staff.show_staff, name="console_staff"),
    path("<slug:slug>/staff/<int:role>/<slug:action>/", staff.change_staff_role, name="console_staff_change"),
    path("<slug:slug>/invitations/<int:invitation>/revoke/", staff.revoke, name="console_revoke"),
    path("<slug:slug>/prizes/", closing_views.prizes, name="console_prizes"),
    path("<slug:slug>/archive.json", archive.download, name="console_export"),
    path("<slug:slug>/check-in/", console.check_in, name="console_check_in"),
    path("<slug:slug>/check-in/scan/", console.scan_badges, name="console_scan"),
    path("<slug:slug>/check-in/missing/", console.drop_no_shows, name="console_drop_missing"),
    path("<slug:slug>/check-in/<int:number>/", console.check_in_player, name="console_check_in_one"),
    path("<slug:slug>/players.csv", console.export_players, name="console_players_csv"),
    path("<slug:slug>/players/import/", console.import_players, name="console_players_import"),
    path("<slug:slug>/players/doubles/", console.duplicates, name="console_doubles"),
    path("<slug:slug>/players/", console.players, name="console_players"),
    path("<slug:slug>/players/<int:number>/", console.player, name="console_player"),
    path("<slug:slug>/players/<int:number>/leave/", results.drop_mid_round, name="console_leave"),
    path(
        "<slug:slug>/players/<int:number>/pairing/",
        pairing_views.edit_player_facts,
        name="console_player_pairing",
    ),
    path(
        "<slug:slug>/players/<int:number>/<slug:action>/", console.player_action, name="console_player_action"
    ),
    path("<slug:slug>/lists/", lists.lists, name="console_lists"),
    path("<slug:slug>/lists/open/", lists.open_lists, name="console_open_lists"),
    path("<slug:slug>/lists/<int:number>/", lists.player_list, name="console_list"),
    path("<slug:slug>/lists/<int:number>/compare/", lists.compare_versions, name="console_list_compare"),
    path("<slug:slug>/lists/<int:number>/exchange/", lists.exchange, name="console_exchange"),
    path(
        "<slug:slug>/lists/<int:number>/exchange/<int:check>/back/",
        lists.undo_exchange_check,
        name="console_exchange_back",
    ),
    path("<slug:slug>/lists/<int:number>/<int:version>/", lists.list_version, name="console_list_version"),
    path(
        "<slug:slug>/lists/<int:number>/<int:version>/overrule/",
        lists.overrule_verdict,
        name="console_overrule",
    ),
    path(
        "<slug:slug>/lists/<int:number>/<int:version>/days/",
        lists.list_days_for_staff,
        name="console_list_days",
    ),
    path(
        "<slug:slug>/lists/<int:number>/<int:version>/<slug:kind>/",
        lists.export_version,
        name="console_list_export",
    ),
    path("<slug:slug>/stages/", events.stage_plan, name="console_stages"),
    path("<slug:slug>/stages/next/", events.next_stage, name="console_next_stage"),
    path("<slug:slug>/pairing/", events.pairing_options, name="console_pairing"),
    path("<slug:slug>/pairing/season/", events.seed_by_season, name="console_season_seeds"),
    path("<slug:slug>/pairing/forbid/", events.forbid_pair, name="console_forbid"),
    path("<slug:slug>/pairing/allow/<int:pair>/", events.allow_pair, name="console_allow"),
    path("<slug:slug>/pair/", pairing_views.pair_round, name="console_pair"),
    path("<slug:slug>/rounds/<int:stage>/<int:number>/", pairing_views.show_round, name="console_round"),
    path(
        "<slug:slug>/rounds/<int:stage>/<int:number>/result/",
        results.quick_result,
        name="console_quick_result",
    ),
    path(
        "<slug:slug>/rounds/<int:stage>/<int:number>/<slug:action>/",
        pairing_views.change_draft,
        name="console_draft",
    ),
    path("<slug:slug>/tables/", results.show_open_tables, name="console_tables"),
    path("<slug:slug>/matches/<int:match_id>/", results.show_match, name="console_match"),
    path("<slug:slug>/matches/<int:match_id>/result/", results.match_result, name="console_match_result"),
    path("<slug:slug>/matches/<int:match_id>/correction/", results.correct_result, name="console_correction"),
    path("<slug:slug>/matches/<int:match_id>/time/", results.table_at_time, name="console_time"),
    path("<slug:slug>/clock/", clock.show_clock, name="console_clock"),
    path("<slug:slug>/clock/settings/", clock.clock_settings, name="console_clock_settings"),
    path("<slug:slug>/clock/<slug:act>/", clock.run_clock_action, name="console_clock_act"),
    path("<slug:slug>/screen/", screens_views.screen_settings, name="console_screen"),
    path("<slug:slug>/standings/", standings_views.console_standings, name="console_standings"),
    path("<slug:slug>/cut/", brackets_console.console_cut, name="console_cut"),
]
