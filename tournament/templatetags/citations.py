"""Template tags that cite clauses, each by a short tag.

On a page the tag opens the whole reference.
"""

from __future__ import annotations

from django import template

import rules
from rules.lists import NO_CLAUSE
from rules.rendering import translate_text

register = template.Library()


@register.filter
def cited(clause: str, game: str) -> str:
    """Return a clause as a short tag, for paper.

    A clause without a number is put in the reader's language.
    """
    return rules.get_game(game).shorten_clause(clause) or translate_text(clause)


@register.inclusion_tag("components/clause_tag.html")
def cite_finding(finding: rules.Finding, game: str) -> dict[str, str]:
    """Return a short tag that opens the whole reference of a finding.

    Findings that no rules of the game state have none.
    """
    citation = _cite_in_document(finding.clause, finding.document, game)
    if citation["tag"]:
        citation["reference"] += f" · {finding.rule}"
    return citation


@register.inclusion_tag("components/clause_tag.html")
def cite_document(clause: str, document: str, game: str) -> dict[str, str]:
    """Return a clause of a document as a tag that opens the whole reference."""
    if clause == NO_CLAUSE:
        return {"tag": "", "reference": document}
    citation = _cite_in_document(clause, document, game)
    return citation | {"tag": citation["tag"] or clause}


def _cite_in_document(clause: str, document: str, game: str) -> dict[str, str]:
    known_game = rules.get_game(game)
    tag = known_game.shorten_clause(clause) if known_game.has_document(document) else ""
    return {"tag": tag, "reference": f"{document}, {translate_text(clause)}"}


@register.inclusion_tag("components/clause_tag.html")
def cite_clause(clause: str, game: str, version: str = "") -> dict[str, str]:
    """Return a short tag that opens the whole reference of a clause."""
    known_game = rules.get_game(game)
    known_version = known_game.version(version) or known_game.versions[-1]
    tag, text = known_game.shorten_clause(clause), translate_text(known_game.strip_citation(clause))
    return {"tag": tag, "reference": f"{known_version.document}, {text}" if tag else text}


@register.inclusion_tag("components/clause.html")
def cite(game: str, topic: str, version: str = "") -> dict[str, str]:
    """Return where the documents of a game specify what a page does.

    Returns a Ringside default if none does.
    """
    return {"clause": rules.get_game(game).cite(topic), "game": game, "version": version}
