// Keeps the clocks of a page right: the server's time counts, not that of this device.
//
//   <div data-clock="/api/events/SLUG/clock/" [data-clock-table="12"] [data-clock-state='{"now": …}']>
//     <span data-clock-time>14:50</span> <span data-clock-words>Round 3 ends at 14:50</span></div>
//
// A page with live updates gets the clock with them and polls rarely: its part with the clock is fetched again.
// The server says when time ends and what time it is now; in between, the monotonic timer of this device counts, which
// wrong clocks and summer time do not affect. Without an answer, the text of the page stays.
(() => {
  "use strict";
  const RESYNC = 30000;
  const RESYNC_LIVE = 300000;
  const HIDDEN_POLL = 1000;
  const HIDDEN_POLL_LIVE = 15000;
  let state = null;
  let serverAt = 0;
  let steadyAt = 0;
  let syncTimer = 0;
  let tickTimer = 0;
  let hallPhase = "";

  const clocks = () => document.querySelectorAll("[data-clock]");
  const isLive = () => document.querySelector("[data-live] [data-clock-state]") !== null;
  const serverNow = () => serverAt + (performance.now() - steadyAt);

  async function sync() {
    clearTimeout(syncTimer);
    const first = clocks()[0];
    if (first && !document.hidden) {
      const askedAt = performance.now();
      try {
        const answer = await fetch(first.dataset.clock, { cache: "no-store", headers: { Accept: "application/json" } });
        if (answer.ok) take(await answer.json(), askedAt, performance.now());
      } catch {
        // Without a network, the monotonic timer keeps counting.
      }
    }
    syncLater();
  }

  function syncLater() {
    clearTimeout(syncTimer);
    syncTimer = setTimeout(sync, untilNextSync() * (isLive() ? 0.5 + Math.random() : 1));
  }

  // The page was loaded a moment ago, with the clock.
  function refreshed() {
    const givenState = clocks()[0]?.dataset.clockState;
    if (!givenState) {
      // Until the answer arrives, the shown time continues.
      if (state && clocks()[0]?.dataset.phase === state.phase) tick();
      sync();
      return;
    }
    const arrivedAt = performance.now();
    take(JSON.parse(givenState), arrivedAt, arrivedAt);
    syncLater();
  }

  // The server's time is half a round trip old when it arrives.
  function take(data, askedAt, got) {
    state = data;
    steadyAt = got;
    serverAt = Date.parse(data.now) + (got - askedAt) / 2;
    tick();
  }

  // A hidden end can come at any moment from its earliest on; only the server knows.
  function untilNextSync() {
    const longest = isLive() ? RESYNC_LIVE : RESYNC;
    if (!state || !state.is_hidden || state.phase !== "running") return longest;
    const earliest = Date.parse(state.started_at) + state.earliest * 1000 - serverNow();
    return Math.min(Math.max(earliest, isLive() ? HIDDEN_POLL_LIVE : HIDDEN_POLL), longest);
  }

  function standing(table) {
    const own = table && state.tables.find((one) => String(one.table) === table);
    const ends = own ? own.ends_at : state.ends_at;
    const counts = own ? own.phase : state.phase;
    if (!ends) return { phase: state.phase, secondsLeft: state.remaining };
    const secondsLeft = Math.ceil((Date.parse(ends) - serverNow()) / 1000);
    if (secondsLeft <= 0) return { phase: "time_called", secondsLeft: 0 };
    if (counts === "time_called") return { phase: "running", secondsLeft };
    const isWarned = state.warning_at && secondsLeft * 1000 <= Date.parse(state.ends_at) - Date.parse(state.warning_at);
    return { phase: isWarned ? "warning" : "running", secondsLeft };
  }

  function face(seconds) {
    const two = (number) => String(number).padStart(2, "0");
    const hours = Math.floor(seconds / 3600);
    const minutes = Math.floor(seconds / 60) % 60;
    return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
  }

  function render(element) {
    const { phase, secondsLeft } = standing(element.dataset.clockTable);
    const time = element.querySelector("[data-clock-time]");
    const words = element.querySelector("[data-clock-words]");
    if (secondsLeft !== null && secondsLeft !== undefined && time.textContent !== face(secondsLeft)) time.textContent = face(secondsLeft);
    if (element.dataset.phase === phase) return;
    element.classList.remove(`is-${element.dataset.phase}`);
    element.classList.add(`is-${phase}`);
    element.dataset.phase = phase;
    if (phase === "time_called") words.textContent = element.dataset.wordsOver;
  }

  function tick() {
    clearTimeout(tickTimer);
    if (!state) return;
    if (state.phase !== "none") for (const element of clocks()) render(element);
    const now = standing("").phase;
    if (hallPhase && now !== hallPhase) {
      document.dispatchEvent(new CustomEvent("ringside:clock", { detail: { from: hallPhase, to: now } }));
    }
    hallPhase = now;
    // Just after the next full second of the time that is left.
    const ends = state.ends_at ? (Date.parse(state.ends_at) - serverNow()) % 1000 : 500;
    tickTimer = setTimeout(tick, (ends <= 0 ? ends + 1000 : ends) + 5);
  }

  document.addEventListener("visibilitychange", () => document.hidden || sync());
  document.addEventListener("ringside:refreshed", refreshed);
  document.addEventListener("htmx:afterSwap", sync);
  addEventListener("online", sync);
  addEventListener("pageshow", (event) => event.persisted && sync());
  sync();
})();
