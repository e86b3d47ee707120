"""Addresses of leagues."""

from django.urls import path

from tournament.leagues import views as leagues
from tournament.printing import views as league_sheets

urlpatterns = [
    path("", leagues.index, name="leagues"),
    path("new/", leagues.new_league, name="league_new"),
    path("<slug:slug>/", leagues.league, name="league"),
    path("<slug:slug>/edit/", leagues.edit_league, name="league_edit"),
    path("<slug:slug>/events/", leagues.add_event, name="league_add_event"),
    path("<slug:slug>/events/<int:entry>/remove/", leagues.remove_event, name="league_remove_event"),
    path("<slug:slug>/log/<int:line>/undo/", leagues.undo_change, name="league_take_back"),
    path("<slug:slug>/table/", league_sheets.league_page, name="league_print"),
    path("<slug:slug>/print/", league_sheets.request_league_table, name="league_ask"),
    path("<slug:slug>/print/<uuid:job_id>/", league_sheets.league_job, name="league_sheet"),
    path("<slug:slug>/print/<uuid:job_id>/table.pdf", league_sheets.league_job_pdf, name="league_pdf"),
    path("<slug:slug>/people/", leagues.mark_same_person, name="league_join"),
    path("<slug:slug>/people/<int:word>/part/", leagues.unmark_same_person, name="league_part"),
]
