"""Addresses of the catalogue."""

from __future__ import annotations

from django.urls import path

from decks.catalogue import api, views

public_urlpatterns = [
    path("catalogue/", views.show_catalogue, name="catalogue"),
    path("catalogue/sets/<slug:game>/<str:set_code>/", views.fill_facts, name="catalogue_facts"),
    path("catalogue/imports/<uuid:import_id>/", views.show_import, name="catalogue_import"),
    path("catalogue/imports/<uuid:import_id>/decide/", views.decide, name="catalogue_decide"),
    path("catalogue/imports/<uuid:import_id>/apply/", views.apply, name="catalogue_apply"),
    path("catalogue/imports/<uuid:import_id>/again/", views.again, name="catalogue_again"),
    path("catalogue/imports/<uuid:import_id>/throw-away/", views.throw_away, name="catalogue_throw_away"),
    path("catalogue/imports/<uuid:import_id>/undo/", views.undo_import, name="catalogue_undo"),
]

api_urlpatterns = [
    path("catalogue/imports/", api.CatalogueImports.as_view(), name="api_catalogue_imports"),
    path(
        "catalogue/imports/<uuid:import_id>/", api.OneCatalogueImport.as_view(), name="api_catalogue_import"
    ),
    path(
        "catalogue/imports/<uuid:import_id>/<slug:step>/",
        api.CatalogueImportStep.as_view(),
        name="api_catalogue_step",
    ),
]
