"""Answer the addresses of the API that no room has."""

from __future__ import annotations

from django.urls import re_path

from tournament.web import api

api_urlpatterns = [
    re_path(r"^", api.not_found),
]
