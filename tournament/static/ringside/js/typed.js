// What staff sent while they were signed out meanwhile is put in again when they come back from signing in.
//
// Each form that is sent leaves its words in this tab; the next page takes them away, unless it is the page of that
// form, reached from the page for signing in or by the link of the bar that page.js shows.
(() => {
  "use strict";
  const KEY = "ringside-typed";
  const WORDS = "input:not([type=hidden], [type=password], [type=file], [type=submit], [type=button], [type=checkbox], [type=radio]), textarea, select";
  const TICKS = "input[type=checkbox], input[type=radio]";
  const here = location.pathname + location.search;

  function take() {
    try {
      const kept = JSON.parse(sessionStorage.getItem(KEY));
      sessionStorage.removeItem(KEY);
      return kept;
    } catch {
      return null;
    }
  }

  function keep(kept) {
    try {
      sessionStorage.setItem(KEY, JSON.stringify(kept));
    } catch {
      // The page that refuses the form shows what was written.
    }
  }

  const named = (form, which) => [...form.querySelectorAll(which)].filter((field) => field.name && !field.readOnly);

  function written(form) {
    const words = named(form, WORDS).map((field) => [field.name, field.value]);
    const ticks = named(form, TICKS).map((field) => [field.name, field.value, field.checked]);
    return { page: here, action: form.getAttribute("action") || "", words, ticks };
  }

  function putIn(kept) {
    const form = [...document.forms].find((each) => each.method === "post" && (each.getAttribute("action") || "") === kept.action);
    if (!form) return;
    for (const [name, value] of kept.words) {
      const field = named(form, WORDS).find((each) => each.name === name);
      if (!field || field.value === value) continue;
      field.value = value;
      field.dispatchEvent(new Event("input", { bubbles: true }));
    }
    for (const [name, value, checked] of kept.ticks) {
      const field = named(form, TICKS).find((each) => each.name === name && each.value === value);
      if (field) field.checked = checked;
    }
    window.ringside?.toast("What you had written is here again. It is not sent yet.");
  }

  const kept = take();
  const cameFrom = document.referrer.startsWith(location.origin) ? new URL(document.referrer).pathname : "";
  if (kept && kept.page === here && (kept.again || cameFrom === "/sign-in/")) putIn(kept);

  document.addEventListener(
    "submit",
    (event) => {
      const form = event.target;
      if (form.method === "post" && named(form, WORDS).some((field) => field.value.trim())) keep(written(form));
    },
    true,
  );
  document.addEventListener("click", (event) => {
    if (!event.target.closest("[data-typed-again]")) return;
    const last = take();
    if (last) keep({ ...last, again: true });
  });
})();
