"""Foundation of every API view and serializer.

A name that no one reads is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from difflib import get_close_matches
from typing import Any, Self

from django.conf import settings
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, ValidationError
from rest_framework.request import Request
from rest_framework.views import APIView

from decks.shared.refusals import Refused, refuse_all

UNKNOWN_FIELD = "unknown_field"
READ_ONLY_FIELD = "read_only_field"
UNKNOWN_PARAMETER = "unknown_parameter"
REPEATED_PARAMETER = "repeated_parameter"
MAX_SHOWN = 60


class StrictView(APIView):
    """Refuses query parameters and bodies that the method does not describe.

    A method describes them with `extend_schema`.
    """

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        handler = getattr(self, str(request.method).lower(), None)
        if handler is None:
            return
        schema = self._described_schema(request, handler)
        refuse_all(list(_find_wrong_parameters(request, _parameter_names(self, schema))))
        if request.method not in ("GET", "HEAD", "OPTIONS") and not _has_body(schema, request):
            refuse_body(request)

    def _described_schema(self, request: Request, handler: Callable[..., Any]) -> AutoSchema | None:
        schema_kwargs = getattr(handler, "kwargs", {}).get("schema")
        if schema_kwargs is None:
            return None
        schema: AutoSchema = schema_kwargs()
        schema.view, schema.method = self, str(request.method)
        return schema


class StrictFields(serializers.Serializer):
    """Refuses fields that the serializer does not read.

    The refusal gives the nearest field that it does read.
    """

    def to_internal_value(self, data: Any) -> Any:
        problems = self._find_wrong_fields(data) if isinstance(data, Mapping) else {}
        try:
            values = super().to_internal_value(data)
        except ValidationError as error:
            if problems and isinstance(error.detail, dict):
                raise ValidationError({**error.detail, **problems}) from error
            raise
        if problems:
            raise ValidationError(problems)
        return values

    def _find_wrong_fields(self, data: Mapping[str, object]) -> dict[str, list[ErrorDetail]]:
        fields = self.fields
        accepted_names = [name for name, field in fields.items() if not field.read_only]
        problems = {}
        for name in data:
            if name not in fields:
                problems[str(name)] = [_to_detail(unknown_name(UNKNOWN_FIELD, name, accepted_names))]
            elif fields[name].read_only and not self._is_unchanged(name, data[name]):
                problems[name] = [_to_detail(Refused(READ_ONLY_FIELD, name=name))]
        return problems

    def _is_unchanged(self, name: str, value: Any) -> bool:
        """Return whether a field that is only read is sent back as it was given out."""
        if self.instance is None or isinstance(self.instance, (list, tuple)):
            return False
        return bool(self.to_representation(self.instance).get(name) == value)


class StrictSerializer(StrictFields, serializers.Serializer):
    """Base class of serializers."""


class StrictModelSerializer(StrictFields, serializers.ModelSerializer):
    """Base class of serializers of one table."""


def optional_text(max_length: int, **options: Any) -> serializers.CharField:
    """Make a text field that a request may leave out or send empty."""
    return serializers.CharField(
        max_length=max_length, required=False, allow_blank=True, default="", **options
    )


# Any: each value has the type of the field that checked it.
def read_body(serializer_class: type[Any], request: Request, **options: Any) -> dict[str, Any]:
    """Return the checked values of a body; no body at all is an empty one.

    Raises ValidationError.
    """
    serializer = serializer_class(data={} if request.data is None else request.data, **options)
    serializer.is_valid(raise_exception=True)
    return dict(serializer.validated_data)


# Any: each value has the type of the field that checked it.
def read_query(serializer_class: type[Any], request: Request) -> dict[str, Any]:
    """Return the checked values of the query parameters. Raises ValidationError."""
    serializer = serializer_class(data=request.query_params.dict())
    serializer.is_valid(raise_exception=True)
    return dict(serializer.validated_data)


def refuse_body(request: Request, accepted_names: Collection[str] = ()) -> None:
    """Refuse fields of a body that this step does not read. Raises Refused."""
    data = request.data
    if not data:
        return
    if not isinstance(data, Mapping):
        raise Refused("unexpected_body")
    unread = [name for name in data if name not in accepted_names]
    refuse_all([unknown_name(UNKNOWN_FIELD, name, accepted_names) for name in unread])


def unknown_name(code: str, name: object, known_names: Collection[str]) -> Refused:
    """Refuse a field or parameter that does not exist.

    The refusal names the nearest one that does.
    """
    shown_name = str(name)
    shown_name = shown_name if len(shown_name) <= MAX_SHOWN else f"{shown_name[:MAX_SHOWN]}…"
    shown_name = " ".join(shown_name.split())
    nearest = next(iter(get_close_matches(shown_name, sorted(known_names), n=1, cutoff=0.6)), None)
    field = str(name)[:MAX_SHOWN]
    return Refused(code, field=field, name=shown_name, nearest=nearest, known=tuple(sorted(known_names)))


class RefusalCode(str):
    """The code of a refusal that the framework collects, with the refusal.

    The framework copies no more of an error than its text and its code.
    """

    __slots__ = ("refusal",)
    refusal: Refused

    @classmethod
    def of(cls, refusal: Refused) -> Self:
        """Make the code of a refusal."""
        code = cls(refusal.code)
        code.refusal = refusal
        return code


def _to_detail(refusal: Refused) -> ErrorDetail:
    return ErrorDetail(refusal.sentence, RefusalCode.of(refusal))


# Any: a document of OpenAPI, as drf-spectacular builds it.
def close_request_components(result: dict[str, Any], **_options: object) -> dict[str, Any]:
    """State in the API description that requests have no further fields.

    This is a hook of drf-spectacular.
    """
    for name, component in result.get("components", {}).get("schemas", {}).items():
        if name.endswith("Request") and component.get("type") == "object":
            component.setdefault("additionalProperties", False)
    return result


def _find_wrong_parameters(request: Request, known_names: Collection[str]) -> Iterator[Refused]:
    for name, values in request.query_params.lists():
        if name == settings.REST_FRAMEWORK.get("URL_FORMAT_OVERRIDE", "format"):
            continue
        if name not in known_names:
            yield unknown_name(UNKNOWN_PARAMETER, name, known_names)
        elif len(values) > 1:
            yield Refused(REPEATED_PARAMETER, field=name, name=name, times=len(values))


def _parameter_names(view: APIView, schema: AutoSchema | None) -> set[str]:
    names = set()
    for parameter in schema.get_override_parameters() if schema else []:
        if isinstance(parameter, OpenApiParameter):
            names |= {parameter.name} if parameter.location == OpenApiParameter.QUERY else set()
        else:
            serializer = parameter() if isinstance(parameter, type) else parameter
            names |= set(serializer.fields)
    paginator = getattr(view, "paginator", None)
    return (
        names | {each["name"] for each in paginator.get_schema_operation_parameters(view)}
        if paginator
        else names
    )


def _has_body(schema: AutoSchema | None, request: Request) -> bool:
    if schema is None or request.method == "DELETE":
        return False
    return schema.get_request_serializer() is not None
