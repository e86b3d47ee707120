"""The addresses of all event pages, by who uses them."""

from django.urls import include, path

from tournament.views import badges

urlpatterns = [
    path("B/<slug:slug>/<int:number>", badges.badge, name="badge"),
    path("console/", include("tournament.urls.console")),
    path("p/", include("tournament.urls.player")),
    path("judge/", include("tournament.urls.judge")),
    path("print/", include("tournament.urls.printing")),
    path("api/", include("tournament.urls.api")),
    path("", include("tournament.urls.public")),
]
