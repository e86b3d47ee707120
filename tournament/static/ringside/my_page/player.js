// A player's page on his own phone: kept for when the network goes, put on the home screen, and news while the phone
// is in the pocket. All of it needs a secure address; without one the page works as any other.
(() => {
  "use strict";
  const KEY = "ringside-notices";
  const tools = document.getElementById("phone-tools");
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

  function wanted() {
    try {
      return localStorage.getItem(KEY) === "1" && Notification.permission === "granted";
    } catch {
      return false;
    }
  }

  function want(is) {
    try {
      localStorage.setItem(KEY, is ? "1" : "0");
    } catch {
      // The choice cannot be kept; the browser's own permission still holds.
    }
    sayNotices();
  }

  function sayNotices() {
    const can = canTell();
    const isOn = can && wanted();
    show("notify", can && !isOn && Notification.permission !== "denied");
    show("notify-on", isOn);
    show("notify-denied", can && Notification.permission === "denied");
    document.documentElement.toggleAttribute("data-while-hidden", isOn);
  }

  async function ask() {
    const answer = await Notification.requestPermission();
    want(answer === "granted");
  }

  async function tell(words) {
    if (!canTell() || !wanted() || !document.hidden) return;
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
    if (event.target.closest("[data-notify-stop]")) want(false);
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
