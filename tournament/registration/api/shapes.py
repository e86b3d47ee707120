"""From tournament.api.serializers."""

from __future__ import annotations

from rest_framework import serializers

from tournament.events.api_shapes import PublicPlayerSerializer
from tournament.registration.services.late_entry import CHOICES, LOSS


class NewPlayerSerializer(serializers.Serializer):
    """Somebody who registers, or is added."""

    name = serializers.CharField(max_length=80)
    email = serializers.EmailField(required=False, allow_blank=True, default="")
    character = serializers.CharField(max_length=80, required=False, allow_blank=True, default="")
    members = serializers.ListField(child=serializers.CharField(max_length=80), required=False, max_length=6)
    is_namesake = serializers.BooleanField(
        required=False, default=False, help_text="This is somebody else than the player of the same name."
    )


class LatePlayerSerializer(NewPlayerSerializer):
    """Somebody staff adds, also while rounds run."""

    missed = serializers.ChoiceField(
        choices=CHOICES, required=False, default=LOSS, help_text="What he gets for each round he missed."
    )


class MergeSerializer(serializers.Serializer):
    """The other registration of the same person."""

    double = serializers.IntegerField(min_value=1, help_text="Its number.")


class RegisteredSerializer(PublicPlayerSerializer):
    """The answer to a registration; the token is the private way back and is shown only here."""

    class Meta(PublicPlayerSerializer.Meta):
        fields = [*PublicPlayerSerializer.Meta.fields, "token"]
