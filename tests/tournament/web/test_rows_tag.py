"""The tag for rows of long lists writes what Django's own loop writes."""

from dataclasses import dataclass
from datetime import UTC, datetime
from fractions import Fraction

import pytest
from django import template
from django.template import engines
from django.template.context import Context, make_context
from django.template.loaders.cached import Loader
from django.utils.safestring import SafeString
from django.utils.translation import override
from hypothesis import given
from hypothesis import strategies as st

from tests.everyday import each_case


@dataclass
class TaggedRow:
    name: object = "Ann <b>"
    number: object = 7
    inner: object = None
    out: bool = False

    @property
    def label(self) -> str:
        return f"No. {self.number}"

    def greet(self) -> str:
        return f"Hello & {self.name}"

    @property
    def broken_value(self) -> str:
        raise ValueError("broken")


PEOPLE = [
    TaggedRow(),
    TaggedRow(SafeString("<i>Bo</i>"), 1200, {"deep": [3, "x"], "items": "own"}, out=True),
    TaggedRow("", None, TaggedRow("Cy", Fraction(1, 3), out=True)),
    {"name": "a dict", "number": 1.5, "keys": "its key"},
    [1, 2],
    "a text",
    None,
    datetime(2026, 5, 2, 9, 30, tzinfo=UTC),
]

BODIES = [
    "fixed",
    "{{ each }}|",
    "{{ each.name }}|{{ each.number }}|{{ each.label }}|{{ each.missing }}|",
    "{{ each.inner.deep.1 }}|{{ each.inner.name }}|{{ each.inner.items }}|{{ each.0 }}|{{ each.keys }}|",
    "{{ each.greet }}|{{ each.greet.upper }}|{{ each.name.upper }}|{{ each.upper }}|",
    "{{ around.name }}|{{ around.label }}|{{ nothing }}|{{ nothing.more }}|",
    "{{ called }}|{{ 3 }}|{{ 'a & b' }}|",
    "{{ each.name|default:around.name }}|{{ each.number|default_if_none:'–' }}|{{ each.inner|default:'<' }}|",
    "{% if each.out %}out{% elif each.inner and not each.missing %}inner{% else %}in{% endif %}|",
    "{% if each.number == 7 or each.name == around.name %}same{% endif %}{% if nothing %}no{% endif %}|",
    "{% if each.number > 5 %}more{% endif %}{% if each.missing|default:nothing.at %}no{% endif %}|",
    "{% if each.broken_value and each.out %}no{% else %}held{% endif %}{% if called %}called{% endif %}|",
    "{% for letter in each.name %}{{ forloop.counter }}{{ letter }}{% endfor %}|",
    "{% with name=each.number %}{{ name }}{% endwith %}{{ name }}|",
    "{% address 'event' 'one' as page %}{{ page }}|{% icon 'check' each.name %}|",
    "{% translate 'Player' %}|{% translate 'In' context 'cut' %}|{% translate 'Cut' as word %}{{ word }}|",
    "{% translate each.greet %}|{% translate 'In' context each.label %}|{% translate 'Cut'|upper %}|",
    "{% if each.out %}{% translate 'A & B' %}{% else %}{% translate 'Player' noop %}{% endif %}|",
    "{% autoescape off %}{{ each.name }}{% endautoescape %}|",
    "{% spaceless %}<a> {{ each.name }} </a>{% endspaceless %}",
    "{% if each.out %}{% if each.inner %}{{ each.name }}{{ each.inner.deep }}{% endif %}{% endif %}{# no #}",
]


def render_tag(tag: str, body: str, items: object, *, is_escaped: bool = True) -> str:
    source = f"{{% load i18n ringside rows %}}{{% {tag} each in items %}}{body}{{% end{tag} %}}{{{{ each }}}}"
    context: Context = make_context(
        {"items": items, "around": PEOPLE[0], "called": lambda: "called", "name": "outside"},
        autoescape=is_escaped,
    )
    return engines["django"].from_string(source).template.render(context)


@each_case("is_escaped", [True, False])
@each_case("body", BODIES)
def test_rows_write_what_a_loop_writes(body, is_escaped):
    assert render_tag("rows", body, PEOPLE, is_escaped=is_escaped) == render_tag(
        "for", body, PEOPLE, is_escaped=is_escaped
    )


