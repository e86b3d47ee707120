"""Addresses of the screens in the venue."""

from __future__ import annotations

from django.urls import path

from tournament.screens.views import embedding
from tournament.screens.views import screens as views

public_urlpatterns = [
    path("e/<slug:slug>/screen/", views.screen_list, name="screens"),
    path("e/<slug:slug>/screen/<str:views>/", views.screen_page, name="screen"),
    path("e/<slug:slug>/stream/<str:parts>/", views.stream_page, name="stream"),
    path("e/<slug:slug>/embed/<str:view>/", embedding.embed_page, name="embed"),
    path("e/<slug:slug>/picture.png", embedding.event_picture, name="event_picture"),
]

console_urlpatterns = [
    path("<slug:slug>/screen/", views.screen_settings, name="console_screen"),
    path("<slug:slug>/embedding/", embedding.embedding_settings, name="console_embedding"),
]
