"""All addresses: the pages of both apps, the administration and the API's description."""

from __future__ import annotations

from contextlib import suppress

from django.contrib import admin
from django.urls import include, path
from drf_spectacular.views import SpectacularAPIView

urlpatterns = [
    path("admin/", admin.site.urls),
    path("api/schema/", SpectacularAPIView.as_view(), name="schema"),
]
for app in ("decks.urls", "tournament.urls"):
    with suppress(ImportError):
        urlpatterns.append(path("", include(app)))
