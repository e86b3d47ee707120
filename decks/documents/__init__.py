"""Documents of rules as text: what they say of single cards, paragraph by paragraph. No Django, no database.

    document = read_ufs(text)
    document.paragraphs    # what each numbered paragraph and each line of a list says of which cards
    document.unread        # what could not be read, each with its paragraph and why

Nothing is guessed: whatever does not name a card as documents of that game do is listed as unread.
"""

from decks.documents.highlander import read_highlander
from decks.documents.model import CardStatement, Document, NamedCard, UnreadParagraph
from decks.documents.ufs import read_ufs

__all__ = ["CardStatement", "Document", "NamedCard", "UnreadParagraph", "read_highlander", "read_ufs"]
