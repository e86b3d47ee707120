"""Clients that send requests, wait for the answer, and retry if none comes."""

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

from benchmarks.kill.acknowledgements import Acknowledgements, Score

CSRF = "k" * 32
SCORES: tuple[Score, ...] = ((2, 0), (2, 1), (1, 2), (0, 2))
SECONDS_TO_WAIT = 120.0
JSON = {"Content-Type": "application/json", "X-Forwarded-Proto": "https", "X-CSRFToken": CSRF}


class NoAnswer(Exception):
    """No answer arrived: the server may or may not have processed the request."""


@dataclass(frozen=True)
class ApiClient:
    """Sends requests to the server and records the answers."""

    port: int
    session: str
    acknowledgements: Acknowledgements

    def ask(self, method: str, path: str, body: Any = None, *, staff: bool = True) -> tuple[int, Any]:
        """Return status and answer.

        Raises NoAnswer when the connection or the database failed.
        """
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
            self.acknowledgements.count_answer("lost")
            raise NoAnswer(str(error)) from error
        finally:
            connection.close()
        away = answer.status == HTTPStatus.SERVICE_UNAVAILABLE
        self.acknowledgements.count_answer("503" if away else f"{answer.status // 100}xx")
        if answer.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            if not away:
                self.acknowledgements.add_complaint(f"{method} {path} was answered with {answer.status}")
            raise NoAnswer(f"{method} {path}: {answer.status}")
        return answer.status, json.loads(text) if text.startswith((b"{", b"[")) else None


class ClientPool:
    """All clients at once, until they are stopped."""

    def __init__(self, api: ApiClient, tokens: dict[str, dict[int, str]], open_event: str, seed: int) -> None:
        self.api, self.acknowledgements = api, api.acknowledgements
        self.tokens, self.open_event = tokens, open_event
        self.chance = random.Random(seed)
        self.names = count(1)
        self.stopping = Flag()
        self.pool = ThreadPoolExecutor(8)
        self.threads: list[Thread] = []

    def work(self) -> None:
        """Start a client for each event and one that registers players."""
        self.stopping.clear()
        acts = [(self._run_event, (slug,)) for slug in self.tokens] + [(self._register, ())]
        self.threads = [Thread(target=self._repeat, args=(act, *more), daemon=True) for act, more in acts]
        for thread in self.threads:
            thread.start()

    def rest(self) -> None:
        """Send nothing new and wait for the open answers."""
        self.stopping.set()
        for thread in self.threads:
            thread.join(SECONDS_TO_WAIT)
            if thread.is_alive():
                raise RuntimeError("a client still waits for an answer")

    def _repeat(self, act: Any, *more: Any) -> None:
        while not self.stopping.is_set():
            try:
                act(*more)
            except NoAnswer:
                time.sleep(0.02)
            except Exception as error:
                self.acknowledgements.add_complaint(f"{type(error).__name__}: {error}")
                raise

    def _run_event(self, slug: str) -> None:
        _, rounds = self.api.ask("GET", f"/api/events/{slug}/rounds/")
        last = rounds[-1] if rounds else None
        if last is None or last["state"] == "finished":
            self._pair(slug, (last["number"] if last else 0) + 1)
        elif last["state"] == "draft":
            self._publish(slug, last["number"])
        else:
            self._play(slug, last["matches"])

    def _pair(self, slug: str, number: int) -> None:
        """Send the request twice at once."""
        for status, answer in self._both("POST", f"/api/events/{slug}/rounds/", {"number": number}):
            if status == 200 and answer["number"] == number:
                self.acknowledgements.paired.add((slug, number))
            elif status == 400 and "all_rounds_played" in json.dumps(answer):
                self.stopping.wait(0.2)
            elif status != 409:
                self.acknowledgements.add_complaint(f"pairing round {number} of {slug}: {status} {answer}")

    def _publish(self, slug: str, number: int) -> None:
        for status, answer in self._both("POST", f"/api/events/{slug}/rounds/1/{number}/publish/", {}):
            if status == 200:
                self.acknowledgements.published_rounds.add((slug, number))
            else:
                self.acknowledgements.add_complaint(f"publishing round {number} of {slug}: {status} {answer}")

    def _both(self, *request: Any) -> list[tuple[int, Any]]:
        pending_answers = [self.pool.submit(self.api.ask, *request) for _ in range(2)]
        answers = []
        for each in pending_answers:
            try:
                answers.append(each.result())
            except NoAnswer:
                continue
        return answers

    def _play(self, slug: str, matches: list[dict[str, Any]]) -> None:
        """Enter slips, report results and sometimes correct one.

        This is done at several tables at once.
        """
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
        except NoAnswer:
            return

    def _type_in(self, slug: str, match: dict[str, Any], score: Score) -> None:
        sent_score = self.acknowledgements.add_sent(match["id"], score)
        body = {"p1_games": score[0], "p2_games": score[1], "reason": "The slip says so."}
        status, answer = self.api.ask("PUT", f"/api/events/{slug}/matches/{match['id']}/result/", body)
        sent_score.is_acknowledged = status == 200
        if status != 200:
            self.acknowledgements.add_complaint(f"result of {slug}: {status} {answer}")

    def _report(self, slug: str, match: dict[str, Any], score: Score) -> None:
        """Report for both players; the second report completes the result."""
        sent_score = self.acknowledgements.add_sent(match["id"], score)
        for side in ("p1", "p2"):
            number = match[side]
            body = {"p1_games": score[0], "p2_games": score[1]}
            path = f"/api/me/{self.tokens[slug][number]}/result/"
            status, answer = self.api.ask("POST", path, body, staff=False)
            if status == 200:
                self.acknowledgements.reports[match["id"], number] = score
                sent_score.is_acknowledged = answer["outcome"] != ""
            elif status not in (400, 404, 409):
                self.acknowledgements.add_complaint(f"report of {slug}: {status} {answer}")

    def _register(self) -> None:
        """Register one person from two devices; a device without an answer retries."""
        n = next(self.names)
        mail = f"p{n}@example.org"
        body = {"name": f"Person {n}", "email": mail}
        slug = self.open_event
        while not self.stopping.is_set():
            futures = [self.pool.submit(self._register_once, slug, body) for _ in range(2)]
            answers = [each.result() for each in futures]
            if all(answers):
                return

    def _register_once(self, slug: str, body: dict[str, str]) -> bool:
        try:
            status, answer = self.api.ask("POST", f"/api/events/{slug}/register/", body, staff=False)
        except NoAnswer:
            return False
        if status == 201:
            self.acknowledgements.registered[slug, body["email"]].add(answer["token"])
        elif "already_registered" not in json.dumps(answer) and "same_name" not in json.dumps(answer):
            self.acknowledgements.add_complaint(f"registration: {status} {answer}")
        return True
