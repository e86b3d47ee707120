"""Which function does which kind of job."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from celery import current_app

if TYPE_CHECKING:
    from decks.jobs.run import Run

Handler = Callable[["Run"], Any]

_handlers: dict[str, Handler] = {}


class JobFailed(Exception):
    """Raised by a handler that knows why it cannot succeed; trying again would not help."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence


def job(kind: str) -> Callable[[Handler], Handler]:
    """Register the decorated function as the one that does jobs of `kind`.

    It takes a Run and returns what JSON can hold (or None), which becomes the job's result. It must be
    idempotent: after the loss of a worker it is called again. Raises ValueError for a kind that is taken.
    """

    def register(handler: Handler) -> Handler:
        taken = _handlers.get(kind)
        if taken is not None and taken.__qualname__ != handler.__qualname__:
            raise ValueError(f"Jobs of the kind {kind!r} are already done by {taken.__qualname__}.")
        _handlers[kind] = handler
        return handler

    return register


def handler_of(kind: str) -> Handler:
    """The function that does jobs of `kind`; raises JobFailed when there is none."""
    if kind not in _handlers:
        current_app.loader.import_default_modules()
    if kind not in _handlers:
        raise JobFailed("unknown-kind", f"Nothing here knows how to do jobs of the kind {kind!r}.")
    return _handlers[kind]
