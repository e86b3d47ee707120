// The field of a decklist as a sheet: numbers, colors and signs behind its lines, and at each line its notes and the
// changes to press. The field itself is unchanged, and so is pasted text. If a line is too narrow, a mark at its end
// opens its notes below; one of these is open at a time.
(() => {
  "use strict";

  const SIGNS = { ok: "✓", error: "✕", open: "?", ask: "?" };
  const sheets = new Map();
  let notes = [];
  let cards = [];
  let lastJump = null;

  // --- Rows behind the field ----------------------------------------------------------------------------------
  function frameOf(area) {
    if (sheets.has(area)) return sheets.get(area);
    const hasFocus = document.activeElement === area;
    const frame = document.createElement("div");
    const rows = document.createElement("ol");
    frame.className = "lined";
    rows.className = "lined-rows";
    rows.setAttribute("aria-hidden", "true");
    area.before(frame);
    document.documentElement.classList.add("has-lined");
    frame.append(rows, area);
    if (hasFocus) area.focus({ preventScroll: true });
    const sheet = { area, frame, rows };
    sheets.set(area, sheet);
    mirror(sheet);
    return sheet;
  }

  function buildRow() {
    const row = document.createElement("li");
    row.append(document.createElement("span"));
    return row;
  }

  // Unchanged lines at the beginning and at the end keep their notes.
  function mirror({ area, rows }) {
    const texts = area.value.split("\n");
    const there = [...rows.children];
    const textOf = (row) => row.firstChild.textContent;
    let head = 0;
    while (head < there.length && head < texts.length && textOf(there[head]) === texts[head]) head += 1;
    let tail = 0;
    const most = Math.min(there.length, texts.length) - head;
    while (tail < most && textOf(there[there.length - 1 - tail]) === texts[texts.length - 1 - tail]) tail += 1;
    for (const row of there.slice(head, there.length - tail)) row.remove();
    const behind = tail ? there[there.length - tail] : null;
    for (const text of texts.slice(head, texts.length - tail)) {
      const row = buildRow();
      row.firstChild.textContent = text;
      rows.insertBefore(row, behind);
    }
    return { head, isMoved: there.length !== texts.length };
  }

  function mark(row, state) {
    if (state) row.dataset.state = state;
    else delete row.dataset.state;
    if (SIGNS[state]) row.dataset.sign = SIGNS[state];
    else delete row.dataset.sign;
  }

  // On a phone, an open question is above the bar at the edge of the screen, so that it covers no line below it.
  const narrow = matchMedia("(max-width: 45rem)");
  const bar = document.querySelector(".sticky-action");

  // --- What is said at a line ---------------------------------------------------------------------------------
  const TOGGLE_ROOM = 40;

  const answersOf = (note) => [...note.querySelectorAll(".answers button")];

  // Everything is read at once and written at once: to read after each change would lay out the list for every line.
  function placeAll() {
    for (const { note } of notes) {
      note.classList.remove("is-below", "is-docked", "is-short");
      note.hidden = false;
      for (const button of answersOf(note)) button.hidden = false;
    }
    const plans = notes.map(measure);
    shorten(plans.filter(mayShorten));
    const barHeight = bar?.offsetHeight ?? 0;
    for (const plan of plans) place(plan, barHeight);
    makeRoom();
  }

  function measure(each) {
    const { row, note } = each;
    const words = row.firstChild;
    const room = row.clientWidth - words.offsetLeft - words.offsetWidth - 24;
    const isOneLine = words.getClientRects().length < 2;
    const fits = note.scrollWidth <= room && isOneLine;
    return { each, room, isOneLine, fits, top: row.offsetTop, height: row.offsetHeight, isShort: false };
  }

  function mayShorten({ each, fits, isOneLine }) {
    return !fits && isOneLine && !each.isOpen && !narrow.matches && each.note.matches(".line-ask-open");
  }

  // Of several names that a line may mean, the nearest stay at the line; its button opens the others.
  function shorten(plans) {
    let wide = plans.map((plan) => ({ plan, rest: answersOf(plan.each.note).slice(1) })).filter(({ rest }) => rest.length);
    while (wide.length) {
      for (const { rest } of wide) rest.pop().hidden = true;
      for (const { plan } of wide) plan.isShort = plan.each.note.scrollWidth <= plan.room - TOGGLE_ROOM;
      wide = wide.filter(({ plan, rest }) => !plan.isShort && rest.length);
    }
    for (const { each, isShort } of plans) if (!isShort) for (const button of answersOf(each.note)) button.hidden = false;
  }

  function place({ each, fits, isShort, top, height }, barHeight) {
    const { note, toggle } = each;
    const isAtLine = fits || isShort;
    const isDocked = !isAtLine && narrow.matches;
    note.classList.toggle("is-short", isShort);
    note.classList.toggle("is-below", !isAtLine);
    note.classList.toggle("is-docked", isDocked);
    toggle.hidden = fits;
    note.hidden = !isAtLine && !each.isOpen;
    toggle.style.insetBlockStart = `${top}px`;
    toggle.setAttribute("aria-expanded", String(each.isOpen));
    note.style.insetBlockStart = isDocked ? "" : `${isAtLine ? top : top + height}px`;
    note.style.insetBlockEnd = isDocked ? `${barHeight}px` : "";
  }

  // The frame is higher where a note is longer than what is left below its line.
  function makeRoom() {
    const room = new Map();
    for (const { note, frame, rows } of notes) {
      const isApart = note.hidden || note.classList.contains("is-docked");
      const more = isApart ? 0 : note.offsetTop + note.offsetHeight - rows.offsetHeight;
      room.set(frame, Math.max(room.get(frame) || 0, more));
    }
    for (const [frame, more] of room) frame.style.paddingBlockEnd = `${more}px`;
  }

  function open(chosenNote) {
    for (const each of notes) each.isOpen = each === chosenNote && !each.isOpen;
    placeAll();
  }

  function rowOf(item, buttons) {
    const editButton = buttons.find((button) => button.dataset.edits);
    const area = document.getElementById(editButton?.dataset.field ?? "id_text");
    const lines = editButton ? JSON.parse(editButton.dataset.edits).map(({ line }) => line) : [];
    const own = Number(item.dataset.line);
    const number = !editButton || lines.includes(own) || area?.id === "id_text" ? own : lines[0];
    const sheet = area && frameOf(area);
    return { sheet, number, row: sheet?.rows.children[number - 1] };
  }

  function build(item) {
    const answers = item.querySelector(".answers");
    const buttons = answers ? [...answers.querySelectorAll("button")] : [];
    const { sheet, number, row } = rowOf(item, buttons);
    if (!row) return null;
    mark(row, item.dataset.state);
    if (item.dataset.card) cards.push({ row, card: item.dataset.card, zone: item.dataset.zone });
    const lineWords = (item.querySelector(".line-says, .line-notes")?.textContent ?? "").trim();
    if (!lineWords && !answers) return null;
    const note = document.createElement("div");
    const words = document.createElement("p");
    note.className = `line-ask line-ask-${item.dataset.state}`;
    note.setAttribute("role", "group");
    const isQuestion = item.dataset.state === "ask";
    const label = isQuestion ? gettext("Question in line %(line)s") : gettext("Line %(line)s");
    note.setAttribute("aria-label", isQuestion ? fillText(label, { line: number }) : `${fillText(label, { line: number })}: ${lineWords}`);
    words.textContent = lineWords;
    words.title = lineWords;
    words.dataset.line = number;
    note.append(words, ...(answers ? [answers] : []));
    // Otherwise htmx sends the button with the next check of the form.
    for (const type of ["click", "focusin"]) note.addEventListener(type, (event) => event.stopPropagation());
    const toggle = document.createElement("button");
    toggle.type = "button";
    toggle.className = `line-mark line-mark-${item.dataset.state}`;
    toggle.textContent = SIGNS[item.dataset.state] ?? "?";
    const shows = isQuestion ? gettext("Show the question in line %(line)s") : gettext("Show the notes on line %(line)s");
    toggle.setAttribute("aria-label", fillText(shows, { line: number }));
    sheet.frame.append(toggle, note);
    const each = { ...sheet, row, note, toggle, line: number, isOpen: false, giveBack: () => answers && item.append(answers) };
    toggle.addEventListener("click", () => open(each));
    return each;
  }

  function clear() {
    for (const { note, toggle, frame, giveBack } of notes) {
      giveBack();
      note.remove();
      toggle.remove();
      frame.style.paddingBlockEnd = "";
    }
    notes = [];
    cards = [];
    for (const { rows } of sheets.values()) for (const row of rows.children) mark(row, "");
  }

  function rebuild() {
    const before = notes.map(({ line }) => line);
    const shownLine = notes.find(({ isOpen }) => isOpen)?.line;
    const focusedLine = notes.find(({ toggle }) => toggle === document.activeElement)?.line;
    clear();
    // A browser that goes back to the page fills the field without an event.
    for (const sheet of sheets.values()) mirror(sheet);
    const items = document.querySelectorAll("#verdict .lines > li[data-line]");
    notes = [...items].map(build).filter(Boolean);
    // What was open or closed stays so; a new question opens.
    const isNew = notes.some(({ line }) => !before.includes(line));
    const next = notes.find(({ line }) => line === shownLine) ?? (shownLine || isNew ? notes[0] : null);
    if (next) open(next);
    else placeAll();
    notes.find(({ line }) => line === focusedLine)?.toggle.focus({ preventScroll: true });
    const howRead = document.querySelector("#verdict .how-read");
    if (howRead) howRead.open = false;
  }

  // Lines that moved or changed say nothing until the next verdict.
  document.addEventListener("input", ({ target }) => {
    const sheet = sheets.get(target);
    if (!sheet) return;
    const { head, isMoved } = mirror(sheet);
    const stays = ({ row, line }) => row.isConnected && (!isMoved || line <= head);
    for (const each of notes.filter((one) => one.area === target && !stays(one))) each.note.hidden = each.toggle.hidden = true;
    notes = notes.filter((one) => {
      if (one.area !== target || stays(one)) return true;
      one.note.remove();
      one.toggle.remove();
      return false;
    });
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !event.target.closest(".lined")) return;
    const shownNote = notes.find(({ isOpen, note }) => isOpen && note.classList.contains("is-below"));
    if (!shownNote) return;
    open(shownNote);
    shownNote.toggle.focus();
  });

  // --- The badge leads to what it speaks of -------------------------------------------------------------------
  function jump() {
    const order = { error: 0, open: 1, ask: 2 };
    const stops = [...notes].sort((one, other) => order[one.row.dataset.state] - order[other.row.dataset.state] || one.line - other.line);
    const at = stops.findIndex(({ line }) => line === lastJump);
    const next = stops[(at + 1) % stops.length];
    if (!next) return false;
    lastJump = next.line;
    // Cards that are offered hide the notes until the end of the press.
    window.ringside.afterPress(() => visit(next));
    return true;
  }

  function visit(next) {
    if (!next.toggle.hidden && !next.isOpen) open(next);
    next.row.scrollIntoView({ block: "center" });
    (next.note.querySelector("button") ?? (next.toggle.hidden ? next.area : next.toggle)).focus({ preventScroll: true });
  }

  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-jump]") && jump()) event.preventDefault();
  });

  let width = innerWidth;
  addEventListener("resize", () => {
    if (width === innerWidth) return; // The keyboard of a phone came or went.
    width = innerWidth;
    placeAll();
  });
  // A swap is announced once for each part of the page that it exchanges.
  let drawnVerdict = null;
  document.addEventListener("htmx:afterSwap", ({ detail }) => {
    if (detail.target.id !== "verdict") return;
    const verdict = document.getElementById("verdict").firstElementChild;
    if (!verdict || verdict !== drawnVerdict) rebuild();
    drawnVerdict = verdict;
  });
  for (const area of document.querySelectorAll("#id_text, #id_pool")) frameOf(area);
  rebuild();

  // For the cards that are offered: rows of the field, and which card the last verdict found in each.
  window.ringsideSheet = {
    rowAt: (area, line) => frameOf(area).rows.children[line],
    lines: () => cards.filter(({ row }) => row.isConnected).map(({ row, card, zone }) => ({ card, zone, line: [...row.parentElement.children].indexOf(row) })),
  };
})();
