"""Read results: a player's matches, open tables, a match when time is called."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Q, Sum
from django.utils.translation import gettext, gettext_noop, pgettext

from decks.shared.json_shapes import Published
from decks.shared.wording import format_reason
from rules import timed
from rules.reason import Param, Reason, Reference, reason
from rules.rendering import translate_text
from rules.timed import BadFact, Outcome, Question
from tournament.clock.models import ClockEntry, TimeSettlement
from tournament.clock.selectors import get_stage_word
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Match, ResultReport, Round, describe_games
from tournament.events.names import format_reasons, names_of_match
from tournament.events.selectors import get_open_matches
from tournament.events.settings import get_games_to_win

Games = tuple[int, int, int]


def format_games(games: Games) -> str:
    """Games as people write them, with the drawn ones only where there are any."""
    return f"{games[0]}-{games[1]}" + (f"-{games[2]}" if games[2] else "")


def swap_sides(games: Games, is_second: bool) -> Games:
    """Games of first and second player as mine and theirs, or the other way round."""
    return (games[1], games[0], games[2]) if is_second else games


@dataclass(frozen=True, slots=True)
class MyMatch:
    """A match as one of its players sees it: the opponent, and what both reported."""

    match: Match
    me: Player
    opponent: Player | None
    my_report: ResultReport | None = None
    their_report: ResultReport | None = None

    @property
    def played(self) -> Round:
        """The round it belongs to."""
        return self.match.round

    @property
    def is_elimination(self) -> bool:
        """Whether it belongs to the cut."""
        return self.match.round.stage.is_elimination

    @property
    def score(self) -> str:
        """The result that stands, my games first."""
        return format_games(self.games_of(self.match)) if self.match.is_finished else ""

    @property
    def is_second(self) -> bool:
        """Whether I am the second player of the match."""
        return self.match.p2_id == self.me.pk

    @property
    def outcome(self) -> str:
        """won, lost, drawn, bye, absent, both_lost, or empty while it is played."""
        outcome_names = {
            "draw": "drawn",
            "bye": "bye",
            "loss_no_opponent": "absent",
            "double_loss": "both_lost",
            "": "",
        }
        if self.match.outcome in outcome_names:
            return outcome_names[self.match.outcome]
        return "won" if self.match.winner_id == self.me.pk else "lost"

    @property
    def result_words(self) -> str:
        """Won, Lost or Draw, for a match that was played."""
        words = {"won": pgettext("result", "Won"), "drawn": pgettext("result", "Draw")}
        return words.get(self.outcome, pgettext("result", "Lost"))

    @property
    def how_it_ended(self) -> str:
        """What the games do not say, in words; my own penalties are told, the opponent's are not."""
        is_my_loss = self.match.winner_id is not None and self.match.winner_id != self.me.pk
        return self.match.how_it_ended if is_my_loss else self.match.how_it_publicly_ended

    def games_of(self, row: Match | ResultReport) -> Games:
        """The games of the match or of a report, mine first."""
        return swap_sides((row.p1_games, row.p2_games, row.draws), self.is_second)

    @property
    def my_words(self) -> str:
        """What I reported, my games first; empty when I did not."""
        return self._words(self.my_report)

    @property
    def their_words(self) -> str:
        """What the opponent reported, my games first; empty without a report."""
        return self._words(self.their_report)

    @property
    def their_score(self) -> str:
        """The games that the opponent reported, mine first."""
        return format_games(self.games_of(self.their_report)) if self.their_report else ""

    @property
    def their_value(self) -> str:
        """The same as a form sends it."""
        return "-".join(map(str, self.games_of(self.their_report))) if self.their_report else ""

    def _words(self, report: ResultReport | None) -> str:
        if report is None:
            return ""
        score = format_games(self.games_of(report))
        return format_reason("reason", describe_games(score, report.how_it_ended))


def list_my_matches(player: Player) -> list[MyMatch]:
    """The player's published matches, the latest first, with the reports on each. Two queries."""
    rows = Match.objects.filter(Q(p1=player) | Q(p2=player), round__stage__event=player.event_id)
    rows = rows.exclude(round__state=Round.State.DRAFT).select_related("p1", "p2", "round__stage")
    rows = rows.prefetch_related("reports").order_by("-round__stage__position", "-round__number")
    return [_build_my_match(match, player) for match in rows]


