"""Addresses of ban lists and errata lists."""

from __future__ import annotations

from django.urls import path

from decks.editions import api, views

public_urlpatterns = [
    path("lists/", views.show_games, name="lists"),
    path("lists/drafts/<int:draft_id>/", views.edit_draft, name="list_draft"),
    path("lists/drafts/<int:draft_id>/entries/new/", views.edit_entry, name="list_entry_new"),
    path("lists/drafts/<int:draft_id>/entries/<int:place>/", views.edit_entry, name="list_entry"),
    path(
        "lists/drafts/<int:draft_id>/entries/<int:place>/remove/",
        views.remove_entry,
        name="list_entry_remove",
    ),
    path("lists/drafts/<int:draft_id>/before/<int:place>/", views.restore_entry, name="list_entry_put_back"),
    path(
        "lists/drafts/<int:draft_id>/unread/<int:place>/settle/", views.resolve_paragraph, name="list_settle"
    ),
    path("lists/drafts/<int:draft_id>/publish/", views.publish_draft, name="list_publish"),
    path("lists/drafts/<int:draft_id>/throw-away/", views.discard_draft, name="list_discard"),
    path("lists/<slug:game>/", views.show_game, name="lists_game"),
    path("lists/<slug:game>/cards/", views.card_suggestions, name="list_cards"),
    path("lists/<slug:game>/read/", views.import_document, name="list_document"),
    path("lists/<slug:game>/<slug:kind>/draft/", views.start_draft, name="list_start"),
    path("lists/<slug:game>/<slug:kind>/<int:number>/", views.show_edition, name="list_edition"),
]

api_urlpatterns = [
    path("lists/", api.EditionsView.as_view(), name="api_lists"),
    path("lists/check/", api.CheckDraftView.as_view(), name="api_lists_check"),
    path("lists/<slug:game>/<slug:kind>/<int:number>/", api.EditionView.as_view(), name="api_list_edition"),
]
