// Lines entered before the entry line has loaded wait for it here, instead of being sent as a form, which would lose
// the next letters. Loaded before the page itself. If the entry line cannot be loaded, the form is a plain form.
(() => {
  "use strict";
  const early = [];
  window.ringsideEarlyLines = early;

  function keep(event) {
    if (!event.target.matches("form[data-entry]")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const field = event.target.elements.line;
    early.push({ form: event.target, line: field.value });
    field.value = "";
  }

  document.addEventListener("submit", keep, true);
  document.addEventListener("ringside:entry-line", () => document.removeEventListener("submit", keep, true));
  addEventListener("load", () => {
    document.removeEventListener("submit", keep, true);
    for (const { form, line } of early.splice(0)) form.elements.line.value += ` ${line}`;
  });
})();
