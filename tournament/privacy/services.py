"""Remove a player's personal data for good: rows, log, decklists, jobs and files.

What earlier steps kept of it is rewritten, so that undoing one never brings it back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, NotRequired, TypedDict

from django.db import models, transaction
from django.utils import timezone
from django.utils.translation import gettext

from decks.jobs.models import Job
from decks.jobs.queue import delete_jobs
from decks.shared.json_shapes import Published
from decks.shared.refusals import Refused
from decks.submissions.models import DeckVersion, Rechecked
from rules.reason import TOLD
from tournament.access.models import RetiredLink, hash_token
from tournament.access.permissions import Actor
from tournament.access.player_details import list_fields
from tournament.decklists.models import ListNotice
from tournament.events.models.event import Event
from tournament.events.models.player import Player, new_token
from tournament.languages.choice import speak
from tournament.leagues.models import LeagueLine, SamePerson
from tournament.leagues.services import unmark_same_person
from tournament.log.changes import Values, convert_rows, iter_row_changes
from tournament.log.models import LogEntry, get_table_model
from tournament.log.ownership import get_event_path
from tournament.log.step import step
from tournament.notifications.models import PushSubscription
from tournament.privacy.personal_texts import PersonalTexts, list_replacements, map_texts
from tournament.registration.services.validation import next_namesake_number
from tournament.shared.text import fold_name

# Texts that people write, and authors that may be a player, by table. Texts of staff about staff are not
# here, nor what Ringside chooses from a closed set.
TEXT_COLUMNS: Mapping[str, tuple[str, ...]] = {
    "event": ("notes", "prizes"),
    "player": ("drop_reason", "details"),
    "forbiddenpair": ("reason",),
    "invitation": ("note",),
    "stage": ("selection",),
    "round": ("pairing",),
    "match": ("why", "result_by"),
    "clockentry": ("reason",),
    "buildclockentry": ("reason",),
    "timesettlement": ("reasons", "settled_by"),
    "penalty": ("note",),
    "deckcheck": ("note",),
    "judgecall": ("words",),
    "tableruling": ("question", "ruling", "reason"),
    "deckversion": ("reason", "submitted_by"),
    "ruling": ("reason",),
    "listanswer": ("words",),
}
# A text that names the player is emptied as a whole, for the rest of it is about the player too.
EMPTIED = frozenset({"note", "reason", "words", "question", "drop_reason"})
# Where a column holds JSON: the keys under which people write. Others are codes, numbers and references.
TEXT_KEYS: Mapping[tuple[str, str], frozenset[str]] = {
    ("event", "prizes"): frozenset({"words"}),
    **dict.fromkeys(
        (
            ("stage", "selection"),
            ("round", "pairing"),
            ("match", "why"),
            ("timesettlement", "reasons"),
            ("leagueline", "params"),
        ),
        frozenset({TOLD}),
    ),
    ("logentry", "params"): frozenset({TOLD, "ruling", "note"}),
}
# In the JSON of a decklist: the keys of codes, references and words of closed sets. People write all else.
DECK_KEYS = frozenset({
    "action", "card_key", "clause", "code", "document", "editions", "follows_from", "format", "game", "how",
    "kind", "overlay", "place", "printing", "printing_key", "rule", "rules", "severity", "status", "verdict",
    "version", "zone",
})  # fmt: skip
DECK_COLUMNS = ("source_text", "pool_text", "original_text", "lines", "entries", "verdict")


class StoredLine(TypedDict):
    """A line of a decklist, as far as it says whether it names a card."""

    kind: str
    text: str
    card_key: NotRequired[str | None]


@dataclass(frozen=True, slots=True)
class Removal(Published):
    """The removal: the player, the replacement name, and the number of places."""

    PUBLISHED = {
        "players": "numbers",
        **{name: name for name in ("new_names", "texts", "log_lines", "decklists", "jobs", "league_links")},
    }
    players: tuple[Player, ...]
    new_names: tuple[str, ...]
    texts: int
    log_lines: int
    decklists: int
    jobs: int
    league_links: int

    @property
    def numbers(self) -> tuple[int, ...]:
        """The players by their numbers in the event."""
        return tuple(player.number for player in self.players)

    @property
    def name_changes(self) -> list[tuple[str, str]]:
        """Each player's name, and the name afterwards."""
        return [(player.name, new) for player, new in zip(self.players, self.new_names, strict=True)]


