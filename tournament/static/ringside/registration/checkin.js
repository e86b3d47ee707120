// Check-in: the list narrows while one types.
(() => {
  "use strict";

  const box = document.querySelector("[data-narrows]");
  if (!box) return;
  const folded = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

  function narrow() {
    const rows = [...document.querySelectorAll(`${box.dataset.narrows} tbody tr`)];
    const wanted = folded(box.value);
    for (const row of rows) {
      const words = row.dataset.words + folded(row.querySelector("th").textContent);
      row.hidden = wanted !== "" && !words.includes(wanted);
    }
    document.getElementById("door-none")?.toggleAttribute("hidden", rows.some((row) => !row.hidden));
  }

  box.addEventListener("input", narrow);
  document.addEventListener("ringside:refreshed", narrow);
  narrow();
})();
