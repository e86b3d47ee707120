// Sends the stored lines in their order, one at a time for each event and kind, until the server has accepted or
// refused each. The server accepts a key once, so a line may be sent again when its answer was lost.
import { ACCOUNT, entries, inOrder, isStillWaiting, load, loading, remove, save } from "./storage.js";

export const sentLines = []; // Lines accepted in this page or another tab; newest first.
export const underWay = new Set();
export const trouble = { why: "" };

const PATIENCE = 10000;
const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 5000;
const MOST_FAULTS = 3;
const REFUSED = {
  403: gettext("You do not have permission to do this."),
  404: gettext("The page of this line no longer exists."),
  413: gettext("This line is too long."),
};
const lanes = new Map(); // Lines being sent, each with a function that ends its pause.
const channel = "BroadcastChannel" in window ? new BroadcastChannel("ringside-entries") : null;

const laneOf = (entry) => `ringside-entries-${ACCOUNT}-${entry.event}-${entry.kind}`;
// Locks need a secure address; without one two tabs may both send a line, which is accepted once.
const alone = (lane, act) => (navigator.locks ? navigator.locks.request(lane, act) : act());
const redraw = () => document.dispatchEvent(new Event("ringside:entries"));

// ── What people do with a line ─────────────────────────────────────────────────────────────────────────────
export async function put(entry) {
  const storing = save(entry);
  redraw();
  await storing;
  channel?.postMessage({ account: ACCOUNT, changedEntry: entry });
  redraw();
  sendAll();
}

export function discard(entry) {
  remove(entry.key).then(() => channel?.postMessage({ account: ACCOUNT, gone: { key: entry.key } }));
  sayAloud(fillText(gettext("Discarded: %(line)s"), entry));
  redraw();
}

export function ask(entry, problems = [], ways = [], table = null) {
  Object.assign(entry, { state: "asking", problems, ways, table, faults: 0 });
  if (problems.length) sayAloud(`${entry.line}: ${problems.map(wordsOf).join(" ")}`);
  return put(entry);
}

function note(sentLine) {
  if (!sentLines.some((each) => each.key === sentLine.key)) sentLines.unshift(sentLine);
}

export const wordsOf = (problem) => `${problem.sentence} ${problem.fix}`.trim();

channel?.addEventListener("message", ({ data: { account, changedEntry, gone: sentLine } }) => {
  if (account !== ACCOUNT) return;
  if (changedEntry) entries.set(changedEntry.key, changedEntry);
  if (sentLine) entries.delete(sentLine.key);
  if (sentLine?.sentence) note(sentLine);
  redraw();
  sendAll();
});

// ── The queue ──────────────────────────────────────────────────────────────────────────────────────────────
export function sendAll() {
  if (ACCOUNT) for (const lane of new Set(inOrder("waiting").map(laneOf))) sendLane(lane);
}

export function wake() {
  for (const end of lanes.values()) end();
  sendAll();
}

async function sendLane(lane) {
  if (lanes.has(lane)) return;
  lanes.set(lane, () => {});
  let pause = 0;
  for (;;) {
    const outcome = await alone(lane, () => sendFirst(lane));
    if (outcome === "none") break;
    redraw();
    pause = outcome === "later" ? Math.min(pause * 2 || FIRST_PAUSE, LONGEST_PAUSE) : 0;
    if (pause) await rest(lane, pause);
  }
  lanes.delete(lane);
}

function rest(lane, pause) {
  return new Promise((resolve) => {
    lanes.set(lane, resolve);
    setTimeout(resolve, pause);
  });
}

async function sendFirst(lane) {
  const entry = inOrder("waiting").find((each) => laneOf(each) === lane);
  if (!entry) return "none";
  if (!(await isStillWaiting(entry))) return "taken";
  underWay.add(entry.key);
  redraw();
  const answer = await post(entry);
  underWay.delete(entry.key);
  return settle(entry, answer);
}

async function post({ action, values, line, key, account }) {
  try {
    const answer = await fetch(action, {
      method: "POST",
      body: new URLSearchParams({ ...values, line, key, account }),
      headers: { Accept: "application/json", "X-CSRFToken": csrfToken() },
      redirect: "manual",
      signal: AbortSignal.timeout?.(PATIENCE),
    });
    const isJson = answer.headers.get("Content-Type")?.startsWith("application/json");
    const body = isJson ? await answer.json() : null;
    return { status: answer.status, why: answer.headers.get("X-Ringside-Why"), body };
  } catch {
    return { status: 0, why: null, body: null };
  }
}

// Signing in makes a new token; the page still has the old one.
function csrfToken() {
  const cookie = document.cookie.match(/(?:^|; )csrftoken=([^;]+)/);
  return cookie ? cookie[1] : document.querySelector("input[name=csrfmiddlewaretoken]")?.value || "";
}

async function settle(entry, { status, why, body }) {
  if (status === 200 && body?.sentence) return accept(entry, body);
  if (why === "signed-out" || why === "form-too-old") return later("signed-out");
  if (status === 500) return fail(entry);
  if (status < 400 || status === 429 || status > 500) return later("server");
  const problems = body?.problems || [{ code: `http_${status}`, sentence: REFUSED[status] || gettext("This line is not valid."), fix: "" }];
  return refuse(entry, problems, body?.ways, body?.table);
}

function later(why) {
  trouble.why = why;
  return "later";
}

// A line that the server cannot process does not block the ones behind it for long.
function fail(entry) {
  entry.faults = (entry.faults || 0) + 1;
  if (entry.faults < MOST_FAULTS) return later("server");
  const fix = gettext("Check whether it was entered, then send it again.");
  return refuse(entry, [{ code: "http_500", sentence: gettext("Something went wrong on our side."), fix }]);
}

async function refuse(entry, problems, ways, table) {
  trouble.why = "";
  await ask(entry, problems, ways, table);
  return "asked";
}

async function accept({ key, action, line }, { sentence, undo, version }) {
  trouble.why = "";
  const sentLine = { key, action, line, sentence, undo };
  await remove(key);
  note(sentLine);
  channel?.postMessage({ account: ACCOUNT, gone: sentLine });
  sayAloud(sentence);
  document.dispatchEvent(new CustomEvent("ringside:version", { detail: version }));
  return "sent";
}

addEventListener("online", wake);
addEventListener("focus", wake);
addEventListener("pageshow", (event) => event.persisted && load().then(sendAll));
loading.then(sendAll);
