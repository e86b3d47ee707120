"""The people of the hall: they press, wait for the answer, and press again when none came."""

from __future__ import annotations

import http.client
import json
import random
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from http import HTTPStatus
from itertools import count
from threading import Event as Flag
from threading import Thread
from typing import Any

from benchmarks.kill.ledger import Ledger, Score

CSRF = "k" * 32
SCORES: tuple[Score, ...] = ((2, 0), (2, 1), (1, 2), (0, 2))
SECONDS_TO_WAIT = 120.0
JSON = {"Content-Type": "application/json", "X-Forwarded-Proto": "https", "X-CSRFToken": CSRF}


class Lost(Exception):
    """No answer came: the server may or may not have done what was asked."""


@dataclass(frozen=True)
class Door:
    """How the server is asked: its port, the organizer's session, and what was answered so far."""

    port: int
    session: str
    ledger: Ledger

    def ask(self, method: str, path: str, body: Any = None, *, staff: bool = True) -> tuple[int, Any]:
        """Status and answer. Raises Lost when the connection broke or the server had no database."""
        headers = dict(JSON, **{"X-Forwarded-For": f"10.{random.randrange(256)}.{random.randrange(256)}.9"})
        if staff:
            headers["Cookie"] = f"sessionid={self.session}; csrftoken={CSRF}"
            headers["Referer"] = f"https://127.0.0.1:{self.port}/"
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=SECONDS_TO_WAIT)
        try:
            connection.request(method, path, None if body is None else json.dumps(body), headers)
            answer = connection.getresponse()
            text = answer.read()
        except (OSError, http.client.HTTPException) as error:
            self.ledger.counts("lost")
            raise Lost(str(error)) from error
        finally:
            connection.close()
        away = answer.status == HTTPStatus.SERVICE_UNAVAILABLE
        self.ledger.counts("503" if away else f"{answer.status // 100}xx")
        if answer.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            if not away:
                self.ledger.complains(f"{method} {path} was answered with {answer.status}")
            raise Lost(f"{method} {path}: {answer.status}")
        return answer.status, json.loads(text) if text.startswith((b"{", b"[")) else None


