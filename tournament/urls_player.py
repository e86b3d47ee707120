"""Addresses behind a player's private link."""

from django.urls import path

from tournament.decklists import views as list_days
from tournament.my_page import views as player
from tournament.my_page import views_lists as player_lists

urlpatterns = [
    path("<str:token>/", player.home, name="player"),
    path("<str:token>/list/", player_lists.deck_list, name="player_list"),
    path("<str:token>/list/check/", player_lists.check_list, name="player_check"),
    path("<str:token>/list/pick/", player_lists.pick_from_pool, name="player_list_pick"),
    path("<str:token>/list/answer/", player_lists.answer_staff, name="player_list_answer"),
    path("<str:token>/list/compare/", player_lists.compare_versions, name="player_list_compare"),
    path("<str:token>/list/<int:number>/", player_lists.list_version, name="player_list_version"),
    path("<str:token>/list/<int:number>/days/", list_days.list_days_for_player, name="player_list_days"),
    path(
        "<str:token>/list/<int:number>/<slug:kind>/", player_lists.export_version, name="player_list_export"
    ),
    path("<str:token>/lists/<int:number>/", player_lists.opened_list, name="player_opened_list"),
    path("<str:token>/report/", player.report, name="player_report"),
    path("<str:token>/confirm/", player.confirm, name="player_confirm"),
    path("<str:token>/character/", player.character, name="player_character"),
    path("<str:token>/check-in/", player.check_in, name="player_check_in"),
    path("<str:token>/drop/", player.drop, name="player_drop"),
    path("<str:token>/cut/", player.decline_cut, name="player_cut"),
    path("<str:token>/withdraw/", player.withdraw, name="player_withdraw"),
    path("<str:token>/judge/", player.call_judge, name="player_judge"),
    path("<str:token>/new-link/", player.new_link, name="player_new_link"),
    path("<str:token>/app.webmanifest", player.app_manifest, name="player_manifest"),
    path("<str:token>/qr.png", player.private_link_qr, name="player_qr"),
]
