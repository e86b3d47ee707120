"""Addresses of printouts."""

from __future__ import annotations

from django.urls import path

from tournament.printing import api, views

league_urlpatterns = [
    path("<slug:slug>/table/", views.league_page, name="league_print"),
    path("<slug:slug>/print/", views.request_league_table, name="league_ask"),
    path("<slug:slug>/print/<uuid:job_id>/", views.league_job, name="league_sheet"),
    path("<slug:slug>/print/<uuid:job_id>/table.pdf", views.league_job_pdf, name="league_pdf"),
]

print_urlpatterns = [
    path("jobs/<uuid:job_id>/", views.sheet_job, name="print_job"),
    path("jobs/<uuid:job_id>/sheet.pdf", views.sheet_job_pdf, name="print_pdf"),
    path("<slug:slug>/", views.sheet_list, name="console_print"),
    path("<slug:slug>/paper/", views.choose_paper_size, name="console_paper"),
    path("<slug:slug>/<slug:sheet>/", views.sheet_page, name="print_page"),
]

api_urlpatterns = [
    path("events/<slug:slug>/sheets/", api.Sheets.as_view(), name="api_sheets"),
    path("events/<slug:slug>/sheets/<uuid:job_id>/", api.OneSheet.as_view(), name="api_sheet"),
    path("events/<slug:slug>/sheets/<uuid:job_id>/file/", api.SheetFile.as_view(), name="api_sheet_file"),
]
