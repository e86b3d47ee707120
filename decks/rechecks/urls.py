"""Addresses of rechecks."""

from __future__ import annotations

from django.urls import path

from decks.rechecks import api, views

public_urlpatterns = [
    path("lists/drafts/<int:draft_id>/would-break/", views.show_consequences, name="list_would_break"),
    path("lists/rechecks/<int:recheck_id>/", views.show_recheck, name="list_recheck"),
    path("lists/rechecks/<int:recheck_id>/stop/", views.cancel_recheck, name="list_recheck_cancel"),
    path("lists/rechecks/<int:recheck_id>/go-on/", views.resume_recheck, name="list_recheck_resume"),
]

api_urlpatterns = [
    path("lists/drafts/", api.DraftsView.as_view(), name="api_list_drafts"),
    path(
        "lists/drafts/<int:draft_id>/would-break/", api.WouldBreakView.as_view(), name="api_list_would_break"
    ),
    path("lists/rechecks/", api.RechecksView.as_view(), name="api_list_rechecks"),
    path("lists/rechecks/<int:recheck_id>/", api.RecheckView.as_view(), name="api_list_recheck"),
    path(
        "lists/rechecks/<int:recheck_id>/<slug:step>/",
        api.RecheckStep.as_view(),
        name="api_list_recheck_step",
    ),
]
