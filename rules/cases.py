"""Answer files of worked deck cases with verdicts.

A deck case names its game, format, version and cards; the cards are records of a pool in the same file. Games
add kinds of their own in `games/<game>/cases.py`:

    @case_kind("ufs", "sideboarding")
    def sideboarding(case: Case) -> Verdict: ...
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from rules.card_match import match_card
from rules.deck import CardFacts, Deck, Entry
from rules.finding import Verdict
from rules.formats import Format
from rules.game import Game
from rules.legality import check_deck
from rules.library import Library, get_shipped_library, load_game_module
from rules.names import move_rank_marks
from rules.rendering import Problem
from rules.tables import get_table, get_tables
from rules.text import truncate

# Keys of a deck case besides its lists and options.
_OWN_KEYS = frozenset(
    (
        *(
            "id",
            "game",
            "format",
            "pool",
            "rules_version",
            "kind",
            "expect",
            "violations",
            "certainty",
            "notes",
        ),
        *("main", "sideboard", "pregame", "card_pool"),
    )
)


class UnreadableCaseFile(Problem, ValueError):
    """A file that holds no cases that could be read."""


@dataclass(frozen=True, slots=True)
class DeckCase:
    """One deck case with the cards of its pool. `data` is the record as written."""

    data: Mapping[str, object]
    game: Game
    cards: Mapping[str, CardFacts]
    library: Library

    @property
    def format_key(self) -> str:
        return str(self.data.get("format", ""))

    def format(self, key: str | None = None) -> Format:
        """Return the format of the case, or another of the same game and version.

        Raises `UnknownFormat`.
        """
        version = self.data.get("rules_version")
        rules = None if version is None else str(version)
        return self.library.format(self.game.key, key or self.format_key, rules=rules)

    def entries(self, entries: object) -> tuple[Entry, ...]:
        """Return the entries of a list of `{"card": key, "qty": n}`.

        A card that is not in the pool becomes a missing card.
        """
        if not isinstance(entries, list | tuple):
            return ()
        return tuple(self._entry(line, item) for line, item in enumerate(entries, 1))

    def _entry(self, line: int, item: object) -> Entry:
        record = item if isinstance(item, Mapping) else {"card": item}
        written_name = record.get("card", record.get("name"))
        card = self.cards.get(written_name) if isinstance(written_name, str) else None
        qty = record.get("qty", 1)
        # A value that is not a whole number is passed on as a quantity that the rules report.
        return Entry(card or CardFacts.of_missing(str(written_name)), qty if type(qty) is int else -1, line)

    def deck(self, lists: Mapping[str, object] | None = None) -> Deck:
        """Return the deck of the case or of another record.

        The other record has the same keys (registered, presented).
        """
        data = self.data if lists is None else lists
        pool = self.data.get("card_pool")
        options = {key: value for key, value in self.data.items() if key not in _OWN_KEYS}
        return Deck(
            self.game.key,
            self.entries(data.get("main")),
            self.entries(data.get("sideboard")),
            self.entries(data.get("pregame")),
            None if pool is None else self.entries(pool),
            options,
        )


Kind = Callable[[DeckCase], Verdict]
_kinds: dict[tuple[str, str], Kind] = {}


def case_kind(game: str, kind: str) -> Callable[[Kind], Kind]:
    """Register how cases of a kind are judged.

    The kind "deck" replaces the plain deck case of a game.
    """

    def register(judge: Kind) -> Kind:
        _kinds[game, kind] = judge
        return judge

    return register


def judge_case(case: DeckCase) -> Verdict:
    """Return the verdict on one deck case, by its kind.

    Raises UnreadableCaseFile for a kind that no one judges.
    """
    load_game_module(case.game, "cases")
    kind = str(case.data.get("kind") or "deck")
    judge = _kinds.get((case.game.key, kind))
    if judge is not None:
        return judge(case)
    if kind != "deck":
        raise UnreadableCaseFile("no-case-kind", game=case.game.name, kind=truncate(kind))
    return check_deck(case.deck(), case.format())


def answer_cases(data: object, library: Library | None = None) -> Iterator[dict[str, object]]:
    """Yield one answer a case, in the order of the file.

    A case that cannot be read says why under "error". Raises UnreadableCaseFile if the file holds no list of
    cases.
    """
    if not isinstance(data, Mapping) or not isinstance(data.get("cases"), list):
        raise UnreadableCaseFile("no-cases")
    pools = _Pools(data.get("pools"), library or get_shipped_library())
    for case in data["cases"]:
        yield _answer(case if isinstance(case, Mapping) else {}, pools)


def _answer(case: Mapping[str, object], pools: _Pools) -> dict[str, object]:
    answer: dict[str, object] = {"id": case.get("id")}
    try:
        if "input" in case:
            from rules.timed import answer as timed_answer

            return answer | dict(timed_answer(case))
        verdict = judge_case(pools.case(case))
    except Exception as problem:  # one case that cannot be read must not cost the others their answers
        return answer | {"error": str(problem) or type(problem).__name__}
    findings = [finding.to_json() for finding in verdict.findings]
    return answer | {"verdict": verdict.outcome, "findings": findings}


class _Pools:
    """The card pools of a file, each made into cards once."""

    def __init__(self, pools: object, library: Library) -> None:
        self.records = pools if isinstance(pools, Mapping) else {}
        self.library = library
        self._cards: dict[tuple[str, str], Mapping[str, CardFacts]] = {}

    def case(self, data: Mapping[str, object]) -> DeckCase:
        game = self.library.game(str(data.get("game")))
        return DeckCase(data, game, self.cards(str(data.get("pool")), game), self.library)

    def cards(self, pool: str, game: Game) -> Mapping[str, CardFacts]:
        place = (pool, game.key)
        if place not in self._cards:
            record = self.records.get(pool, {})
            cards = record.get("cards", {}) if isinstance(record, Mapping) else {}
            self._cards[place] = dict(_cards(cards, game))
        return self._cards[place]


def _cards(records: object, game: Game) -> Iterable[tuple[str, CardFacts]]:
    """Use the game's default for facts that a pool omits.

    A pool states everything that is to be known about its cards.
    """
    if isinstance(records, Mapping):
        for key, attributes in records.items():
            if isinstance(attributes, Mapping):
                record = move_rank_marks(attributes, game.rank_attribute, game.ranked_types)
                yield str(key), CardFacts.of(str(key), fill_record(game, record))


def fill_record(game: Game, record: Mapping[str, object]) -> dict[str, object]:
    """Return a record of a pool completed with the default facts of the game.

    These are the defaults for every card and those for cards like this one.
    """
    card = CardFacts.of("", record)
    case_facts = dict(game.case_defaults)
    for table in get_tables(game.data, "case_defaults_of"):
        if match_card(card, get_table(table, "card")) == "yes":
            case_facts |= get_table(table, "facts")
    return case_facts | dict(record)
