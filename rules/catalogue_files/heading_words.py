"""Headings of tables in five languages, by the facts that they mean.

The languages are English, German, French, Spanish and Italian.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping

_WORDS: Mapping[str, tuple[str, ...]] = {
    "name": (
        "kartenname", "karte", "nom", "nom de la carte", "nom carte", "carte", "nombre", "nombre de la carta",
        "nombre carta", "nome", "nome della carta", "nome carta", "carta",
    ),
    "title": ("titel", "titre", "título", "titolo"),
    "set": (
        "ausgabe", "erweiterung", "setkürzel", "set kürzel", "extension", "série", "code extension", "serie",
        "edición", "colección", "expansión", "edizione", "espansione", "codice set", "código",
    ),
    "set_name": ("setname", "nom de l'extension", "nombre de la edición", "nome espansione", "nome del set"),
    "number": (
        "nummer", "kartennummer", "nr", "no", "n", "numéro", "numéro de carte", "número", "número de carta",
        "numero", "numero carta", "numero di carta", "numero della carta",
    ),
    "type": (
        "typ", "kartentyp", "kartenart", "type de carte", "tipo", "tipo de carta", "tipo di carta",
        "tipo carta",
    ),
    "rarity": ("seltenheit", "rareté", "rareza", "rarità"),
}  # fmt: skip


def fold_heading(words: str) -> str:
    """Return a heading in the form used for comparing headings.

    The form is words without accents and case, joined by underscores.
    """
    plain = unicodedata.normalize("NFKD", words.replace("º", "").replace("°", "").casefold())
    plain_words = "".join(
        each if each.isalnum() else " " for each in plain if not unicodedata.combining(each)
    )
    return "_".join(plain_words.split())


FACTS_BY_HEADING: Mapping[str, str] = {
    fold_heading(word): fact for fact, words in _WORDS.items() for word in words
}
