"""All addresses.

They are the pages of both apps, the administration and the API's description.
"""

from __future__ import annotations

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.urls import include, path
from django.views.generic import RedirectView
from drf_spectacular.views import SpectacularAPIView

from decks.shared.api_requests import StrictView


class SchemaView(StrictView, SpectacularAPIView):
    """The API's description; `lang` is not offered, as there is one language."""


handler400 = "config.serving.bad_requests.bad_request"
handler429 = "tournament.accounts.views.too_many_requests"
handler500 = "config.serving.database_away.server_error"

urlpatterns = [
    path("admin/password_change/", RedirectView.as_view(pattern_name="account_change_password")),
    # The administration has no sign-in of its own, which would not count tries.
    path("admin/login/", secure_admin_login(admin.site.login)),
    path("admin/", admin.site.urls),
    path("api/schema/", SchemaView.as_view(), name="schema"),
    path("", include("decks.urls")),
    path("", include("tournament.urls")),
]
