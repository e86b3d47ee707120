"""Addresses of the open pages about lists and cards."""

from __future__ import annotations

from django.urls import include, path

from decks.cards import api as cards_api
from decks.cards import views as cards_views
from decks.catalogue import api as catalogue_api
from decks.catalogue import views as catalogue_pages
from decks.checking import api, views

urlpatterns = [
    path("decks/check/", views.deck_check, name="deck_check"),
    path("decks/check/file/", views.deck_export, name="deck_export"),
    path("cards/", cards_views.search_page, name="cards"),
    path("cards/<slug:game>/<str:key>/", cards_views.show_card, name="card"),
    path("catalogue/", catalogue_pages.show_catalogue, name="catalogue"),
    path("catalogue/imports/<uuid:import_id>/", catalogue_pages.show_import, name="catalogue_import"),
    path("catalogue/imports/<uuid:import_id>/decide/", catalogue_pages.decide, name="catalogue_decide"),
    path("catalogue/imports/<uuid:import_id>/apply/", catalogue_pages.apply, name="catalogue_apply"),
    path("catalogue/imports/<uuid:import_id>/again/", catalogue_pages.again, name="catalogue_again"),
    path(
        "catalogue/imports/<uuid:import_id>/throw-away/",
        catalogue_pages.throw_away,
        name="catalogue_throw_away",
    ),
    path("", include("decks.urls_lists")),
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
    path("api/cards/", cards_api.CardSearchView.as_view(), name="api_cards"),
]
