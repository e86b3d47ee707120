// The line for slips of a round: it reads back what was typed before Enter, finds a table by a name, and knows a few
// letters: n next step, p print slips, u undo the last entry, ? the codes. Everything else is sent as it is.
import { sentLines } from "../entry_line/sending.js";

const SLIP = /^\s*(\d{1,5})(?:[\s,:;]+(\d)\s*[-:\s]?\s*(\d))?/;
const SAVED_MILLISECONDS = 6000;
const form = document.querySelector("form[data-entry=result]");
const line = form.elements.line;
const reads = document.querySelector("[data-line-reads]");
const help = document.querySelector("[data-line-help]");
const atFirst = [reads.textContent, help.textContent];

const rowOf = (table) => document.getElementById(`table-${Number(table)}`);
const nameIn = (row, side) => row.querySelectorAll(".seat-name")[side]?.textContent.trim() || "";
const allRows = () => [...document.querySelectorAll("#tables tr[id^=table-]")];

// ── What the line says ─────────────────────────────────────────────────────────────────────────────────────
function tell(words, more = "", isProblem = false) {
  reads.textContent = words;
  help.textContent = more;
  help.classList.toggle("visually-hidden", more === atFirst[1]);
  reads.parentElement.classList.toggle("is-problem", isProblem);
}

function mark(rows) {
  for (const row of document.querySelectorAll("tr.is-typed")) if (!rows.includes(row)) row.classList.remove("is-typed");
  for (const row of rows) row.classList.add("is-typed");
}

function resultWords(row, first, second) {
  const [winner, score] = first >= second ? [nameIn(row, 0), `${first}-${second}`] : [nameIn(row, 1), `${second}-${first}`];
  if (first === second) return fillText(gettext("Draw %(score)s"), { score });
  return fillText(gettext("%(player)s won %(score)s"), { player: winner, score });
}

// A table of more than two sides: the numbers are those of its sides.
function readSides(row, table) {
  const numbers = line.value.trim().split(/[\s,:;=]+/).slice(1);
  const names = numbers.map((number) => nameIn(row, Number(number) - 1)).filter(Boolean);
  const every = [...row.querySelectorAll(".seat-name")].map((name) => name.textContent.trim());
  const players = new Intl.ListFormat(pageLocale).format(names.length ? names : every);
  mark([row]);
  tell(fillText(gettext("Table %(table)s: %(players)s"), { table, players }));
}

// The boards of two teams: “12 2-1 0-2 2-0” is a score for each seat.
function countBoards() {
  const scores = [...line.value.matchAll(/[\s,;](\d+)[-:/](\d+)/g)].map(([, first, second]) => Math.sign(first - second));
  return [scores.filter((sign) => sign > 0).length, scores.filter((sign) => sign < 0).length, scores.length];
}

function readSlip([, table, first, second]) {
  const row = rowOf(table);
  if (!row) {
    mark([]);
    tell(fillText(gettext("Table %(table)s is not shown"), { table }), "", true);
    return;
  }
  if (row.dataset.sides > 2) {
    readSides(row, table);
    return;
  }
  mark([row]);
  const players = { table, one: nameIn(row, 0), two: nameIn(row, 1) };
  const versus = fillText(gettext("Table %(table)s: %(one)s vs. %(two)s"), players);
  const score = row.classList.contains("is-done") ? row.querySelector(".result").textContent.trim() : "";
  const stands = score ? fillText(gettext("It already has %(score)s."), { score }) : "";
  const [wins, losses, boards] = "boards" in form.dataset ? countBoards() : [0, 0, 0];
  if (boards) tell(resultWords(row, wins, losses), stands || versus);
  else if (first === undefined || "boards" in form.dataset) tell(versus, stands);
  else tell(resultWords(row, Number(first), Number(second)), stands || versus);
}

function findRows(letters) {
  const wantedName = letters.toLocaleLowerCase(pageLocale);
  return allRows().filter((row) => [0, 1].some((side) => nameIn(row, side).toLocaleLowerCase(pageLocale).includes(wantedName)));
}

