// Theme and motion, as the visitor chose them; without a choice the system decides. The choice is also in a cookie, so
// that the server sends the next page with it and it is painted correctly at once.
(() => {
  "use strict";
  const KEY = "ringside-theme";
  const MOTION = "ringside-motion";
  const YEAR = 31536000;
  const root = document.documentElement;

  function readStored(key) {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  }

  function tellServer(key, value) {
    if (document.cookie.split("; ").includes(`${key}=${value}`) || (!value && !document.cookie.includes(`${key}=`))) return;
    const secure = location.protocol === "https:" ? "; secure" : "";
    document.cookie = `${key}=${value}; path=/; max-age=${value ? YEAR : 0}; samesite=lax${secure}`;
  }

  function apply(theme) {
    if (theme === "light" || theme === "dark") root.dataset.theme = theme;
    else delete root.dataset.theme;
  }

  function shownTheme() {
    if (root.dataset.theme) return root.dataset.theme;
    return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  }

  function keep(key, value) {
    try {
      if (value) localStorage.setItem(key, value);
      else localStorage.removeItem(key);
    } catch {
      // The choice then holds for as long as the cookie.
    }
    tellServer(key, value);
  }

  function still(motion) {
    if (motion === "off") root.dataset.motion = "off";
    else delete root.dataset.motion;
  }

  apply(readStored(KEY) || root.dataset.theme);
  still(readStored(MOTION) || root.dataset.motion);
  // Some browsers forget cookies of scripts sooner than what is stored.
  if (root.dataset.theme) tellServer(KEY, root.dataset.theme);
  if (root.dataset.motion) tellServer(MOTION, root.dataset.motion);

  addEventListener("storage", (event) => {
    if (event.key === KEY) apply(event.newValue);
    if (event.key === MOTION) still(event.newValue);
  });

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-theme-toggle]");
    if (!button) return;
    const next = shownTheme() === "dark" ? "light" : "dark";
    apply(next);
    button.setAttribute("aria-pressed", String(next === "dark"));
    keep(KEY, next);
  });

  document.addEventListener("DOMContentLoaded", () => {
    for (const button of document.querySelectorAll("[data-theme-toggle]")) {
      button.hidden = false;
      button.setAttribute("aria-pressed", String(shownTheme() === "dark"));
    }
    for (const box of document.querySelectorAll("[data-motion-switch]")) {
      box.checked = root.dataset.motion === "off";
      box.addEventListener("change", () => {
        still(box.checked ? "off" : "");
        keep(MOTION, box.checked ? "off" : "");
      });
    }
  });
})();
