"""The subscription that a browser sends to be notified."""

from __future__ import annotations

from django import forms

from tournament.notifications.endpoints import MAX_ENDPOINT_LENGTH


class SubscriptionForm(forms.Form):
    """The address of a browser at its push service, and its keys.

    `off` ends the subscription.
    """

    endpoint = forms.CharField(max_length=MAX_ENDPOINT_LENGTH)
    p256dh = forms.CharField(max_length=100, required=False)
    auth = forms.CharField(max_length=40, required=False)
    off = forms.BooleanField(required=False)
