"""Addresses of the staff of an event."""

from __future__ import annotations

from django.urls import path

from tournament.staff import api, views

public_urlpatterns = [
    path("join/<str:token>/", views.join, name="join"),
]

console_urlpatterns = [
    path("<slug:slug>/staff/", views.show_staff, name="console_staff"),
    path("<slug:slug>/staff/<int:role>/<slug:action>/", views.change_staff_role, name="console_staff_change"),
    path("<slug:slug>/invitations/<int:invitation>/revoke/", views.revoke, name="console_revoke"),
]

api_urlpatterns = [
    path("events/<slug:slug>/staff/", api.Staff.as_view(), name="api_staff"),
    path("events/<slug:slug>/staff/<int:role>/", api.OneRole.as_view(), name="api_role"),
    path("events/<slug:slug>/invitations/", api.Invitations.as_view(), name="api_invitations"),
    path(
        "events/<slug:slug>/invitations/<int:invitation>/", api.OneInvitation.as_view(), name="api_invitation"
    ),
]
