"""Addresses of sheets."""

from django.urls import path

from tournament.printing import views as printing
from tournament.results import views as slips

urlpatterns = [
    path("jobs/<uuid:job_id>/", printing.sheet_job, name="print_job"),
    path("jobs/<uuid:job_id>/sheet.pdf", printing.sheet_job_pdf, name="print_pdf"),
    path("codes/<int:match_id>.png", slips.slip_qr_code, name="slip_code"),
    path("<slug:slug>/", printing.sheet_list, name="console_print"),
    path("<slug:slug>/paper/", printing.choose_paper_size, name="console_paper"),
    path("<slug:slug>/<slug:sheet>/", printing.sheet_page, name="print_page"),
]
