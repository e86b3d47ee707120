"""Every reason of the engine.

It has words for all its parameters, and is the same after JSON.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator

import pytest

from rules.reason import Reason, reasons_from_json, reasons_to_json
from rules.rendering import get_messages
from tests import machine
from tests.everyday import each_case
from tests.tournament.engine.events import random_event
from tests.tournament.engine.pairing_oracle import Evening, random_case
from tournament.engine.brackets.layout import build_bracket
from tournament.engine.brackets.playing import play_bracket
from tournament.engine.cut import select_cut
from tournament.engine.event_file import read_event
from tournament.engine.outlook.projections import project_cut
from tournament.engine.pairing.model import Pairing
from tournament.engine.pairing.repair import repair_round
from tournament.engine.pairing.swiss import pair_first_round
from tournament.engine.prizes import Prize
from tournament.engine.problems import EngineError
from tournament.engine.seeded_random import draw_random_numbers
from tournament.engine.standings.explanation import explain_values
from tournament.engine.standings.standing import compute_standings
from tournament.engine.standings.systems.loading import load_system, system_names
from tournament.engine.standings.tiebreakers import DEFAULT_PARAMETERS, KINDS

CHARACTERS = ("Ken", "Ryu", "Vega", "")


def check(reasons: Iterable[Reason], section: str = "reason") -> None:
    reason_list = tuple(reasons)
    assert reasons_from_json(json.loads(json.dumps(reasons_to_json(reason_list)))) == reason_list
    for each in reason_list:
        # The decisions of `rules.cuts` have their words there.
        is_of_rules = get_messages().find("cut", each.code) is not None
        spoken_section = "cut" if is_of_rules else section
        assert get_messages().find(spoken_section, each.code), each
        assert "{" not in get_messages().text(spoken_section, each)


def reasons_of(pairing: Pairing) -> Iterator[Reason]:
    yield from pairing.remarks
    for table in pairing.tables:
        yield from table.why
        yield from pairing.explain(table.p1)
    if pairing.bye is not None:
        yield from pairing.explain(pairing.bye)


@each_case("seed", range(machine.examples(4)))
def test_reasons_of_random_pairings_and_repairs_are_whole(seed: int) -> None:
    rng = random.Random(seed)
    pairing = random_case(rng).paired(seed)
    check(reasons_of(pairing))
    evening = Evening(rng.randrange(4, 12), seed)
    for number in range(4):
        pairing = evening.pair(seed=number, rounds_left=3 - number)
        check(reasons_of(pairing))
        repaired_round = repair_round(
            pairing,
            set(),
            list(evening.entrants.values())[1:],
            evening.met_pairs,
            seed=number,
            bye=pairing.bye,
        )
        check(
            (
                *repaired_round.explanation,
                *reasons_of(repaired_round.nearest_pairing),
                *reasons_of(repaired_round.new_pairing),
            )
        )
        evening.play(pairing)


@each_case("method", ["fold", "slide", "adjacent"])
def test_reasons_of_a_seeded_round_are_whole(method: str) -> None:
    for size in (5, 8, 9):
        entrants = list(Evening(size, 1).entrants.values())
        seeding = [entrant.id for entrant in entrants]
        check(reasons_of(pair_first_round(entrants, seed=1, method=method, seeding=seeding)))  # type: ignore[arg-type]


@each_case("seed", range(machine.examples(3)))
def test_reasons_of_random_cuts_and_outlooks_are_whole(seed: int) -> None:
    rng = random.Random(seed)
    played_event = random_event(rng, rng.randrange(4, 12), 3)
    system = load_system("magic")
    lots = draw_random_numbers((player.id for player in played_event.players), seed)
    rows = compute_standings(played_event, system, lots=lots)
    characters = {player.id: rng.choice(CHARACTERS[:3]) for player in played_event.players}
    for diversity in (False, True):
        for short in ("shrink", "fill"):
            cut = select_cut(rows, 4, diversity=diversity, characters=characters, short=short)  # type: ignore[arg-type]
            check((*cut.notes, *(decision.reason for decision in cut.decisions)))
            outlooks = project_cut(
                played_event,
                system,
                rounds_total=rng.randrange(3, 6),
                cut_size=3,
                diversity=diversity,
                characters=characters,
                short=short,  # type: ignore[arg-type]
                lots=lots,
            )
            check(each.reason for each in outlooks)


@each_case("name", system_names())
def test_reasons_of_standings_are_whole(name: str) -> None:
    system = load_system(name)
    check(line.formula for line in system.describe())
    for seed in range(machine.examples(2)):
        played_event = random_event(random.Random(seed), 7, 4)
        lots = draw_random_numbers((player.id for player in played_event.players), seed)
        for player in played_event.players:
            for explained_value in explain_values(played_event, system, player.id, lots=lots):
                check(term.note for term in explained_value.terms if term.note is not None)


@each_case("kind", KINDS)
def test_formula_of_each_kind_is_whole_with_any_parameters(kind: str) -> None:
    params = dict(DEFAULT_PARAMETERS[kind])
    for changed_options in (
        {},
        {"cut_low": 1},
        {"cut_low": 2, "cut_high": 1},
        {"byes": "ignored", "per": "round"},
    ):
        own = {key: value for key, value in changed_options.items() if key in params}
        check([KINDS[kind].formula({**params, **own})])


@pytest.mark.parametrize("kind", ["single", "double"])
def test_reasons_of_brackets_are_whole(kind: str) -> None:
    for entrants in (2, 3, 4, 8, 13, 40):
        check(match.why for match in play_bracket(build_bracket(kind, entrants), {}).matches)  # type: ignore[arg-type]


def test_what_prizes_are_given_for_is_whole() -> None:
    prizes = (Prize("Cup", 1, 1), Prize("Box", 2, 4), Prize("Mat", best="Ken"))
    check(prize.given_for for prize in prizes)


BROKEN = (
    {},
    {"players": [{"id": 1}, {"id": 1}, {"id": "x"}, 3, {"id": 2, "order": "b"}], "rounds": {}},
    {"players": [], "rounds": [3, [4, {"p1": 1}, {"p1": 1, "p2": 1, "result": "won", "draws": -1}]]},
    {"players": [{"id": 1}], "rounds": [[{"p1": 9, "p2": 8, "p1_score": 1}]], "drops": {"a": 1, "7": -2}},
    {"players": [{"id": 1}], "drops": 3, "rounds": [[{"p1": 1, "result": "p1", "bye_points": "x"}]]},
)


@each_case("data", BROKEN)
def test_problems_of_event_files_are_whole(data: dict[str, object]) -> None:
    with pytest.raises(EngineError) as excinfo:
        read_event(data)
    check((problem.reason for problem in excinfo.value.problems), "problem")
    check((problem.where for problem in excinfo.value.problems if problem.where), "place")
