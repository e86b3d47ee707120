"""The number of decks that the rules judge per second on one core.

All findings are included. The cost of each check is measured too.

    python -m benchmarks.legality [--seconds 2]

Times are processor time of this process, and all is measured in short turns, so that a busy moment of the
machine affects all measurements alike. A list of sixty UFS cards and one of fifty Highlander cards are
judged, each as a legal list and as one with several faults; every deck is new, as it would be when it comes
from a database. The peer in the same run is a yes-or-no check of the sizes and the copies alone, written by
hand: it knows no bans, names no card and suggests no fix. Fixes are computed when they are read, which a
separate line measures. The plan for the faulty list is found among 2,000 further cards; aim: 50 ms.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable

from rules import CardFacts, Deck, Entry, Format, check_deck, load_format
from rules.plan import CardSupply, plan_deck

AIMS = {"ufs": 20_000, "highlander": 5_000}
DECKS_A_TURN = 200
Listed = list[tuple[str, dict[str, object], int]]
# Functions that make a new deck, and judge it.
Job = tuple[Callable[[], Deck], Callable[[Deck], object]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=2.0, help="processor time for each measurement")
    seconds = parser.parse_args().seconds
    for game, form, lists in (
        ("ufs", load_format("ufs", "constructed"), ufs_lists()),
        ("highlander", load_format("highlander", "standard"), highlander_lists()),
    ):
        print(f"{form.game.name}, {form.name} ({form.document}); aim: {AIMS[game]:,} decks a second")
        print_rates(lists, form, seconds)
        print_plan(lists["faulty"](), form)
        print_costs(lists, form, seconds / 2)


def print_rates(lists: dict[str, Callable[[], Deck]], form: Format, seconds: float) -> None:
    """Measure verdicts, with and without their fixes, compared with the peer."""
    verdicts = {name: check_deck(make(), form) for name, make in lists.items()}
    summaries = {name: f"{each.outcome}, {len(each.findings)} findings" for name, each in verdicts.items()}
    summaries |= {"with fixes": "faulty, each fix read", "peer": "sizes and copies by hand, no findings"}
    rates = decks_a_second(
        {
            "legal": (lists["legal"], lambda deck: check_deck(deck, form)),
            "faulty": (lists["faulty"], lambda deck: check_deck(deck, form)),
            "with fixes": (lists["faulty"], lambda deck: read_fixes(deck, form)),
            "peer": (lists["legal"], counts_are_right),
        },
        seconds,
    )
    for name, rate in rates.items():
        share = rate / rates["peer"]
        print(f"  {name:<12}{rate:>10,.0f} decks a second, {share:.2f} of the peer's   ({summaries[name]})")


def read_fixes(deck: Deck, form: Format) -> list[object]:
    """Judge a deck and work out every fix."""
    return [finding.fix for finding in check_deck(deck, form).findings]


def print_plan(deck: Deck, form: Format) -> None:
    """Measure a plan for a deck, after the cards that may be added were indexed."""
    cards = (CardFacts.of(f"new {n}", _new_card(form, n)) for n in range(2_000))
    supply = CardSupply.of((*cards, *(entry.card for _, entry in deck_of_all(form).entries())))
    plan = plan_deck(deck, form, supply)
    start = time.process_time()
    for _ in range(10):
        plan_deck(deck, form, supply)
    duration = 100 * (time.process_time() - start)
    print(f"  {'plan':<12}{duration:>10.1f} ms               ({plan.status}, {plan.cost} changes)")


def _new_card(form: Format, number: int) -> dict[str, object]:
    kind = "foundation" if form.game.key == "ufs" else "Event"
    return {**form.game.case_defaults, "name": f"New {number}", "type": kind, "dots": 0, "edition": "2E"}


def deck_of_all(form: Format) -> Deck:
    """Return the legal list, whose cards may be added too."""
    return (ufs_lists() if form.game.key == "ufs" else highlander_lists())["legal"]()


def counts_are_right(deck: Deck) -> bool:
    """Return the peer: whether sizes and copies are right, and nothing else."""
    main, side = Counter(), Counter()
    for entries, counts in ((deck.main, main), (deck.sideboard, side)):
        for entry in entries:
            counts[entry.card.name] += entry.qty
    return main.total() >= 50 and side.total() in (0, 8) and max((main + side).values()) <= 6


def decks_a_second(jobs: dict[str, Job], seconds: float) -> dict[str, float]:
    """Return how often per processor second each job judges a fresh deck."""
    time_spent, turns = dict.fromkeys(jobs, 0.0), 0
    while min(time_spent.values()) < seconds:
        for name, (make, judge) in jobs.items():
            start = time.process_time()
            for _ in range(DECKS_A_TURN):
                judge(make())
            time_spent[name] += time.process_time() - start
        turns += 1
    return {name: turns * DECKS_A_TURN / duration for name, duration in time_spent.items()}


def print_costs(lists: dict[str, Callable[[], Deck]], form: Format, seconds: float) -> None:
    """Measure the microseconds of each rule's check on the legal and faulty list."""
    costs = {name: rule_costs(make, form, seconds) for name, make in lists.items()}
    print(f"  {'microseconds a rule':<36}" + "".join(f"{name:>10}" for name in lists))
    for rule in form.rules:
        if "registration" in rule.at:
            row = "".join(f"{costs[name][rule.name]:>10.2f}" for name in lists)
            print(f"    {rule.name:<22}{rule.rule:<12}{row}")
    print()