const isName = (typedText) => /^\p{L}[\p{L}\p{M}'’ .-]+$/u.test(typedText);

function readName(typedText) {
  const rows = findRows(typedText);
  mark(rows);
  const foundWords = ngettext("%(number)s table found", "%(number)s tables found", rows.length);
  const first = rows[0] && [nameIn(rows[0], 0), nameIn(rows[0], 1)].filter(Boolean).join(" – ");
  tell(fillText(foundWords, { number: rows.length }), rows.length === 1 ? first : "");
  rows[0]?.scrollIntoView({ block: "nearest" });
}

function read() {
  const typedText = line.value.trim();
  const slip = typedText.match(SLIP);
  if (slip) readSlip(slip);
  else if (isName(typedText) && typedText.length > 2) readName(typedText);
  else {
    mark([]);
    tell(...atFirst);
  }
}

// ── Letters that do something ──────────────────────────────────────────────────────────────────────────────
const press = (selector) => document.querySelector(selector);
const letters = {
  n: () => press("#next-step"),
  p: () => press("#print-slips"),
  u: () => press("#last-entries .rail-button"),
  "?": () => press("#entry-codes > summary"),
};

function pressLetter(letter) {
  const button = letters[letter]();
  if (!button) {
    const waits = document.getElementById("step-waits")?.textContent;
    tell(letter === "n" && waits ? waits : gettext("Nothing to do"), "", true);
    return;
  }
  tell(...atFirst);
  if (letter === "?") {
    document.getElementById("entry-codes").open = true;
    button.focus();
  } else button.click();
}

function pickTable(typedText) {
  const rows = findRows(typedText);
  if (rows.length !== 1) return false;
  line.value = `${rows[0].id.replace("table-", "")} `;
  return true;
}

document.addEventListener("submit", (event) => {
  if (event.target !== form) return;
  const typedText = line.value.trim();
  const letter = typedText.toLowerCase();
  const isLetter = Object.hasOwn(letters, letter);
  if (!isLetter && !(isName(typedText) && typedText.length > 2 && pickTable(typedText))) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  if (isLetter) line.value = "";
  // What is typed is kept over a reload.
  line.dispatchEvent(new Event("input", { bubbles: true }));
  if (isLetter) pressLetter(letter);
}, true);

// ── What was just saved ────────────────────────────────────────────────────────────────────────────────────
const savedEntries = new Map();

function markSaved() {
  const now = Date.now();
  for (const sentLine of sentLines) if (!savedEntries.has(sentLine.key)) savedEntries.set(sentLine.key, { table: sentLine.line.match(SLIP)?.[1], at: now });
  const fresh = [...savedEntries.values()].filter(({ table, at }) => table && now - at < SAVED_MILLISECONDS);
  const rows = fresh.map(({ table }) => rowOf(table));
  for (const row of allRows()) row.classList.toggle("is-saved", rows.includes(row) && row.classList.contains("is-done"));
  if (fresh.length) setTimeout(markSaved, SAVED_MILLISECONDS);
}

// ── Where the keyboard was ─────────────────────────────────────────────────────────────────────────────────
let leftRow = "";
for (const name of ["ringside:refreshing", "htmx:beforeSend", "htmx:beforeSwap"]) {
  document.addEventListener(name, () => {
    const row = document.activeElement?.closest("#tables tr[id^=table-]");
    if (row || document.activeElement !== document.body) leftRow = row?.id ?? "";
  });
}

function returnToRow() {
  if (!leftRow || document.activeElement !== document.body) return;
  document.getElementById(leftRow)?.querySelector("summary, .scores button")?.focus({ preventScroll: true });
  leftRow = "";
}

line.addEventListener("input", read);
document.addEventListener("ringside:entries", markSaved);
for (const name of ["ringside:refreshed", "htmx:afterSwap"]) {
  document.addEventListener(name, () => {
    markSaved();
    returnToRow();
    if (line.value.trim()) read();
  });
}
