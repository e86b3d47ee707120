"""The addresses of all event pages, by who uses them."""

from django.urls import include, path

urlpatterns = [
    path("console/", include("tournament.urls.console")),
    path("p/", include("tournament.urls.player")),
    path("judge/", include("tournament.urls.judge")),
    path("print/", include("tournament.urls.printing")),
    path("api/", include("tournament.urls.api")),
    path("", include("tournament.urls.public")),
]
