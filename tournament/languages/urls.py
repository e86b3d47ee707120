"""Addresses of the choice of a language, and of what scripts say in it."""

from __future__ import annotations

from django.urls import path

from tournament.languages import script_texts, views

public_urlpatterns = [
    path("language/", views.language_page, name="language"),
    path("language/<str:language>.js", script_texts.script_texts, name="script_texts"),
]
