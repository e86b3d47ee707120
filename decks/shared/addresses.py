"""Collect the addresses that each room keeps in its own `urls`."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module

from django.urls import URLPattern


def collect_patterns(rooms: Iterable[str], name: str) -> list[URLPattern]:
    """Return the patterns that rooms list under `name`, in the order of the rooms.

    A room may have none.
    """
    modules = [import_module(f"{room}.urls") for room in rooms]
    return [pattern for module in modules for pattern in getattr(module, name, [])]
