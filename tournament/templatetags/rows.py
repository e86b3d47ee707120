"""Template tag {% rows %}: a fast loop over the rows of long lists.

    {% load rows %}{% rows place in seatings %}<tr>…{{ place.player.name }}…</tr>{% endrows %}

Writes what `for` would write, without indentation, in half of the time. For every variable of every row
Django asks an object first for a key, catches the refusal, asks for the attribute, looks whether it is a
text, a time, a number to be written as the country does. Here a row's parts become functions when the
template is read, and what they do not know is left to Django. There is no `forloop` and no `empty`; a row may
not change its surroundings.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from html import escape
from typing import Any, cast

from django import template
from django.conf import settings
from django.template.base import (
    FilterExpression,
    Node,
    NodeList,
    Parser,
    TextNode,
    Token,
    Variable,
    VariableDoesNotExist,
    VariableNode,
    render_value_in_context,
)
from django.template.context import Context
from django.template.defaulttags import IfNode, LoadNode, TemplateLiteral
from django.template.library import SimpleNode
from django.template.loader import get_template
from django.template.loader_tags import IncludeNode
from django.templatetags.i18n import TranslateNode
from django.utils.safestring import SafeString

register = template.Library()

Part = str | Callable[[Context], str]


@register.tag("rows")
def compile_rows(parser: Parser, token: Token) -> RowsNode:
    """Compile `{% rows name in list %}` … `{% endrows %}`."""
    words = token.split_contents()
    if len(words) != 4 or words[2] != "in":
        raise template.TemplateSyntaxError("Write {% rows name in list %}.")
    nodelist = parser.parse(("endrows",))
    parser.delete_first_token()
    return RowsNode(words[1], parser.compile_filter(words[3]), nodelist)


class RowsNode(Node):
    """The loop; the name stands for one item of the list after another."""

    def __init__(self, name: str, items: FilterExpression, nodelist: NodeList) -> None:
        self.name, self.items, self.nodelist = name, items, nodelist
        self.around: set[str] = set()
        self.parts = RowCompiler(self.around).parts(nodelist)

    def render(self, context: Context) -> SafeString:
        """Return all rows, one after another."""
        items = self.items.resolve(context, ignore_failures=True) or ()
        # Values from outside the loop are the same in every row: they are looked up once, not through all
        # layers again.
        outer_values = {name: context[name] for name in self.around if name in context}
        output = []
        with context.push(**outer_values):
            row_context = context.dicts[-1]
            for item in items:
                row_context[self.name] = item
                output.append(self._row(context))
        return SafeString("".join(output))

    def _row(self, context: Context) -> str:
        return render_parts(self.parts, context) if context.autoescape else self.nodelist.render(context)


def render_parts(parts: list[Part], context: Context) -> str:
    """Return the parts with what the context says."""
    return "".join([part if isinstance(part, str) else part(context) for part in parts])


class RowCompiler:
    """Reads the nodes of a row and notes the names that they use."""

    def __init__(self, names: set[str]) -> None:
        self.names = names

    def parts(self, nodes: NodeList) -> list[Part]:
        """Return what the nodes write.

        Fixed words, or a function that makes them from a context that escapes.
        """
        return [self._part(node) for node in nodes]

    def _part(self, node: Node) -> Part:
        if isinstance(node, TextNode):
            return _unindent(node.s)
        if isinstance(node, VariableNode):
            return _compile_expression(self._quick(node.filter_expression))
        if isinstance(node, IfNode):
            return self._choice(node)
        if isinstance(node, TranslateNode) and _is_fixed(node):
            return _write_once(node)
        if isinstance(node, IncludeNode) and (nodes := _find_plain_nodes(node)) is not None:
            return partial(render_parts, self.parts(nodes))
        if type(node) is SimpleNode:
            for expression in (*node.args, *node.kwargs.values()):
                self._quick(expression)
        return cast(Part, node.render_annotated)

    def _choice(self, node: IfNode) -> Part:
        ways = [
            (self._condition(condition), self.parts(nodelist))
            for condition, nodelist in node.conditions_nodelists
        ]

        def write(context: Context) -> str:
            for condition, parts in ways:
                if condition is None or _is_true(condition, context):
                    return render_parts(parts, context)
            return ""

        return write

    def _condition(self, condition: Any) -> Any:
        """Return a condition whose variables are read the quick way, at any depth.

        For `else` it is None.
        """
        if isinstance(condition, TemplateLiteral):
            value = self._quick(cast(FilterExpression, condition.value))
            return value.var if _is_plain(value) else condition
        if isinstance(condition, QuickVariable):
            self.names.add(condition.name)
        elif condition is not None:
            condition.first, condition.second = map(self._condition, (condition.first, condition.second))
        return condition

    def _quick(self, expression: FilterExpression) -> FilterExpression:
        """Return the expression with a variable that is read the quick way.

        What filters do with it does not change. An included template may have been read before.
        """
        if type(expression.var) is Variable and expression.var.lookups:
            expression.var = QuickVariable(expression.var)
        if isinstance(expression.var, QuickVariable):
            self.names.add(expression.var.name)
        return expression


def _unindent(text: str) -> str:
    """Return what stands between two nodes without indentation.

    It would be a third of a long table, and means nothing to a browser.
    """
    first, *others = text.split("\n")
    if not others:
        return text
    *middle, last = others
    return "\n".join([first.rstrip(), *filter(None, map(str.strip, middle)), last.lstrip()])


def _find_plain_nodes(include: IncludeNode) -> NodeList | None:
    """Return the nodes of a template that is included by its name alone.

    None if it is given names, or sets some, which end with it.
    """
    if not isinstance(include.template.var, str) or include.extra_context or include.isolated_context:
        return None
    nodes: NodeList = cast(Any, get_template(include.template.var)).template.nodelist
    return nodes if all(map(_sets_no_name, nodes.get_nodes_by_type(Node))) else None


def _sets_no_name(node: Node) -> bool:
    """Return whether a node surely leaves the names around it as they are."""
    if isinstance(node, TextNode | VariableNode | IfNode | LoadNode):
        return True
    return (isinstance(node, TranslateNode) and not node.asvar) or (
        type(node) is SimpleNode and not node.target_var
    )


def _is_fixed(node: TranslateNode) -> bool:
    """Return whether a translated text is the same in every row."""
    expressions = [node.filter_expression, *([node.message_context] if node.message_context else [])]
    names = [each for each in expressions if isinstance(each.var, Variable) and each.var.lookups]
    return not (node.asvar or names or any(each.filters for each in expressions))


def _write_once(node: TranslateNode) -> Part:
    """Return what writes a translated text, which is looked up once in each loop."""
    key = f"translated {id(node)}"

    def write(context: Context) -> str:
        row_context = context.dicts[-1]
        if key not in row_context:
            row_context[key] = node.render_annotated(context)
        return cast(str, row_context[key])

    return write


def _is_plain(expression: FilterExpression) -> bool:
    return isinstance(expression.var, QuickVariable) and not expression.filters


def _compile_expression(expression: FilterExpression) -> Part:
    resolve = expression.var.resolve if _is_plain(expression) else expression.resolve

    def write(context: Context) -> str:
        try:
            value = resolve(context)
        except VariableDoesNotExist:
            value = expression.resolve(context)
        if type(value) is str:
            return escape(value)
        if type(value) is int and not settings.USE_THOUSAND_SEPARATOR:
            return str(value)
        return value if type(value) is SafeString else render_value_in_context(value, context)

    return write


def _is_true(condition: Any, context: Context) -> bool:
    try:
        return bool(condition.eval(context))
    except VariableDoesNotExist:
        return False


class QuickVariable(Variable):
    """A name and attributes.

    They are read from objects as attributes and from plain dicts as keys.

    Whatever else turns up (a list, something to be called, a name that is not there) Django resolves.
    """

    def __init__(self, variable: Variable) -> None:
        super().__init__(variable.var)
        self.name, *self.attributes = variable.lookups or ()

    def resolve(self, context: Any) -> Any:
        """Return what the name means; raises VariableDoesNotExist."""
        try:
            value = context.dicts[-1][self.name]
            for attribute in self.attributes:
                if type(value) is dict:
                    value = value[attribute]
                elif hasattr(type(value), "__getitem__") or callable(value):
                    return super().resolve(context)
                else:
                    value = getattr(value, attribute)
        except (KeyError, AttributeError):
            return super().resolve(context)
        return super().resolve(context) if callable(value) else value

    def eval(self, context: Context) -> Any:
        """Return what a condition sees: None if the name means nothing."""
        try:
            return self.resolve(context)
        except VariableDoesNotExist:
            return None
