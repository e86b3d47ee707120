"""The API's description, held against the code."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from django.core.management import call_command
from django.test import Client
from hypothesis import HealthCheck, Phase, settings
from rest_framework.serializers import Serializer
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from config.wsgi import application
from tests import machine
from tests.fixtures.api_answers import description

OURS = ("decks", "tournament")
pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]


def test_description_is_valid_openapi_3_and_made_without_a_warning(tmp_path: Path) -> None:
    call_command(
        "spectacular", "--validate", "--fail-on-warn", "--format=openapi-json", file=tmp_path / "api"
    )
    schema = json.loads((tmp_path / "api").read_text("utf-8"))
    assert schema["openapi"].startswith("3.")


def test_no_two_components_have_one_name() -> None:
    names = Counter(each.__name__ for each in set(subclasses(Serializer)) if each.__module__.startswith(OURS))
    assert [name for name, times in names.items() if times > 1] == []


# Parts of answers that say what is wrong, or why.
REASONS = {"problems", "doubts", "warnings", "causes", "why", "remarks", "reasons"}
# Beside both are the same as codes and parameters: `problem_reasons` and `notice_reasons`.
WITH_CODES_BESIDE = {"CheckAnswer.problems"}


def test_reasons_of_answers_have_codes_and_parameters() -> None:
    shapes = description()["components"]["schemas"]
    bare = {
        f"{name}.{part}"
        for name, shape in shapes.items()
        for part, field in shape.get("properties", {}).items()
        if part in REASONS and field.get("items", {}).get("type") == "string"
    }
    assert bare == WITH_CODES_BESIDE
    reasons = [shapes[name]["properties"] for name in ("StatedReason", "Warning", "Problem")]
    assert all({"code", "params", "sentence"} <= set(parts) for parts in reasons)


def subclasses(cls: type[Any]) -> Iterator[type[Any]]:
    """Yield all classes that are made from one."""
    for each in cls.__subclasses__():
        yield each
        yield from subclasses(each)


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
schema = schemathesis.openapi.from_dict(description())
schema.app = application


@pytest.mark.both_databases
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
    """For any request of any client: no 5xx answer, and every answer as described."""
    # The checks read what arrives without unpacking it.
    case.call_and_validate(checks=CHECKS, headers={"Accept-Encoding": "identity"})
