"""Addresses of standings and groups."""

from __future__ import annotations

from django.urls import path

from tournament.standings import api, views

public_urlpatterns = [
    path("e/<slug:slug>/groups/", views.public_groups, name="groups"),
    path("e/<slug:slug>/boards/", views.public_boards, name="boards"),
    path("e/<slug:slug>/boards.csv", views.boards_csv, name="boards_csv"),
    path("e/<slug:slug>/standings/", views.public_standings, name="standings"),
    path("e/<slug:slug>/standings/<int:number>/", views.public_standings, name="standings_round"),
]

console_urlpatterns = [
    path("<slug:slug>/standings-system/", views.standings_system, name="console_system"),
    path("<slug:slug>/standings/", views.console_standings, name="console_standings"),
]

api_urlpatterns = [
    path("events/<slug:slug>/standings/", api.Standings.as_view(), name="api_standings"),
    path("events/<slug:slug>/standings/system/", api.StandingsSystem.as_view(), name="api_system"),
    path("events/<slug:slug>/standings/outlooks/", api.Outlooks.as_view(), name="api_outlooks"),
    path(
        "events/<slug:slug>/standings/<int:number>/",
        api.TiebreakerCalculations.as_view(),
        name="api_arithmetic",
    ),
    path("events/<slug:slug>/boards/", api.Boards.as_view(), name="api_boards"),
    path("events/<slug:slug>/groups/", api.Groups.as_view(), name="api_groups"),
]
