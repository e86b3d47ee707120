"""Message parameters that are texts of a game's data.

Examples are the name of a list and a type of cards.
"""

# Texts that replace a clause if no document has one; other clauses are not translated.
PROSE_CLAUSES = ("not in the document", "every list", "no sideboard in the document")

# The code of the message and the name of the parameter; the section `text` says its value.
TEXTS_OF_DATA = frozenset(
    {
        ("add-cards", "type"), ("affiliation", "fact"), ("affiliation", "leader_types"),
        ("affiliation", "neutral"), ("basic-missing", "noun"), ("card-fact", "fact"),
        ("card-in-wrong-zone", "type"),
        ("count-of-type-unknown", "types"), ("finding", "clause"), ("finding.at-lines", "clause"),
        ("other-affiliation", "fact"), ("points.of-fact", "fact"), ("points.of-fact", "types"),
        ("rule", "clause"), ("sheet-line", "clause"), ("too-few-of-type", "types"),
        ("too-many-of-type", "types"), ("type_count.at-least", "types"), ("type_count.at-most", "types"),
        ("type_count.between", "types"), ("type_count.exactly", "types"), ("type_count.none", "types"),
        ("card-says", "says"), ("edition", "name"), ("edition.nameless", "name"),
        ("end-game-begins", "procedure"), ("fact-of-a-card", "fact"), ("lists_attached", "kinds"),
        ("needs_type", "types"), ("plays-as-corrected", "says"), ("result_detail", "label"),
        ("result_detail.each", "label"), ("result_detail.yes", "label"), ("type-missing", "types"),
        ("type-unknown", "types"),
    }
)  # fmt: skip
