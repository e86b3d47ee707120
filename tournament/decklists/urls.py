"""Addresses of the decklists of an event."""

from __future__ import annotations

from django.urls import path

from tournament.decklists import api, card_api
from tournament.decklists.views import added_cards, console, player, public

public_urlpatterns = [
    path("e/<slug:slug>/field/", public.event_field, name="field"),
]

console_urlpatterns = [
    path("<slug:slug>/lists/", console.lists, name="console_lists"),
    path("<slug:slug>/lists/field/", public.console_field, name="console_field"),
    path("<slug:slug>/lists/open/", console.open_lists, name="console_open_lists"),
    path("<slug:slug>/lists/cards/", added_cards.cards, name="console_added_cards"),
    path("<slug:slug>/lists/cards/<int:card>/", added_cards.card, name="console_added_card"),
    path("<slug:slug>/lists/cards/<int:card>/remove/", added_cards.remove_card, name="console_remove_card"),
    path("<slug:slug>/lists/<int:number>/", console.player_list, name="console_list"),
    path("<slug:slug>/lists/<int:number>/check/", console.check_typed_list, name="console_list_check"),
    path("<slug:slug>/lists/<int:number>/cards/", console.card_offers, name="console_card_offers"),
    path("<slug:slug>/lists/<int:number>/compare/", console.compare_versions, name="console_list_compare"),
    path("<slug:slug>/lists/<int:number>/exchange/", console.exchange, name="console_exchange"),
    path(
        "<slug:slug>/lists/<int:number>/exchange/<int:check>/back/",
        console.undo_exchange_check,
        name="console_exchange_back",
    ),
    path("<slug:slug>/lists/<int:number>/<int:version>/", console.list_version, name="console_list_version"),
    path(
        "<slug:slug>/lists/<int:number>/<int:version>/overrule/",
        console.overrule_verdict,
        name="console_overrule",
    ),
    path(
        "<slug:slug>/lists/<int:number>/<int:version>/days/",
        console.list_days_for_staff,
        name="console_list_days",
    ),
    path(
        "<slug:slug>/lists/<int:number>/<int:version>/<slug:kind>/",
        console.export_version,
        name="console_list_export",
    ),
]

player_urlpatterns = [
    path("<str:token>/list/", player.deck_list, name="player_list"),
    path("<str:token>/list/check/", player.check_list, name="player_check"),
    path("<str:token>/list/cards/", player.card_offers, name="player_card_offers"),
    path("<str:token>/list/pick/", player.pick_from_pool, name="player_list_pick"),
    path("<str:token>/list/answer/", player.answer_staff, name="player_list_answer"),
    path("<str:token>/list/compare/", player.compare_versions, name="player_list_compare"),
    path("<str:token>/list/<int:number>/", player.list_version, name="player_list_version"),
    path("<str:token>/list/<int:number>/days/", player.list_days_for_player, name="player_list_days"),
    path("<str:token>/list/<int:number>/<slug:kind>/", player.export_version, name="player_list_export"),
    path("<str:token>/lists/<int:number>/", player.opened_list, name="player_opened_list"),
]

api_urlpatterns = [
    path("events/<slug:slug>/cards/", card_api.EventAddedCards.as_view(), name="api_added_cards"),
    path("events/<slug:slug>/cards/<int:card>/", card_api.EventAddedCard.as_view(), name="api_added_card"),
    path("events/<slug:slug>/field/", api.DeckField.as_view(), name="api_field"),
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
    path("me/<str:token>/list/", api.OwnList.as_view(), name="api_own_list"),
    path("me/<str:token>/list/check/", api.OwnListCheck.as_view(), name="api_own_list_check"),
    path("me/<str:token>/list/difference/", api.OwnListDifference.as_view(), name="api_own_list_difference"),
    path("me/<str:token>/list/answer/", api.OwnListAnswer.as_view(), name="api_own_list_answer"),
    path(
        "me/<str:token>/list/<int:version>/files/<slug:kind>/",
        api.OwnListFile.as_view(),
        name="api_own_list_file",
    ),
    path("me/<str:token>/players/<int:number>/list/", api.OwnOpenList.as_view(), name="api_own_open_list"),
]
