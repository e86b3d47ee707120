"""From EMAIL_URL to Django's mail settings."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote, urlsplit

from config.env.errors import SettingProblem

BACKENDS = "django.core.mail.backends"


def parse(url: str | None, *, folder: Path) -> tuple[dict[str, object], list[SettingProblem]]:
    """Return Django's mail settings for `url`.

    Without `url`, emails are kept as files in `folder`. Understood: smtp://user:password@host:port,
    smtp+tls:// (STARTTLS), smtps:// (TLS at once), console: and file:. Returns the settings and what is
    wrong; with a fault, emails are kept as files.
    """
    settings: dict[str, object] = {
        "EMAIL_BACKEND": f"{BACKENDS}.filebased.EmailBackend",
        "EMAIL_FILE_PATH": str(folder),
    }
    try:
        parts = urlsplit(url or "file:")
        port = parts.port
    except ValueError as error:
        return settings, [_unreadable(str(error))]
    if parts.scheme == "file":
        return settings, []
    if parts.scheme == "console":
        return {"EMAIL_BACKEND": f"{BACKENDS}.console.EmailBackend"}, []
    if parts.scheme not in ("smtp", "smtp+tls", "smtps") or not parts.hostname:
        return settings, [_unreadable("its kind is unknown or its host is missing")]
    return _smtp(parts.scheme, parts.hostname, port, parts.username, parts.password), []


def _smtp(
    scheme: str,
    host: str,
    port: int | None,
    user: str | None,
    password: str | None,
) -> dict[str, object]:
    usual = {"smtp": 25, "smtp+tls": 587, "smtps": 465}[scheme]
    return {
        "EMAIL_BACKEND": f"{BACKENDS}.smtp.EmailBackend",
        "EMAIL_HOST": host,
        "EMAIL_PORT": port or usual,
        "EMAIL_HOST_USER": unquote(user or ""),
        "EMAIL_HOST_PASSWORD": unquote(password or ""),
        "EMAIL_USE_TLS": scheme == "smtp+tls",
        "EMAIL_USE_SSL": scheme == "smtps",
        "EMAIL_TIMEOUT": 10,
    }


def _unreadable(reason: str) -> SettingProblem:
    return SettingProblem(
        "email-url",
        f"EMAIL_URL cannot be used: {reason}.",
        "Write it as smtp+tls://user:password@host:587, smtps://…:465, smtp://host:25, console: or file:.",
    )