def test_one_template_writes_fixed_words_in_the_language_of_each_reader():
    source = "{% load i18n rows %}{% rows each in items %}{% translate 'Player' %} {% endrows %}"
    rows = engines["django"].from_string(source)
    texts = []
    for language in ("en", "de", "en"):
        with override(language):
            texts.append(rows.render({"items": PEOPLE[:2]}))
    assert texts == ["Player Player ", "Spieler Spieler ", "Player Player "]


def test_rows_are_written_without_indentation_and_line_breaks_stay():
    body = "<tr>\n    <td>\n      {{ each }} of  {{ each }}\n\n    </td>\n  </tr>"
    assert render_tag("rows", body, [7]) == "<tr>\n<td>\n7 of  7\n</td>\n</tr>"


INCLUDED = {
    "plain.html": "{% load i18n %}{{ each.name }}{% if each.out and not around.out %}"
    "{{ around.name|upper }}{% translate 'Player' %}{% endif %}",
    "naming.html": "{% load ringside %}{% address 'event' 'one' as page %}{{ page }}{{ each.name }}",
    "looping.html": "{% for letter in each.name %}{{ letter }}{% cycle 'a' 'b' %}{% endfor %}",
    "grouping.html": "{% regroup each.name by upper as groups %}{{ groups|length }}",
}


@each_case(
    "include",
    [*INCLUDED, "plain.html' with each=around only %}{% include 'plain.html", "plain.html' with more='x"],
)
def test_rows_write_an_included_template_as_a_loop_does(include, monkeypatch):
    engine = engines["django"].engine
    once = Loader(engine, [("django.template.loaders.locmem.Loader", INCLUDED)])
    monkeypatch.setattr(engine, "template_loaders", [once, *engine.template_loaders])
    body = f"{{% include '{include}' %}}{{{{ page }}}}{{{{ groups }}}}|"
    texts = [render_tag(tag, body, PEOPLE) for tag in ("for", "rows", "rows", "for")]
    assert set(texts) == {texts[0]}


@each_case("items", [None, [], (), "abc", {"a": 1}])
def test_rows_of_no_list_are_as_in_a_loop(items):
    assert render_tag("rows", "{{ each }}", items) == render_tag("for", "{{ each }}", items)


values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=5)
    | st.builds(SafeString, st.text(max_size=5)),
    lambda inner: (
        st.builds(TaggedRow, inner, inner, inner)
        | st.dictionaries(st.sampled_from(["name", "number", "inner"]), inner)
        | st.lists(inner, max_size=2)
    ),
    max_leaves=6,
)
paths = st.sampled_from(
    ["each", "each.name", "each.inner", "each.inner.name", "each.number.inner", "around.name"]
)
pieces = st.builds("{{{{ {} }}}}".format, paths) | st.builds(
    "{{% if {} {} {} %}}{{{{ {} }}}}{{% else %}}-{{% endif %}}".format,
    paths,
    st.sampled_from(["and", "or", "==", "!=", "in", "and not", "<"]),
    paths,
    paths,
)


@given(body=st.lists(pieces, max_size=4).map("|".join), items=st.lists(values, max_size=3))
def test_rows_of_anything_are_as_in_a_loop(body, items):
    assert render_tag("rows", body, items) == render_tag("for", body, items)


def test_thousands_are_set_apart_where_the_settings_say_so(settings):
    settings.USE_THOUSAND_SEPARATOR = True
    assert (
        render_tag("rows", "{{ each }}|", [7, 1200])
        == render_tag("for", "{{ each }}|", [7, 1200])
        == "7|1 200|"
    )


def test_fault_of_a_row_is_raised_as_in_a_loop():
    for tag in ("rows", "for"):
        with pytest.raises(ValueError, match="broken"):
            render_tag(tag, "{{ each.broken_value }}", PEOPLE[:1])


def test_wrong_words_are_refused_when_the_template_is_read():
    with pytest.raises(template.TemplateSyntaxError) as excinfo:
        engines["django"].from_string("{% load rows %}{% rows each of items %}{% endrows %}")
    assert str(excinfo.value) == "Write {% rows name in list %}."
