"""Pages that read codes by the camera: every other page is refused it by the header of the whole house."""

from __future__ import annotations

from django.http import HttpResponse

POLICY = "camera=(self), microphone=(), geolocation=()"


def with_camera(answer: HttpResponse) -> HttpResponse:
    """The same answer, whose page may ask for the camera."""
    answer["Permissions-Policy"] = POLICY
    return answer
