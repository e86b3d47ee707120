"""What Django's own checks of forms say, in the words of the hall."""

from __future__ import annotations

from django.forms import Field

SAID = {"required": "Please fill this in."}


def say_plainly() -> None:
    """Use our words in every form from now on."""
    Field.default_error_messages = {**Field.default_error_messages, **SAID}
