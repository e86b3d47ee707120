"""Addresses of the open pages about lists and cards."""

from __future__ import annotations

from django.urls import path

from decks import api, views

urlpatterns = [
    path("decks/check/", views.deck_check, name="deck_check"),
    path("cards/", views.cards, name="cards"),
    path("cards/<slug:game>/<str:key>/", views.card, name="card"),
    path("api/decks/check/", api.CheckView.as_view(), name="api_deck_check"),
    path("api/cards/", api.CardSearchView.as_view(), name="api_cards"),
]
