"""Addresses of the pages and the API of dated lists."""

from __future__ import annotations

from django.urls import path

from decks.editions import api
from decks.editions import views as editions_views
from decks.rechecks import api as doors
from decks.rechecks import views as consequences

urlpatterns = [
    path("lists/", editions_views.show_games, name="lists"),
    path("lists/drafts/<int:draft_id>/", editions_views.edit_draft, name="list_draft"),
    path("lists/drafts/<int:draft_id>/entries/new/", editions_views.edit_entry, name="list_entry_new"),
    path("lists/drafts/<int:draft_id>/entries/<int:place>/", editions_views.edit_entry, name="list_entry"),
    path(
        "lists/drafts/<int:draft_id>/entries/<int:place>/remove/",
        editions_views.remove_entry,
        name="list_entry_remove",
    ),
    path(
        "lists/drafts/<int:draft_id>/before/<int:place>/",
        editions_views.restore_entry,
        name="list_entry_put_back",
    ),
    path(
        "lists/drafts/<int:draft_id>/unread/<int:place>/settle/",
        editions_views.resolve_paragraph,
        name="list_settle",
    ),
    path("lists/drafts/<int:draft_id>/publish/", editions_views.publish_draft, name="list_publish"),
    path("lists/drafts/<int:draft_id>/throw-away/", editions_views.discard_draft, name="list_discard"),
    path("lists/drafts/<int:draft_id>/would-break/", consequences.show_consequences, name="list_would_break"),
    path("lists/rechecks/<int:recheck_id>/", consequences.show_recheck, name="list_recheck"),
    path("lists/rechecks/<int:recheck_id>/stop/", consequences.cancel_recheck, name="list_recheck_cancel"),
    path("lists/rechecks/<int:recheck_id>/go-on/", consequences.resume_recheck, name="list_recheck_resume"),
    path("lists/<slug:game>/", editions_views.show_game, name="lists_game"),
    path("lists/<slug:game>/cards/", editions_views.card_suggestions, name="list_cards"),
    path("lists/<slug:game>/read/", editions_views.import_document, name="list_document"),
    path("lists/<slug:game>/<slug:kind>/draft/", editions_views.start_draft, name="list_start"),
    path("lists/<slug:game>/<slug:kind>/<int:number>/", editions_views.show_edition, name="list_edition"),
    path("api/lists/", api.EditionsView.as_view(), name="api_lists"),
    path("api/lists/drafts/", doors.DraftsView.as_view(), name="api_list_drafts"),
    path(
        "api/lists/drafts/<int:draft_id>/would-break/",
        doors.WouldBreakView.as_view(),
        name="api_list_would_break",
    ),
    path("api/lists/rechecks/", doors.RechecksView.as_view(), name="api_list_rechecks"),
    path("api/lists/rechecks/<int:recheck_id>/", doors.RecheckView.as_view(), name="api_list_recheck"),
    path(
        "api/lists/rechecks/<int:recheck_id>/<slug:step>/",
        doors.RecheckStep.as_view(),
        name="api_list_recheck_step",
    ),
    path("api/lists/check/", api.CheckDraftView.as_view(), name="api_lists_check"),
    path(
        "api/lists/<slug:game>/<slug:kind>/<int:number>/", api.EditionView.as_view(), name="api_list_edition"
    ),
]
