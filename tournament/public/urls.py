"""Addresses of the public pages."""

from __future__ import annotations

from django.urls import path

from tournament.public import views

public_urlpatterns = [
    path("", views.home, name="home"),
    path("styleguide/", views.styleguide, name="styleguide"),
    path("keyboard/", views.keyboard, name="keyboard"),
    path("robots.txt", views.robots, name="robots"),
    path("e/<slug:slug>/", views.event, name="event"),
    path("e/<slug:slug>/version", views.event_version, name="event_version"),
    path("e/<slug:slug>/me/", views.go_to_my_page, name="my_page"),
    path("e/<slug:slug>/players/<int:number>/", views.player_record, name="player_record"),
]
