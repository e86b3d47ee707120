"""Addresses of the removal of personal data."""

from __future__ import annotations

from django.urls import path

from tournament.privacy import api, views

console_urlpatterns = [
    path("<slug:slug>/personal-data/<int:number>/", views.remove, name="console_remove_data"),
]

api_urlpatterns = [
    path(
        "events/<slug:slug>/personal-data/<int:number>/", api.PersonalData.as_view(), name="api_remove_data"
    ),
]
