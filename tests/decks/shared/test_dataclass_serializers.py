"""A dataclass as the only statement of what goes out.

The value, the serializer's answer and the description agree.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from fractions import Fraction
from typing import Any, Literal

import pytest
from rest_framework import serializers

from decks.checking import api_shapes as checking
from decks.checking.check import check_text
from decks.checking.result import DayComparison, day_verdict
from decks.editions.models import ListEdition
from decks.jobs.models import Job
from decks.shared.dataclass_serializers import field_of, serializer_of
from decks.shared.json_shapes import Published, to_json
from tests.scenarios.catalogue import LEGAL, small_catalogue


@dataclass(frozen=True, slots=True)
class Part(Published):
    name: str
    size: int | None = None


@dataclass(frozen=True, slots=True)
class Whole(Published):
    PUBLISHED = {"title": "name", "parts": "parts", "first": "first", "day": "day", "state": "state"} | {
        each: each for each in ("counts", "facts", "words", "at", "is_big")
    }

    name: str
    parts: tuple[Part, ...]
    first: Part | None
    day: date | None
    state: Literal["open", "done"]
    counts: Mapping[str, int]
    facts: Mapping[str, object]
    at: datetime
    secret: str = "secret"

    @property
    def words(self) -> list[str]:
        return [each.name for each in self.parts]

    @property
    def is_big(self) -> bool:
        return len(self.parts) > 1


@dataclass(frozen=True, slots=True)
class Ordered(Published):
    number: int
    words: str
    last: int


@dataclass(frozen=True, slots=True)
class Around(Published):
    PUBLISHED = {"size": "first.size", "state": "whole.state", "job": "job.id", "name": "edition.name"} | {
        "on": "edition.in_force",
        "part": "part",
    }

    whole: Whole
    first: Part | None
    job: Job | None
    edition: ListEdition
    part: Fraction


@dataclass(frozen=True, slots=True)
class Partial(Published):
    number: int
    words: str


ORDERED = {"number": "number", "words": "words", "last": "last"}
AroundShape = serializer_of(Around, "AroundShape", "Values from inside of values.")
PartShape = serializer_of(Part, "PartShape", "A part.", help_texts={"size": "Its size."})
WholeShape = serializer_of(Whole, "WholeShape", "All of it.")
AT = datetime(2030, 1, 2, 12, tzinfo=UTC)
WHOLE = Whole("A", (Part("b", 2), Part("c")), None, date(2030, 1, 2), "open", {"x": 1}, {"y": [1]}, AT)


def test_only_what_is_published_goes_out() -> None:
    assert WHOLE.to_json() == {
        "title": "A",
        "parts": [{"name": "b", "size": 2}, {"name": "c", "size": None}],
        "first": None,
        "day": "2030-01-02",
        "state": "open",
        "counts": {"x": 1},
        "facts": {"y": [1]},
        "words": ["b", "c"],
        "at": "2030-01-02T12:00:00+00:00",
        "is_big": True,
    }


def test_the_serializer_says_the_same_as_the_value() -> None:
    data = dict(WholeShape(WHOLE).data)
    assert datetime.fromisoformat(data.pop("at")) == AT
    assert data == {name: value for name, value in WHOLE.to_json().items() if name != "at"}


def test_fields_follow_from_the_types() -> None:
    fields = WholeShape().fields
    kinds = {name: type(field).__name__ for name, field in fields.items()}
    assert kinds == {
        "title": "CharField", "parts": "ListSerializer", "first": "PartShape", "day": "DateField",
        "state": "ChoiceField", "counts": "DictField", "facts": "DictField", "words": "ListField",
        "at": "DateTimeField", "is_big": "BooleanField",
    }  # fmt: skip
    assert (fields["first"].allow_null, fields["day"].allow_null, fields["at"].allow_null) == (
        True,
        True,
        False,
    )
    assert isinstance(fields["counts"].child, serializers.IntegerField)
    assert PartShape().fields["size"].help_text == "Its size."
    assert WholeShape.__doc__ == "All of it."


@pytest.mark.parametrize("annotation", [object, complex, Whole.__class__])
def test_a_type_without_a_field_is_named_when_the_module_is_loaded(annotation: Any) -> None:
    with pytest.raises(TypeError):
        field_of(annotation)


@pytest.mark.django_db
def test_a_checked_list_is_described_by_its_own_fields() -> None:
    small_catalogue()
    checked_list = check_text("ufs", "constructed", LEGAL + "\n5 Mara\n\n2 Oto ●●●", on=date(2030, 1, 1))
    days = DayComparison.of(*(day_verdict(checked_list, date(2030, 1, day)) for day in (1, 2)))
    assert checked_list.to_json().keys() == checking.CheckAnswer().fields.keys() - {"text", "days", "plan"}
    for shape, value in ((checking.LineShape, checked_list.lines[0]), (checking.DaysShape, days)):
        assert to_json(shape(value).data) == value.to_json()


def test_a_field_that_is_given_stands_where_the_dataclass_has_it() -> None:
    field_values = {
        "words": serializers.CharField(allow_blank=True),
        "after": serializers.CharField(required=False),
    }
    shape = serializer_of(Ordered, "OrderedShape", "Three values.", fields=field_values)
    assert [*shape().fields] == ["number", "words", "last", "after"]


def test_a_path_publishes_what_is_inside_of_a_value() -> None:
    job, edition = Job(), ListEdition(name="Bans", in_force=date(2030, 1, 2))
    around = Around(WHOLE, WHOLE.parts[0], job, edition, Fraction(2, 4))
    values = {
        "size": 2,
        "state": "open",
        "job": str(job.pk),
        "name": "Bans",
        "on": "2030-01-02",
        "part": "1/2",
    }
    assert around.to_json() == values
    assert AroundShape(around).data == values


def test_a_path_through_nothing_publishes_none() -> None:
    around = Around(WHOLE, None, None, ListEdition(), Fraction(1))
    values = {"size": None, "state": "open", "job": None, "name": "", "on": None, "part": "1"}
    assert around.to_json() == values
    assert AroundShape(around).data == values


def test_the_fields_of_paths_follow_from_the_types_inside() -> None:
    fields = AroundShape().fields
    kinds = {name: (type(field).__name__, field.allow_null) for name, field in fields.items()}
    assert kinds == {
        "size": ("IntegerField", True),
        "state": ("ChoiceField", False),
        "job": ("UUIDField", True),
        "name": ("CharField", False),
        "on": ("DateField", True),
        "part": ("CharField", False),
    }


def test_names_make_one_answer_of_the_columns_of_a_table() -> None:
    names = {"id": "id", "list": "name", "day": "in_force"}
    shape = serializer_of(ListEdition, "EditionColumns", "Three columns.", names=names)
    edition = ListEdition(id=3, name="Bans", in_force=date(2030, 1, 2))
    assert shape(edition).data == {"id": 3, "list": "Bans", "day": "2030-01-02"}


def test_an_answer_with_names_is_not_the_serializer_of_its_class() -> None:
    serializer_of(Partial, "PartialShape", "One value.", names={"number": "number"})
    with pytest.raises(TypeError):
        field_of(Partial)


def test_an_optional_value_is_left_out_where_it_is_missing() -> None:
    shape = serializer_of(Ordered, "PartlyOrdered", "Three values.", optional=["last"], names=ORDERED)
    assert {name: field.required for name, field in shape().fields.items()} == {
        "number": True,
        "words": True,
        "last": False,
    }
    assert shape({"number": 1, "words": "a"}).data == {"number": 1, "words": "a"}
