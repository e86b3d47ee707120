"""Addresses of the guide."""

from __future__ import annotations

from django.urls import path

from tournament.guide import views

public_urlpatterns = [
    path("guide/", views.index, name="guide"),
    path("guide/<path:page>/", views.guide_page, name="guide_page"),
]
