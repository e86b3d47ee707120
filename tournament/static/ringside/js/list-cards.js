// Cards for a decklist: offered at the line that is typed, from three letters on, and found in a box to tap them into
// the list. Both change one line of the field and leave all others as they are.
(() => {
  "use strict";

  const LEAST = 3;
  const WAIT = 150;
  const area = document.getElementById("id_text");
  const panel = document.querySelector(".add-cards");
  if (!area || !panel || !window.ringsideSheet) return;

  const plain = (text) => text.trim().toLocaleLowerCase();
  const matchCount = (row) => /^\s*\[?(\d{1,3})\]?\s*[x×]?\s+(.*)$/i.exec(row);

  // --- Asking ---------------------------------------------------------------------------------------------------
  let pendingRequest = null;
  async function ask(writtenName) {
    pendingRequest?.abort();
    pendingRequest = new AbortController();
    const form = new URLSearchParams({ q: writtenName, format: area.form.elements.format?.value ?? "" });
    try {
      const answer = await fetch(`${panel.dataset.offers}?${form}`, { signal: pendingRequest.signal });
      return answer.ok ? (await answer.json()).cards : [];
    } catch {
      return []; // Offline, or already typed on.
    }
  }

  // --- Lines of the field -----------------------------------------------------------------------------------------
  const textRows = () => area.value.split("\n");

  function findLine(card) {
    const listedCard = window.ringsideSheet.lines().find((line) => line.card === card.key && line.zone === "main");
    if (listedCard) return listedCard.line;
    return textRows().findIndex((row) => plain(matchCount(row)?.[2] ?? row) === plain(card.label));
  }

  function copiesOf(card) {
    const line = findLine(card);
    return line < 0 ? 0 : Number(matchCount(textRows()[line])?.[1] ?? 1);
  }

  function write(rows) {
    area.value = rows.join("\n");
    area.dispatchEvent(new Event("input", { bubbles: true }));
  }

  function change(card, by) {
    const rows = textRows();
    const line = findLine(card);
    if (line < 0 && by > 0) {
      const ends = window.ringsideSheet.lines().filter(({ zone }) => zone === "main").map(({ line: at }) => at);
      const last = ends.length ? Math.max(...ends) + 1 : rows.at(-1) === "" ? rows.length - 1 : rows.length;
      rows.splice(last, 0, `1 ${card.label}`);
    } else if (line >= 0) {
      const now = copiesOf(card) + by;
      if (now < 1) rows.splice(line, 1);
      else rows[line] = matchCount(rows[line]) ? rows[line].replace(/\d{1,3}/, String(now)) : `${now} ${rows[line].trim()}`;
    }
    write(rows);
  }

  function inList(card) {
    const copies = copiesOf(card);
    if (!copies || card.is_banned) return card.says;
    const words = card.most ? gettext("%(copies)s in this list, maximum %(most)s") : gettext("%(copies)s in this list");
    return fillText(words, { copies, most: card.most });
  }

  const isFull = (card) => card.is_banned || (card.most && copiesOf(card) >= card.most);

  // --- At the line that is typed ----------------------------------------------------------------------------------
  const list = document.createElement("ul");
  const announcement = document.createElement("p");
  let offers = [];
  let chosenPlace = -1;
  list.className = "card-offers";
  list.id = "card-offers";
  list.hidden = true;
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", gettext("Cards"));
  announcement.className = "visually-hidden";
  announcement.setAttribute("role", "status");
  area.parentElement.append(list, announcement);
  area.setAttribute("aria-autocomplete", "list");
  area.setAttribute("aria-controls", list.id);

  function lineNow() {
    const line = area.value.slice(0, area.selectionStart).split("\n").length - 1;
    const row = textRows()[line];
    const name = (matchCount(row)?.[2] ?? row).trim();
    return { line, row, name };
  }

  // The browser keeps the caret in view. What lies below it is under the edge of the screen, or under the bar there.
  const narrow = matchMedia("(max-width: 45rem)");
  function reveal(row) {
    const bar = narrow.matches ? document.querySelector(".sticky-action") : null;
    const limits = narrow.matches ? document.querySelector(".limits") : null;
    const edge = (window.visualViewport?.height ?? innerHeight) - (bar?.offsetHeight ?? 0);
    const hiddenHeight = list.getBoundingClientRect().bottom - edge;
    const room = row.getBoundingClientRect().top - (limits?.offsetHeight ?? 0);
    if (hiddenHeight > 0 && room > 0) scrollBy({ top: Math.min(hiddenHeight, room), behavior: "instant" });
  }

  function hide() {
    list.hidden = true;
    area.parentElement.classList.remove("is-offering");
    offers = [];
    chosenPlace = -1;
    area.removeAttribute("aria-activedescendant");
  }

  function choose(place) {
    chosenPlace = place;
    for (const [number, option] of [...list.children].entries()) option.setAttribute("aria-selected", String(number === place));
    if (place < 0) area.removeAttribute("aria-activedescendant");
    else area.setAttribute("aria-activedescendant", `card-offer-${place}`);
    list.children[place]?.scrollIntoView({ block: "nearest" });
  }

  // Keeps the browser's own undo for typing.
  function take(card) {
    const { line, row } = lineNow();
    const start = textRows().slice(0, line).join("\n").length + (line ? 1 : 0);
    const count = matchCount(row) ? row.slice(0, row.length - matchCount(row)[2].length) : "1 ";
    hide();
    area.focus();
    area.setSelectionRange(start, start + row.length);
    if (!document.execCommand("insertText", false, count + card.label)) {
      area.setRangeText(count + card.label, start, start + row.length, "end");
      area.dispatchEvent(new Event("input", { bubbles: true }));
    }
    hide();
  }

  function buildOption(card, number) {
    const option = document.createElement("li");
    const name = document.createElement(card.is_banned ? "s" : "bdi");
    const more = document.createElement("span");
    option.id = `card-offer-${number}`;
    option.setAttribute("role", "option");
    option.setAttribute("aria-selected", "false");
    name.textContent = card.label;
    name.setAttribute("translate", "no");
    more.textContent = inList(card);
    option.classList.toggle("is-full", Boolean(isFull(card)));
    option.append(name, more);
    // Before the field loses its focus.
    option.addEventListener("pointerdown", (event) => event.preventDefault());
    option.addEventListener("click", () => take(card));
    return option;
  }

  function show(foundCards, line) {
    offers = foundCards;
    list.replaceChildren(...foundCards.map(buildOption));
    const row = window.ringsideSheet.rowAt(area, line);
    list.style.insetBlockStart = `${row.offsetTop + row.offsetHeight}px`;
    list.hidden = false;
    area.parentElement.classList.add("is-offering");
    choose(-1);
    reveal(row);
    const words = ngettext("%(number)s card. Press Down to choose it.", "%(number)s cards. Press Down to choose one.", foundCards.length);
    announcement.textContent = fillText(words, { number: foundCards.length });
  }

  let timer = 0;
  async function offer() {
    const { line, name } = lineNow();
    if (name.length < LEAST || document.activeElement !== area) return hide();
    const foundCards = await ask(name);
    const now = lineNow();
    if (now.name !== name || document.activeElement !== area) return undefined;
    if (!foundCards.length || foundCards.some(({ label }) => plain(label) === plain(name))) return hide();
    return show(foundCards, line);
  }

  area.addEventListener("input", (event) => {
    clearTimeout(timer);
    if (!event.inputType?.startsWith("insertText") && !event.inputType?.startsWith("delete") && event.inputType !== "insertCompositionText") return hide();
    timer = setTimeout(offer, WAIT);
    return undefined;
  });
  // What is below moves up then, but not under a press.
  area.addEventListener("blur", () => window.ringside.afterPress(() => document.activeElement === area || hide()));
  area.addEventListener("keydown", (event) => {
    if (list.hidden) return;
    const steps = { ArrowDown: 1, ArrowUp: -1 };
    if (event.key in steps) {
      event.preventDefault();
      choose((chosenPlace + steps[event.key] + offers.length + (chosenPlace < 0 && event.key === "ArrowUp" ? 1 : 0)) % offers.length);
    } else if (event.key === "Enter" && chosenPlace >= 0) {
      event.preventDefault();
      take(offers[chosenPlace]);
    } else if (event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      hide();
    } else if (event.key === "Enter") hide();
  });

  // --- Tapped into the list ---------------------------------------------------------------------------------------
  const input = panel.querySelector("input");
  const results = panel.querySelector("ul");
  const status = panel.querySelector("[role=status]");
  let foundCards = [];
  panel.hidden = false;

  function buildButton(sign, words, press, isOff) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "button button-small pick-step";
    button.textContent = sign;
    button.disabled = isOff;
    button.setAttribute("aria-label", words);
    button.addEventListener("click", press);
    return button;
  }

  function tap(card, by, place, sign) {
    change(card, by);
    status.textContent = `${card.label}: ${copiesOf(card)}`;
    showFound();
    const again = [...results.children[place].querySelectorAll("button")];
    (again.find((button) => button.textContent === sign && !button.disabled) ?? again.find((button) => !button.disabled))?.focus();
  }

  function buildFound(card, place) {
    const item = document.createElement("li");
    const name = document.createElement("span");
    const words = document.createElement(card.is_banned ? "s" : "bdi");
    const more = document.createElement("small");
    const count = document.createElement("b");
    const copies = copiesOf(card);
    words.textContent = card.label;
    words.setAttribute("translate", "no");
    more.textContent = card.says;
    more.className = "muted";
    count.textContent = copies || "";
    name.append(words, " ", more);
    const less = fillText(gettext("Remove one: %(card)s"), { card: card.label });
    const further = fillText(gettext("Add one: %(card)s"), { card: card.label });
    item.append(
      name,
      buildButton("−", less, () => tap(card, -1, place, "−"), !copies),
      count,
      buildButton("+", further, () => tap(card, 1, place, "+"), Boolean(isFull(card))),
    );
    return item;
  }

  function showFound() {
    results.replaceChildren(...foundCards.map(buildFound));
  }

  // The search text is not part of the list: the form neither checks nor sends it.
  for (const type of ["input", "change", "keydown"]) panel.addEventListener(type, (event) => event.stopPropagation());
  input.addEventListener("keydown", (event) => event.key === "Enter" && event.preventDefault());
  input.addEventListener("input", async () => {
    const writtenName = input.value.trim();
    foundCards = writtenName.length < LEAST ? [] : await ask(writtenName);
    if (input.value.trim() === writtenName) showFound();
  });
  area.addEventListener("input", () => foundCards.length && !panel.contains(document.activeElement) && showFound());
})();
