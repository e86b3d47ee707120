// Check-in: the list narrows while one types.
(() => {
  "use strict";

  const box = document.querySelector("[data-narrows]");
  if (!box) return;
  const fold = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

  function narrow() {
    const rows = [...document.querySelectorAll(`${box.dataset.narrows} tbody tr`)];
    const wantedText = fold(box.value);
    for (const row of rows) {
      const words = row.dataset.words + fold(row.querySelector("th").textContent);
      row.hidden = wantedText !== "" && !words.includes(wantedText);
    }
    document.getElementById("door-none")?.toggleAttribute("hidden", rows.some((row) => !row.hidden));
  }

  box.addEventListener("input", narrow);
  document.addEventListener("ringside:refreshed", narrow);
  narrow();
})();
