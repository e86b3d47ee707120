"""Python's garbage collector, held back while one large thing is made."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def paused_collector() -> Iterator[None]:
    """Hold the collector back inside the block and collect once at its end.

    Laying out a long sheet makes millions of objects that live until its end; looking through them again and
    again takes up to half of the time. It is a setting of the whole process: use it in workers only.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
        gc.collect()
