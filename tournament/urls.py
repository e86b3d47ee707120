"""The addresses of all event pages, by who uses them."""

from django.urls import include, path

from tournament.registration.views import public as badges
from tournament.results import views as slips

urlpatterns = [
    path("S/<int:match_id>", slips.open_slip, name="slip"),
    path("B/<slug:slug>/<int:number>", badges.badge, name="badge"),
    path("console/", include("tournament.urls_console")),
    path("p/", include("tournament.urls_player")),
    path("judge/", include("tournament.urls_judge")),
    path("print/", include("tournament.urls_printing")),
    path("api/", include("tournament.api_urls")),
    path("leagues/", include("tournament.urls_leagues")),
    path("", include("tournament.urls_public")),
]
