"""Addresses of the open pages about lists and cards."""

from __future__ import annotations

from django.urls import include, path

from decks import api, catalogue_api, catalogue_pages, views

urlpatterns = [
    path("decks/check/", views.deck_check, name="deck_check"),
    path("decks/check/file/", views.deck_export, name="deck_export"),
    path("cards/", views.cards, name="cards"),
    path("cards/<slug:game>/<str:key>/", views.card, name="card"),
    path("catalogue/", catalogue_pages.catalogue, name="catalogue"),
    path("catalogue/imports/<uuid:import_id>/", catalogue_pages.one_import, name="catalogue_import"),
    path("catalogue/imports/<uuid:import_id>/decide/", catalogue_pages.decide, name="catalogue_decide"),
    path("catalogue/imports/<uuid:import_id>/apply/", catalogue_pages.apply, name="catalogue_apply"),
    path("catalogue/imports/<uuid:import_id>/again/", catalogue_pages.again, name="catalogue_again"),
    path(
        "catalogue/imports/<uuid:import_id>/throw-away/",
        catalogue_pages.throw_away,
        name="catalogue_throw_away",
    ),
    path("", include("decks.list_pages.urls")),
    path("api/catalogue/imports/", catalogue_api.CatalogueImports.as_view(), name="api_catalogue_imports"),
    path(
        "api/catalogue/imports/<uuid:import_id>/",
        catalogue_api.OneCatalogueImport.as_view(),
        name="api_catalogue_import",
    ),
    path(
        "api/catalogue/imports/<uuid:import_id>/<slug:step>/",
        catalogue_api.CatalogueImportStep.as_view(),
        name="api_catalogue_step",
    ),
    path("api/decks/check/", api.CheckView.as_view(), name="api_deck_check"),
    path("api/cards/", api.CardSearchView.as_view(), name="api_cards"),
]