def _build_my_match(match: Match, player: Player) -> MyMatch:
    match.round.stage.event = player.event
    reports = {report.player_id: report for report in match.reports.all()}
    opponent = match.p1 if match.p2_id == player.pk else match.p2
    if opponent is None:
        return MyMatch(match, player, None)
    opponent.event = player.event
    return MyMatch(match, player, opponent, reports.get(player.pk), reports.get(opponent.pk))


@dataclass(frozen=True, slots=True)
class OpenTable(Published):
    """One match without a result: what was reported, minutes of extension, whole minutes since it began."""

    PUBLISHED = {
        "match": "match",
        "round": "round_number",
        "minutes": "minutes",
        "extension": "extension",
        "is_disputed": "is_disputed",
        "reports": "reports",
    }

    match: Match
    reports: Sequence[ResultReport]
    extension: int
    minutes: int

    @property
    def round_number(self) -> int:
        """The number of the round."""
        return self.match.round.number

    @property
    def is_disputed(self) -> bool:
        """Whether the players report different results."""
        return self.match.is_disputed

    @property
    def reports_words(self) -> str:
        """Who says what: “Ada says 2-1, Bob says 1-2”."""
        reports = tuple(report.as_reason() for report in self.reports)
        return format_reason("reason", reason("open_reports", reports=reports))


def list_open_tables(event: Event, now: datetime) -> list[OpenTable]:
    """Every published table without a result, disputed ones first. Three queries."""
    matches = get_open_matches(event)
    entries = ClockEntry.objects.filter(match__in=[match.pk for match in matches])
    seconds = dict(entries.values_list("match_id").annotate(Sum("seconds")).order_by())
    tables = [_build_open_table(match, seconds.get(match.pk) or 0, now) for match in matches]
    return sorted(tables, key=lambda table: not table.match.is_disputed)


