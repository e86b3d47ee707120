"""Keep a draft when the field changes: its tables stay, and open places are filled."""

from __future__ import annotations

from typing import Any

from decks.shared.refusals import Refused
from tournament.events.models.event import Stage
from tournament.events.models.round import Round
from tournament.log.step import Recorder
from tournament.pairing.selectors.drafts import (
    FIELD_CHANGE,
    MANUAL_CHANGES_KEY,
    PAIR_BY_HAND,
    list_manual_changes,
)
from tournament.pairing.selectors.repairs import RepairProposal, propose_repairs
from tournament.pairing.services import rounds
from tournament.shared.hashes import derive_seed


def keep_draft(recorder: Recorder, reason: str) -> None:
    """Within a step, after the field changed: change as few tables of a standing draft as possible.

    Tables that staff made by hand stay while both players are in. The draft goes where its field cannot be
    paired any more; the log says what happened.
    """
    for draft in _find_drafts(recorder):
        if draft.stage.kind == Stage.Kind.ROBIN:
            rounds.pair_draft_again(recorder, reason)
            continue
        try:
            proposal = plan_draft_repair(draft)
        except Refused:
            rounds.discard_draft(recorder, reason)
            continue
        _apply(recorder, draft, proposal)
        recorder.log(
            "draft_repaired", f"The draft of round {draft.number} was changed: {reason}. {proposal.sentence}"
        )


def _find_drafts(recorder: Recorder) -> list[Round]:
    drafts = Round.objects.select_related("stage__event")
    return list(drafts.filter(stage__event=recorder.event, state=Round.State.DRAFT))


def plan_draft_repair(draft: Round) -> RepairProposal:
    """The fewest tables to change for the field as it is now. Raises Refused."""
    event, attempt = draft.stage.event, draft.pairing.get("amended", 0)
    seed = derive_seed(event.seed, draft.stage.position, draft.number, "repair", attempt)
    by_hand = draft.matches.filter(why=PAIR_BY_HAND, p1__dropped_after=None, p2__dropped_after=None)
    proposal = propose_repairs(draft, seed, settled=set(by_hand.values_list("pk", flat=True))).swap
    removed_ids = [match.pk for match in proposal.removed_matches]
    stays = draft.matches.filter(p2__isnull=False).exclude(pk__in=removed_ids).exists()
    if not stays and all(table.p2 is None for table in proposal.added_tables):
        raise Refused("too_few_players")
    return proposal


def _apply(recorder: Recorder, draft: Round, proposal: RepairProposal) -> None:
    for match in proposal.removed_matches:
        recorder.delete(match)
    tables = [
        {**_match_values(recorder, each.p1, each.p2, each.why), "table": each.table}
        for each in proposal.added_tables
    ]
    rounds.insert_matches(recorder, draft, tables)
    report = {name: value for name, value in draft.pairing.items() if name not in ("proved", "method")}
    if moves := list_manual_changes(draft):
        report[MANUAL_CHANGES_KEY] = [*moves, {"move": FIELD_CHANGE}]
    recorder.update(draft, pairing={**report, "amended": draft.pairing.get("amended", 0) + 1})


def _match_values(recorder: Recorder, p1: int, p2: int | None, reason: str) -> dict[str, Any]:
    words = rounds.insert_names(recorder.event, reason)
    if p2 is None:
        return dict(rounds.bye_values(recorder, p1, words))
    return {"p1_id": p1, "p2_id": p2, "why": words[:300]}
