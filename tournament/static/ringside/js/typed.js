// Values that staff sent and the server did not accept (signed out, a fault, an old page) are filled in again on the
// page of their form.
//
// Each form that is sent leaves its words in this tab; the next page takes them away, unless it is the page of that
// form with typed=again behind its address, as the pages that say what went wrong lead there, or is loaded again by
// the link of the bar that page.js shows. A user who goes back from a form without an answer (the server is
// unavailable) finds the values as soon as its page is open again.
(() => {
  "use strict";
  const KEY = "ringside-typed";
  const WORDS = "input:not([type=hidden], [type=password], [type=file], [type=submit], [type=button], [type=checkbox], [type=radio]), textarea, select";
  const TICKS = "input[type=checkbox], input[type=radio]";
  const address = location.pathname + location.search;
  const here = address.replace(/[?&]typed=again$/, "");

  function take() {
    try {
      const keptForm = JSON.parse(sessionStorage.getItem(KEY));
      sessionStorage.removeItem(KEY);
      return keptForm;
    } catch {
      return null;
    }
  }

  function keep(keptForm) {
    try {
      sessionStorage.setItem(KEY, JSON.stringify(keptForm));
    } catch {
      // The page that refuses the form shows what was written.
    }
  }

  const listFields = (form, which) => [...form.querySelectorAll(which)].filter((field) => field.name && !field.readOnly);

  function readForm(form) {
    const words = listFields(form, WORDS).map((field) => [field.name, field.value]);
    const ticks = listFields(form, TICKS).map((field) => [field.name, field.value, field.checked]);
    return { page: here, action: form.getAttribute("action") || "", words, ticks };
  }

  // A page may have several forms that go to its own address.
  function formOf(keptForm) {
    const names = new Set([...keptForm.words, ...keptForm.ticks].map(([name]) => name));
    const holds = (form) => listFields(form, `${WORDS}, ${TICKS}`).some((field) => names.has(field.name));
    return [...document.forms].find((each) => each.method === "post" && (each.getAttribute("action") || "") === keptForm.action && holds(each));
  }

  function putIn(keptForm) {
    const form = formOf(keptForm);
    if (!form) return;
    for (const [name, value] of keptForm.words) {
      const field = listFields(form, WORDS).find((each) => each.name === name);
      if (!field || field.value === value) continue;
      field.value = value;
      field.dispatchEvent(new Event("input", { bubbles: true }));
    }
    for (const [name, value, isChecked] of keptForm.ticks) {
      const field = listFields(form, TICKS).find((each) => each.name === name && each.value === value);
      if (field) field.checked = isChecked;
    }
    const whether = keptForm.unanswered ? gettext("Your text was restored. Check whether it was saved before you send it again.") : gettext("Your text was restored. It is not sent yet.");
    window.ringside?.toast(whether);
  }

  // The page that answers a form removes its values: here they still exist.
  function nobodyAnswered(keptForm) {
    return { ...keptForm, again: true, unanswered: true };
  }

  const isSentBack = address !== here;
  const isBack = performance.getEntriesByType("navigation")[0]?.type === "back_forward";
  const takenForm = take();
  const keptForm = takenForm && isBack && !isSentBack ? nobodyAnswered(takenForm) : takenForm;
  if (isSentBack) history.replaceState(null, "", here);
  if (keptForm?.page === here && (keptForm.again || isSentBack)) putIn(keptForm);
  else if (keptForm?.unanswered) keep(keptForm);
  addEventListener("pageshow", (event) => {
    const unanswered = event.persisted && take();
    if (unanswered && unanswered.page !== here) keep(nobodyAnswered(unanswered));
  });

  document.addEventListener(
    "submit",
    (event) => {
      const form = event.target;
      const isWritten = listFields(form, WORDS).some((field) => field.value.trim());
      const isChosen = listFields(form, TICKS).some((field) => field.checked !== field.defaultChecked);
      if (form.method === "post" && !form.dataset.entry && (isWritten || isChosen)) keep(readForm(form));
    },
    true,
  );
  document.addEventListener("click", (event) => {
    if (!event.target.closest("[data-typed-again]")) return;
    const last = take();
    if (last) keep({ ...last, again: true });
  });
})();
