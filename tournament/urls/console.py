"""Addresses of the console."""

from django.urls import path

from tournament.views import list_days
from tournament.views.console import archive, events, lists, log, players, rounds, staff, standings_system

urlpatterns = [
    path("", events.home, name="console"),
    path("new/", events.choose_format, name="console_new"),
    path("new/<slug:game>/<slug:format_key>/", events.new, name="console_new_event"),
    path("import/", archive.restore, name="console_import"),
    path("<slug:slug>/", events.overview, name="console_event"),
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
    path("<slug:slug>/archive.json", archive.download, name="console_export"),
    path("<slug:slug>/players/", players.players, name="console_players"),
    path("<slug:slug>/players/<int:number>/", players.player, name="console_player"),
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
    path("<slug:slug>/pair/", rounds.pair, name="console_pair"),
    path("<slug:slug>/rounds/<int:stage>/<int:number>/", rounds.show_round, name="console_round"),
    path(
        "<slug:slug>/rounds/<int:stage>/<int:number>/result/",
        rounds.quick_result,
        name="console_quick_result",
    ),
    path(
        "<slug:slug>/rounds/<int:stage>/<int:number>/<slug:action>/",
        rounds.change_draft,
        name="console_draft",
    ),
    path("<slug:slug>/matches/<int:match_id>/result/", rounds.match_result, name="console_match_result"),
    path("<slug:slug>/standings/", rounds.standings, name="console_standings"),
    path("<slug:slug>/cut/", rounds.cut, name="console_cut"),
]
