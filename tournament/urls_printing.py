"""Addresses of sheets."""

from django.urls import path

from tournament.printing.views import sheets as printing
from tournament.results.views import slip_code as slips

urlpatterns = [
    path("jobs/<uuid:job_id>/", printing.job, name="print_job"),
    path("jobs/<uuid:job_id>/sheet.pdf", printing.job_pdf, name="print_pdf"),
    path("codes/<int:match_id>.png", slips.slip_code, name="slip_code"),
    path("<slug:slug>/", printing.sheets, name="console_print"),
    path("<slug:slug>/paper/", printing.paper, name="console_paper"),
    path("<slug:slug>/<slug:sheet>/", printing.page, name="print_page"),
]
