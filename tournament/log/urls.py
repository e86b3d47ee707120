"""Addresses of the event log."""

from __future__ import annotations

from django.urls import path

from tournament.log import api, views

console_urlpatterns = [
    path("<slug:slug>/log/", views.log, name="console_log"),
    path("<slug:slug>/log/<int:entry>/", views.entry, name="console_log_entry"),
    path("<slug:slug>/log/<int:entry>/undo/", views.take_back, name="console_undo"),
    path("<slug:slug>/rounds/<int:stage>/<int:number>/restore/", views.restore, name="console_restore"),
]

api_urlpatterns = [
    path("events/<slug:slug>/log/", api.Log.as_view(), name="api_log"),
    path("events/<slug:slug>/log/<int:entry>/undo/", api.Undo.as_view(), name="api_undo"),
    path(
        "events/<slug:slug>/rounds/<int:stage>/<int:number>/restore/",
        api.Restore.as_view(),
        name="api_restore",
    ),
]
