"""Random requests to each address of the API, made of its description."""

from __future__ import annotations

from typing import Any

import pytest

from tests import machine

# In each process, it takes a second to load what makes the requests and to list the addresses.
if machine.on_sqlite() and not machine.whole():
    pytest.skip("left for RINGSIDE_TEST_WHOLE=1: the run on PostgreSQL", allow_module_level=True)

import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from config.wsgi import application
from tests.fixtures.api_answers import description

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
schema = schemathesis.openapi.from_dict(description())
schema.app = application


@pytest.mark.daily_on_postgres
@pytest.mark.django_db(transaction=True)
@schema.parametrize()
@settings(
    max_examples=40 if machine.whole() else 1,
    deadline=None,
    derandomize=True,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_no_request_breaks_the_server(case: Any) -> None:
    """For any request of any client: no 5xx answer, and every answer as described."""
    # The checks read what arrives without unpacking it.
    case.call_and_validate(checks=CHECKS, headers={"Accept-Encoding": "identity"})
