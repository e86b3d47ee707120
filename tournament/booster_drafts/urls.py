"""Addresses of draft pods."""

from __future__ import annotations

from django.urls import path

from tournament.booster_drafts import api, views

public_urlpatterns = [
    path("e/<slug:slug>/draft-pods/", views.public_pods, name="pods"),
]

console_urlpatterns = [
    path("<slug:slug>/draft-pods/", views.show_pods, name="console_pods"),
    path("<slug:slug>/draft-pods/seat/", views.seat_pods, name="console_seat_pods"),
    path("<slug:slug>/draft-pods/<slug:change>/", views.change_pods, name="console_change_pods"),
]

api_urlpatterns = [
    path("events/<slug:slug>/draft-pods/", api.DraftPodSeats.as_view(), name="api_pods"),
    path(
        "events/<slug:slug>/draft-pods/<slug:change>/", api.DraftPodChange.as_view(), name="api_change_pods"
    ),
]
