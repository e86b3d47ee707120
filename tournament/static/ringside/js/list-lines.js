// Puts what a line of a decklist leaves open at that line of the field, with its answers to press. One question
// is open at a time; a mark beside each other line opens its own. Without this file they stand with the verdict.
(() => {
  "use strict";

  const COPIED = [
    "font", "letterSpacing", "lineHeight", "tabSize", "paddingTop", "paddingRight", "paddingBottom", "paddingLeft",
    "borderTopWidth", "borderRightWidth", "borderLeftWidth", "overflowWrap", "direction",
  ];
  let placed = [];

  // Where a line stands in the field: as in an element of the same words, as wide.
  function measure(area, line) {
    const copy = document.createElement("div");
    const style = getComputedStyle(area);
    for (const name of COPIED) copy.style[name] = style[name];
    copy.className = "line-measure";
    copy.style.inlineSize = `${area.clientWidth}px`;
    const rows = area.value.split("\n");
    const row = document.createElement("span");
    row.textContent = rows[line - 1] || "\u00a0";
    copy.append(rows.slice(0, line - 1).map((each) => `${each}\n`).join(""), row);
    area.after(copy);
    const place = { top: row.offsetTop, bottom: row.offsetTop + row.offsetHeight };
    copy.remove();
    return place;
  }

  function frameOf(area) {
    if (area.parentElement.classList.contains("lined")) return area.parentElement;
    const frame = document.createElement("div");
    const hasFocus = document.activeElement === area;
    frame.className = "lined";
    area.before(frame);
    frame.append(area);
    if (hasFocus) area.focus({ preventScroll: true });
    return frame;
  }

  function move(each) {
    const { area, panel, mark, place } = each;
    const isSeen = place.bottom - area.scrollTop > 0 && place.top - area.scrollTop < area.clientHeight;
    mark.hidden = !isSeen;
    panel.hidden = !each.isOpen;
    mark.setAttribute("aria-expanded", String(each.isOpen));
    mark.style.insetBlockStart = `${place.top - area.scrollTop}px`;
    // At the edge of the field while its line is out of sight.
    panel.style.insetBlockStart = `${Math.min(Math.max(place.bottom - area.scrollTop, 0), area.clientHeight)}px`;
    return panel.hidden ? 0 : panel.offsetTop + panel.offsetHeight - area.offsetHeight;
  }

  function moveAll() {
    const room = new Map();
    for (const each of placed) room.set(each.frame, Math.max(room.get(each.frame) || 0, move(each)));
    for (const [frame, more] of room) frame.style.paddingBlockEnd = `${Math.max(0, more)}px`;
  }

  function open(chosen) {
    for (const each of placed) each.isOpen = each === chosen && !each.isOpen;
    moveAll();
  }

  function build(item) {
    const answers = item.querySelector(".answers");
    const button = answers?.querySelector("button[data-edits]");
    const area = button && document.getElementById(button.dataset.field);
    const line = button && JSON.parse(button.dataset.edits).map((edit) => edit.line)[0];
    const asked = area?.id === "id_text" ? Number(item.dataset.line) : line;
    if (!area || area.value.split("\n").length < asked) return null;
    const frame = frameOf(area);
    const panel = document.createElement("div");
    panel.className = "line-ask";
    panel.setAttribute("role", "group");
    panel.setAttribute("aria-label", fillText(gettext("Question in line %(line)s"), item.dataset));
    const words = document.createElement("p");
    words.append(item.querySelector("strong").cloneNode(true), " ", item.querySelector(".line-notes").textContent.trim());
    panel.append(words, answers);
    // Else htmx sends the button along with the next check of the form.
    for (const type of ["click", "focusin"]) panel.addEventListener(type, (event) => event.stopPropagation());
    const mark = document.createElement("button");
    mark.type = "button";
    mark.className = "line-mark";
    mark.textContent = "?";
    mark.setAttribute("aria-label", fillText(gettext("Show the question in line %(line)s"), item.dataset));
    frame.append(mark, panel);
    const each = { area, frame, panel, mark, line: asked, place: measure(area, asked), isOpen: false };
    mark.addEventListener("click", () => open(each));
    return each;
  }

  function clear() {
    for (const { panel, mark, frame } of placed) {
      panel.remove();
      mark.remove();
      frame.style.paddingBlockEnd = "";
    }
    placed = [];
  }

  function rebuild() {
    const before = placed.map(({ line }) => line);
    const shown = placed.find(({ isOpen }) => isOpen)?.line;
    const marked = placed.find(({ mark }) => mark === document.activeElement)?.line;
    clear();
    placed = [...document.querySelectorAll("#verdict .line-question, .verdict .line-question")]
      .map(build)
      .filter(Boolean);
    // What was open or closed stays so; a new question opens.
    const isNew = placed.some(({ line }) => !before.includes(line));
    const next = placed.find(({ line }) => line === shown) ?? (shown || isNew ? placed[0] : null);
    if (next) open(next);
    else moveAll();
    placed.find(({ line }) => line === marked)?.mark.focus({ preventScroll: true });
  }

  // Lines have moved; the next verdict says where they are.
  document.addEventListener("input", ({ target }) => {
    if (placed.some(({ area }) => area === target)) for (const each of placed) each.panel.hidden = each.mark.hidden = true;
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !event.target.closest(".lined")) return;
    const [shown] = placed.filter(({ isOpen }) => isOpen);
    if (!shown) return;
    open(shown);
    shown.mark.focus();
  });
  document.addEventListener("scroll", ({ target }) => {
    if (placed.some(({ area }) => area === target)) moveAll();
  }, true);
  addEventListener("resize", () => {
    for (const each of placed) each.place = measure(each.area, each.line);
    moveAll();
  });

  document.addEventListener("htmx:afterSwap", ({ detail }) => {
    if (detail.target.id === "verdict") rebuild();
  });
  // Before anything is typed: a field that is moved forgets how far it was scrolled.
  for (const area of document.querySelectorAll("#id_text, #id_pool")) frameOf(area);
  rebuild();
})();
