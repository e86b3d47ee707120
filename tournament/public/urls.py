"""Addresses of the public pages."""

from __future__ import annotations

from django.urls import path

from tournament.public import trust, views

public_urlpatterns = [
    path("", views.home, name="home"),
    path("styleguide/", views.styleguide, name="styleguide"),
    path("keyboard/", views.keyboard, name="keyboard"),
    path("trust/", trust.show_steps, name="trust"),
    path("trust/ringside.crt", trust.send_authority, name="trust_certificate"),
    path("robots.txt", views.robots, name="robots"),
    path("calendar.ics", views.calendar, name="calendar"),
    path("e/<slug:slug>/", views.event, name="event"),
    path("e/<slug:slug>/rules/", views.event_rules, name="event_rules"),
    path("e/<slug:slug>/calendar.ics", views.event_calendar, name="event_calendar"),
    path("e/<slug:slug>/version", views.event_version, name="event_version"),
    path("e/<slug:slug>/players/<int:number>/", views.player_record, name="player_record"),
]
