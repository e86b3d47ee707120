"""Documents of rules read into drafts of editions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction

import rules
from decks.catalogue.selectors.catalogue import catalogue
from decks.documents.highlander import read_highlander
from decks.documents.model import Document
from decks.documents.ufs import read_ufs
from decks.editions.domain.reading import ReadList, read_lists
from decks.editions.models import ListEdition
from decks.editions.services.editions import draft_of_entries
from decks.importers.decoding import decode
from decks.shared.refusals import Refused, refuse_all

LARGEST_DOCUMENT = 512 * 1024
READERS = {"ufs": read_ufs, "highlander": read_highlander}


@dataclass(frozen=True, slots=True)
class ReadDocument:
    """A document as it was read, with the lists that it gives, by kind."""

    document: Document
    lists: dict[str, ReadList]

    @property
    def gives_something(self) -> bool:
        return any(each.entries or each.unread for each in self.lists.values())


def read_document(game: str, data: str | bytes) -> ReadDocument:
    """What a document says of cards, matched against the catalogue. Writes nothing.

    Raises Refused (document_not_known, document_too_large, document_empty, not_text).
    """
    reader = READERS.get(game)
    if reader is None:
        sentence = "Only the documents of UFS and Highlander can be read in."
        raise Refused("document_not_known", sentence, fix="Draft the list by hand.", field="game")
    if len(data) > LARGEST_DOCUMENT:
        sentence = f"A document has at most {LARGEST_DOCUMENT // 1024} kB of text."
        raise Refused("document_too_large", sentence, fix="Give the text alone, not the PDF.", field="text")
    decoded = decode(data)
    if decoded.problem:
        raise Refused(decoded.problem.code, decoded.problem.sentence, field="text")
    if not decoded.text.strip():
        raise Refused("document_empty", "The document is empty.", fix="Paste its text.", field="text")
    read = reader(decoded.text)
    return ReadDocument(read, read_lists(read, catalogue(game).index))


@transaction.atomic
def draft_document(
    game: str, data: str | bytes, *, actor: str, kinds: Sequence[str], document: str = ""
) -> list[ListEdition]:
    """Drafts of the lists that a document gives, for the kinds chosen; all of them or none.

    `document` names the document where it does not say so itself. Raises Refused as `read_document`, and
    (nothing_to_draft, draft_exists) for every kind at once.
    """
    read = read_document(game, data)
    wanted = [each for each in read.lists.values() if each.kind in kinds and (each.entries or each.unread)]
    if not wanted:
        sentence = "The document names no card for the lists that you chose."
        raise Refused("nothing_to_draft", sentence, fix="Look at what could be read.", field="kinds")
    taken = set(ListEdition.objects.drafts().filter(game=game).values_list("kind", flat=True))
    fix = "Go on with it, or throw it away first."
    refuse_all(
        [
            Refused("draft_exists", f"There is a draft of {each.kind} already.", fix=fix, field="kinds")
            for each in wanted
            if each.kind in taken
        ]
    )
    name = document.strip() or read.document.title
    return [_draft(game, each, actor, name, read.document) for each in wanted]


def _draft(game: str, read: ReadList, actor: str, document: str, source: Document) -> ListEdition:
    entries = [each.entry for each in read.entries]
    clause = entries[0]["clause"].partition(".")[0] if entries else ""
    known = {version.number for version in _game(game).versions}
    return draft_of_entries(
        game,
        read.kind,
        entries,
        actor=actor,
        document=document,
        clause=clause,
        versions=[source.version] if source.version in known else None,
        unread=[each.to_json() for each in read.unread],
    )


def _game(key: str) -> rules.Game:
    return next(game for game in rules.games() if game.key == key)
