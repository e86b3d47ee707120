"""From tournament.api.serializers."""

from __future__ import annotations

from rest_framework import serializers


class StartSerializer(serializers.Serializer):
    """How an event starts."""

    drop_missing = serializers.BooleanField(default=False)
