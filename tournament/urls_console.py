"""Addresses of the console."""

from django.urls import path

from tournament.archive import views as archive
from tournament.brackets.views import console as brackets_console
from tournament.clock import views as clock
from tournament.closing.views import prizes
from tournament.decklists.views import console as lists
from tournament.decklists.views import days as list_days
from tournament.desk import views
from tournament.log import views as log
from tournament.pairing.views import drafts, rounds
from tournament.pairing.views import player_facts as pairing
from tournament.registration.views import check_in, player_table, players
from tournament.results.views import console as results
from tournament.results.views import leaving, time_called
from tournament.screens import views_console
from tournament.setup.views import event as events
from tournament.setup.views import pairing as setup_pairing
from tournament.setup.views import plan as stages
from tournament.staff import views as staff
from tournament.standings.views import console
from tournament.standings.views import system as standings_system

urlpatterns = [
    path("", views.home, name="console"),
    path("new/", events.choose_format, name="console_new"),
    path("new/<slug:game>/<slug:format_key>/", events.new, name="console_new_event"),
    path("import/", archive.restore, name="console_import"),
    path("<slug:slug>/", views.overview, name="console_event"),
    path("<slug:slug>/settings/", events.settings, name="console_settings"),
    path("<slug:slug>/rules/", events.local_rules, name="console_rules"),
    path("<slug:slug>/standings-system/", standings_system.standings_system, name="console_system"),
    path("<slug:slug>/step/<slug:step>/", events.take_step, name="console_step"),
    path("<slug:slug>/start/", events.start, name="console_start"),
    path("<slug:slug>/log/", log.log, name="console_log"),
    path("<slug:slug>/log/<int:entry>/", log.entry, name="console_log_entry"),
    path("<slug:slug>/log/<int:entry>/undo/", log.take_back, name="console_undo"),
    path("<slug:slug>/rounds/<int:stage>/<int:number>/restore/", log.restore, name="console_restore"),
    path("<slug:slug>/staff/", staff.staff, name="console_staff"),
    path("<slug:slug>/staff/<int:role>/<slug:action>/", staff.change, name="console_staff_change"),
    path("<slug:slug>/invitations/<int:invitation>/revoke/", staff.revoke, name="console_revoke"),
    path("<slug:slug>/prizes/", prizes.prizes, name="console_prizes"),
    path("<slug:slug>/archive.json", archive.download, name="console_export"),
    path("<slug:slug>/check-in/", check_in.check_in, name="console_check_in"),
    path("<slug:slug>/check-in/scan/", check_in.scan, name="console_scan"),
    path("<slug:slug>/check-in/missing/", check_in.drop_missing, name="console_drop_missing"),
    path("<slug:slug>/check-in/<int:number>/", check_in.one, name="console_check_in_one"),
    path("<slug:slug>/players.csv", player_table.export, name="console_players_csv"),
    path("<slug:slug>/players/import/", player_table.read_in, name="console_players_import"),
    path("<slug:slug>/players/doubles/", players.doubles, name="console_doubles"),
    path("<slug:slug>/players/", players.players, name="console_players"),
    path("<slug:slug>/players/<int:number>/", players.player, name="console_player"),
    path("<slug:slug>/players/<int:number>/leave/", leaving.leave, name="console_leave"),
    path("<slug:slug>/players/<int:number>/pairing/", pairing.player_facts, name="console_player_pairing"),
    path("<slug:slug>/players/<int:number>/<slug:action>/", players.act, name="console_player_action"),
    path("<slug:slug>/lists/", lists.lists, name="console_lists"),
    path("<slug:slug>/lists/open/", lists.open_lists, name="console_open_lists"),
    path("<slug:slug>/lists/<int:number>/", lists.deck_list, name="console_list"),
    path("<slug:slug>/lists/<int:number>/compare/", lists.compare, name="console_list_compare"),
    path("<slug:slug>/lists/<int:number>/exchange/", lists.exchange, name="console_exchange"),
    path(
        "<slug:slug>/lists/<int:number>/exchange/<int:check>/back/",
        lists.exchange_back,
        name="console_exchange_back",
    ),
    path("<slug:slug>/lists/<int:number>/<int:version>/", lists.version, name="console_list_version"),
    path("<slug:slug>/lists/<int:number>/<int:version>/overrule/", lists.overrule, name="console_overrule"),
    path(
        "<slug:slug>/lists/<int:number>/<int:version>/days/",
        list_days.of_staff,
        name="console_list_days",
    ),
    path(
        "<slug:slug>/lists/<int:number>/<int:version>/<slug:kind>/",
        lists.export,
        name="console_list_export",
    ),
    path("<slug:slug>/stages/", stages.plan, name="console_stages"),
    path("<slug:slug>/stages/next/", stages.next_stage, name="console_next_stage"),
    path("<slug:slug>/pairing/", setup_pairing.options, name="console_pairing"),
    path("<slug:slug>/pairing/season/", setup_pairing.seed_by_season, name="console_season_seeds"),
    path("<slug:slug>/pairing/forbid/", setup_pairing.forbid, name="console_forbid"),
    path("<slug:slug>/pairing/allow/<int:pair>/", setup_pairing.allow, name="console_allow"),
    path("<slug:slug>/pair/", rounds.pair, name="console_pair"),
    path("<slug:slug>/rounds/<int:stage>/<int:number>/", rounds.show_round, name="console_round"),
    path(
        "<slug:slug>/rounds/<int:stage>/<int:number>/result/",
        results.quick_result,
        name="console_quick_result",
    ),
    path(
        "<slug:slug>/rounds/<int:stage>/<int:number>/<slug:action>/",
        drafts.change,
        name="console_draft",
    ),
    path("<slug:slug>/tables/", results.tables, name="console_tables"),
    path("<slug:slug>/matches/<int:match_id>/", results.table, name="console_match"),
    path("<slug:slug>/matches/<int:match_id>/result/", results.match_result, name="console_match_result"),
    path("<slug:slug>/matches/<int:match_id>/correction/", results.correction, name="console_correction"),
    path("<slug:slug>/matches/<int:match_id>/time/", time_called.table_at_time, name="console_time"),
    path("<slug:slug>/clock/", clock.show_clock, name="console_clock"),
    path("<slug:slug>/clock/settings/", clock.settings, name="console_clock_settings"),
    path("<slug:slug>/clock/<slug:act>/", clock.act, name="console_clock_act"),
    path("<slug:slug>/screen/", views_console.screen, name="console_screen"),
    path("<slug:slug>/standings/", console.standings, name="console_standings"),
    path("<slug:slug>/cut/", brackets_console.cut, name="console_cut"),
]
