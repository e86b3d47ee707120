// Small conveniences of every page; each works, a little less conveniently, without this file.
(() => {
  "use strict";

  function toast(words) {
    const place = document.getElementById("toasts");
    // A repeated request, such as polling, is announced once.
    if (!place || [...place.children].some((each) => each.textContent === words)) return;
    const note = document.createElement("p");
    note.className = "toast";
    note.textContent = words;
    place.append(note);
    setTimeout(() => note.remove(), 5000);
  }

  // Messages over the page: those without a question disappear automatically.
  const READING_TIME = 8000;
  function armToasts() {
    for (const answer of document.querySelectorAll(".messages-toasts .alert:not([data-armed])")) {
      answer.dataset.armed = "";
      for (const button of answer.querySelectorAll("[data-close-toast]")) button.hidden = false;
      if (answer.matches(".alert-success, .alert-info")) setTimeout(() => answer.remove(), READING_TIME);
    }
  }
  armToasts();
  for (const name of ["htmx:afterSwap", "htmx:oobAfterSwap"]) document.addEventListener(name, armToasts);
  document.addEventListener("click", (event) => event.target.closest("[data-close-toast]")?.closest(".alert").remove());

  // data-copy="text": copy it, and say so.
  async function copy(button) {
    try {
      await navigator.clipboard.writeText(button.dataset.copy);
      toast(button.dataset.copied || gettext("Copied."));
    } catch {
      toast(gettext("The browser blocked copying. Select the text and copy it yourself."));
    }
  }

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-copy]");
    if (button) copy(button);
    for (const menu of document.querySelectorAll(".topbar-menu[open], .strip-menu[open]")) {
      if (!menu.contains(event.target)) menu.open = false;
    }
  });

  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    for (const menu of document.querySelectorAll(".topbar-menu[open], .strip-menu[open]")) {
      menu.open = false;
      menu.querySelector("summary").focus();
    }
  });

  // data-zone-here: an empty choice of the time zone gets the one of this device.
  for (const choice of document.querySelectorAll("select[data-zone-here]")) {
    const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
    const fresh = choice.value === choice.querySelector("option[selected]")?.value;
    if (fresh && [...choice.options].some((option) => option.value === here)) choice.value = here;
  }

  // data-time-here: a time without a zone is shown in the zone of this device.
  const timeFormat = { weekday: "short", day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit", timeZoneName: "short" };
  // As the server writes it: without the points of short words, and in English without a comma after the weekday.
  function writeTime(at) {
    const words = new Date(at).toLocaleString(pageLocale, timeFormat).replace(/(\p{L})\./gu, "$1");
    return pageLocale === "en-GB" ? words.replace(",", "") : words;
  }
  function tellTimes(place) {
    for (const time of place.querySelectorAll("time[data-time-here]")) time.textContent = writeTime(time.dateTime);
  }
  tellTimes(document);
  document.addEventListener("htmx:load", (event) => tellTimes(event.target));

  // Without a network a form would be lost on the browser's own error page. A player's own pages have a worker for
  // that.
  const bar = document.getElementById("offline");
  function tellOffline() {
    bar.hidden = navigator.onLine;
    bar.textContent = navigator.onLine ? "" : gettext("You are offline. Your text stays on this page. Send it when you are online again.");
  }
  if (bar && !document.querySelector("#live, form[data-entry]")) {
    addEventListener("offline", tellOffline);
    addEventListener("online", tellOffline);
    tellOffline();
  }
  document.addEventListener("submit", (event) => {
    if (navigator.onLine || event.defaultPrevented || location.pathname.startsWith("/p/")) return;
    event.preventDefault();
    toast(gettext("You are offline, so nothing was sent. Your text stays here. Try again when you are online."));
  });

  // A form is sent once: a second press while the first is running does nothing, and the button shows it.
  const PATIENCE = 15000;
  const SLOW = 400;
  function busy(button) {
    if (!button) return () => {};
    const timer = setTimeout(() => {
      button.setAttribute("aria-busy", "true");
      sayAloud(gettext("Sending …"));
    }, SLOW);
    return () => {
      clearTimeout(timer);
      button.removeAttribute("aria-busy");
    };
  }

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.method !== "post" || event.defaultPrevented) return;
    if (form.dataset.sent) {
      event.preventDefault();
      return;
    }
    form.dataset.sent = "1";
    const free = busy(event.submitter);
    setTimeout(() => {
      delete form.dataset.sent;
      free();
    }, PATIENCE);
  });
  document.addEventListener("htmx:beforeSend", (event) => {
    const trigger = event.detail.requestConfig?.triggeringEvent;
    const free = busy(trigger?.type === "submit" ? trigger.submitter : null);
    event.detail.xhr.addEventListener("loadend", free);
  });

  // Back to a page from the browser's cache: its forms may be sent again.
  addEventListener("pageshow", (event) => {
    if (!event.persisted) return;
    for (const form of document.querySelectorAll("form[data-sent]")) delete form.dataset.sent;
    for (const button of document.querySelectorAll("[aria-busy]")) button.removeAttribute("aria-busy");
  });

  // Some elements make sense only with JavaScript, some only without.
  for (const element of document.querySelectorAll("[data-needs-script]")) element.hidden = false;

  for (const element of document.querySelectorAll("[data-without-script]")) element.hidden = true;

  // Measured where the browser lays the page out for painting: asked before, it would lay it out once more.
  requestAnimationFrame(() => {
    // The tab of this page is in sight, however many there are.
    for (const here of document.querySelectorAll(".subnav [aria-current], .side-nav [aria-current], .stepper [aria-current]")) {
      const row = here.closest("nav, .stepper");
      row.scrollLeft = here.offsetLeft - (row.clientWidth - here.offsetWidth) / 2;
    }

    // A list longer than its window can be scrolled from the keyboard.
    for (const box of document.querySelectorAll(".table-box, .bracket-box")) {
      if (box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight) box.tabIndex = 0;
    }
  });

  // --- What was typed before the scripts came -----------------------------------------------------------------
  // A form that answers while typing has no event for it, nor for values that a script has set since.
  function isAhead(field) {
    if (field.options) return field.selectedIndex !== Math.max(0, [...field.options].findIndex((each) => each.defaultSelected));
    return ["checkbox", "radio"].includes(field.type) ? field.checked !== field.defaultChecked : field.value !== field.defaultValue;
  }
  // From here on, htmx listens.
  document.addEventListener("DOMContentLoaded", () => {
    const forms = [...document.querySelectorAll("form[hx-trigger~='again']")];
    const ahead = forms.filter((form) => [...form.querySelectorAll("input, textarea, select")].some(isAhead));
    setTimeout(() => ahead.forEach((form) => window.htmx?.trigger(form, "again")));
  });

  // --- A press that is under way ------------------------------------------------------------------------------
  // An element replaced between touch start and touch end would never get the click. A form that answers while
  // one types is asked again by its trigger "again"; polling elements ask again anyway. No press takes so long:
  const LONGEST_PRESS = 3000;
  let press = null;
  let waiting = new Set();
  const isPressed = (place) => press !== null && Date.now() - press.since < LONGEST_PRESS && place.contains(press.on);

  // A form that answers while one types has parts of the answer at its lines and buttons too.
  const isAtButton = (form) => isPressed(form) && press.on.closest("a, button, summary") !== null;

  // The click comes right after the finger has gone; what has waited is asked for again after that, unless the
  // click leads to another page or sends the form.
  const actions = [];
  function afterPress(act) {
    if (isPressed(document)) actions.push(act);
    else act();
  }

  function released({ type, target, button, ctrlKey, metaKey }) {
    const link = press?.on.closest("a[href]:not([href^='#'])");
    const leaves = type === "pointerup" && link?.contains(target) && button === 0 && !ctrlKey && !metaKey;
    const forms = leaves ? [] : waiting;
    setTimeout(() => {
      press = null;
      waiting = new Set();
      for (const act of actions.splice(0)) act();
      for (const form of forms) if (!form.dataset.sent) window.htmx.trigger(form, "again");
    });
  }

  document.addEventListener("pointerdown", (event) => (press = { on: event.target, since: Date.now() }), true);
  for (const end of ["pointerup", "pointercancel"]) document.addEventListener(end, released, true);
  document.addEventListener("htmx:beforeSwap", (event) => {
    const { elt, verb } = event.detail.requestConfig;
    const isAskedAgain = elt.matches("form[hx-trigger~='again']");
    const isHeld = isPressed(event.detail.target) || (isAskedAgain && isAtButton(elt));
    if (!isHeld || !(isAskedAgain || verb === "get")) return;
    event.detail.shouldSwap = false;
    if (isAskedAgain) waiting.add(elt);
  });

  // --- A part of the page that was not loaded -----------------------------------------------------------------
  const REFUSED = {
    403: gettext("You do not have permission to do this. Nothing was changed."),
    404: gettext("This item no longer exists. Reload the page."),
    413: gettext("This is too large to send."),
    429: gettext("Too many attempts. Try again in a few minutes."),
    503: gettext("The database is unavailable. Check whether your change was saved before you try again."),
  };
  const SERVER_ERROR = gettext("Something went wrong on our side. Check whether it was saved before you try again.");

  // A bar that stays, with the way on; what is typed on the page stays below it.
  function wayOn(words, link, address) {
    if (document.getElementById("way-on")) return;
    const note = document.createElement("div");
    const way = document.createElement("a");
    note.id = "way-on";
    note.className = "offline";
    note.setAttribute("role", "alert");
    way.href = address;
    way.textContent = link;
    way.dataset.typedAgain = "";
    note.append(`${words} `, way);
    document.getElementById("main").before(note);
  }

  function signedOut() {
    const page = encodeURIComponent(`${location.pathname}${location.search}${location.search ? "&" : "?"}typed=again`);
    wayOn(gettext("You are signed out, so nothing was sent. Your text stays here."), gettext("Sign in and return"), `/sign-in/?next=${page}`);
  }

  document.addEventListener("htmx:responseError", (event) => {
    const { status } = event.detail.xhr;
    const why = event.detail.xhr.getResponseHeader("X-Ringside-Why");
    if (why === "signed-out") signedOut();
    else if (why === "form-too-old") wayOn(gettext("This form has expired. Nothing was changed."), gettext("Reload page"), location.href);
    else toast(REFUSED[status] || (status >= 500 ? SERVER_ERROR : gettext("This request is not valid. Reload the page and try again.")));
  });
  document.addEventListener("htmx:sendError", () => toast(gettext("No connection. Your text stays here. Try again.")));
  document.addEventListener("htmx:timeout", () => toast(gettext("The server did not answer. Check whether it was saved before you try again.")));

  window.ringside = { toast, signedOut, isPressed, afterPress };
})();
