"""The addresses of all event pages, by who uses them."""

from django.urls import include, path

from tournament.views import badges, slips

urlpatterns = [
    path("S/<int:match_id>", slips.slip, name="slip"),
    path("B/<slug:slug>/<int:number>", badges.badge, name="badge"),
    path("console/", include("tournament.urls.console")),
    path("p/", include("tournament.urls.player")),
    path("judge/", include("tournament.urls.judge")),
    path("print/", include("tournament.urls.printing")),
    path("api/", include("tournament.urls.api")),
    path("leagues/", include("tournament.urls.leagues")),
    path("", include("tournament.urls.public")),
]