def remove_personal_data(player: Player, actor: Actor) -> Removal:
    """Remove for good what identifies a player, merged registrations included.

    The name becomes “Player” and the number. Email address, club, members, notes, reason for dropping, and
    texts that name the player go; their private link ends. Matches, results and decklists stay.
    """
    with step(player.event, actor) as recorder:
        remover = _Remover(recorder.event, player)
        removal = remover.run(actor)
        for each in removal.players:
            if not each.seat:
                recorder.log("personal_data_removed", player=each)
    player.refresh_from_db()
    return removal


def preview_removal(player: Player, actor: Actor) -> Removal:
    """Return what `remove_personal_data` would do. Writes nothing."""
    with transaction.atomic():
        try:
            return remove_personal_data(Player.objects.select_related("event").get(pk=player.pk), actor)
        finally:
            transaction.set_rollback(True)


def refuse_unconfirmed(player: Player, confirmation: str) -> None:
    """Raise Refused unless the player's number was entered."""
    if confirmation.strip() != str(player.number):
        raise Refused("removal_not_confirmed", field="confirm", number=player.number)


def get_new_name(player: Player) -> str:
    """Return the name to store after the removal, in the language of the event."""
    number = f"{player.entrant.number}{player.seat_letter}"
    with speak(player.event.language):
        return gettext("Player %(number)s") % {"number": number}


