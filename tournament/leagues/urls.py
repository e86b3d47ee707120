"""Addresses of leagues."""

from __future__ import annotations

from django.urls import path

from tournament.leagues import api, views

league_urlpatterns = [
    path("", views.index, name="leagues"),
    path("new/", views.new_league, name="league_new"),
    path("<slug:slug>/", views.league, name="league"),
    path("<slug:slug>/edit/", views.edit_league, name="league_edit"),
    path("<slug:slug>/events/", views.add_event, name="league_add_event"),
    path("<slug:slug>/events/<int:entry>/remove/", views.remove_event, name="league_remove_event"),
    path("<slug:slug>/log/<int:line>/undo/", views.undo_change, name="league_take_back"),
    path("<slug:slug>/people/", views.mark_same_person, name="league_join"),
    path("<slug:slug>/people/<int:word>/part/", views.unmark_same_person, name="league_part"),
]

api_urlpatterns = [
    path("leagues/", api.Leagues.as_view(), name="api_leagues"),
    path("leagues/<slug:slug>/", api.OneLeague.as_view(), name="api_league"),
    path("leagues/<slug:slug>/events/", api.LeagueEvents.as_view(), name="api_league_events"),
    path("leagues/<slug:slug>/events/<slug:event>/", api.OneLeagueEvent.as_view(), name="api_league_event"),
    path("leagues/<slug:slug>/people/", api.LeaguePeople.as_view(), name="api_league_people"),
    path("leagues/<slug:slug>/people/<int:word>/", api.OneLeaguePerson.as_view(), name="api_league_person"),
    path("leagues/<slug:slug>/log/", api.LeagueLog.as_view(), name="api_league_log"),
    path("leagues/<slug:slug>/log/<int:line>/undo/", api.LeagueLogUndo.as_view(), name="api_league_undo"),
]
