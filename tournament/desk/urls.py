"""Addresses of the console's overview."""

from __future__ import annotations

from django.urls import path

from tournament.desk import views

console_urlpatterns = [
    path("", views.home, name="console"),
    path("<slug:slug>/", views.overview, name="console_event"),
]
