// Pages of a decklist: what was typed is kept on this device until it is handed in, files are read into the
// field, the time that is left runs, numbers beside cards go up and down by a tap. All works without this file.
(() => {
  "use strict";

  const form = document.getElementById("list-form");
  const toast = (words) => window.ringside && window.ringside.toast(words);

  // --- What was typed -------------------------------------------------------------------------------------
  const KEEP_DAYS = 30;
  const plain = (text) => text.replace(/\r\n?/g, "\n").trim();

  function fields() {
    return [...form.elements].filter(
      (field) => field.name && !["file", "hidden", "submit", "button"].includes(field.type),
    );
  }

  function filled() {
    return Object.fromEntries(fields().map((field) => [field.name, field.value]));
  }

  function isSame(one, other) {
    return Object.keys(one).every((name) => plain(one[name] || "") === plain(other[name] || ""));
  }

  function read(key) {
    try {
      const kept = JSON.parse(localStorage.getItem(key));
      return kept && Date.now() - kept.at < KEEP_DAYS * 86400000 ? kept.values : null;
    } catch {
      return null;
    }
  }

  function write(key, values) {
    try {
      if (values) localStorage.setItem(key, JSON.stringify({ at: Date.now(), values }));
      else localStorage.removeItem(key);
    } catch {
      // A full or forbidden store: the form itself still holds everything.
    }
  }

  function fill(values) {
    for (const field of fields()) if (field.name in values) field.value = values[field.name];
  }

  function keepTyped(key) {
    const given = filled();
    const bar = document.getElementById("kept");
    const isSentBack = form.hasAttribute("data-sent-back"); // The page shows what was just sent, not what counts.
    const kept = read(key);
    // On a slow connection somebody has pasted his list before this file came.
    const isAhead = fields().some((field) => plain(field.value) !== plain(field.defaultValue ?? field.value));
    if (isAhead || isSentBack) {
      write(key, given);
    } else if (kept && isSame(given, kept)) {
      write(key, null);
    } else if (kept) {
      fill(kept);
      bar.hidden = false;
    }
    const save = () => write(key, !isSentBack && isSame(filled(), given) ? null : filled());
    form.addEventListener("input", save);
    form.addEventListener("change", save);
    bar.querySelector("[data-forget]").addEventListener("click", () => {
      write(key, null);
      location.assign(form.action);
    });
  }

  // --- Files: chosen or dropped, read into the field ------------------------------------------------------
  async function readInto(area, input, file) {
    let text;
    try {
      text = new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
    } catch {
      return; // Another encoding: the server reads the file itself.
    }
    if (text.includes("\0")) return;
    area.value = text.replace(/^\uFEFF/, "");
    input.value = "";
    area.dispatchEvent(new Event("input", { bubbles: true }));
    toast(fillText(gettext("%(file)s was added to the decklist."), { file: file.name }));
  }

  function takeFiles(zone) {
    const area = document.getElementById(zone.dataset.drop);
    const input = zone.querySelector("input[type=file]");
    input.addEventListener("change", () => input.files[0] && readInto(area, input, input.files[0]));
    for (const place of [zone, area]) {
      place.addEventListener("dragover", (event) => {
        if (![...event.dataTransfer.types].includes("Files")) return;
        event.preventDefault();
        zone.classList.add("is-over");
      });
      place.addEventListener("dragleave", () => zone.classList.remove("is-over"));
      place.addEventListener("drop", (event) => {
        zone.classList.remove("is-over");
        const file = event.dataTransfer.files[0];
        if (!file) return;
        event.preventDefault();
        const moved = new DataTransfer();
        moved.items.add(file);
        input.files = moved.files;
        readInto(area, input, file);
      });
    }
  }

  // --- The time that is left ------------------------------------------------------------------------------
  function words(seconds) {
    const parts = [
      [86400, (number) => ngettext("%(number)s day", "%(number)s days", number)],
      [3600, (number) => ngettext("%(number)s hour", "%(number)s hours", number)],
      [60, (number) => ngettext("%(number)s minute", "%(number)s minutes", number)],
      [1, (number) => ngettext("%(number)s second", "%(number)s seconds", number)],
    ];
    const first = parts.findIndex(([size]) => seconds >= size);
    if (first < 0) return gettext("no time");
    const say = ([size, wording], left) => {
      const number = Math.floor(left / size);
      return number ? fillText(wording(number), { number }) : "";
    };
    const rest = parts[first + 1] ? say(parts[first + 1], seconds % parts[first][0]) : "";
    return [say(parts[first], seconds), rest].filter(Boolean).join(", ");
  }

  for (const place of document.querySelectorAll("[data-until]")) {
    const until = Date.parse(place.dataset.until);
    const tick = () => {
      const left = Math.max(0, Math.floor((until - Date.now()) / 1000));
      place.textContent = words(left);
      if (left) setTimeout(tick, left > 3600 ? 30000 : 1000);
    };
    tick();
  }

  // --- Numbers beside cards: a tap on − or + --------------------------------------------------------------
  const counts = [...document.querySelectorAll(".pick-count")];
  const sum = document.querySelector("[data-sum]");
  const addUp = () => {
    if (!sum) return;
    sum.hidden = false;
    const number = counts.reduce((total, input) => total + Number(input.value || 0), 0);
    sum.textContent = fillText(ngettext("%(number)s card", "%(number)s cards", number), { number });
  };
  for (const input of counts) {
    const step = (by) => {
      const now = Number(input.value || 0) + by;
      input.value = Math.min(Number(input.max), Math.max(0, now)) || "";
      addUp();
    };
    input.addEventListener("input", addUp);
    for (const [sign, by] of [["−", -1], ["+", 1]]) {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "button button-small pick-step";
      button.textContent = sign;
      const words = by > 0 ? gettext("Add one: %(card)s") : gettext("Remove one: %(card)s");
      button.setAttribute("aria-label", fillText(words, { card: input.labels[0].textContent }));
      button.addEventListener("click", () => step(by));
      if (by < 0) input.before(button);
      else input.after(button);
    }
  }

  addUp();

  // --- Answers to what a list leaves open: each changes lines of the text ----------------------------------
  const answered = document.getElementById("answered");
  const ANSWER_SETTLES = 5000;
  let answeredAt = 0;

  // Whether the lines still say what the answer was made for; without that the server takes the answer.
  function change(area, edits) {
    const rows = area.value.split("\n");
    if (!edits.every(({ line, was }) => rows[line - 1] === was)) return false;
    for (const { line, now } of edits) rows[line - 1] = now;
    area.value = rows.join("\n");
    area.dispatchEvent(new Event("input", { bubbles: true }));
    return true;
  }

  function takeAnswer(button) {
    if (!button.dataset.edits) return false;
    const area = document.getElementById(button.dataset.field);
    const edits = JSON.parse(button.dataset.edits);
    if (!area || area.form.querySelector("input[type=file]")?.files.length || !change(area, edits)) return false;
    const values = { lines: edits.map(({ line }) => line).join(", "), answer: button.textContent.trim() };
    const said = ngettext("Line %(lines)s: %(answer)s.", "Lines %(lines)s: %(answer)s.", edits.length);
    answered.querySelector("span").textContent = fillText(said, values);
    answered.querySelector("button").onclick = () => {
      const back = edits.map(({ line, was, now }) => ({ line, was: now, now: was }));
      if (!change(area, back)) toast(gettext("The decklist changed since then. Undo this yourself."));
      answered.hidden = true;
    };
    answered.hidden = false;
    answeredAt = Date.now();
    if (!area.form.hasAttribute("hx-post")) {
      button.closest(".answers").replaceChildren(gettext("Answer added to the decklist. Submit the decklist to save it."));
      answered.focus();
    }
    return true;
  }

  // The whole page comes back, with the answer in its field; sent by htmx, only the verdict would.
  function askServer(button) {
    const answer = document.createElement("input");
    Object.assign(answer, { type: "hidden", name: button.name, value: button.value });
    const { form: asking } = button;
    asking.append(answer);
    asking.action = button.formAction;
    asking.submit();
  }

  document.addEventListener("click", (event) => {
    const button = event.target.closest(".answers button");
    if (!button) return;
    event.preventDefault();
    if (!takeAnswer(button)) askServer(button);
  }, true);
  let focused = "";
  document.addEventListener("htmx:beforeSwap", () => {
    const button = document.activeElement?.closest(".answers button");
    focused = button ? button.value : focused;
  });
  document.addEventListener("focusin", ({ target }) => {
    if (!target.closest(".answers button")) focused = "";
  }, true);
  document.addEventListener("htmx:afterSettle", ({ detail }) => {
    if (detail.target.id !== "verdict" || document.activeElement !== document.body) return;
    // A verdict took the button under the focus away; a pressed one is gone with its question.
    const buttons = [...document.querySelectorAll(".answers button")];
    const same = buttons.find((button) => button.value === focused);
    const next = Date.now() - answeredAt < ANSWER_SETTLES ? buttons[0] ?? answered : null;
    (same ?? next)?.focus();
  });

  if (form && form.dataset.keep) keepTyped(form.dataset.keep);
  for (const zone of document.querySelectorAll("[data-drop]")) takeFiles(zone);
})();
