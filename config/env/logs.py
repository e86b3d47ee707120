"""Logging: one line an occurrence, for people on a terminal or as JSON."""

from __future__ import annotations

from typing import Any

import structlog

from config.env.private_addresses import hide_keys

SERVER_LOGGERS = ("gunicorn.error", "gunicorn.access", "uvicorn", "uvicorn.error", "uvicorn.access")


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
    """Send the messages of structlog's loggers to the standard library's logging."""
    structlog.configure(
        processors=[*_shared_steps(), structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )


def _hide_keys(logger: Any, method: str, line: str) -> str:
    """Return a log line without private addresses.

    This is the last processor of each line, whichever logger wrote it.
    """
    return hide_keys(line)


def _formatter(kind: str) -> dict[str, object]:
    renderers: list[Any] = [structlog.stdlib.ProcessorFormatter.remove_processors_meta]
    if kind == "json":
        # Without the values of variables, among which are keys and passwords.
        tracebacks = structlog.tracebacks.ExceptionDictTransformer(show_locals=False)
        renderers += [structlog.processors.ExceptionRenderer(tracebacks), structlog.processors.JSONRenderer()]
    else:
        renderers.append(
            structlog.dev.ConsoleRenderer(colors=False, exception_formatter=structlog.dev.plain_traceback)
        )
    renderers.append(_hide_keys)
    return {
        "()": structlog.stdlib.ProcessorFormatter,
        "processors": renderers,
        "foreign_pre_chain": _shared_steps(),
    }


def logging_settings(*, level: str, kind: str) -> dict[str, object]:
    """Return Django's LOGGING for a level and a kind of line.

    The level is a name ("INFO"), and the kind is "console" or "json".
    """
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": _formatter(kind)},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {
            "django": {"handlers": [], "level": level, "propagate": True},
            "django.server": {"handlers": [], "level": level, "propagate": True},
            # They bring handlers of their own, which would write messages without this processor.
            **{name: {"handlers": [], "level": level, "propagate": True} for name in SERVER_LOGGERS},
            # Missing glyphs and unknown style properties are reported for each sheet, by the hundred.
            "weasyprint": {"level": "ERROR"},
            "fontTools": {"level": "ERROR"},
            # Warns that messages through files need no host.
            "kombu.connection": {"level": "ERROR"},
        },
    }
