// The keyboard: keys that pages name themselves, and a sheet of them on "?".
//
//   <a data-key="g r" href="…">Round 3</a>       pressed one after the other: goes there
//   <input data-key="/" …>                       puts the cursor there
//   <button data-key="n" …>                      is reached, never pressed; so is a link with the class of a button
//
// Nothing happens while someone types, holds Ctrl, Alt or Meta, or has switched single keys off (for those who
// speak to their computer, or whose screen reader wants the letters for itself).
(() => {
  "use strict";
  const OFF = "ringside-keys";
  const PATIENCE = 1200;
  let begunKeys = "";
  let forget = 0;

  const areOff = () => {
    try {
      return localStorage.getItem(OFF) === "off";
    } catch {
      return false;
    }
  };
  const isTyping = (target) =>
    target.closest?.("input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]") != null;
  // Links in the menu of the bar work although the menu is closed.
  const isShown = (element) => element.getClientRects().length > 0 || element.closest(".topbar-menu") !== null;
  const listKeyed = () => [...document.querySelectorAll("[data-key]")].filter(isShown);

  function wordsOf(element) {
    return (element.dataset.keyWords || element.getAttribute("aria-label") || element.labels?.[0]?.textContent || element.textContent)
      .replace(/\s+/g, " ")
      .trim();
  }

  // --- The sheet ------------------------------------------------------------------------------------------
  function line(keys, words) {
    const row = document.createElement("div");
    const term = document.createElement("dt");
    const description = document.createElement("dd");
    for (const key of keys.split(" ")) {
      const cap = document.createElement("kbd");
      cap.textContent = key;
      term.append(cap, " ");
    }
    description.textContent = words;
    row.append(term, description);
    return row;
  }

  function openSheet() {
    const sheet = document.getElementById("keys");
    if (!sheet || sheet.open) return;
    const lines = listKeyed().map((element) => line(element.dataset.key, wordsOf(element)));
    sheet.querySelector("[data-keys-here]").replaceChildren(...lines);
    sheet.querySelector("[data-keys-none]").hidden = lines.length > 0;
    sheet.showModal();
  }

  document.addEventListener("click", (event) => {
    const opener = event.target.closest("[data-keys-open]");
    if (!opener || !document.getElementById("keys")?.showModal) return;
    event.preventDefault();
    openSheet();
  });

  // --- What keys do ---------------------------------------------------------------------------------------
  function follow(element) {
    if (element.matches("a[href]:not(.button)")) {
      element.click();
      return;
    }
    element.focus();
    element.scrollIntoView({ block: "nearest" });
    if (element.select) element.select();
  }

  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
    if (isTyping(event.target) || document.querySelector("dialog[open]") || areOff()) return;
    if (event.key === "?") {
      event.preventDefault();
      openSheet();
      return;
    }
    if (event.key.length !== 1 || event.key === " ") return;
    const pressedKeys = begunKeys ? `${begunKeys} ${event.key}` : event.key;
    clearTimeout(forget);
    begunKeys = "";
    const elementsWithKey = listKeyed();
    const element = elementsWithKey.find((each) => each.dataset.key === pressedKeys);
    if (element) {
      event.preventDefault();
      follow(element);
    } else if (elementsWithKey.some((each) => each.dataset.key.startsWith(`${pressedKeys} `))) {
      begunKeys = pressedKeys;
      forget = setTimeout(() => (begunKeys = ""), PATIENCE);
    }
  });

  // --- Switches of this device ----------------------------------------------------------------------------
  for (const box of document.querySelectorAll("[data-keys-switch]")) {
    box.checked = !areOff();
    box.addEventListener("change", () => {
      try {
        if (box.checked) localStorage.removeItem(OFF);
        else localStorage.setItem(OFF, "off");
      } catch {
        // The choice cannot be stored on this device.
      }
    });
  }
})();
