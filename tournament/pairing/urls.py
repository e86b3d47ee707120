"""Addresses of rounds and pairings."""

from __future__ import annotations

from django.urls import path

from tournament.pairing import api, views

public_urlpatterns = [
    path("e/<slug:slug>/pairings/", views.public_pairings, name="pairings"),
    path("e/<slug:slug>/pairings/<int:number>/", views.public_pairings, name="pairings_round"),
    path("e/<slug:slug>/matches/<int:match_id>/", views.public_match, name="match"),
]

console_urlpatterns = [
    path("<slug:slug>/players/<int:number>/pairing/", views.edit_player_facts, name="console_player_pairing"),
    path("<slug:slug>/pair/", views.pair_round, name="console_pair"),
    path(
        "<slug:slug>/rounds/<int:stage>/<int:number>/<slug:action>/", views.change_draft, name="console_draft"
    ),
]

api_urlpatterns = [
    path(
        "events/<slug:slug>/players/<int:number>/pairing/",
        api.PlayerPairingFacts.as_view(),
        name="api_pairing_facts",
    ),
    path("events/<slug:slug>/forbidden-pairs/", api.ForbiddenPairs.as_view(), name="api_forbidden_pairs"),
    path(
        "events/<slug:slug>/forbidden-pairs/<int:pair>/",
        api.OneForbiddenPair.as_view(),
        name="api_forbidden_pair",
    ),
    path(
        "events/<slug:slug>/rounds/<int:stage>/<int:number>/changes/",
        api.DraftChanges.as_view(),
        name="api_draft_changes",
    ),
    path("events/<slug:slug>/rounds/", api.Rounds.as_view(), name="api_rounds"),
    path("events/<slug:slug>/rounds/<int:stage>/<int:number>/", api.OneRound.as_view(), name="api_round"),
    path(
        "events/<slug:slug>/rounds/<int:stage>/<int:number>/<slug:action>/",
        api.RoundAction.as_view(),
        name="api_round_action",
    ),
]
