"""Addresses of results and match slips."""

from __future__ import annotations

from django.urls import path

from tournament.results import api
from tournament.results.views import console, entry, rounds

public_urlpatterns = [
    path("S/<int:match_id>", console.open_slip, name="slip"),
]

console_urlpatterns = [
    path("<slug:slug>/rounds/<int:stage>/<int:number>/", rounds.show_round, name="console_round"),
    path("<slug:slug>/players/<int:number>/leave/", console.drop_mid_round, name="console_leave"),
    path(
        "<slug:slug>/rounds/<int:stage>/<int:number>/result/", entry.quick_result, name="console_quick_result"
    ),
    path("<slug:slug>/tables/", console.show_open_tables, name="console_tables"),
    path("<slug:slug>/matches/<int:match_id>/", console.show_match, name="console_match"),
    path("<slug:slug>/matches/<int:match_id>/result/", entry.match_result, name="console_match_result"),
    path("<slug:slug>/matches/<int:match_id>/correction/", console.correct_result, name="console_correction"),
    path("<slug:slug>/matches/<int:match_id>/time/", console.table_at_time, name="console_time"),
]

print_urlpatterns = [
    path("codes/<int:match_id>.png", console.slip_qr_code, name="slip_code"),
]

api_urlpatterns = [
    path("events/<slug:slug>/players/<int:number>/leave/", api.Leave.as_view(), name="api_leave"),
    path("events/<slug:slug>/matches/<int:match_id>/time/", api.TableAtTime.as_view(), name="api_time"),
    path(
        "events/<slug:slug>/matches/<int:match_id>/result/",
        api.EnteredMatchResult.as_view(),
        name="api_result",
    ),
    path("events/<slug:slug>/matches/<int:match_id>/places/", api.MatchPlaces.as_view(), name="api_places"),
    path(
        "events/<slug:slug>/matches/<int:match_id>/correction/",
        api.CorrectionPreview.as_view(),
        name="api_correction",
    ),
    path("events/<slug:slug>/tables/", api.OpenTables.as_view(), name="api_tables"),
]
