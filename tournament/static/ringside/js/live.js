// Keeps the part of a page that shows an event in step with it.
//
//   <div id="live" data-live="/live/events/SLUG" data-version-url="/e/SLUG/version" data-version="17"
//        data-announce="Round 3 is published." data-jitter="1500"> … </div>
//
// The stream and the fallback both say only which version the event has; when that is newer than the one on the
// page, the page is fetched again and this element exchanged. Nothing is exchanged under somebody's typing.
(() => {
  "use strict";
  const POLL = 10000;
  const region = () => document.querySelector("[data-live]");
  if (!region()) return;

  let stream = null;
  let pollTimer = 0;
  let refreshTimer = 0;
  let newest = Number(region().dataset.version) || 0;
  let fetching = false;
  let shownAt = new Date();

  const known = () => Number(region().dataset.version) || 0;
  const streamIsOpen = () => stream !== null && stream.readyState === EventSource.OPEN;

  function heard(text) {
    const found = String(text).match(/\d+/);
    if (!found) return;
    newest = Math.max(newest, Number(found[0]));
    if (newest > known()) refreshSoon();
    else offline(false);
  }

  function refreshSoon() {
    if (refreshTimer) return;
    const spread = Number(region().dataset.jitter ?? 1500);
    refreshTimer = setTimeout(refresh, Math.random() * spread);
  }

  // Typing, an open dialog or a pressed choice must not vanish under somebody's hands.
  function isBusy() {
    const here = region();
    if (here.querySelector("dialog[open]")) return true;
    const active = document.activeElement;
    if (!active || !here.contains(active)) return false;
    return active.matches("textarea, select, input:not([type=hidden], [type=submit], [type=button])");
  }

  async function refresh() {
    refreshTimer = 0;
    if (fetching) return;
    if (isBusy()) {
      document.addEventListener("focusout", () => setTimeout(refreshSoon, 200), { once: true });
      return;
    }
    fetching = true;
    try {
      const answer = await fetch(location.href, { cache: "no-store", headers: { "X-Ringside-Live": "1" } });
      if (answer.redirected || !answer.ok) {
        if (answer.status < 500) location.reload();
        return;
      }
      exchange(await answer.text());
      offline(false);
    } catch {
      offline(true);
    } finally {
      fetching = false;
    }
    if (newest > known()) refreshSoon();
  }

  function exchange(html) {
    const old = region();
    const fresh = new DOMParser().parseFromString(html, "text/html").getElementById(old.id);
    if (!fresh) {
      location.reload();
      return;
    }
    const open = [...old.querySelectorAll("details[open][id]")].map((element) => element.id);
    const focused = old.contains(document.activeElement) ? document.activeElement.id : "";
    const before = old.dataset.announce;
    old.replaceWith(fresh);
    for (const id of open) fresh.querySelector(`details[id="${CSS.escape(id)}"]`)?.setAttribute("open", "");
    for (const element of fresh.querySelectorAll("[data-needs-script]")) element.hidden = false;
    if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
    if (window.htmx) window.htmx.process(fresh);
    shownAt = new Date();
    newest = Math.max(newest, known());
    if (fresh.dataset.announce && fresh.dataset.announce !== before) announce(fresh.dataset.announce);
    document.dispatchEvent(new CustomEvent("ringside:refreshed"));
  }

  function announce(words) {
    const status = document.getElementById("live-status");
    if (status) status.textContent = words;
    // Browsers refuse, and complain, until the page has been touched once.
    if (navigator.vibrate && navigator.userActivation?.hasBeenActive) navigator.vibrate(80);
  }

  // What was heard before the network went does not mean that it is back.
  function offline(failed) {
    const is = failed || !navigator.onLine;
    const bar = document.getElementById("offline");
    if (!bar) return;
    if (is && bar.hidden) {
      const time = shownAt.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
      bar.textContent = `No connection. This is how it stood at ${time}; the page follows as soon as it can.`;
    }
    bar.hidden = !is;
  }

  async function poll() {
    try {
      const answer = await fetch(region().dataset.versionUrl, { cache: "no-cache" });
      if (answer.ok) heard((await answer.json()).version);
    } catch {
      offline(true);
    }
  }

  function pollLater() {
    clearTimeout(pollTimer);
    pollTimer = setTimeout(async () => {
      if (!document.hidden && !streamIsOpen()) {
        await poll();
        if (stream && stream.readyState === EventSource.CLOSED) listen();
      }
      pollLater();
    }, POLL * (0.75 + Math.random() / 2));
  }

  function listen() {
    hangUp();
    if (!("EventSource" in window) || !region().dataset.live) return;
    stream = new EventSource(region().dataset.live);
    stream.onmessage = (event) => heard(event.data);
    stream.addEventListener("version", (event) => heard(event.data));
  }

  function hangUp() {
    if (stream) stream.close();
    stream = null;
  }

  document.addEventListener("visibilitychange", () => {
    if (document.hidden) {
      hangUp();
    } else {
      poll();
      listen();
    }
  });
  addEventListener("online", poll);
  addEventListener("offline", () => offline(true));
  addEventListener("pagehide", hangUp);
  addEventListener("pageshow", (event) => {
    if (event.persisted) {
      poll();
      listen();
    }
  });

  listen();
  pollLater();
})();
