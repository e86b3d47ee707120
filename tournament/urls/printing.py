"""Addresses of sheets."""

from django.urls import path

from tournament.views import printing

urlpatterns = [
    path("jobs/<uuid:job_id>/", printing.job, name="print_job"),
    path("jobs/<uuid:job_id>/sheet.pdf", printing.job_pdf, name="print_pdf"),
    path("<slug:slug>/", printing.sheets, name="console_print"),
    path("<slug:slug>/<slug:sheet>/", printing.page, name="print_page"),
]
