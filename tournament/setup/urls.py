"""Addresses of the settings of an event."""

from __future__ import annotations

from django.urls import path

from tournament.setup import api, views

console_urlpatterns = [
    path("new/", views.choose_format, name="console_new"),
    path("new/<slug:game>/<slug:format_key>/", views.new_event, name="console_new_event"),
    path("<slug:slug>/settings/", views.event_settings, name="console_settings"),
    path("<slug:slug>/copy/", views.copy_event, name="console_copy"),
    path("<slug:slug>/archive/", views.archive_event, name="console_archive"),
    path("<slug:slug>/rules/", views.local_rules, name="console_rules"),
    path("<slug:slug>/step/<slug:step>/", views.event_step, name="console_step"),
    path("<slug:slug>/start/", views.start_event, name="console_start"),
    path("<slug:slug>/extra-round/", views.extra_round, name="console_extra_round"),
    path("<slug:slug>/stages/", views.stage_plan, name="console_stages"),
    path("<slug:slug>/stages/next/", views.next_stage, name="console_next_stage"),
    path("<slug:slug>/pairing/", views.pairing_options, name="console_pairing"),
    path("<slug:slug>/pairing/season/", views.seed_by_season, name="console_season_seeds"),
    path("<slug:slug>/pairing/forbid/", views.forbid_pair, name="console_forbid"),
    path("<slug:slug>/pairing/allow/<int:pair>/", views.allow_pair, name="console_allow"),
]

api_urlpatterns = [
    path("events/", api.Events.as_view(), name="api_events"),
    path("events/<slug:slug>/", api.OneEvent.as_view(), name="api_event"),
    path("events/<slug:slug>/copies/", api.Copies.as_view(), name="api_copies"),
    path("events/<slug:slug>/extra-round/", api.ExtraRound.as_view(), name="api_extra_round"),
    path("events/<slug:slug>/steps/<slug:step>/", api.EventStep.as_view(), name="api_step"),
]
