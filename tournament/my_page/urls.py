"""Addresses of a player's own page."""

from __future__ import annotations

from django.urls import path

from tournament.my_page import api, app_views, report_views, views

public_urlpatterns = [
    path("player-worker.js", app_views.service_worker, name="player_worker"),
    path("offline/", app_views.offline_page, name="offline"),
]

player_urlpatterns = [
    path("<str:token>/", views.home, name="player"),
    path("<str:token>/version", views.version, name="player_version"),
    path("<str:token>/report/", report_views.report, name="player_report"),
    path("<str:token>/confirm/", report_views.confirm, name="player_confirm"),
    path("<str:token>/character/", views.character, name="player_character"),
    path("<str:token>/details/", views.details, name="player_details"),
    path("<str:token>/check-in/", views.check_in, name="player_check_in"),
    path("<str:token>/drop/", views.drop, name="player_drop"),
    path("<str:token>/cut/", views.decline_cut, name="player_cut"),
    path("<str:token>/withdraw/", views.withdraw, name="player_withdraw"),
    path("<str:token>/judge/", views.call_judge, name="player_judge"),
    path("<str:token>/new-link/", views.new_link, name="player_new_link"),
    path("<str:token>/app.webmanifest", app_views.app_manifest, name="player_manifest"),
    path("<str:token>/qr.png", app_views.private_link_qr, name="player_qr"),
]

api_urlpatterns = [
    path("me/<str:token>/", api.OwnStatus.as_view(), name="api_own"),
    path("me/<str:token>/judge-call/", api.OwnCall.as_view(), name="api_own_call"),
    path("me/<str:token>/penalties/", api.OwnPenalties.as_view(), name="api_own_penalties"),
    path("me/<str:token>/result/", api.OwnResult.as_view(), name="api_own_result"),
    path("me/<str:token>/places/", api.OwnPlaces.as_view(), name="api_own_places"),
    path("me/<str:token>/<slug:action>/", api.OwnAction.as_view(), name="api_own_action"),
]
