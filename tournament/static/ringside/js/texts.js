// What scripts say, in the reader's language: the catalogue is a script of its own, loaded before this one. Where it
// did not come, scripts speak English.
(() => {
  "use strict";
  window.gettext ??= (text) => text;
  window.pgettext ??= (context, text) => text;
  window.ngettext ??= (one, more, count) => (count === 1 ? one : more);
  // A text with its values: fillText(gettext("Table %(table)s"), { table: 4 }).
  window.fillText = (text, values) => text.replace(/%\((\w+)\)s/g, (whole, name) => values[name] ?? whole);
  // English is written with the day first, as on the server.
  const { lang } = document.documentElement;
  window.pageLocale = lang === "en" ? "en-GB" : lang;
})();
