"""Addresses of notifications."""

from __future__ import annotations

from django.urls import path

from tournament.notifications import views

player_urlpatterns = [path("<str:token>/push/", views.push, name="player_push")]
