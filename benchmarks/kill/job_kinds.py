"""Jobs of the kill trial.

Its workers import them as they import those of the rooms.
"""

from __future__ import annotations

import os
import time
from typing import Any

from decks.jobs.handlers import Run, job

LONG_SECONDS = 4.0


@job("kill.quick")
def quick(run: Run) -> Any:
    """Done as soon as it is taken."""
    return {"pid": os.getpid()}


@job("kill.long")
def long(run: Run) -> Any:
    """Report the process id as its progress, and work for a while."""
    until = time.monotonic() + LONG_SECONDS
    while time.monotonic() < until:
        run.progress(os.getpid())
        time.sleep(0.1)
    return {"pid": os.getpid()}
