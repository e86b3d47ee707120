"""Kinds of jobs for the tests; the worker imports this module too."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

from decks.jobs.handlers import JobFailed, Run, job
from rules.reason import plain_reason


@job("tests.add")
def add(run: Run) -> Any:
    return {"sum": run.payload["a"] + run.payload["b"]}


@job("tests.steps")
def steps(run: Run) -> Any:
    for step in range(run.payload["steps"] + 1):
        run.progress(step, run.payload["steps"], plain_reason(f"Step {step}"))
        time.sleep(run.payload.get("pause", 0))
    return None


@job("tests.refuse")
def refuse(run: Run) -> Any:
    raise JobFailed("no-players", told="There is nobody to print.")


@job("tests.break")
def break_down(run: Run) -> Any:
    raise ZeroDivisionError(f"attempt {run.tries}")


@job("tests.file")
def make_file(run: Run) -> Any:
    run.save("sheet.txt", run.payload["text"].encode())
    return {"bytes": len(run.payload["text"])}


@job("tests.stall")
def stall(run: Run) -> Any:
    """Report the process, then wait forever on the first attempt.

    Each completion is noted in a file.
    """
    if run.tries == 1:
        run.progress(1, 2, plain_reason(str(os.getpid())))
        time.sleep(600)
    with Path(run.payload["notes"]).open("a") as notes:
        notes.write(f"done in attempt {run.tries}\n")
    return {"attempt": run.tries}
