"""Addresses behind a player's private link."""

from django.urls import path

from tournament.decklists.views import days as list_days
from tournament.my_page.views import home as player
from tournament.my_page.views import judge_call as player_judge
from tournament.my_page.views import lists as player_lists
from tournament.my_page.views import phone_app as phone

urlpatterns = [
    path("<str:token>/", player.home, name="player"),
    path("<str:token>/list/", player_lists.deck_list, name="player_list"),
    path("<str:token>/list/check/", player_lists.check, name="player_check"),
    path("<str:token>/list/pick/", player_lists.pick, name="player_list_pick"),
    path("<str:token>/list/answer/", player_lists.answer, name="player_list_answer"),
    path("<str:token>/list/compare/", player_lists.compare, name="player_list_compare"),
    path("<str:token>/list/<int:number>/", player_lists.version, name="player_list_version"),
    path("<str:token>/list/<int:number>/days/", list_days.of_player, name="player_list_days"),
    path("<str:token>/list/<int:number>/<slug:kind>/", player_lists.export, name="player_list_export"),
    path("<str:token>/lists/<int:number>/", player_lists.opened_list, name="player_opened_list"),
    path("<str:token>/report/", player.report, name="player_report"),
    path("<str:token>/confirm/", player.confirm, name="player_confirm"),
    path("<str:token>/character/", player.character, name="player_character"),
    path("<str:token>/check-in/", player.check_in, name="player_check_in"),
    path("<str:token>/drop/", player.drop, name="player_drop"),
    path("<str:token>/cut/", player.cut, name="player_cut"),
    path("<str:token>/withdraw/", player.withdraw, name="player_withdraw"),
    path("<str:token>/judge/", player_judge.call_judge, name="player_judge"),
    path("<str:token>/new-link/", player.new_link, name="player_new_link"),
    path("<str:token>/app.webmanifest", phone.manifest, name="player_manifest"),
    path("<str:token>/qr.png", player.qr, name="player_qr"),
]
