"""Addresses of the decklists of an event."""

from __future__ import annotations

from django.urls import path

from tournament.decklists import api, views

console_urlpatterns = [
    path("<slug:slug>/lists/", views.lists, name="console_lists"),
    path("<slug:slug>/lists/open/", views.open_lists, name="console_open_lists"),
    path("<slug:slug>/lists/<int:number>/", views.player_list, name="console_list"),
    path("<slug:slug>/lists/<int:number>/compare/", views.compare_versions, name="console_list_compare"),
    path("<slug:slug>/lists/<int:number>/exchange/", views.exchange, name="console_exchange"),
    path(
        "<slug:slug>/lists/<int:number>/exchange/<int:check>/back/",
        views.undo_exchange_check,
        name="console_exchange_back",
    ),
    path("<slug:slug>/lists/<int:number>/<int:version>/", views.list_version, name="console_list_version"),
    path(
        "<slug:slug>/lists/<int:number>/<int:version>/overrule/",
        views.overrule_verdict,
        name="console_overrule",
    ),
    path(
        "<slug:slug>/lists/<int:number>/<int:version>/days/",
        views.list_days_for_staff,
        name="console_list_days",
    ),
    path(
        "<slug:slug>/lists/<int:number>/<int:version>/<slug:kind>/",
        views.export_version,
        name="console_list_export",
    ),
]

player_urlpatterns = [
    path("<str:token>/list/<int:number>/days/", views.list_days_for_player, name="player_list_days"),
]

api_urlpatterns = [
    path("events/<slug:slug>/lists/", api.EventDecklists.as_view(), name="api_lists"),
    path("events/<slug:slug>/players/<int:number>/list/", api.PlayerList.as_view(), name="api_player_list"),
    path(
        "events/<slug:slug>/players/<int:number>/list/difference/",
        api.PlayerListDifference.as_view(),
        name="api_player_list_difference",
    ),
    path(
        "events/<slug:slug>/players/<int:number>/list/<int:version>/",
        api.PlayerListVersion.as_view(),
        name="api_player_list_version",
    ),
    path(
        "events/<slug:slug>/players/<int:number>/list/<int:version>/ruling/",
        api.PlayerListRuling.as_view(),
        name="api_player_list_ruling",
    ),
    path(
        "events/<slug:slug>/players/<int:number>/list/<int:version>/files/<slug:kind>/",
        api.PlayerListFile.as_view(),
        name="api_player_list_file",
    ),
    path(
        "events/<slug:slug>/players/<int:number>/exchanges/",
        api.PlayerExchanges.as_view(),
        name="api_player_exchanges",
    ),
    path(
        "events/<slug:slug>/players/<int:number>/exchanges/<int:check>/",
        api.PlayerExchange.as_view(),
        name="api_player_exchange",
    ),
    path(
        "events/<slug:slug>/players/<int:number>/open-list/",
        api.PlayerOpenList.as_view(),
        name="api_player_open_list",
    ),
]
