"""Addresses of the cut and the bracket."""

from __future__ import annotations

from django.urls import path

from tournament.brackets import api, views

public_urlpatterns = [
    path("e/<slug:slug>/ranking/", views.public_ranking, name="ranking"),
    path("e/<slug:slug>/cut/", views.public_cut, name="cut"),
    path("e/<slug:slug>/bracket/", views.public_bracket, name="bracket"),
]

console_urlpatterns = [
    path("<slug:slug>/cut/", views.console_cut, name="console_cut"),
]

api_urlpatterns = [
    path("events/<slug:slug>/cut/", api.EventCut.as_view(), name="api_cut"),
    path("events/<slug:slug>/stages/", api.Stages.as_view(), name="api_stages"),
    path("events/<slug:slug>/ranking/", api.Ranking.as_view(), name="api_ranking"),
]
