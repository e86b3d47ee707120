"""Addresses of players and check-in."""

from __future__ import annotations

from django.urls import path

from tournament.registration import api
from tournament.registration.views import console, player_tables, public

public_urlpatterns = [
    path("B/<slug:slug>/<int:number>", public.badge, name="badge"),
    path("e/<slug:slug>/register/", public.register, name="register"),
    path("e/<slug:slug>/me/", public.go_to_my_page, name="my_page"),
    path("e/<slug:slug>/register.png", public.register_qr_code, name="register_code"),
    path("e/<slug:slug>/players/", public.players, name="players"),
    path("e/<slug:slug>/players/<int:number>/badge.png", public.badge_qr_code, name="badge_code"),
]

console_urlpatterns = [
    path("<slug:slug>/check-in/", console.check_in, name="console_check_in"),
    path("<slug:slug>/check-in/scan/", console.scan_badges, name="console_scan"),
    path("<slug:slug>/check-in/missing/", console.drop_no_shows, name="console_drop_missing"),
    path("<slug:slug>/check-in/<int:number>/", console.check_in_player, name="console_check_in_one"),
    path("<slug:slug>/players.csv", player_tables.export_players, name="console_players_csv"),
    path("<slug:slug>/players/import/", player_tables.import_players, name="console_players_import"),
    path(
        "<slug:slug>/players/import/<uuid:job_id>/",
        player_tables.import_job,
        name="console_players_import_job",
    ),
    path("<slug:slug>/players/doubles/", console.duplicates, name="console_doubles"),
    path("<slug:slug>/players/", console.players, name="console_players"),
    path("<slug:slug>/players/<int:number>/", console.player, name="console_player"),
    path("<slug:slug>/players/<int:number>/return/", console.show_return, name="console_return"),
    path(
        "<slug:slug>/players/<int:number>/character/", console.save_character, name="console_player_character"
    ),
    path(
        "<slug:slug>/players/<int:number>/<slug:action>/", console.player_action, name="console_player_action"
    ),
]

api_urlpatterns = [
    path("events/<slug:slug>/register/", api.Registration.as_view(), name="api_register"),
    path("events/<slug:slug>/players/", api.Players.as_view(), name="api_players"),
    path("events/<slug:slug>/players/missing/", api.NotCheckedInPlayers.as_view(), name="api_missing"),
    path("events/<slug:slug>/players/table/", api.PlayerTable.as_view(), name="api_player_table"),
    path("events/<slug:slug>/players/<int:number>/merge/", api.PlayerMerge.as_view(), name="api_merge"),
    path("events/<slug:slug>/players/<int:number>/", api.OnePlayer.as_view(), name="api_player"),
    path(
        "events/<slug:slug>/players/<int:number>/private-link/",
        api.PrivateLink.as_view(),
        name="api_private_link",
    ),
    path(
        "events/<slug:slug>/players/<int:number>/<slug:action>/",
        api.PlayerAction.as_view(),
        name="api_player_action",
    ),
]
