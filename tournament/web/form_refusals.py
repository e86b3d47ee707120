"""Refusals of services as errors of forms."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django import forms

from decks.shared.refusals import Refused


def attempt(form: forms.BaseForm, act: Callable[[], Any]) -> Any:
    """Run one step for a form; what is refused stands beside the field it names. None when refused."""
    try:
        return act()
    except Refused as refusal:
        add_refusals(form, refusal)
        return None


def add_refusals(form: forms.BaseForm, refusal: Refused) -> None:
    """Put each problem beside the field it names, or above the form."""
    for problem in refusal.problems:
        field = problem.field if problem.field in form.fields else None
        form.add_error(field, forms.ValidationError(problem.message, code=problem.code))
