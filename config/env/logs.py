"""Logging: one line an occurrence, for people on a terminal or as JSON for machines."""

from __future__ import annotations

from typing import Any

import structlog


def _shared_steps() -> list[Any]:
    return [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.PositionalArgumentsFormatter(),
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.StackInfoRenderer(),
    ]


def configure_structlog() -> None:
    """Send what structlog's loggers are told into the standard library's logging."""
    structlog.configure(
        processors=[*_shared_steps(), structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )


def _formatter(kind: str) -> dict[str, Any]:
    renderers: list[Any] = [structlog.stdlib.ProcessorFormatter.remove_processors_meta]
    if kind == "json":
        renderers += [structlog.processors.dict_tracebacks, structlog.processors.JSONRenderer()]
    else:
        renderers.append(
            structlog.dev.ConsoleRenderer(colors=False, exception_formatter=structlog.dev.plain_traceback)
        )
    return {
        "()": structlog.stdlib.ProcessorFormatter,
        "processors": renderers,
        "foreign_pre_chain": _shared_steps(),
    }


def logging_settings(*, level: str, kind: str) -> dict[str, Any]:
    """Django's LOGGING for a level name ("INFO") and a kind of line ("console" or "json")."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": _formatter(kind)},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {
            "django": {"handlers": [], "level": level, "propagate": True},
            "django.server": {"handlers": [], "level": level, "propagate": True},
            # Fonts without a glyph and unknown style properties are told once a sheet, by the hundred.
            "weasyprint": {"level": "ERROR"},
            "fontTools": {"level": "ERROR"},
            # Warns that messages through files need no host.
            "kombu.connection": {"level": "ERROR"},
        },
    }
