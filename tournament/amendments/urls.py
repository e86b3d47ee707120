"""Addresses of changes of published rounds."""

from __future__ import annotations

from django.urls import path

from tournament.amendments import api, views

console_urlpatterns = [
    path(
        "<slug:slug>/rounds/<int:stage>/<int:number>/change/", views.change_round, name="console_round_change"
    ),
    path(
        "<slug:slug>/rounds/<int:stage>/<int:number>/changed/<int:entry>/",
        views.show_change,
        name="console_round_changed",
    ),
]

api_urlpatterns = [
    path(
        "events/<slug:slug>/rounds/<int:stage>/<int:number>/amendment/",
        api.Amendment.as_view(),
        name="api_amendment",
    ),
    path(
        "events/<slug:slug>/rounds/<int:stage>/<int:number>/amendment/preview/",
        api.AmendmentPreview.as_view(),
        name="api_amendment_preview",
    ),
]
