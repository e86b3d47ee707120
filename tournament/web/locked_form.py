"""Forms over what stands, sent by two people in one moment: the second is compared with the first."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.db import models, transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404

View = Callable[..., HttpResponse]


def compared_under_lock(view: View) -> View:
    """A page of an event or a league whose form compares what its sender saw with what stands.

    What is sent is compared and written under the lock of the row, which the view gets as it stands there; a
    form that was only compared before the step would write over what came between. Reading locks nothing.
    """

    @wraps(view)
    def page(request: HttpRequest, row: models.Model, **kwargs: Any) -> HttpResponse:
        if request.method != "POST":
            return view(request, row, **kwargs)
        with transaction.atomic():
            standing = get_object_or_404(type(row).objects.select_for_update(), pk=row.pk)
            return view(request, standing, **kwargs)

    return page
