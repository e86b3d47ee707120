// Shows what was typed. A line that needs an answer is under the row of its table, if the page shows that; all others
// are under the entry line: those that need an answer first, then those that wait, then those sent.
import { inOrder, state } from "./storage.js";
import { ask, discard, put, sentLines, trouble, underWay, wordsOf } from "./sending.js";

const MOST_SENT_ROWS = 50;
const forms = [...document.querySelectorAll("form[data-entry]")];
export const focusLine = () => forms[0]?.elements.line.focus();

function make(name, className, text = "", more = {}, attributes = {}) {
  const element = Object.assign(document.createElement(name), { className, textContent: text }, more);
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value);
  return element;
}

const button = (label, onclick, className = "") => make("button", `button button-small ${className}`, label, { type: "button", onclick });

// ── Answers ────────────────────────────────────────────────────────────────────────────────────────────────
function answer(entry, values, line = entry.line) {
  put(Object.assign(entry, { state: "waiting", problems: [], ways: [], line, values: { ...entry.values, ...values } }));
  focusLine();
}

// A waiting line is put back into its row; until it is sent from there, a reload does not send it either.
export async function change(entry) {
  await ask(entry);
  const field = document.querySelector(`[data-row="${entry.key}"] input`);
  field?.focus();
  field?.select();
}

function fieldForm(label, value, submit, act) {
  const form = make("form", "entry-field");
  const field = make("input", "input", "", { value, required: true, maxLength: 600, autocomplete: "off" }, { "aria-label": label });
  form.append(field, make("button", "button button-small", submit));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    event.stopPropagation();
    act(field.value.trim());
  });
  return form;
}

function changeForm(entry) {
  const form = fieldForm(gettext("Changed line"), entry.line, gettext("Send"), (line) => answer(entry, {}, line));
  form.hidden = entry.ways.length > 0;
  form.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    if (entry.problems.length) focusLine();
    else answer(entry, {});
  });
  return form;
}

function wayOut(entry, way) {
  if (way.href) return make("a", "button button-small", way.label, { href: way.href, target: "_blank" });
  if (way.asks) {
    const form = fieldForm(gettext("Reason"), "", way.label, (words) => answer(entry, { [way.asks]: words }));
    form.querySelector("input").placeholder = gettext("Reason");
    return form;
  }
  return button(way.label, () => answer(entry, way.values));
}

// ── Rows ───────────────────────────────────────────────────────────────────────────────────────────────────
function row(entry, name, badge, label, parts) {
  const item = make("li", `entry-row is-${name}`);
  item.dataset.row = entry.key;
  item.append(make("span", `badge badge-${badge}`, label), make("strong", "entry-typed", entry.line), ...parts);
  const isElsewhere = entry.page && !forms.some((form) => actionOf(form) === entry.action);
  if (isElsewhere) item.append(make("a", "", fillText(gettext("Open %(place)s"), entry), { href: entry.page }));
  return item;
}

function askingRow(entry) {
  const form = changeForm(entry);
  const actions = make("div", "entry-actions");
  const open = button(pgettext("verb", "Change"), () => {
    form.hidden = false;
    open.remove();
    form.querySelector("input").select();
  }, "button-quiet");
  actions.append(...entry.ways.map((way) => wayOut(entry, way)), form, ...(form.hidden ? [open] : []));
  const drop = () => {
    discard(entry);
    focusLine();
  };
  actions.append(button(gettext("Discard"), drop, "button-quiet"));
  const words = make("div", "entry-words");
  words.append(...entry.problems.map((problem) => make("p", "", wordsOf(problem), {}, { "data-code": problem.code })));
  return row(entry, "asking", "illegal", entry.problems.length ? gettext("Needs an answer") : gettext("Changing"), [words, actions]);
}

function waitingRow(entry) {
  if (isSending(entry)) return row(entry, "waiting", "info", gettext("Sending"), []);
  const actions = make("div", "entry-actions");
  actions.append(button(pgettext("verb", "Change"), () => change(entry), "button-quiet"));
  return row(entry, "waiting", "unknown", gettext("Waiting"), [actions]);
}

const isSending = (entry) => underWay.has(entry.key) && !trouble.why;

export function lastWaiting(action) {
  return inOrder("waiting", action).filter((entry) => !isSending(entry)).at(-1);
}

