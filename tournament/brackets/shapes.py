"""From tournament.api.serializers, tournament.api.stale."""

from __future__ import annotations

from rest_framework import serializers

from tournament.web.api_problems import ProblemsSerializer


class DecisionSerializer(serializers.Serializer):
    """Why a player is in the cut or out of it."""

    player = serializers.IntegerField()
    name = serializers.CharField()
    rank = serializers.IntegerField(allow_null=True)
    is_in = serializers.BooleanField()
    code = serializers.CharField()
    reason = serializers.CharField()


class StaleCutSerializer(ProblemsSerializer):
    """Refused; `now` is who would come in."""

    now = DecisionSerializer(many=True, required=False)
