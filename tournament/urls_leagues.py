"""Addresses of leagues."""

from django.urls import path

from tournament.leagues import views as leagues
from tournament.printing.views import league as league_sheets

urlpatterns = [
    path("", leagues.index, name="leagues"),
    path("new/", leagues.new, name="league_new"),
    path("<slug:slug>/", leagues.league, name="league"),
    path("<slug:slug>/edit/", leagues.edit, name="league_edit"),
    path("<slug:slug>/events/", leagues.add_event, name="league_add_event"),
    path("<slug:slug>/events/<int:entry>/remove/", leagues.remove_event, name="league_remove_event"),
    path("<slug:slug>/log/<int:line>/undo/", leagues.take_back, name="league_take_back"),
    path("<slug:slug>/table/", league_sheets.page, name="league_print"),
    path("<slug:slug>/print/", league_sheets.ask, name="league_ask"),
    path("<slug:slug>/print/<uuid:job_id>/", league_sheets.job, name="league_sheet"),
    path("<slug:slug>/print/<uuid:job_id>/table.pdf", league_sheets.pdf, name="league_pdf"),
    path("<slug:slug>/people/", leagues.join, name="league_join"),
    path("<slug:slug>/people/<int:word>/part/", leagues.part, name="league_part"),
]