function rowOf(entry) {
  if (entry.state === "waiting") return [entry.key, `waiting ${isSending(entry)}`, () => waitingRow(entry)];
  return [entry.key, JSON.stringify([entry.line, entry.problems, entry.ways]), () => askingRow(entry)];
}

function undoLink(sentLine) {
  const label = fillText(gettext("Undo: %(sentence)s"), sentLine);
  return make("a", "", pgettext("verb", "Undo"), { href: sentLine.undo }, { "aria-label": label });
}

function sentRow(sentLine) {
  const parts = [make("p", "entry-words", sentLine.sentence)];
  if (sentLine.undo) parts.push(undoLink(sentLine));
  return row(sentLine, "sent", "legal", pgettext("state", "Sent"), parts);
}

// A row stays while nothing in it changes, even when it moves to another list: someone may be typing in it.
const items = new Map();

function itemOf([key, content, build]) {
  if (items.get(key)?.dataset.seen !== content) {
    items.set(key, build());
    items.get(key).dataset.seen = content;
  }
  return items.get(key);
}

function exchangeRows(list, rows) {
  rows.map(itemOf).forEach((item, place) => {
    if (list.children[place] !== item) list.insertBefore(item, list.children[place] || null);
  });
  while (list.children.length > rows.length) list.lastChild.remove();
}

// ── Under the row of a table ───────────────────────────────────────────────────────────────────────────────
const placeOfTable = (table) => document.querySelector(`tr#table-${table}`);
const actionOf = (form) => form.getAttribute("action");
const isAtTable = (entry) => entry.table && forms.some((form) => actionOf(form) === entry.action) && placeOfTable(entry.table);

function drawTables() {
  const asking = inOrder("asking").filter(isAtTable);
  const tables = new Set(asking.map((entry) => String(entry.table)));
  for (const answers of document.querySelectorAll("tr.entry-answers")) if (!tables.has(answers.dataset.table)) answers.remove();
  for (const table of tables) exchangeRows(listAt(table), asking.filter((entry) => String(entry.table) === table).map(rowOf));
}

function listAt(table) {
  const place = placeOfTable(table);
  if (!place.nextElementSibling?.matches(".entry-answers")) {
    const answers = make("tr", "entry-answers no-print");
    answers.dataset.table = table;
    const cell = make("td", "", "", { colSpan: place.cells.length });
    cell.append(make("ol", "entry-rows", "", {}, { "aria-label": fillText(gettext("Lines typed for table %(table)s"), { table }) }));
    answers.append(cell);
    place.after(answers);
  }
  return place.nextElementSibling.querySelector("ol");
}

function goToTable(event, table) {
  event.preventDefault();
  const first = placeOfTable(table).nextElementSibling.querySelector(".entry-actions :is(button, a, input):not([hidden] *)");
  first.focus({ preventScroll: true });
  first.scrollIntoView({ block: "center" });
}

function drawLinks(place, asking) {
  const tables = [...new Set(asking.filter(isAtTable).map((entry) => entry.table))];
  if (place.dataset.tables === String(tables)) return;
  place.dataset.tables = String(tables);
  place.hidden = tables.length === 0;
  const link = (table) => make("a", "", fillText(gettext("Answer at table %(table)s"), { table }), { href: `#table-${table}`, onclick: (event) => goToTable(event, table) });
  place.replaceChildren(...tables.map(link));
}

// ── The list, and the words above it ───────────────────────────────────────────────────────────────────────
function drawList(form) {
  const place = form.parentElement.querySelector("[data-entry-list]") || document.querySelector("[data-entry-list]");
  const action = actionOf(form);
  const [asking, waiting] = [inOrder("asking", action), inOrder("waiting", action)];
  const ownSentLines = sentLines.filter((sentLine) => sentLine.action === action);
  exchangeRows(place.querySelector("ol"), [
    ...[...asking.filter((entry) => !isAtTable(entry)), ...waiting].map(rowOf),
    ...ownSentLines.slice(0, MOST_SENT_ROWS).map((sentLine) => [sentLine.key, "sent", () => sentRow(sentLine)]),
  ]);
  drawLinks(place.querySelector("[data-entry-tables]"), asking);
  const counts = [
    [asking.length, ngettext("%(number)s needs an answer", "%(number)s need an answer", asking.length)],
    [waiting.length, ngettext("%(number)s waiting", "%(number)s waiting", waiting.length)],
    [ownSentLines.length, ngettext("%(number)s sent", "%(number)s sent", ownSentLines.length)],
  ].filter(([number]) => number).map(([number, words]) => fillText(words, { number }));
  place.querySelector("[data-entry-counts]").textContent = counts.join(" · ");
  place.hidden = counts.length === 0 && !state.isStorageFull;
  drawTrouble(place.querySelector("[data-entry-trouble]"), waiting.length);
}

