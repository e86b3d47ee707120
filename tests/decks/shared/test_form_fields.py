"""Features of forms and fields beyond their types."""

from __future__ import annotations

import pytest
from django import forms
from django.http import QueryDict

from decks.shared.form_fields import get_choice_field, is_asked, mark_as_asked, set_sent_value


class _Form(forms.Form):
    color = forms.ChoiceField()
    parts = forms.CharField(required=False)


def test_choices_of_one_form_are_not_those_of_the_next() -> None:
    form = _Form()
    get_choice_field(form, "color").choices = [("red", "Red")]
    assert get_choice_field(form, "color").choices == [("red", "Red")]
    assert get_choice_field(_Form(), "color").choices == []


def test_field_without_choices_is_refused() -> None:
    with pytest.raises(TypeError):
        get_choice_field(_Form(), "parts")


def test_field_is_asked_only_in_the_form_that_marks_it() -> None:
    form = _Form()
    mark_as_asked(form.fields["parts"])
    assert [is_asked(form.fields["parts"]), is_asked(_Form().fields["parts"])] == [True, False]


@pytest.mark.parametrize(
    "form_values", [QueryDict("color=red&color=blue&parts=1"), {"color": "blue", "parts": "1"}]
)
def test_replaced_value_leaves_what_the_browser_sent_as_it_was(
    form_values: QueryDict | dict[str, str],
) -> None:
    form = _Form(form_values)
    set_sent_value(form, "parts", "2")
    assert (form.data["parts"], form.data["color"], form_values["parts"]) == ("2", "blue", "1")