class _Remover:
    """Removes the data of one person from everything that an event keeps."""

    def __init__(self, event: Event, player: Player) -> None:
        self.event = event
        first = player.merged_into or player
        merged_rows = models.Q(pk=first.pk) | models.Q(merged_into=first.pk)
        teams = event.players.filter(merged_rows).values("pk")
        people = Player.objects.filter(models.Q(pk__in=teams) | models.Q(team__in=teams), event=event)
        self.players = tuple(people.select_related("event", "team"))
        self.ids = {each.pk for each in self.players}
        self.identities = {each.pk: self._identity(each) for each in self.players}
        self.texts = self._collect_texts()
        self.counts: Counter[str] = Counter()

    def _identity(self, player: Player) -> Values:
        """Return the columns that say who a player is, as they are afterwards."""
        folded_name = "" if player.seat else fold_name(get_new_name(player))
        return {
            "name": get_new_name(player),
            "folded_name": folded_name,
            "namesake": next_namesake_number(self.event, folded_name, player) if folded_name else 0,
            "email": "",
            "club": "",
            "members": [],
            "drop_reason": "",
            "details": {},
            "token": new_token(),
        }

    def _collect_texts(self) -> PersonalTexts:
        """Collect names and addresses of the players, former ones included."""
        rows: list[tuple[int, Values]] = [(each.pk, vars(each)) for each in self.players]
        for changes in LogEntry.objects.filter(event=self.event).values_list("changes", flat=True):
            for change in iter_row_changes(changes):
                if change.table == "player" and change.id in self.ids:
                    rows += [(change.id, values) for values in (change.before, change.after) if values]
        replacements: dict[str, str] = {}
        for pk, values in rows:
            new_name = self.identities[pk]["name"]
            names = [values.get("name", ""), *(values.get("members") or [])]
            other_names = [name for name in names if name and name != new_name]
            emails = [values["email"]] if values.get("email") else []
            replacements |= list_replacements(other_names, emails, new_name)
        return PersonalTexts(replacements, others=self._list_other_names())

    def _list_other_names(self) -> Iterator[str]:
        """Yield the names of all other players, their teams and the staff."""
        others = self.event.players.exclude(pk__in=self.ids).values_list("name", "members")
        for name, members in others:
            yield from (name, *members)
        for role in self.event.staff.select_related("user"):
            yield role.user.get_full_name() or role.user.get_username()

    def run(self, actor: Actor) -> Removal:
        """Remove everything; returns what was done."""
        for player in self.players:
            digest = hash_token(player.token)
            RetiredLink.objects.get_or_create(
                digest=digest, defaults={"event": self.event, "retired_at": timezone.now()}
            )
            Player.objects.filter(pk=player.pk).update(**self.identities[player.pk])
        PushSubscription.objects.filter(player__in=self.ids).delete()
        self._clean_rows()
        self._clean_decklists()
        self._clean_log()
        self._clean_leagues(actor)
        self._clean_jobs()
        return Removal(
            players=self.players,
            new_names=tuple(self.identities[each.pk]["name"] for each in self.players),
            texts=self.counts["texts"],
            log_lines=self.counts["log"],
            decklists=self.counts["decklists"],
            jobs=self.counts["jobs"],
            league_links=self.counts["leagues"],
        )

    def _clean_rows(self) -> None:
        for table, columns in TEXT_COLUMNS.items():
            model = get_table_model(table)
            # Rows that are otherwise never changed are among them.
            rows: models.QuerySet[Any] = models.QuerySet(model)
            own_rows = {"pk": self.event.pk} if model is Event else {get_event_path(model): self.event}
            for values in rows.filter(**own_rows).values("pk", *columns):
                pk = values.pop("pk")
                changed_columns = dict(self._changed_columns(table, values))
                if changed_columns:
                    rows.filter(pk=pk).update(**changed_columns)
                    self.counts["texts"] += 1
        ListNotice.objects.filter(player__in=self.ids, mail=ListNotice.Mail.WAITING).update(
            mail=ListNotice.Mail.NONE
        )

    def _changed_columns(self, table: str, values: Values) -> Iterator[tuple[str, object]]:
        for column, value in values.items():
            if column not in TEXT_COLUMNS.get(table, ()):
                continue
            field = get_table_model(table)._meta.get_field(column)
            if column in EMPTIED and getattr(field, "blank", False) and self.texts.is_surely_in(value):
                yield column, ""
            elif (result := map_texts(value, self.texts.without, self._text_keys(table, column))) != value:
                yield column, result

    @staticmethod
    def _text_keys(table: str, column: str) -> Callable[[str], bool]:
        """Return which keys of a column with JSON hold what people write."""
        if (table, column) == ("player", "details"):
            return _list_text_fields().__contains__
        return TEXT_KEYS.get((table, column), frozenset()).__contains__

    def _clean_decklists(self) -> None:
        versions: models.QuerySet[DeckVersion] = models.QuerySet(DeckVersion)
        own_rows = versions.filter(deck_list__player__event=self.event)
        for values in own_rows.values("pk", "deck_list__player", *DECK_COLUMNS):
            pk, owner = values.pop("pk"), values.pop("deck_list__player")
            cleaned_deck = _clean_deck(self.texts, values)
            if cleaned_deck:
                versions.filter(pk=pk).update(**cleaned_deck)
                self._clean_later_verdicts(pk)
                self.counts["decklists"] += owner in self.ids

    def _clean_later_verdicts(self, version: int) -> None:
        """Clean what rechecks said of a list in which a line had the name."""
        rows: models.QuerySet[Rechecked] = models.QuerySet(Rechecked)
        for pk, verdict in rows.filter(version=version).values_list("pk", "verdict"):
            rows.filter(pk=pk).update(verdict=_clean_written(self.texts, verdict))

    def _clean_log(self) -> None:
        for entry in LogEntry.objects.filter(event=self.event).iterator(chunk_size=200):
            values = {
                "params": self._clean_params(entry),
                "actor": self.texts.without(entry.actor),
                "reason": "" if self.texts.is_surely_in(entry.reason) else self.texts.without(entry.reason),
                "changes": [
                    convert_rows(change, partial(self._clean_values, change["table"]))
                    for change in entry.changes
                ],
            }
            changed_columns = {name: value for name, value in values.items() if value != getattr(entry, name)}
            if changed_columns:
                LogEntry.objects.filter(pk=entry.pk).update(**changed_columns)
                self.counts["log"] += 1

    def _clean_params(self, entry: LogEntry) -> Values:
        """Remove names; from an old sentence about others only what is surely a name."""
        is_told_of_others = bool(entry.about) and not any(f" p{pk} " in entry.about for pk in self.ids)
        cleaner = self.texts.without_sure if is_told_of_others else self.texts.without
        params: Values = map_texts(entry.params, self.texts.without, self._text_keys("logentry", "params"))
        if TOLD in entry.params:
            params[TOLD] = map_texts(entry.params[TOLD], cleaner, lambda _: False)
        return params

    def _clean_values(self, table: str, pk: int, values: Values) -> Values:
        cleaned_values = {**values, **dict(self._changed_columns(table, values))}
        if table == "deckversion":
            cleaned_values |= _clean_deck(self.texts, values)
        if table == "player" and pk in self.ids:
            identity = self.identities[pk]
            cleaned_values |= {name: value for name, value in identity.items() if name in values}
        return cleaned_values

    def _clean_leagues(self, actor: Actor) -> None:
        pairs = SamePerson.objects.filter(models.Q(one__in=self.ids) | models.Q(two__in=self.ids))
        for pair in pairs.select_related("league"):
            unmark_same_person(pair.league, actor, pair.pk)
            self.counts["leagues"] += 1
        for line in LeagueLine.objects.filter(league__entries__event=self.event).distinct():
            params = map_texts(line.params, self.texts.without, self._text_keys("leagueline", "params"))
            values = {"params": params, "actor": self.texts.without(line.actor)}
            if values != {"params": line.params, "actor": line.actor}:
                LeagueLine.objects.filter(pk=line.pk).update(**values)
                self.counts["texts"] += 1

    def _clean_jobs(self) -> None:
        """Delete jobs that wait for the player or were made from their data, with files."""
        ids = [job.pk for job in Job.objects.all().iterator(chunk_size=200) if self._has_data(job)]
        self.counts["jobs"] = delete_jobs(ids)

    def _has_data(self, job: Job) -> bool:
        payload = job.payload if isinstance(job.payload, dict) else {}
        if payload.get("player") in self.ids and "event" not in payload:
            return True
        if payload.get("second_player") in self.ids:
            return True
        leagues = self.event.league_entries.values_list("league", flat=True)
        is_ours = payload.get("event") in (self.event.pk, self.event.slug) or payload.get("league") in leagues
        job_texts = [job.payload, job.result, job.error, job.progress_words, job.requested_by]
        return is_ours and (bool(job.result_file) or job.is_open or self._is_named_in(job_texts))

    def _is_named_in(self, value: object) -> bool:
        return bool(map_texts(value, self.texts.without, lambda _: True) != value)


