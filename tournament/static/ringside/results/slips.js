// The one-line entry of results. The line is free for the next slip as soon as one is sent; what is typed while the
// server takes its time waits in this tab and follows in its order. A slip that was refused, or did not arrive,
// comes back to be mended, and the ones behind it wait until it is sent. Arrow up brings back what was sent last.
(() => {
  "use strict";
  const entry = document.querySelector("[data-quick-entry]");
  const input = entry?.querySelector("input[name=line]");
  if (!input) return;
  const KEY = `ringside-slips-${location.pathname}`;
  const note = entry.querySelector("[data-slips-waiting]");
  let waiting = stored();
  let underWay = null;
  let last = "";

  function stored() {
    try {
      return JSON.parse(sessionStorage.getItem(KEY)) || [];
    } catch {
      return [];
    }
  }

  // The one under way is kept until it is answered: the same slip twice is one result.
  function tell() {
    const open = underWay ? [underWay, ...waiting] : waiting;
    try {
      if (open.length) sessionStorage.setItem(KEY, JSON.stringify(open));
      else sessionStorage.removeItem(KEY);
    } catch {
      // They wait as long as this page is open.
    }
    const isHeld = waiting.length > 0 && underWay === null;
    const many = waiting.length > 1;
    note.hidden = waiting.length === 0;
    note.textContent = `${many ? `${waiting.length} slips wait` : "1 slip waits"}: ${waiting.join(", ")}.${isHeld ? ` Enter sends ${many ? "them" : "it"}.` : ""}`;
  }

  document.addEventListener(
    "submit",
    (event) => {
      if (event.target !== entry || entry.dataset.sending) return;
      const line = input.value.trim();
      if (underWay === null && (line || !waiting.length)) {
        underWay = line;
        tell();
        return;
      }
      if (line) waiting.push(line);
      event.preventDefault();
      event.stopImmediatePropagation();
      input.value = "";
      tell();
      if (underWay === null) follow();
    },
    true,
  );

  function follow() {
    if (!waiting.length) return;
    underWay = waiting.shift();
    tell();
    entry.dataset.sending = "1";
    entry.requestSubmit();
    delete entry.dataset.sending;
  }

  entry.addEventListener("htmx:configRequest", (event) => {
    if (event.detail.elt !== entry || underWay === null) return;
    event.detail.parameters.line = underWay;
    last = underWay;
    if (input.value.trim() === underWay) input.value = "";
  });

  // Back on the line, unless the next slip is being typed there: then it waits in front of the others.
  function bringBack(line) {
    if (input.value.trim()) {
      waiting.unshift(line);
      return;
    }
    input.value = line;
    input.select();
  }

  function answered() {
    const line = underWay;
    underWay = null;
    const messages = document.querySelector("#tables .messages");
    const status = document.getElementById("live-status");
    if (status && messages) status.textContent = messages.textContent.replace(/\s+/g, " ").trim();
    const isRefused = messages?.querySelector(".alert-error, .alert-warning") != null;
    if (isRefused) bringBack(line);
    input.focus();
    tell();
    if (!isRefused) follow();
  }

  document.addEventListener("htmx:afterSettle", (event) => {
    if (event.detail.requestConfig?.elt === entry && underWay !== null) answered();
  });
  entry.addEventListener("htmx:afterRequest", (event) => {
    if (event.detail.elt !== entry || event.detail.successful || underWay === null) return;
    const line = underWay;
    underWay = null;
    bringBack(line);
    tell();
  });
  input.addEventListener("keydown", (event) => {
    if (event.key !== "ArrowUp" || input.value || !last) return;
    event.preventDefault();
    input.value = last;
  });
  tell();
  // What waited when this page was left, or the network went, follows by itself.
  addEventListener("load", () => setTimeout(() => underWay === null && follow()));
})();
