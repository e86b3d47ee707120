"""The API's description, held against the code."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
import schemathesis
from django.test import Client
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.validation import validate_schema
from hypothesis import HealthCheck, Phase, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from config.wsgi import application
from tests import machine

pytestmark = pytest.mark.django_db


@cache
def description() -> dict[str, Any]:
    """The description as the code makes it; to make it takes as long as a hundred answers."""
    return SchemaGenerator().get_schema(request=None, public=True)


def test_description_is_valid_openapi_3() -> None:
    schema = description()
    validate_schema(schema)
    assert schema["openapi"].startswith("3.")


def test_every_operation_has_a_summary_and_a_name_of_its_own() -> None:
    operations = [
        op for path in description()["paths"].values() for op in path.values() if isinstance(op, dict)
    ]
    names = [operation["operationId"] for operation in operations]
    assert len(names) == len(set(names))
    assert [op["operationId"] for op in operations if not op.get("summary")] == []


def test_description_is_served_where_the_contract_says(client: Client) -> None:
    answer = client.get("/api/schema/", headers={"accept": "application/json"})
    assert answer.status_code == 200
    assert answer.json()["info"]["title"] == "Ringside"


CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
schema = schemathesis.openapi.from_wsgi("/api/schema/?format=json", application)


@pytest.mark.django_db(transaction=True)
@schema.parametrize()
@settings(
    max_examples=40 if machine.whole() else 2,
    deadline=None,
    derandomize=True,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_no_request_breaks_the_server(case: Any) -> None:
    """Whatever is sent by whomever: no answer of the kind 5xx, and every answer as described."""
    # The checks read what arrives without unpacking it.
    case.call_and_validate(checks=CHECKS, headers={"Accept-Encoding": "identity"})
