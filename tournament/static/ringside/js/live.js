// Keeps the part of a page that shows an event in step with it.
//
//   <div id="live" data-live="/live/events/SLUG" data-version-url="/e/SLUG/version" data-version="17"
//        data-announce="Round 3 is published." data-jitter="1500" [data-digest="8f2c…"]> … </div>
//   <div id="status" data-live-part> … </div>      elsewhere on the page, replaced together with it
//
// The stream and the fallback both send the version of the event; if it is newer than that of the page, the page is
// fetched again and this element is replaced. Nothing is replaced while someone types in it. The stream of one player
// (`/live/p/TOKEN`) and its fallback (`/p/TOKEN/version`) also send the digest of the page: the page stays while that
// is the same.
//
//   <input type="hidden" id="shown-step" value="812" data-shown-version="17">      inside of it, with many rows
//
// Then the server may answer with the rows that have changed since that step, each marked as htmx marks them.
(() => {
  "use strict";
  // With a round on every phone within eight seconds, also on one without a stream.
  const POLL = 5000;
  const POLL_AFTER_FAULT = 1000;
  const region = () => document.querySelector("[data-live]");
  if (!region()) return;

  let stream = null;
  let pollTimer = 0;
  let refreshTimer = 0;
  let newest = Number(region().dataset.version) || 0;
  let isFetching = false;
  let isConcerned = false; // Something on this page has changed, according to its digest.
  let shownAt = new Date(region().dataset.shown || Date.now());

  const shownStep = () => region().querySelector("[data-shown-version]");
  const knownVersion = () => Number(shownStep()?.dataset.shownVersion ?? region().dataset.version) || 0;
  const streamIsOpen = () => stream !== null && stream.readyState === EventSource.OPEN;

  // A version alone, or with the digest of this page: {"version": 17, "digest": "8f2c…", "spread": 300}.
  function readNews(text) {
    try {
      const news = JSON.parse(text);
      return typeof news === "object" ? news : { version: Number(news) };
    } catch {
      return { version: 0 };
    }
  }

  function takeNews(text) {
    const { version, digest, spread } = readNews(text);
    if (!version) return;
    newest = Math.max(newest, version);
    if (newest <= knownVersion()) unchanged();
    else if (digest === undefined) refreshSoon();
    else compare(digest, spread);
  }

  // Pages of one player are loaded only if their digest has changed, spread over the time that the server sends. Phones
  // that poll do so at different times, so they are spread already.
  function compare(digest, spread) {
    if (digest === region().dataset.digest) {
      region().dataset.version = newest;
      unchanged();
      return;
    }
    isConcerned = true;
    refreshTimer = refreshTimer || setTimeout(refresh, Math.random() * spread);
  }

  function unchanged() {
    shownAt = new Date();
    offline(false);
  }

  function refreshSoon() {
    if (refreshTimer) return;
    const spread = Number(region().dataset.jitter ?? 1500);
    refreshTimer = setTimeout(refresh, Math.random() * spread);
  }

  // Typed text, an open dialog or a pressed choice must not disappear while someone uses it.
  function isBusy() {
    const here = region();
    if (here.querySelector("dialog[open]")) return true;
    const active = document.activeElement;
    if (!active || !here.contains(active)) return false;
    return active.matches("textarea, select, input:not([type=hidden], [type=submit], [type=button])");
  }

  // The answer to a form that was just sent goes to this part of the page, and so does a running press: the part must
  // still be there. A venue screen has no presses.
  const isAwaiting = () => document.querySelector(".htmx-request") !== null || window.ringside?.isPressed(region());

  async function refresh() {
    refreshTimer = 0;
    if (isFetching) return;
    if (isAwaiting()) {
      refreshTimer = setTimeout(refresh, 200);
      return;
    }
    if (isBusy()) {
      document.addEventListener("focusout", () => setTimeout(refreshSoon, 200), { once: true });
      return;
    }
    if (region().dataset.digest && !isConcerned) return void (await poll());
    isFetching = true;
    isConcerned = false;
    const askedAddress = location.href;
    try {
      const headers = { "X-Ringside-Live": "1", "X-Ringside-Since": shownStep()?.value ?? "" };
      const answer = await fetch(askedAddress, { cache: "no-store", headers });
      if (answer.redirected || !answer.ok) {
        if (answer.status < 500) lost(answer);
        return;
      }
      if (region().hidden) return void location.reload();
      const text = await answer.text();
      // A search has changed the address since: this answer belongs to the old one.
      if (!isAwaiting() && location.href === askedAddress) exchange(text);
      offline(false);
    } catch {
      offline(true);
    } finally {
      isFetching = false;
    }
    if (newest > knownVersion()) refreshSoon();
  }

  // A venue screen shows that and waits; every other page is left.
  function lost(answer) {
    const words = document.getElementById("gone");
    if (!words) leave(answer);
    else {
      words.hidden = false;
      region().hidden = true;
    }
  }

  // The page is no longer available. A reload shows why, but would lose typed text.
  function leave(answer) {
    const typedFields = [...document.querySelectorAll("textarea, input:not([type=hidden], [type=checkbox], [type=radio])")];
    if (!typedFields.some((field) => field.value !== field.defaultValue)) location.reload();
    else if (new URL(answer.url).pathname === "/sign-in/") window.ringside.signedOut();
    else window.ringside.toast(gettext("You no longer have access to this page. Copy your text, then reload the page."));
  }

  function exchange(html) {
    const old = region();
    const page = new DOMParser().parseFromString(html, "text/html");
    const fresh = page.getElementById(old.id);
    if (!fresh) {
      if (page.querySelector("template")) exchangeRows(page);
      else location.reload();
      return;
    }
    const open = [...old.querySelectorAll("details[open][id]")].map((element) => element.id);
    const isInside = document.activeElement?.closest("[data-live], [data-live-part]") !== null;
    const focusedId = isInside ? document.activeElement?.id : "";
    const before = announced(old);
    document.dispatchEvent(new CustomEvent("ringside:refreshing"));
    if (fresh.dataset.digest) keepPictures(old, fresh);
    old.replaceWith(fresh);
    exchangeParts(page);
    for (const id of open) fresh.querySelector(`details[id="${CSS.escape(id)}"]`)?.setAttribute("open", "");
    for (const element of fresh.querySelectorAll("[data-needs-script]")) element.hidden = false;
    if (focusedId) document.getElementById(focusedId)?.focus({ preventScroll: true });
    if (window.htmx) window.htmx.process(fresh);
    shownAt = new Date();
    newest = Math.max(newest, knownVersion());
    const words = announced(fresh);
    if (words && words !== before) announce(words);
    document.dispatchEvent(new CustomEvent("ringside:refreshed"));
  }

  // All else stays as it is, with what is open or has the focus there.
  function exchangeRows(page) {
    const focusedId = document.activeElement?.id;
    document.dispatchEvent(new CustomEvent("ringside:refreshing"));
    for (const place of [page, ...[...page.querySelectorAll("template")].map((each) => each.content)]) {
      for (const fresh of place.querySelectorAll("[hx-swap-oob]")) exchangeElement(fresh);
    }
    if (focusedId) document.getElementById(focusedId)?.focus({ preventScroll: true });
    shownAt = new Date();
    newest = Math.max(newest, knownVersion());
    document.dispatchEvent(new CustomEvent("ringside:refreshed"));
  }

  function exchangeElement(fresh) {
    const old = document.getElementById(fresh.id);
    const isGone = fresh.getAttribute("hx-swap-oob") === "delete";
    fresh.removeAttribute("hx-swap-oob");
    if (!old) return;
    if (isGone) {
      old.remove();
      return;
    }
    for (const { id } of old.querySelectorAll("details[open][id]")) {
      fresh.querySelector(`details[id="${CSS.escape(id)}"]`)?.setAttribute("open", "");
    }
    for (const element of fresh.querySelectorAll("[data-needs-script]")) element.hidden = false;
    old.replaceWith(fresh);
    if (window.htmx) window.htmx.process(fresh);
  }

  function exchangeParts(page) {
    for (const part of document.querySelectorAll("[data-live-part][id]")) {
      const fresh = page.getElementById(part.id);
      if (!fresh) continue;
      for (const element of fresh.querySelectorAll("[data-needs-script]")) element.hidden = false;
      part.replaceWith(fresh);
    }
  }

  // Private pictures are in no cache: the browser would load each of them again.
  function keepPictures(old, fresh) {
    for (const picture of fresh.querySelectorAll("img")) {
      const loadedPicture = [...old.querySelectorAll("img")].find((other) => other.getAttribute("src") === picture.getAttribute("src"));
      if (loadedPicture) picture.replaceWith(loadedPicture);
    }
  }

  // In one line, however the template folds it: a notice shows its line breaks.
  function announced(place) {
    return place.dataset.announce?.replace(/\s+/g, " ").trim();
  }

  function announce(words) {
    sayAloud(words);
    document.dispatchEvent(new CustomEvent("ringside:announced", { detail: words }));
    // Browsers refuse, and complain, until the page has been touched once.
    if (navigator.vibrate && navigator.userActivation?.hasBeenActive) navigator.vibrate(80);
  }

  // A message from before the network was lost does not mean that it is back.
  function offline(hasFailed) {
    const is = hasFailed || !navigator.onLine;
    const bar = document.getElementById("offline");
    if (!bar) return;
    if (is && bar.hidden) {
      bar.textContent = offlineWords(region().dataset.offline);
    }
    bar.hidden = !is;
  }

  // In the time of the venue; the day is named if it is another one. A page may bring a text of its own.
  function offlineWords(brief) {
    const timeZone = region().dataset.zone || undefined;
    const dayOf = (at) => at.toLocaleDateString(pageLocale, { timeZone, weekday: "long", day: "numeric", month: "long" });
    const time = shownAt.toLocaleTimeString(pageLocale, { timeZone, hour: "2-digit", minute: "2-digit" });
    const day = dayOf(shownAt);
    const isToday = day === dayOf(new Date());
    if (brief) return `${brief} ${isToday ? time : `${day}, ${time}`}`;
    if (isToday) return fillText(gettext("No connection. This page was last updated at %(time)s."), { time });
    return fillText(gettext("No connection. This page was last updated on %(day)s at %(time)s."), { day, time });
  }

  async function poll() {
    if (!region().dataset.versionUrl) return;
    try {
      const answer = await fetch(region().dataset.versionUrl, { cache: "no-cache" });
      if (answer.status === 404) lost(answer);
      if (!answer.ok) return;
      const text = await answer.text();
      if (region().hidden) location.reload();
      else takeAnswer(text);
    } catch {
      offline(true);
    }
  }

  // An answer that the browser already had brings the digest of now, and a version of before.
  function takeAnswer(text) {
    const { version, digest } = readNews(text);
    if (digest === undefined) return takeNews(text);
    newest = Math.max(newest, version);
    compare(digest, 0);
  }

  function pollLater() {
    clearTimeout(pollTimer);
    pollTimer = setTimeout(async () => {
      const isAwake = !document.hidden || document.documentElement.hasAttribute("data-while-hidden");
      // A deleted event sends nothing: a venue screen still polls.
      if (isAwake && (!streamIsOpen() || document.getElementById("gone"))) {
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
    stream.onmessage = (event) => takeNews(event.data);
    stream.addEventListener("version", (event) => takeNews(event.data));
    // A page that was opened without a network says so at once.
    stream.onerror = () => {
      if (document.getElementById("offline")?.hidden) setTimeout(poll, Math.random() * POLL_AFTER_FAULT);
    };
  }

  function hangUp() {
    if (stream) stream.close();
    stream = null;
  }

  document.addEventListener("visibilitychange", () => {
    // A page with notifications keeps listening while the phone is in a pocket.
    if (document.hidden) {
      if (!document.documentElement.hasAttribute("data-while-hidden")) hangUp();
    } else {
      poll();
      listen();
    }
  });
  document.addEventListener("ringside:version", (event) => takeNews(event.detail));
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
  if (!navigator.onLine) offline(true);
})();
