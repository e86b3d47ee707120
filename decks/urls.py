"""Addresses of lists and cards, collected from the rooms."""

from __future__ import annotations

from django.urls import include, path

from decks.shared.addresses import collect_patterns

# Django takes the first pattern that fits: rechecks have `lists/rechecks/`, editions `lists/<slug:game>/`.
ROOMS = ("decks.checking", "decks.cards", "decks.catalogue", "decks.rechecks", "decks.editions")

urlpatterns = [
    path("api/", include(collect_patterns(ROOMS, "api_urlpatterns"))),
    path("", include(collect_patterns(ROOMS, "public_urlpatterns"))),
]
