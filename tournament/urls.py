"""Addresses of the event pages, collected from the rooms."""

from __future__ import annotations

from django.urls import include, path

from decks.shared.addresses import collect_patterns

# Django takes the first pattern that fits. A room with a fixed word therefore comes before the room whose
# pattern fits every word in its place: - archive and setup before desk: `<slug:slug>/` - decklists before
# my_page: `me/<str:token>/<slug:action>/` - amendments, log and results before pairing:
# `rounds/<int:stage>/<int:number>/<slug:action>/` - decklists, pairing and results before registration:
# `players/<int:number>/<slug:action>/` - all before web: it answers every address of the API that no room has
ROOMS = (
    "tournament.accounts",
    "tournament.languages",
    "tournament.archive",
    "tournament.setup",
    "tournament.desk",
    "tournament.public",
    "tournament.staff",
    "tournament.log",
    "tournament.clock",
    "tournament.booster_drafts",
    "tournament.results",
    "tournament.amendments",
    "tournament.pairing",
    "tournament.standings",
    "tournament.brackets",
    "tournament.decklists",
    "tournament.registration",
    "tournament.privacy",
    "tournament.judging",
    "tournament.my_page",
    "tournament.notifications",
    "tournament.closing",
    "tournament.leagues",
    "tournament.printing",
    "tournament.screens",
    "tournament.guide",
    "tournament.web",
)

urlpatterns = [
    path("console/", include(collect_patterns(ROOMS, "console_urlpatterns"))),
    path("judge/", include(collect_patterns(ROOMS, "judge_urlpatterns"))),
    path("p/", include(collect_patterns(ROOMS, "player_urlpatterns"))),
    path("print/", include(collect_patterns(ROOMS, "print_urlpatterns"))),
    path("leagues/", include(collect_patterns(ROOMS, "league_urlpatterns"))),
    path("api/", include(collect_patterns(ROOMS, "api_urlpatterns"))),
    path("", include(collect_patterns(ROOMS, "public_urlpatterns"))),
]
