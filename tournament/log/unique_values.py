"""Set unique values aside while many rows change at once, so that two rows can exchange them.

Databases look at a unique constraint after every row, not at the end; a swap of two tables is refused in the
middle although it is fine as a whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.db import models

from tournament.log.bulk_rows import update_rows

SMALLEST_MAXIMUM, INTEGER_MAXIMUM = 32_767, 2_147_483_647


def park(model: type[models.Model], rows: Mapping[int, dict[str, Any]]) -> None:
    """Give every row that is to change a unique value one that nobody has; `rows` are the new values by id.

    Where only the condition of a constraint changes, the value that was set aside is added to the new ones.
    """
    for involved, column in _constraints(model):
        field = model._meta.get_field(column)
        moving = [pk for pk, values in rows.items() if involved & set(values)]
        if not moving:
            continue
        stood = model._default_manager.filter(pk__in=moving).values_list("pk", field.attname)
        for pk, value in stood:
            rows[pk].setdefault(field.attname, value)
        update_rows(model, [field], [[_aside(field, n), pk] for n, pk in enumerate(moving)])


def _constraints(model: type[models.Model]) -> Iterator[tuple[set[str], str]]:
    """For each unique constraint the columns that decide it, and the one whose value can be set aside."""
    for field in model._meta.concrete_fields:
        if field.unique and not field.primary_key:
            yield {field.attname}, field.name
    for constraint in model._meta.constraints:
        if isinstance(constraint, models.UniqueConstraint):
            names = [*constraint.fields, *_named(constraint.expressions)]
            condition = constraint.condition
            deciding = [*names, *(name for name, _ in _leaves(condition) if condition)]
            yield {model._meta.get_field(name).attname for name in deciding}, names[-1]


def _named(expressions: tuple[Any, ...]) -> Iterator[str]:
    for expression in expressions:
        inner = [expression] if isinstance(expression, models.F) else expression.get_source_expressions()
        yield from (part.name for part in inner if isinstance(part, models.F))


def _leaves(condition: models.Q | None) -> Iterator[tuple[str, Any]]:
    for child in condition.children if condition else ():
        if isinstance(child, models.Q):
            yield from _leaves(child)
        else:
            yield child[0].split("__")[0], child[1]


def _aside(field: models.Field, n: int) -> Any:
    if field.null:
        return None
    if field.is_relation:
        return 2**62 - n
    if isinstance(field, models.IntegerField):
        return (SMALLEST_MAXIMUM if _is_small(field) else INTEGER_MAXIMUM) - n
    return f"~{n}"


def _is_small(field: models.Field) -> bool:
    return isinstance(field, models.SmallIntegerField | models.PositiveSmallIntegerField)