def _build_open_table(match: Match, seconds: int, now: datetime) -> OpenTable:
    began = match.amended_at or match.round.published_at or now
    reports = sorted(match.reports.all(), key=lambda report: report.player_id != match.p1_id)
    for report in reports:
        report.player = match.p2 if match.p2 is not None and report.player_id == match.p2_id else match.p1
    return OpenTable(match, reports, round(seconds / 60), max(int((now - began).total_seconds() // 60), 0))


def list_reports(match: Match) -> list[ResultReport]:
    """What the players reported, the first report first. Two queries at most."""
    return sorted(match.reports.all(), key=lambda report: (report.reported_at, report.pk))


TimeFacts = Mapping[str, object]

NOBODY = "nobody"
# Who entered a result on which both players agree, as it is stored.
BOTH_PLAYERS = gettext_noop("both players")


def name_result_author(match: Match) -> str:
    """Who entered the result of a match."""
    return gettext(BOTH_PLAYERS) if match.result_by == BOTH_PLAYERS else match.result_by


@dataclass(frozen=True, slots=True)
class TableQuestion:
    """A question about a table in the players' names, with its answer as a form holds it."""

    question: Question
    reason: Reason
    choices: tuple[tuple[str, str], ...]
    answer: str
    is_open: bool

    @property
    def key(self) -> str:
        """The name of its field and of its answer among the facts."""
        return self.question.key

    @property
    def is_count(self) -> bool:
        """Whether a number is asked for."""
        return self.question.kind == "count"


@dataclass(frozen=True, slots=True)
class TimeCalled:
    """One table at time: all questions in order, the outcome, and the result it leads to, where there is one.

    `games` are those of both players for the result form, None while the match is not settled.
    """

    match: Match
    questions: tuple[TableQuestion, ...]
    outcome: Outcome
    reasons: tuple[Reason, ...]
    games: tuple[int, int] | None
    facts: TimeFacts

    @property
    def sentence(self) -> str:
        """How the match stands, in words."""
        return format_reasons(self.reasons, names_of_match(self.match))

    @property
    def is_settled(self) -> bool:
        """Whether a result follows."""
        return self.games is not None

    @property
    def score(self) -> str:
        """The result as people write it."""
        return f"{self.games[0]}-{self.games[1]}" if self.games else ""

    @property
    def goes_to_organizer(self) -> bool:
        """Whether the document leaves it to the organizer."""
        return self.outcome.result == "ask_organizer"


def settlement_of(match: Match) -> TimeSettlement | None:
    """What was answered at the table, None before. One query."""
    return TimeSettlement.objects.filter(match=match).first()


def evaluate_time_called(match: Match, facts: TimeFacts) -> TimeCalled:
    """The table with these answers; answers that no question asks for any more are left out.

    Asks the database nothing: `match` comes with round, stage, event and players.
    """
    event = match.round.stage.event
    rule_context = (event.game, event.rules_version, get_stage_word(match.round.stage), event.match_form)
    questions, used_facts = _collect_questions(rule_context, facts)
    outcome = timed.outcome(*rule_context, used_facts)
    table_questions = tuple(_build_question(question, used_facts, match) for question in questions)
    return TimeCalled(
        match=match,
        questions=table_questions,
        outcome=outcome,
        reasons=tuple(_seat_players(reason, match) for reason in outcome.reasons),
        games=_games_to_enter(event, outcome),
        facts=used_facts,
    )


def _collect_questions(
    rule_context: tuple[str, str, str, str], facts: TimeFacts
) -> tuple[list[Question], dict[str, object]]:
    """Ask as the rule does, each question after the answers before it."""
    asked_questions: list[Question] = []
    used_facts: dict[str, object] = {}
    while True:
        try:
            next_questions = timed.questions(*rule_context, used_facts)
        except BadFact:
            return asked_questions, used_facts
        used_questions = [question for question in asked_questions if question.key in used_facts]
        asked_questions = [*used_questions, *next_questions]
        answered_questions = [question for question in next_questions if question.key in facts]
        if not answered_questions:
            return _drop_needless_questions(rule_context, asked_questions, used_facts)
        used_facts.update({question.key: facts[question.key] for question in answered_questions})


def _drop_needless_questions(
    rule_context: tuple[str, str, str, str], asked_questions: list[Question], used_facts: dict[str, object]
) -> tuple[list[Question], dict[str, object]]:
    """Leave out what a No elsewhere makes needless, though it was asked in the same breath."""
    needless_keys = {
        question.key for question in asked_questions if used_facts.get(question.unless_no) is False
    }
    kept_facts = {key: value for key, value in used_facts.items() if key not in needless_keys}
    return [question for question in asked_questions if question.key not in needless_keys], kept_facts


def _build_question(question: Question, used_facts: TimeFacts, match: Match) -> TableQuestion:
    return TableQuestion(
        question=question,
        reason=_seat_players(question.reason, match),
        choices=_answer_choices(question, match),
        answer=_format_answer(used_facts[question.key]) if question.key in used_facts else "",
        is_open=question.key not in used_facts,
    )


def _answer_choices(question: Question, match: Match) -> tuple[tuple[str, str], ...]:
    players = (("p1", match.p1.name), ("p2", match.p2.name if match.p2 else ""))
    return {
        "yes_no": (("yes", gettext("Yes")), ("no", gettext("No"))),
        "player": players,
        "player_or_none": (*players, (NOBODY, gettext("Nobody"))),
        "choice": tuple((choice, translate_text(choice.replace("_", " "))) for choice in question.choices),
        "count": (),
    }[question.kind]


def _format_answer(value: Any) -> str:
    if value is None:
        return NOBODY
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _seat_players(reason: Reason, match: Match) -> Reason:
    """A reason of the rules with those who play for the first and the second player."""
    players: dict[Param, int | None] = {"p1": match.p1_id, "p2": match.p2_id}

    def seat(value: Param) -> Param:
        player = players.get(value) if isinstance(value, str) else None
        return value if player is None else Reference("player", player)

    return Reason(reason.code, {name: seat(value) for name, value in reason.params.items()})


def _games_to_enter(event: Event, outcome: Outcome) -> tuple[int, int] | None:
    """The games to enter; who is named as the winner without leading has won those that it takes (ours)."""
    if outcome.result == "draw":
        return outcome.score or (0, 0)
    if outcome.result not in ("p1", "p2"):
        return None
    first, second = outcome.score or (0, 0)
    winner_games, lost = (first, second) if outcome.result == "p1" else (second, first)
    if winner_games <= lost:
        winner_games = get_games_to_win(event)
    return (winner_games, lost) if outcome.result == "p1" else (lost, winner_games)