def _clean_deck(texts: PersonalTexts, values: Values) -> Values:
    """Return the changed columns; lines of cards stay: a player may share a name."""
    lines = values.get("lines") or []
    kept_numbers = {line["number"] for line in lines if _names_card(line)}
    cleaned_values: Values = {
        "source_text": _clean_source(texts, values.get("source_text", ""), kept_numbers),
        "pool_text": texts.without(values.get("pool_text", "")),
        "original_text": texts.without(values.get("original_text", "")),
        "lines": [line if line["number"] in kept_numbers else _clean_written(texts, line) for line in lines],
    }
    if cleaned_values["lines"] != lines:
        entries = values.get("entries") or []
        cleaned_values["entries"] = [
            each if each["line"] in kept_numbers else _clean_written(texts, each) for each in entries
        ]
        cleaned_values["verdict"] = _clean_written(texts, values.get("verdict"))
    return {name: value for name, value in cleaned_values.items() if name in values and value != values[name]}


def _clean_written(texts: PersonalTexts, value: object) -> Any:
    return map_texts(value, texts.without, _is_written)


def _is_written(key: str) -> bool:
    return key not in DECK_KEYS


def _list_text_fields() -> frozenset[str]:
    """Return the fields of registration that are answered in free text."""
    return frozenset(field.key for field in list_fields() if field.kind in ("text", "long_text"))


def _names_card(line: StoredLine) -> bool:
    is_counted = line["kind"] == "card" and line["text"].strip()[:1].isdigit()
    return is_counted or line.get("card_key") is not None


def _clean_source(texts: PersonalTexts, source: str, kept_numbers: Iterable[int]) -> str:
    lines = source.splitlines(keepends=True)
    return "".join(
        line if number in kept_numbers else texts.without(line) for number, line in enumerate(lines, 1)
    )
