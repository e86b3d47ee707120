// Check-in: the list narrows while one types. Without this file the button beside the box does it.
(() => {
  "use strict";

  const box = document.querySelector("[data-narrows]");
  const list = box && document.querySelector(box.dataset.narrows);
  if (!list) return;
  const none = document.getElementById("door-none");

  const folded = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

  function narrow() {
    const wanted = folded(box.value);
    let shown = 0;
    for (const row of list.tBodies[0].rows) {
      const words = row.dataset.words + folded(row.querySelector("th").textContent);
      row.hidden = wanted !== "" && !words.includes(wanted);
      if (!row.hidden) shown += 1;
    }
    none.hidden = shown > 0;
  }

  box.addEventListener("input", narrow);
  // Enter checks in the one who is left.
  box.form.addEventListener("submit", (event) => {
    const left = [...list.tBodies[0].rows].filter((row) => !row.hidden);
    const form = left.length === 1 && left[0].querySelector("form[action$='/check-in/']");
    if (!form) return;
    event.preventDefault();
    form.requestSubmit();
  });
})();
