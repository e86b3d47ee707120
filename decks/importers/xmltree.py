"""XML read without trust: no document type, no entities, bounded depth and size."""

from __future__ import annotations

from dataclasses import dataclass, field
from xml.parsers import expat

from decks.importers.model import Problem

MAX_DEPTH = 12
MAX_TEXT = 20_000
"""Characters of text inside one element: notes may be long, names never are."""


@dataclass(slots=True)
class Node:
    """One element: its name in lower case without namespace, its content, and where it stands."""

    name: str
    attributes: dict[str, str]
    line: int
    start: int
    source: str = ""
    closed: bool = False
    text: str = ""
    children: list[Node] = field(default_factory=list)

    def get(self, *names: str) -> str:
        """The first attribute of these names that is there, compared without case."""
        lower = {key.lower(): value for key, value in self.attributes.items()}
        return next((lower[name.lower()] for name in names if lower.get(name.lower())), "")

    def child_text(self, name: str) -> str:
        """The text of the first child of that name."""
        return next((child.text.strip() for child in self.children if child.name == name), "")


class _Refused(Exception):
    """Stops the parser; carries what to tell."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence


class _Builder:
    """Builds the tree from the parser's events and refuses what no deck file needs."""

    def __init__(self, source: bytes, max_elements: int) -> None:
        self.source = source
        self.max_elements = max_elements
        self.elements = 0
        self.root: Node | None = None
        self.open: list[Node] = []
        self.parser = expat.ParserCreate(encoding="utf-8")
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.characters
        self.parser.StartDoctypeDeclHandler = self.doctype
        self.parser.EntityDeclHandler = self.doctype
        self.parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)

    def doctype(self, *_: object) -> None:
        sentence = "The file declares a document type or entities, which no deck file needs; it was not read."
        raise _Refused("xml_forbidden_construct", sentence)

    def start(self, name: str, attributes: dict[str, str]) -> None:
        self.elements += 1
        if self.elements > self.max_elements:
            raise _Refused("too_many_lines", f"The file has more than {self.max_elements:,} elements.")
        if len(self.open) >= MAX_DEPTH:
            raise _Refused("xml_too_deep", f"The elements of the file are nested more than {MAX_DEPTH} deep.")
        parser = self.parser
        local = name.rpartition(":")[2].lower()
        node = Node(local, attributes, parser.CurrentLineNumber, parser.CurrentByteIndex)
        if self.open:
            self.open[-1].children.append(node)
        else:
            self.root = node
        self.open.append(node)

    def characters(self, text: str) -> None:
        if not self.open or (text.isspace() and not self.open[-1].text):
            return
        node = self.open[-1]
        if len(node.text) + len(text) > MAX_TEXT:
            raise _Refused("too_large", f"An element in line {node.line} holds too much text.")
        node.text += text

    def end(self, _name: str) -> None:
        node = self.open.pop()
        node.closed = True
        if not node.children:
            node.source = self.source[node.start : self._end_of(node)].decode("utf-8", "replace")

    def _end_of(self, node: Node) -> int:
        """Where an element without children ends; expat points before its end tag, or behind an empty tag."""
        here = self.parser.CurrentByteIndex
        if not node.text and self.source[here - 2 : here] == b"/>":
            return here
        return self.source.find(b">", here) + 1


def read_xml(text: str, max_elements: int) -> tuple[Node | None, Problem | None]:
    """The root of a document, and what stopped the reading, if anything did.

    A document that breaks off gives what came before; one that is refused gives nothing.
    """
    source = text.encode("utf-8")
    builder = _Builder(source, max_elements)
    try:
        builder.parser.Parse(source, True)
    except _Refused as refused:
        return None, Problem(refused.code, refused.sentence, builder.parser.CurrentLineNumber)
    except expat.ExpatError as error:
        return builder.root, _malformed(error)
    return builder.root, None


def _malformed(error: expat.ExpatError) -> Problem:
    reason = expat.ErrorString(error.code)
    sentence = f"The XML breaks off in line {error.lineno} ({reason}); only what stands before it was read."
    return Problem("xml_malformed", sentence, error.lineno)