def rule_costs(make: Callable[[], Deck], form: Format, seconds: float) -> dict[str, float]:
    time_spent: dict[str, float] = defaultdict(float)
    rounds, start = 0, time.process_time()
    while time.process_time() - start < seconds:
        deck = make()
        for judge, rule, params in form.plan():
            before = time.perf_counter()
            list(judge(deck, rule, **params))
            time_spent[rule.name] += time.perf_counter() - before
        rounds += 1
    return {name: 1e6 * total / rounds for name, total in time_spent.items()}


def ufs_lists() -> dict[str, Callable[[], Deck]]:
    """Return a legal and a faulty list of sixty cards with a sideboard of eight.

    The faulty one has a ban, five of a card and a short side.
    """
    foundations: Listed = [(f"Foundation {n}", {"type": "foundation"}, 4) for n in range(1, 9)]
    attacks: Listed = [(f"Attack {n}", {"type": "attack"}, 4) for n in range(1, 7)]
    start: Listed = [("Blanka", {"type": "character", "dots": 2}, 1)]
    side: Listed = [(f"Asset {n}", {"type": "asset"}, 4) for n in (1, 2)]
    main = start + foundations + attacks + [("Action 1", {"type": "action"}, 3)]
    faulty = start + foundations + attacks + [("Kubi Ori", {"type": "foundation"}, 1), ("Attack 1", {}, 1)]
    return {
        "legal": deck_maker("ufs", main, side),
        "faulty": deck_maker("ufs", faulty, side[:1]),
    }


def highlander_lists() -> dict[str, Callable[[], Deck]]:
    """Return a legal and a faulty list of fifty cards with the fifteen basics.

    The faulty one lacks two of them and has too many of a title.
    """
    slots = [(f"A-{row}{column}", "Attack") for row in "UML" for column in "LCR"]
    slots += [(f"B-{row}{column}", "Block") for row in "UL" for column in "LCR"]
    basics: Listed = [(f"Basic {slot}", {"type": kind, "basic": slot}, 1) for slot, kind in slots]
    events: Listed = [(f"Event {n}", {"type": "Event", "gems": {"A": int(n < 4)}}, 5) for n in range(1, 8)]
    gems = {"A": 5, "S": 5, "T": 5, "E": 5, "R": 5, "M": 4}
    persona: Listed = [("Wanderer", {"type": "Persona", "gender": "M", "gems": gems}, 1)]
    faulty = basics[2:] + events + [("Event 1", {}, 2)]
    return {
        "legal": deck_maker("highlander", basics + events, pregame=persona),
        "faulty": deck_maker("highlander", faulty, pregame=persona),
    }


def deck_maker(game: str, main: Listed, side: Listed = (), pregame: Listed = ()) -> Callable[[], Deck]:
    """Return a function that makes the same deck from one set of cards at each call."""
    card_facts: dict[str, CardFacts] = {}
    zones = [tuple(_entries(game, zone_cards, card_facts)) for zone_cards in (main, side, pregame)]
    return lambda: Deck(game, *zones)


def _entries(
    game: str, zone_cards: Iterable[tuple[str, dict[str, object], int]], card_facts: dict[str, CardFacts]
) -> Iterable[Entry]:
    nothing_special = load_format(game, "constructed" if game == "ufs" else "standard").game.case_defaults
    for line, (name, facts, qty) in enumerate(zone_cards, 1):
        name_fact = "name" if game == "ufs" else "title"
        whole = {**nothing_special, "edition": "2E", "dots": 0, name_fact: name, **facts}
        yield Entry(card_facts.setdefault(name, CardFacts.of(name, whole)), qty, line)


if __name__ == "__main__":
    main()
