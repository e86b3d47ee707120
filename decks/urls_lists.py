"""Addresses of the pages and the API of dated lists."""

from __future__ import annotations

from django.urls import path

from decks.editions import api
from decks.editions.views import drafts, public, reading
from decks.rechecks import api as doors
from decks.rechecks import views as consequences

urlpatterns = [
    path("lists/", public.games, name="lists"),
    path("lists/drafts/<int:draft_id>/", drafts.draft, name="list_draft"),
    path("lists/drafts/<int:draft_id>/entries/new/", drafts.entry, name="list_entry_new"),
    path("lists/drafts/<int:draft_id>/entries/<int:place>/", drafts.entry, name="list_entry"),
    path("lists/drafts/<int:draft_id>/entries/<int:place>/remove/", drafts.remove, name="list_entry_remove"),
    path("lists/drafts/<int:draft_id>/before/<int:place>/", drafts.put_back, name="list_entry_put_back"),
    path("lists/drafts/<int:draft_id>/unread/<int:place>/settle/", drafts.settle, name="list_settle"),
    path("lists/drafts/<int:draft_id>/publish/", drafts.publish, name="list_publish"),
    path("lists/drafts/<int:draft_id>/throw-away/", drafts.discard, name="list_discard"),
    path("lists/drafts/<int:draft_id>/would-break/", consequences.would_break, name="list_would_break"),
    path("lists/rechecks/<int:recheck_id>/", consequences.recheck, name="list_recheck"),
    path("lists/rechecks/<int:recheck_id>/stop/", consequences.cancel_recheck, name="list_recheck_cancel"),
    path("lists/rechecks/<int:recheck_id>/go-on/", consequences.resume_recheck, name="list_recheck_resume"),
    path("lists/<slug:game>/", public.game, name="lists_game"),
    path("lists/<slug:game>/cards/", drafts.cards, name="list_cards"),
    path("lists/<slug:game>/read/", reading.document, name="list_document"),
    path("lists/<slug:game>/<slug:kind>/draft/", drafts.start, name="list_start"),
    path("lists/<slug:game>/<slug:kind>/<int:number>/", public.edition, name="list_edition"),
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
