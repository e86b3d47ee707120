"""Addresses of prizes and the event report."""

from __future__ import annotations

from django.urls import path

from tournament.closing import api, views

public_urlpatterns = [
    path("e/<slug:slug>/characters/", views.characters, name="characters"),
    path("e/<slug:slug>/report/", views.event_report, name="report"),
    path("e/<slug:slug>/report.csv", views.event_report_csv, name="report_csv"),
]

console_urlpatterns = [
    path("<slug:slug>/prizes/", views.prizes, name="console_prizes"),
]

api_urlpatterns = [
    path("events/<slug:slug>/characters/", api.Characters.as_view(), name="api_characters"),
    path("events/<slug:slug>/prizes/", api.Prizes.as_view(), name="api_prizes"),
    path("events/<slug:slug>/report/", api.ClosingReport.as_view(), name="api_report"),
]
