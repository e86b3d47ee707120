// A player's page on their own phone: available offline, installable on the home screen, and with notifications. All of
// it needs a secure address; without one, the page says so and works as usual.
(() => {
  "use strict";
  const tools = document.getElementById("phone-tools");
  // For each player alone, and so for each event.
  const KEY = `ringside-notices:${location.pathname.match(/^\/p\/[^/]+\//)?.[0]}`;
  const element = (name) => tools && tools.querySelector(`[data-${name}]`);
  let installing = null;

  // ── Kept on the phone ────────────────────────────────────────────────────────────────────────────────────
  async function keepThisPage() {
    if (!("serviceWorker" in navigator)) return;
    try {
      await navigator.serviceWorker.register("/player-worker.js", { scope: "/p/" });
      const { active } = await navigator.serviceWorker.ready;
      const files = performance.getEntriesByType("resource").map((each) => each.name);
      active.postMessage({ page: location.pathname, files, language: document.documentElement.lang });
      show("kept", true);
    } catch {
      // Without a worker the page needs the network.
    }
  }

  function show(name, is) {
    const part = element(name);
    if (part) part.hidden = !is;
    if (tools) tools.hidden = !tools.querySelector("[data-kept]:not([hidden]), [data-part]:not([hidden])");
  }

  // ── Notices ──────────────────────────────────────────────────────────────────────────────────────────────
  const canTell = () => "Notification" in window && "serviceWorker" in navigator && isSecureContext;
  const canPush = () => canTell() && "PushManager" in window;

  // "push": the server notifies; "open": this page notifies while it is open; "" for neither.
  function wantedNotices() {
    try {
      return Notification.permission === "granted" ? localStorage.getItem(KEY) || "" : "";
    } catch {
      return "";
    }
  }

  function want(how) {
    try {
      localStorage.setItem(KEY, how);
    } catch {
      // The choice cannot be stored; the browser's own permission still applies.
    }
    sayNotices();
  }

  function sayNotices() {
    const can = canTell();
    const how = can ? wantedNotices() : "";
    const isOn = how !== "";
    const pushes = isOn ? how === "push" : canPush();
    show("notify", can && !isOn && Notification.permission !== "denied");
    show("notify-on", isOn);
    show("notify-denied", can && Notification.permission === "denied");
    show("notify-insecure", !isSecureContext);
    show("notify-home", isSecureContext && !can);
    for (const part of tools?.querySelectorAll("[data-with-push]") ?? []) part.hidden = !pushes;
    for (const part of tools?.querySelectorAll("[data-without-push]") ?? []) part.hidden = pushes;
    // With push, the server notifies; without it, this page keeps listening.
    document.documentElement.toggleAttribute("data-while-hidden", how === "open");
  }

  async function ask() {
    const answer = await Notification.requestPermission();
    if (answer !== "granted") return void want("");
    // A browser without a push service, or a venue without the internet.
    const how = canPush() ? await subscribe().then(() => "push", () => "open") : "open";
    want(how);
  }

  async function stop() {
    want("");
    if (!canPush()) return;
    const subscription = await (await navigator.serviceWorker.ready).pushManager.getSubscription();
    if (subscription) await send({ endpoint: subscription.endpoint, off: "1" }).catch(() => null);
  }

  // ── Push ─────────────────────────────────────────────────────────────────────────────────────────────────
  const bytesOf = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (char) => char.charCodeAt(0));

  async function subscribe() {
    const { key } = await (await fetch(tools.dataset.push, { cache: "no-store" })).json();
    const { pushManager } = await navigator.serviceWorker.ready;
    const options = { userVisibleOnly: true, applicationServerKey: bytesOf(key) };
    // A subscription with an earlier key of the server is useless.
    const subscription = await pushManager.subscribe(options).catch(async () => {
      await (await pushManager.getSubscription())?.unsubscribe();
      return pushManager.subscribe(options);
    });
    const { endpoint, keys } = subscription.toJSON();
    const answer = await send({ endpoint, p256dh: keys.p256dh, auth: keys.auth });
    if (!answer.ok) throw new Error("The server refused the subscription.");
  }

  function send(fields) {
    const csrfmiddlewaretoken = tools.querySelector("input[name=csrfmiddlewaretoken]").value;
    return fetch(tools.dataset.push, { method: "POST", body: new URLSearchParams({ ...fields, csrfmiddlewaretoken }) });
  }

  async function tell(words) {
    if (!canTell() || wantedNotices() !== "open" || !document.hidden) return;
    const worker = await navigator.serviceWorker.ready;
    const page = location.pathname;
    const icon = document.querySelector('link[rel="apple-touch-icon"]')?.href;
    await worker.showNotification(document.title, { body: words, tag: page, renotify: true, icon, data: { page } });
  }

  // ── On the home screen ───────────────────────────────────────────────────────────────────────────────────
  addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault();
    installing = event;
    show("install", true);
  });
  addEventListener("appinstalled", () => show("install", false));

  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-notify-ask]")) ask();
    if (event.target.closest("[data-notify-stop]")) stop();
    if (event.target.closest("[data-install-ask]") && installing) {
      installing.prompt();
      installing = null;
      show("install", false);
    }
  });
  document.addEventListener("ringside:announced", (event) => tell(event.detail));

  sayNotices();
  keepThisPage();
})();
