"""Addresses of the deck check."""

from __future__ import annotations

from django.urls import path

from decks.checking import api, rules_pages, views

public_urlpatterns = [
    path("decks/check/", views.deck_check, name="deck_check"),
    path("decks/check/cards/", views.card_offers, name="deck_card_offers"),
    path("decks/check/file/", views.deck_export, name="deck_export"),
    path("rules/<slug:game>/<slug:format_key>/", rules_pages.show_round_sheet, name="round_sheet"),
    path(
        "rules/<slug:game>/<slug:format_key>/<str:old>/<str:new>/",
        rules_pages.compare_versions,
        name="rules_diff",
    ),
]

api_urlpatterns = [
    path("decks/check/", api.CheckView.as_view(), name="api_deck_check"),
]
