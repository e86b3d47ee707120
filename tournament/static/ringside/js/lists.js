// Pages of a decklist: typed text is stored on this device until it is submitted, files are read into the field, the
// time left runs, and a tap changes the numbers beside cards. Everything works without this file.
(() => {
  "use strict";

  const form = document.querySelector("form[data-keep]");
  const toast = (words) => window.ringside && window.ringside.toast(words);

  // --- What was typed -------------------------------------------------------------------------------------
  const KEEP_DAYS = 30;
  const store = form?.dataset.keepIn === "tab" ? sessionStorage : localStorage;
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
      const record = JSON.parse(store.getItem(key));
      return record && Date.now() - record.at < KEEP_DAYS * 86400000 ? record.values : null;
    } catch {
      return null;
    }
  }

  function write(key, values) {
    try {
      if (values) store.setItem(key, JSON.stringify({ at: Date.now(), values }));
      else store.removeItem(key);
    } catch {
      // Storage is full or blocked: the form itself still has everything.
    }
  }

  function fill(values) {
    for (const field of fields()) if (field.name in values) field.value = values[field.name];
  }

  function keepTyped(key) {
    const givenValues = filled();
    const bar = document.getElementById("kept");
    const isSentBack = form.hasAttribute("data-sent-back"); // The page shows the text just sent, not the version that counts.
    const keptValues = read(key);
    // On a slow connection, someone may have pasted a list before this file loaded.
    const isAhead = fields().some((field) => plain(field.value) !== plain(field.defaultValue ?? field.value));
    if (isAhead || isSentBack) {
      write(key, givenValues);
    } else if (keptValues && isSame(givenValues, keptValues)) {
      write(key, null);
    } else if (keptValues) {
      fill(keptValues);
      bar.hidden = false;
    }
    const save = () => write(key, !isSentBack && isSame(filled(), givenValues) ? null : filled());
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
        const transfer = new DataTransfer();
        transfer.items.add(file);
        input.files = transfer.files;
        readInto(area, input, file);
      });
    }
  }

  // --- Lists in sentences, as the server writes them: no comma before the last word -------------------------
  function listed(values) {
    const language = document.documentElement.lang.replace(/^en\b.*/, "en-GB");
    return new Intl.ListFormat(language).format(values);
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
    const say = ([size, wording], secondsLeft) => {
      const number = Math.floor(secondsLeft / size);
      return number ? fillText(wording(number), { number }) : "";
    };
    const rest = parts[first + 1] ? say(parts[first + 1], seconds % parts[first][0]) : "";
    return [say(parts[first], seconds), rest].filter(Boolean).join(", ");
  }

  for (const place of document.querySelectorAll("[data-until]")) {
    const until = Date.parse(place.dataset.until);
    const tick = () => {
      const secondsLeft = Math.max(0, Math.floor((until - Date.now()) / 1000));
      place.textContent = words(secondsLeft);
      if (secondsLeft) setTimeout(tick, secondsLeft > 3600 ? 30000 : 1000);
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
  const answeredPlace = document.getElementById("answered");
  const ANSWER_SETTLES = 5000;
  let answeredAt = 0;

  // Pressed changes, each with its undo; the last one is undone first.
  const presses = [];

  function setText(area, text) {
    area.value = text;
    area.dispatchEvent(new Event("input", { bubbles: true }));
  }

  function undo() {
    const last = presses.pop();
    if (!last) return;
    if (last.area.value !== last.after) {
      toast(gettext("The decklist has changed since then. Undo this by hand."));
      presses.length = 0;
    } else {
      put(last.area, last.before, last.fields);
    }
    say();
  }

  // A field that saves itself is saved before the list is checked again.
  async function put(area, text, fields) {
    const before = fields.map(([field]) => [field, field.value]);
    for (const [field, value] of fields) field.value = value;
    const saving = fields.filter(([field]) => field.dataset.saves);
    if (saving.length && !(await saveAll(area, saving))) {
      for (const [field, value] of before) field.value = value;
      presses.length = 0;
      toast(saving[0][0].dataset.refusal ?? gettext("This could not be saved. Change it on your page."));
      say();
      return;
    }
    setText(area, text);
    showOriginal();
  }

  // --- The file of which the list is the typed copy ---------------------------------------------------------
  const original = document.getElementById("original");
  const restore = original?.querySelector("[data-restore]");

  function showOriginal() {
    if (!original) return;
    original.hidden = !original.querySelector("textarea").value;
    restore.hidden = false;
  }

  restore?.addEventListener("click", () => {
    const file = original.querySelector("textarea");
    const area = document.getElementById("id_text");
    press(area, file.value, gettext("Original file restored."), { [file.name]: "" });
    answeredPlace.focus();
  });

  async function saveAll(area, fields) {
    const token = area.form.elements.csrfmiddlewaretoken.value;
    const save = async ([field, value]) => {
      const body = new URLSearchParams({ [field.name]: value, csrfmiddlewaretoken: token });
      return (await fetch(field.dataset.saves, { method: "POST", body })).ok;
    };
    try {
      return (await Promise.all(fields.map(save))).every(Boolean);
    } catch {
      return false;
    }
  }

  function say() {
    const last = presses.at(-1);
    answeredPlace.hidden = !last;
    answeredPlace.querySelector("span").textContent = last?.words ?? "";
    answeredPlace.querySelector("button").onclick = undo;
  }

  function press(area, after, words, values = {}) {
    const fields = Object.entries(values).map(([name, value]) => [area.form.elements[name], value]);
    if (fields.some(([field]) => !field)) return false;
    presses.push({ area, before: area.value, after, words, fields: fields.map(([field]) => [field, field.value]) });
    put(area, after, fields);
    answeredAt = Date.now();
    say();
    return true;
  }

  // Whether the lines are still those that the change was made for; otherwise the server makes it.
  function edited(text, edits) {
    const rows = text.split("\n");
    if (!edits.every(({ line, was }) => rows[line - 1] === was)) return null;
    for (const { line, now } of edits) rows[line - 1] = now;
    return rows.filter((row) => row !== null).join("\n");
  }

  // A list that came as a file is changed in its typed copy; the file goes into a field of its own.
  function copyFor(button, area) {
    if (!("copy" in button.dataset)) return { text: area.value, values: {} };
    const copy = document.getElementById("typed-copy");
    return copy && { text: copy.dataset.text.replace(/\r\n?/g, "\n"), values: { original: area.value } };
  }

  function takeAnswer(button) {
    if (!button.dataset.edits) return false;
    const area = document.getElementById(button.dataset.field);
    const edits = JSON.parse(button.dataset.edits);
    const isFile = area?.form.querySelector("input[type=file]")?.files.length;
    const base = !area || isFile ? null : copyFor(button, area);
    const after = base && edited(base.text, edits);
    if (after === null) return false;
    const declaredValues = JSON.parse(button.dataset.values || "{}");
    const lines = listed(edits.map(({ line }) => String(line)));
    const sentence = edits.length
      ? ngettext("Line %(lines)s: %(answer)s.", "Lines %(lines)s: %(answer)s.", edits.length)
      : gettext("Declared: %(values)s.");
    const words = { lines, answer: button.textContent.trim(), values: listed(Object.values(declaredValues).map(String)) };
    return press(area, after, fillText(sentence, words), { ...base.values, ...declaredValues });
  }

  // --- The plan for the whole list: the whole text changes, with one undo ------------------------
  // The plan belongs to one text: typing removes the plan until the next verdict has one.
  // The answer to a request whose element is gone would have no place.
  function dropPlan() {
    const plan = document.getElementById("plan");
    if (plan?.matches(".plan-wait")) window.htmx?.trigger(plan, "htmx:abort");
    plan?.remove();
  }

  function takePlan(button) {
    const area = document.getElementById("id_text");
    if (!area || area.form.querySelector("input[type=file]")?.files.length) return false;
    const after = button.dataset.text.replace(/\r\n?/g, "\n");
    const original = "copy" in button.dataset ? { original: area.value } : {};
    const values = { ...JSON.parse(button.dataset.values || "{}"), ...original };
    if (!press(area, after, gettext("Plan applied to the decklist."), values)) return false;
    answeredPlace.focus();
    return true;
  }

  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-press-plan]")) document.querySelector(".plan button[data-text]")?.click();
    const button = event.target.closest(".plan button[data-text]");
    if (!button || !takePlan(button)) return;
    event.preventDefault();
    event.stopPropagation();
    dropPlan();
  }, true);
  document.addEventListener("keydown", (event) => {
    const isUndo = (event.ctrlKey || event.metaKey) && !event.shiftKey && event.key.toLowerCase() === "z";
    if (!isUndo || presses.at(-1)?.area !== event.target || event.target.value !== presses.at(-1).after) return;
    event.preventDefault();
    undo();
  });
  document.addEventListener("input", ({ target }) => {
    if (!["id_text", "id_pool"].includes(target.id)) return;
    dropPlan();
    document.getElementById("typed-copy")?.remove();
    document.getElementById("plan-button")?.replaceChildren();
  });

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
  let focusedValue = "";
  // A plan requested before its element was replaced belongs to an older text: its answer has no target.
  document.addEventListener("htmx:beforeCleanupElement", ({ target }) => {
    if (target.matches?.(".plan-wait")) window.htmx.trigger(target, "htmx:abort");
  });

  // A verdict on lines that have changed since would appear at other lines: the next one is on its way.
  let checkedText = "";
  const typedText = () => ["id_text", "id_pool"].map((id) => document.getElementById(id)?.value ?? "").join("\n\n");
  document.addEventListener("htmx:beforeRequest", ({ detail }) => {
    if (detail.target.id === "verdict") checkedText = typedText();
  });
  document.addEventListener("htmx:beforeSwap", ({ detail }) => {
    if (detail.target.id === "verdict" && checkedText !== typedText()) detail.shouldSwap = false;
  });

  document.addEventListener("htmx:beforeSwap", () => {
    const button = document.activeElement?.closest(".answers button");
    focusedValue = button ? button.value : focusedValue;
  });
  document.addEventListener("focusin", ({ target }) => {
    if (!target.closest(".answers button")) focusedValue = "";
  }, true);
  document.addEventListener("htmx:afterSettle", ({ detail }) => {
    if (detail.target.id !== "verdict" || document.activeElement !== document.body) return;
    // A verdict removed the focused button; a pressed one disappears with its question.
    const buttons = [...document.querySelectorAll(".answers button")];
    const same = buttons.find((button) => button.value === focusedValue);
    const next = Date.now() - answeredAt < ANSWER_SETTLES ? buttons[0] ?? answeredPlace : null;
    (same ?? next)?.focus();
  });

  if (form) keepTyped(form.dataset.keep);
  showOriginal();
  for (const zone of document.querySelectorAll("[data-drop]")) takeFiles(zone);

  // The verdict of a stored version has no buttons: the text is checked again.
  document.addEventListener("DOMContentLoaded", () => {
    const area = document.getElementById("id_text");
    if (area?.value.trim() && area.form.hasAttribute("hx-post")) setTimeout(() => window.htmx?.trigger(area.form, "again"));
  });
})();
