"""Asynchronous code of tests."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

Result = TypeVar("Result")


def run_aside(coroutine: Coroutine[Any, Any, Result]) -> Result:
    """Return what a coroutine returns, run in a thread of its own.

    A browser test before this one may have left its event loop in this thread.
    """
    with ThreadPoolExecutor(1) as aside:
        return aside.submit(asyncio.run, coroutine).result()
