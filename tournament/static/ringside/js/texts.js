// What scripts say, in the reader's language: the catalogue is a script of its own, loaded before this one. If it was
// not loaded, scripts use English.
(() => {
  "use strict";
  window.gettext ??= (text) => text;
  window.pgettext ??= (context, text) => text;
  window.ngettext ??= (one, more, count) => (count === 1 ? one : more);
  // A text with its values: fillText(gettext("Table %(table)s"), { table: 4 }).
  window.fillText = (text, values) => text.replace(/%\((\w+)\)s/g, (whole, name) => values[name] ?? whole);
  // Announces words to screen readers. Those of the last two seconds stay, so that a sentence right after them is not
  // lost.
  const LINGER = 2000;
  let recent = [];
  window.sayAloud = (words) => {
    const status = document.getElementById("live-status");
    if (!status) return;
    const now = Date.now();
    recent = recent.filter((entry) => now - entry.at < LINGER && entry.words !== words);
    recent.push({ words, at: now });
    status.textContent = recent.map((entry) => entry.words).join(" ");
  };
  // English is written with the day first, as on the server.
  const { lang } = document.documentElement;
  window.pageLocale = lang === "en" ? "en-GB" : lang;
})();
