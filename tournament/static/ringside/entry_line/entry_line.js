// The entry line of results, walk-ins and check-in: <form data-entry="KIND" data-entry-event data-entry-place>, with
// the list of what was typed in [data-entry-list] beside it.
//
// Enter stores the line in this browser and frees the field for the next; it is sent from there, over reloads, outages
// and other pages. A refused line waits in its row for an answer, and the lines behind it are still sent. Lines belong
// to the account that typed them.
import { ACCOUNT, entries, loading } from "./storage.js";
import { put, sentLines, wake } from "./sending.js";
import { change, draw, lastWaiting } from "./rows.js";

const early = window.ringsideEarlyLines || [];
const DRAFT = `ringside-draft-${ACCOUNT}-`;

function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function add(form, typedLine) {
  const line = typedLine.trim();
  if (!line) return;
  const values = Object.fromEntries(new FormData(form));
  for (const name of ["line", "csrfmiddlewaretoken", "next"]) delete values[name];
  const { entry: kind, entryEvent: event, entryPlace: place } = form.dataset;
  const last = Math.max(0, ...[...entries.values()].map((entry) => entry.at));
  const [action, page, at] = [form.getAttribute("action"), location.pathname, Math.max(Date.now(), last + 1)];
  put({ key: newKey(), account: ACCOUNT, event, kind, place, page, action, line, values, at, state: "waiting", problems: [], ways: [] });
}

// Lines from before a reload come before newer ones, which may be entered already.
function continueDraft(form, begunLine) {
  const field = form.elements.line;
  const first = early.find((each) => each.form === form);
  if (first) first.line = begunLine + first.line;
  else if (!field.value.startsWith(begunLine)) field.value = begunLine + field.value;
}

function takeLines(form) {
  const field = form.elements.line;
  const action = form.getAttribute("action");
  const draft = DRAFT + action;
  const keepDraft = () => (field.value ? sessionStorage.setItem(draft, field.value) : sessionStorage.removeItem(draft));
  continueDraft(form, sessionStorage.getItem(draft) || "");
  keepDraft();
  if (field.autofocus && document.activeElement === document.body) field.focus();
  field.addEventListener("input", keepDraft);
  form.addEventListener("ringside:enter", (event) => add(form, event.detail));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    event.stopPropagation();
    add(form, field.value);
    field.value = "";
    field.dispatchEvent(new Event("input", { bubbles: true }));
    wake();
  });
  field.addEventListener("keydown", (event) => {
    if (event.key !== "ArrowUp" || field.value) return;
    event.preventDefault();
    const last = lastWaiting(action);
    if (last) change(last);
    else field.value = sentLines.find((sentLine) => sentLine.action === action)?.line || "";
  });
}

function signOut(event) {
  if (!event.target.matches("form[data-sign-out]")) return;
  const words = ngettext(
    "%(number)s line is not entered yet. The browser sends it when you sign in again. Sign out?",
    "%(number)s lines are not entered yet. The browser sends them when you sign in again. Sign out?",
    entries.size,
  );
  if (entries.size && !confirm(fillText(words, { number: entries.size }))) {
    event.preventDefault();
    event.stopImmediatePropagation();
    return;
  }
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(DRAFT)) sessionStorage.removeItem(key);
}

document.querySelectorAll("form[data-entry]").forEach(takeLines);
document.addEventListener("submit", signOut, true);
document.dispatchEvent(new Event("ringside:entry-line"));
for (const { form, line } of early.splice(0)) add(form, line);
loading.then(() => draw());
