"""Describe in the API schema the limits that apply before every view."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, TypedDict

from django.urls import get_resolver
from django.urls.resolvers import URLResolver

from config.serving.body_limits import BODY_LIMITS, FORM
from config.serving.work_limits import is_counted

PARAMETER = re.compile(r"<(?:\w+:)?(\w+)>")
RETRY_AFTER = {"description": "Seconds to wait.", "schema": {"type": "integer"}}


class Operation(TypedDict, total=False):
    """Responses and parameters of one method of an address."""

    requestBody: object
    responses: dict[str, dict[str, object]]


class Description(TypedDict, total=False):
    """The description of the API, as far as it is read here."""

    paths: dict[str, dict[str, Operation]]


def describe_limits(result: Description, generator: Any, **_: Any) -> Description:
    """Add the refusals of large bodies and of too much work.

    The first is added if a body is sent, the second where work is counted.
    """
    names = dict(_named_paths(get_resolver()))
    for path, operations in result["paths"].items():
        name = names.get(path, "")
        for method, operation in operations.items():
            if "requestBody" in operation:
                words = BODY_LIMITS.get(name, FORM).words
                operation["responses"]["413"] = _refusal(f"Refused without reading it: more than {words}.")
            if is_counted(name, method.upper()):
                refusal = _refusal("Refused: too many requests in the last minutes.")
                operation["responses"]["429"] = {**refusal, "headers": {"Retry-After": RETRY_AFTER}}
    return result


def _named_paths(resolver: URLResolver, before: str = "/") -> Iterator[tuple[str, str]]:
    """Yield every address as the description writes it, with its name."""
    for pattern in resolver.url_patterns:
        route = f"{before}{pattern.pattern}"
        if isinstance(pattern, URLResolver):
            yield from _named_paths(pattern, route)
        elif pattern.name:
            yield PARAMETER.sub(r"{\1}", route), pattern.name


def _refusal(description: str) -> dict[str, object]:
    schema = {"$ref": "#/components/schemas/Problems"}
    return {"description": description, "content": {"application/json": {"schema": schema}}}
