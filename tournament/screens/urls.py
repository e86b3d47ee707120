"""Addresses of the screens in the venue."""

from __future__ import annotations

from django.urls import path

from tournament.screens import views

public_urlpatterns = [
    path("e/<slug:slug>/screen/", views.screen_list, name="screens"),
    path("e/<slug:slug>/screen/<str:views>/", views.screen_page, name="screen"),
]

console_urlpatterns = [
    path("<slug:slug>/screen/", views.screen_settings, name="console_screen"),
]
