"""All addresses: the pages of both apps, the administration and the API's description."""

from __future__ import annotations

from django.contrib import admin
from django.urls import include, path
from drf_spectacular.views import SpectacularAPIView

from decks.shared.api_requests import StrictView


class SchemaView(StrictView, SpectacularAPIView):
    """The API's description; `lang` is not offered, as there is one language."""


handler400 = "config.serving.bad_requests.bad_request"
handler500 = "config.serving.database_away.server_error"

urlpatterns = [
    path("admin/", admin.site.urls),
    path("api/schema/", SchemaView.as_view(), name="schema"),
    path("", include("decks.urls")),
    path("", include("tournament.urls")),
]
