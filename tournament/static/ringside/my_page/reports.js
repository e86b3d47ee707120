// A report that a player presses is kept on this device until the server has answered it: without a network it is
// sent by itself as soon as there is one. One report waits for each player; the last one pressed counts, and the
// server takes the same report twice for one.
//
//   <form data-report> … <button data-words="Petra won 2-1"> … </form>    what can be kept
//   <div id="kept-report" hidden> … </div>                                what is said of a report that waits
(() => {
  "use strict";
  const KEY = "ringside-reports";
  const PATIENCE = 10000;
  const PAUSES = [2000, 5000, 10000, 20000];
  const home = location.pathname.match(/^\/p\/[^/]+\//)?.[0];
  const waits = [502, 503, 504, 429];
  let tries = 0;
  let timer = 0;
  let sending = false;

  function read() {
    try {
      return JSON.parse(localStorage.getItem(KEY)) || {};
    } catch {
      return {};
    }
  }

  function write(page, report) {
    const { [page]: last, ...others } = read();
    try {
      localStorage.setItem(KEY, JSON.stringify(report ? { ...others, [page]: report } : others));
      return true;
    } catch {
      return false;
    }
  }

  // ── Sending ──────────────────────────────────────────────────────────────────────────────────────────────
  async function post({ action, fields }) {
    try {
      return await fetch(action, {
        method: "POST",
        body: new URLSearchParams(fields),
        headers: { Accept: "application/json" },
        signal: AbortSignal.timeout?.(PATIENCE),
      });
    } catch {
      return null;
    }
  }

  // A page that was kept for long has the code of a form that is too old; a fresh page brings a fresh one.
  async function renewCode(page, report) {
    const answer = await fetch(page, { cache: "no-store", headers: { "X-Ringside-Live": "1" } }).catch(() => null);
    const fresh = answer?.ok && new DOMParser().parseFromString(await answer.text(), "text/html");
    const code = fresh && fresh.querySelector("input[name=csrfmiddlewaretoken]")?.value;
    if (!code) return false;
    report.fields = report.fields.map(([name, value]) => [name, name === "csrfmiddlewaretoken" ? code : value]);
    return true;
  }

  async function send(page, report) {
    let answer = await post(report);
    if (answer?.status === 403 && (await renewCode(page, report))) answer = await post(report);
    if (!answer || waits.includes(answer.status)) return "waits";
    // While it was under way the player pressed another result.
    if (read()[page]?.at !== report.at) return "waits";
    if (answer.ok || answer.status === 404) {
      write(page, null);
      return answer.ok ? "sent" : "gone";
    }
    const refusal = await answer.json().catch(() => ({}));
    write(page, { ...report, refused: refusal.sentences || [gettext("The report was not accepted. Try again.")] });
    return "refused";
  }

  async function sendAll() {
    if (sending) return;
    sending = true;
    clearTimeout(timer);
    const outcomes = [];
    for (const [page, report] of Object.entries(read())) {
      if (!report.refused) outcomes.push([page, await send(page, report)]);
    }
    sending = false;
    if (outcomes.some(([page, how]) => page === home && how === "sent")) {
      location.replace(home);
      return;
    }
    draw();
    if (outcomes.some(([, how]) => how === "sent")) window.ringside?.toast(gettext("The report of another player was sent."));
    if (outcomes.some(([, how]) => how === "waits")) {
      timer = setTimeout(sendAll, PAUSES[Math.min(tries, PAUSES.length - 1)]);
      tries += 1;
    } else tries = 0;
  }

  function sendNow() {
    tries = 0;
    sendAll();
  }

  // ── What is said of it ───────────────────────────────────────────────────────────────────────────────────
  function draw() {
    const place = document.getElementById("kept-report");
    const report = read()[home];
    if (!place) return;
    place.hidden = !report;
    // The seat stays; what there was to press gives way.
    const seat = place.parentElement.querySelector(":scope > .versus-seat");
    place.parentElement.classList.toggle("is-kept", Boolean(report && seat));
    if (!report) return;
    place.querySelector("[data-kept-words]").textContent = report.words;
    const timeZone = document.getElementById("live").dataset.zone || undefined;
    const at = new Date(report.at).toLocaleTimeString(pageLocale, { timeZone, hour: "2-digit", minute: "2-digit" });
    place.querySelector("[data-kept-time]").textContent = at;
    for (const part of place.querySelectorAll("[data-kept-waits]")) part.hidden = Boolean(report.refused);
    for (const part of place.querySelectorAll("[data-kept-refused]")) part.hidden = !report.refused;
    place.querySelector("[data-kept-reason]").textContent = (report.refused || []).join(" ");
  }

  function keep(form, button) {
    const data = new FormData(form, button);
    const words = button?.dataset.words || button?.textContent.trim().replace(/\s+/g, " ");
    return write(home, { action: form.action, fields: [...data.entries()], words, at: Date.now() });
  }

  document.addEventListener(
    "submit",
    (event) => {
      const form = event.target;
      if (!home || !form.matches("form[data-report]") || !keep(form, event.submitter)) return;
      event.preventDefault();
      event.submitter?.setAttribute("aria-busy", "true");
      sendNow();
    },
    true,
  );
  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-kept-send]")) sendNow();
    if (event.target.closest("[data-kept-drop]")) {
      write(home, null);
      draw();
      document.querySelector("#task form[data-report] button")?.focus();
    }
  });

  addEventListener("online", sendNow);
  addEventListener("storage", (event) => event.key === KEY && draw());
  document.addEventListener("visibilitychange", () => document.hidden || sendNow());
  document.addEventListener("ringside:refreshed", draw);
  draw();
  if (Object.values(read()).some((report) => !report.refused)) sendNow();
})();