function troubleWords(count) {
  const full = state.isStorageFull ? gettext("The browser cannot store lines. Keep this page open until all lines are sent.") : "";
  if (!count || !trouble.why) return full;
  const signedOut = ngettext("You are signed out. %(number)s line is waiting.", "You are signed out. %(number)s lines are waiting.", count);
  const noNetwork = ngettext(
    "No connection. %(number)s line is waiting. You can keep typing.",
    "No connection. %(number)s lines are waiting. You can keep typing.",
    count,
  );
  const words = fillText(trouble.why === "signed-out" ? signedOut : noNetwork, { number: count });
  return `${words} ${full}`.trim();
}

function drawTrouble(note, count) {
  const words = troubleWords(count);
  if (note.dataset.words === words) return;
  note.dataset.words = words;
  note.textContent = words;
  note.hidden = words === "";
  if (!count || trouble.why !== "signed-out") return;
  const back = encodeURIComponent(location.pathname + location.search);
  note.append(" ", make("a", "", gettext("Sign in"), { href: `/sign-in/?next=${back}` }));
}

// Lines of other pages, above this one: what needs an answer gets it here as well. Lines of another account: how many.
const elsewhere = make("div", "entries-elsewhere stack stack-s", "", { id: "entries-elsewhere" }, { role: "status" });
const others = make("p", "");
const away = make("details", "");
away.append(make("summary", ""), make("ol", "entry-rows"));

function drawElsewhere() {
  const actions = new Set(forms.map(actionOf));
  const isAway = (entry) => !actions.has(entry.action);
  const awayEntries = [...inOrder("asking"), ...(trouble.why ? inOrder("waiting") : [])].filter(isAway);
  show(others, others, state.othersCount, otherWords(state.othersCount));
  show(away, away.querySelector("summary"), awayEntries.length, awayWords(awayEntries.length));
  exchangeRows(away.querySelector("ol"), awayEntries.map(rowOf));
  if (elsewhere.children.length === 0) elsewhere.remove();
  else if (!elsewhere.isConnected) document.getElementById("main").prepend(elsewhere);
}

function otherWords(count) {
  const words = ngettext(
    "%(number)s line of another account waits in this browser. That account must sign in to send it.",
    "%(number)s lines of another account wait in this browser. That account must sign in to send them.",
    count,
  );
  return fillText(words, { number: count });
}

function awayWords(count) {
  const words = ngettext(
    "%(number)s line from another page is not entered yet",
    "%(number)s lines from another page are not entered yet",
    count,
  );
  return fillText(words, { number: count });
}

function show(part, place, count, words) {
  if (count === 0) part.remove();
  else if (part.parentElement !== elsewhere) elsewhere.append(part);
  if (place.textContent !== words) place.textContent = words;
}

// The cursor stays in its field, which may have moved or been answered.
export function draw(focusedElement = document.activeElement) {
  const wasInRow = focusedElement?.closest(".entry-row");
  for (const form of forms) drawList(form);
  drawTables();
  drawElsewhere();
  for (const [key, item] of items) if (!item.isConnected) items.delete(key);
  if (!wasInRow || document.activeElement === focusedElement) return;
  if (focusedElement.isConnected) focusedElement.focus({ preventScroll: true });
  else focusLine();
}

// The tables are replaced, by live updates or by a button.
let focusedBefore = null;
const remember = () => (focusedBefore = document.activeElement);
const redraw = () => draw(focusedBefore);
for (const name of ["ringside:refreshing", "htmx:beforeSwap"]) document.addEventListener(name, remember);
for (const name of ["ringside:refreshed", "htmx:afterSwap"]) document.addEventListener(name, redraw);
document.addEventListener("ringside:entries", () => draw());
