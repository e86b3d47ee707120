"""Addresses of the cards."""

from __future__ import annotations

from django.urls import path

from decks.cards import api, views

public_urlpatterns = [
    path("cards/", views.search_page, name="cards"),
    path("cards/<slug:game>/<str:key>/", views.show_card, name="card"),
]

api_urlpatterns = [
    path("cards/", api.CardSearchView.as_view(), name="api_cards"),
]
