"""The codes of all that importers tell, for programs that read them. They never change their meaning."""

from __future__ import annotations

ERRORS = {
    "too_large": "The file, or one element of it, is larger than can be read.",
    "too_many_lines": "The file has more lines or entries than any list.",
    "not_text": "The file is a picture, a spreadsheet or something else that is no text.",
    "web_page": "The file is a whole web page.",
    "xml_forbidden_construct": "The XML declares a document type or entities.",
    "xml_too_deep": "The XML is nested deeper than any deck file.",
    "xml_malformed": "The XML breaks off or is not well formed.",
    "xml_unknown": "The XML is of a kind that is no deck file.",
    "json_malformed": "The JSON is not well formed.",
    "line_too_long": "A line or field is longer than any card.",
    "line_not_understood": "A line is neither a card nor a heading.",
    "entry_not_understood": "An entry of a JSON file has an unknown shape, or says something twice.",
    "element_not_understood": "An element of an XML file, or text between its elements, is unknown.",
    "name_missing": "A line or entry names no card.",
    "quantity_not_positive": "A number of copies is zero or less.",
    "quantity_too_large": "A number of copies is larger than one line can hold.",
    "quantity_not_whole": "A number of copies is no whole number.",
    "column_unclear": "A table has a column of numbers that may be copies or collector numbers.",
    "quotation_open": "A row of a table opens a quotation mark and does not close it.",
    "too_many_cells": "A row of a table has more cells than the table has columns.",
}
"""What was left unread: a list with one of these cannot be judged legal."""

NOTICES = {
    "encoding_guessed": "The file is not in UTF-8; it was read as Windows-1252.",
    "characters_lost": "Some characters could not be read or stored.",
    "mojibake_repaired": "Garbled characters of a name were put right.",
    "quantity_assumed": "No number of copies is written; one was read.",
    "dots_unclear": "The dots before and after a name differ and were not read as a rank.",
    "dot_or_bullet": "A sign before a name was read as a rank dot and may be a bullet.",
    "heading_or_card": "A line was read as a card and may be a heading.",
    "heading_unknown": "A heading is in words that are not known; its cards stay in the zone above.",
    "heading_count_differs": "A heading announces another number of cards than stand below it.",
    "total_differs": "A total differs from the number of cards that were read.",
    "type_below_sideboard": "A card type stands below the sideboard; its cards were counted there.",
    "blank_line_without_heading": "A blank line parts the list, but no heading says Sideboard.",
    "set_aside": "Cards below a heading such as Tokens or Maybe, or marked so, are not part of the list.",
    "zone_marked": "A mark beside a card, such as [Sideboard], says in which part of the list it is.",
    "columns_unused": "Columns of a table were not read.",
}
"""How something unclear was read: for a person to look at."""
