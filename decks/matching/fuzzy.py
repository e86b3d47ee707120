"""Fuzzy search over card names: suggestions and search as one types."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from functools import cached_property

from rapidfuzz import fuzz, process

from decks.importers.names import clean, spaced_fold, split_dots
from decks.importers.tags import split_tags
from decks.matching.lookup import LookupTables, number_key, set_key
from decks.matching.model import CardSuggestion
from decks.shared.cache import SingleFlightCache

LEAST_SCORE = 62
"""Below this a name has nothing to do with what was typed."""

_LONGEST = 80
_REMEMBERED = 4_096
_COMMON = 200
_LAST_CHARACTER = chr(0x10FFFF)


class FuzzyFinder:
    """Fuzzy look-up over the names of a catalogue.

    The names are arranged on first use.
    """

    def __init__(self, tables: LookupTables) -> None:
        self._tables = tables
        self._suggestion_cache: SingleFlightCache[tuple[str, int], tuple[CardSuggestion, ...]] = (
            SingleFlightCache(_REMEMBERED)
        )

    @cached_property
    def _names(self) -> dict[str, list[int]]:
        names: dict[str, list[int]] = defaultdict(list)
        for place, printing in enumerate(self._tables.printings):
            for name in (printing.name, *printing.aliases):
                folded_name = spaced_fold(split_dots(name).name) or name.casefold()
                if place not in names[folded_name][-1:]:
                    names[folded_name].append(place)
        return dict(names)

    @cached_property
    def _choices(self) -> list[str]:
        return list(self._names)

    @cached_property
    def _words(self) -> list[tuple[str, int]]:
        """Return every word of every name with the position of the name, sorted.

        This is for looking up beginnings.
        """
        return sorted({(word, at) for at, name in enumerate(self._choices) for word in name.split()})

    def near(self, name: str, most: int = 5) -> tuple[CardSuggestion, ...]:
        """Return the cards whose names are nearest to an unknown name.

        They are best first, each card once. Of the nearest name all cards, however many share it; `most` with
        others.
        """
        query = spaced_fold(name)[:_LONGEST]
        if not query:
            return ()
        return self._suggestion_cache.get_or_compute((query, most), lambda: self._nearest(query, most))

    def _nearest(self, query: str, most: int) -> tuple[CardSuggestion, ...]:
        hits = self._beginnings(query) or self._sharing_a_word(query)
        hits += [hit for hit in self._find_misspelled(query, most) if hit[0] not in dict(hits)]
        hits.sort(key=lambda hit: -hit[1])
        nearest = self._tables.suggestions(self._names[hits[0][0]], hits[0][1]) if hits else ()
        return nearest if len(nearest) >= most else self._suggest(hits, None, most)

    def _sharing_a_word(self, query: str) -> list[tuple[str, int]]:
        """Return names that share the rarest known word with the typed text.

        They are scored by all that they share.
        """
        places_by_count = sorted(
            (len(places), places) for word in query.split() if (places := self._whole_word(word))
        )
        if not places_by_count or places_by_count[0][0] > _COMMON:
            return []
        scored_names = [
            (self._choices[at], fuzz.token_set_ratio(query, self._choices[at]))
            for at in places_by_count[0][1]
        ]
        return [(name, round(score * 0.85)) for name, score in scored_names if score >= LEAST_SCORE + 10]

    def _whole_word(self, word: str) -> list[int]:
        low = bisect_left(self._words, (word, -1))
        high = bisect_left(self._words, (word + " ", -1))
        return [at for _, at in self._words[low:high]] if len(word) > 2 else []

    def search(self, text: str, limit: int = 10) -> tuple[CardSuggestion, ...]:
        """Search during typing.

        The search covers beginnings of words, misspellings, rank dots, set codes and numbers.
        """
        suggestions = self._search(text, limit)
        whole = spaced_fold(clean(text)[:_LONGEST])
        if whole not in self._names or not any(map(str.isdigit, whole)):
            return suggestions
        # Text that looks like a set or a number may be part of a name ("Half Time (2006 1/2)").
        named_matches = self._suggest([(whole, 100)], None, limit)
        keys = {each.card_key for each in named_matches}
        return (*named_matches, *(each for each in suggestions if each.card_key not in keys))[:limit]

    def _search(self, text: str, limit: int) -> tuple[CardSuggestion, ...]:
        tagged_name = split_tags(clean(text)[:_LONGEST])
        dotted_name = split_dots(tagged_name.name)
        set_code = tagged_name.set_code or (self._set_in(tagged_name.name)[0] if tagged_name.number else None)
        hits_by_code = self._by_code(set_code, tagged_name.number, limit)
        if hits_by_code:
            return hits_by_code
        code, rest = self._set_in(dotted_name.name)
        if code and not rest:
            return self._tables.suggestions(self._tables.by_set[code], 100, limit)
        query, dots = spaced_fold(rest), dotted_name.dots
        digit = re.fullmatch(r"(.*[^\W\d])\s?([1-6])", query)
        if dots is None and digit and query not in self._names:
            query, dots = digit[1].strip(), int(digit[2])
        hits = self._beginnings(query)
        if len(hits) < limit or code:
            hits += [hit for hit in self._find_misspelled(query, limit) if hit[0] not in dict(hits)]
        return self._suggest(hits, dots, limit, code)

    def _set_in(self, text: str) -> tuple[str, str]:
        """Return a set code among the words (`SF01 ken`, `PA`), and the other words."""
        words = text.split()
        for word in words:
            key = self._tables.find_set(word)
            if key in self._tables.by_set and (word.isupper() or any(map(str.isdigit, key))):
                return key, " ".join(other for other in words if other is not word)
        return "", text

    def _by_code(self, code: str | None, number: str | None, limit: int) -> tuple[CardSuggestion, ...]:
        if not number:
            return ()
        tables = self._tables
        if code:
            places = tables.by_code.get((tables.find_set(code), number_key(number)), [])
        else:
            places = [
                place
                for place in tables.by_number.get(number_key(number), [])
                if tables.fits_size(place, number)
            ]
        return tables.suggestions(places, 100, limit)

    def _beginnings(self, query: str) -> list[tuple[str, int]]:
        """Return names in which every typed word begins a word.

        Those that begin as typed come first.
        """
        typed_words = query.split()
        if not typed_words:
            return []
        places = self._beginning_with(typed_words[0])
        for word in typed_words[1:]:
            places &= self._beginning_with(word)
        names = [self._choices[at] for at in places]
        names.sort(key=lambda name: (name != query, not name.startswith(query), len(name), name))
        return [(name, 100 if name == query else 95 if name.startswith(query) else 90) for name in names]

    def _beginning_with(self, start: str) -> set[int]:
        low = bisect_left(self._words, (start, -1))
        high = bisect_left(self._words, (start + _LAST_CHARACTER, -1))
        return {at for _, at in self._words[low:high]}

    def _find_misspelled(self, query: str, limit: int) -> list[tuple[str, int]]:
        if len(query) < 3:
            return []
        hits = process.extract(
            query, self._choices, scorer=fuzz.ratio, processor=None, limit=limit, score_cutoff=LEAST_SCORE
        )
        return [(name, round(score * 0.89)) for name, score, _ in hits]

    def _suggest(
        self, hits: list[tuple[str, int]], dots: int | None, most: int, code: str = ""
    ) -> tuple[CardSuggestion, ...]:
        """Return one suggestion for each card that facts distinguish.

        Among equals, those with the requested dots come first.
        """
        best_hits: dict[str, tuple[int, int]] = {}
        for name, score in hits:
            for place in self._places(name, dots, code):
                fits = dots is None or dots in self._tables.ranks[place]
                key = self._tables.told_apart([place])[0]
                best_hits.setdefault(key, (place, score if fits else score - 20))
            if len(best_hits) >= most * 3:
                break
        ranked_hits = sorted(best_hits.values(), key=lambda hit: -hit[1])
        return tuple(self._tables.suggestion(place, score) for place, score in ranked_hits[:most])

    def _places(self, name: str, dots: int | None, code: str) -> list[int]:
        places = self._names[name]
        if code:
            places = [place for place in places if set_key(self._tables.printings[place].set_code) == code]
        if dots is None:
            return places
        return sorted(places, key=lambda place: dots not in self._tables.ranks[place])
