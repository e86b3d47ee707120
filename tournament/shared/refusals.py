"""Refusals of an event's services; lists and catalogue refuse with the same classes."""

from __future__ import annotations
