"""Addresses of event archives."""

from __future__ import annotations

from django.urls import path

from tournament.archive import api, views

console_urlpatterns = [
    path("import/", views.restore, name="console_import"),
    path("<slug:slug>/archive.json", views.download, name="console_export"),
    path("<slug:slug>/delete/", views.delete, name="console_delete"),
]

api_urlpatterns = [
    path("archives/", api.Archives.as_view(), name="api_archives"),
    path("events/<slug:slug>/archive/", api.Archive.as_view(), name="api_archive"),
    path("events/<slug:slug>/deletion/", api.EventDeletion.as_view(), name="api_deletion"),
]
