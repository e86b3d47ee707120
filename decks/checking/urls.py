"""Addresses of the deck check."""

from __future__ import annotations

from django.urls import path

from decks.checking import api, views

public_urlpatterns = [
    path("decks/check/", views.deck_check, name="deck_check"),
    path("decks/check/file/", views.deck_export, name="deck_export"),
]

api_urlpatterns = [
    path("decks/check/", api.CheckView.as_view(), name="api_deck_check"),
]
