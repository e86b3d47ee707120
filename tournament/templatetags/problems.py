"""The summary of the problems of a form, above its fields."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypedDict

from django import forms, template

register = template.Library()


@dataclass(frozen=True, slots=True)
class FieldProblem:
    """One problem of a field, and the id of the control that fixes it."""

    label: str
    error: str
    target: str


class Summary(TypedDict):
    """What the template shows: problems of whole forms, then those of fields."""

    form_errors: list[str]
    field_problems: list[FieldProblem]


@register.inclusion_tag("components/problem_summary.html")
def problem_summary(*all_forms: forms.BaseForm | Iterable[forms.BaseForm]) -> Summary:
    """Summarize the problems of forms that are sent together.

    A form with a single field has its problem beside it, and gets no line about it. Problems of hidden fields
    are shown like those of the whole form.
    """
    sent_forms = list(_flatten(all_forms))
    shown_fields = [field for form in sent_forms for field in form.visible_fields()]
    return {
        "form_errors": [error for form in sent_forms for error in _list_form_errors(form)],
        "field_problems": list(_list_problems(shown_fields)) if len(shown_fields) > 1 else [],
    }


def _flatten(all_forms: Iterable[forms.BaseForm | Iterable[forms.BaseForm]]) -> Iterator[forms.BaseForm]:
    for each in all_forms:
        if isinstance(each, forms.BaseForm):
            yield each
        else:
            yield from each


def _list_form_errors(form: forms.BaseForm) -> Iterator[str]:
    for errors in (form.non_field_errors(), *(field.errors for field in form.hidden_fields())):
        yield from map(str, errors)


def _list_problems(fields: Iterable[forms.BoundField]) -> Iterator[FieldProblem]:
    for field in fields:
        for error in field.errors:
            yield FieldProblem(str(field.label), str(error), get_control_id(field))


def get_control_id(field: forms.BoundField) -> str:
    """Return the id of the field's control; of several, the first one's."""
    return field.id_for_label or f"{field.auto_id}_0"
