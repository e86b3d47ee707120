"""Addresses of the round clock."""

from __future__ import annotations

from django.urls import path

from tournament.clock import api, views

console_urlpatterns = [
    path("<slug:slug>/clock/", views.show_clock, name="console_clock"),
    path("<slug:slug>/clock/settings/", views.clock_settings, name="console_clock_settings"),
    path("<slug:slug>/clock/<slug:act>/", views.run_clock_action, name="console_clock_act"),
]

api_urlpatterns = [
    path("events/<slug:slug>/clock/", api.Clock.as_view(), name="api_clock"),
    path("events/<slug:slug>/clock/settings/", api.EventClockOptions.as_view(), name="api_clock_options"),
    path("events/<slug:slug>/clock/<slug:act>/", api.ClockAct.as_view(), name="api_clock_act"),
]