class Hall:
    """Everybody at once, until told to rest."""

    def __init__(self, door: Door, tokens: dict[str, dict[int, str]], open_event: str, seed: int) -> None:
        self.door, self.ledger = door, door.ledger
        self.tokens, self.open_event = tokens, open_event
        self.chance = random.Random(seed)
        self.names = count(1)
        self.resting = Flag()
        self.pool = ThreadPoolExecutor(8)
        self.threads: list[Thread] = []

    def work(self) -> None:
        """Everybody begins: one who runs each event, and two at the door."""
        self.resting.clear()
        acts = [(self._run_event, (slug,)) for slug in self.tokens] + [(self._register, ())]
        self.threads = [Thread(target=self._until_rest, args=(act, *more), daemon=True) for act, more in acts]
        for thread in self.threads:
            thread.start()

    def rest(self) -> None:
        """Nobody presses anything new; waits for the answers that are still to come."""
        self.resting.set()
        for thread in self.threads:
            thread.join(SECONDS_TO_WAIT)
            if thread.is_alive():
                raise RuntimeError("somebody still waits for an answer")

    def _until_rest(self, act: Any, *more: Any) -> None:
        while not self.resting.is_set():
            try:
                act(*more)
            except Lost:
                time.sleep(0.02)
            except Exception as error:
                self.ledger.complains(f"{type(error).__name__}: {error}")
                raise

    def _run_event(self, slug: str) -> None:
        _, rounds = self.door.ask("GET", f"/api/events/{slug}/rounds/")
        last = rounds[-1] if rounds else None
        if last is None or last["state"] == "finished":
            self._pair(slug, (last["number"] if last else 0) + 1)
        elif last["state"] == "draft":
            self._publish(slug, last["number"])
        else:
            self._play(slug, last["matches"])

    def _pair(self, slug: str, number: int) -> None:
        """Two people press at once."""
        for status, answer in self._both("POST", f"/api/events/{slug}/rounds/", {"number": number}):
            if status == 200 and answer["number"] == number:
                self.ledger.paired.add((slug, number))
            elif status == 400 and "all_rounds_played" in json.dumps(answer):
                self.resting.wait(0.2)
            elif status != 409:
                self.ledger.complains(f"pairing round {number} of {slug}: {status} {answer}")

    def _publish(self, slug: str, number: int) -> None:
        for status, answer in self._both("POST", f"/api/events/{slug}/rounds/1/{number}/publish/", {}):
            if status == 200:
                self.ledger.published.add((slug, number))
            else:
                self.ledger.complains(f"publishing round {number} of {slug}: {status} {answer}")

    def _both(self, *request: Any) -> list[tuple[int, Any]]:
        waiting = [self.pool.submit(self.door.ask, *request) for _ in range(2)]
        answers = []
        for each in waiting:
            try:
                answers.append(each.result())
            except Lost:
                continue
        return answers

    def _play(self, slug: str, matches: list[dict[str, Any]]) -> None:
        """Everybody at the tables: slips typed in, players reporting, and now and then a correction."""
        tables = [match for match in matches if match["p2"] is not None]
        self.chance.shuffle(tables)
        acts = [self.pool.submit(self._at_table, slug, match) for match in tables[:6]]
        for each in acts:
            each.result()

    def _at_table(self, slug: str, match: dict[str, Any]) -> None:
        score = self.chance.choice(SCORES)
        try:
            if match["outcome"]:
                if self.chance.random() < 0.3:
                    self._type_in(slug, match, score)
            elif self.chance.random() < 0.5:
                self._type_in(slug, match, score)
            else:
                self._report(slug, match, score)
        except Lost:
            return

    def _type_in(self, slug: str, match: dict[str, Any], score: Score) -> None:
        sent = self.ledger.sends(match["id"], score)
        body = {"p1_games": score[0], "p2_games": score[1], "reason": "The slip says so."}
        status, answer = self.door.ask("PUT", f"/api/events/{slug}/matches/{match['id']}/result/", body)
        sent.is_acknowledged = status == 200
        if status != 200:
            self.ledger.complains(f"result of {slug}: {status} {answer}")

    def _report(self, slug: str, match: dict[str, Any], score: Score) -> None:
        """Both players report, one after the other; the second report makes the result stand."""
        sent = self.ledger.sends(match["id"], score)
        for side in ("p1", "p2"):
            number = match[side]
            body = {"p1_games": score[0], "p2_games": score[1]}
            path = f"/api/me/{self.tokens[slug][number]}/result/"
            status, answer = self.door.ask("POST", path, body, staff=False)
            if status == 200:
                self.ledger.reports[match["id"], number] = score
                sent.is_acknowledged = answer["outcome"] != ""
            elif status not in (400, 404, 409):
                self.ledger.complains(f"report of {slug}: {status} {answer}")

    def _register(self) -> None:
        """One person on two devices; whoever gets no answer tries again."""
        n = next(self.names)
        mail = f"p{n}@example.org"
        body = {"name": f"Person {n}", "email": mail}
        slug = self.open_event
        while not self.resting.is_set():
            futures = [self.pool.submit(self._register_once, slug, body) for _ in range(2)]
            answers = [each.result() for each in futures]
            if all(answers):
                return

    def _register_once(self, slug: str, body: dict[str, str]) -> bool:
        try:
            status, answer = self.door.ask("POST", f"/api/events/{slug}/register/", body, staff=False)
        except Lost:
            return False
        if status == 201:
            self.ledger.registered[slug, body["email"]].add(answer["token"])
        elif "already_registered" not in json.dumps(answer) and "same_name" not in json.dumps(answer):
            self.ledger.complains(f"registration: {status} {answer}")
        return True
