// Light or dark as the visitor chose it, set before the first paint; without a choice the system decides.
(() => {
  "use strict";
  const KEY = "ringside-theme";
  const root = document.documentElement;

  function stored() {
    try {
      return localStorage.getItem(KEY);
    } catch {
      return null;
    }
  }

  function apply(theme) {
    if (theme === "light" || theme === "dark") root.dataset.theme = theme;
    else delete root.dataset.theme;
  }

  function shown() {
    if (root.dataset.theme) return root.dataset.theme;
    return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  }

  apply(stored());

  addEventListener("storage", (event) => {
    if (event.key === KEY) apply(event.newValue);
  });

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-theme-toggle]");
    if (!button) return;
    const next = shown() === "dark" ? "light" : "dark";
    apply(next);
    button.setAttribute("aria-pressed", String(next === "dark"));
    try {
      localStorage.setItem(KEY, next);
    } catch {
      // The choice then holds for this page alone.
    }
  });

  document.addEventListener("DOMContentLoaded", () => {
    for (const button of document.querySelectorAll("[data-theme-toggle]")) {
      button.hidden = false;
      button.setAttribute("aria-pressed", String(shown() === "dark"));
    }
  });
})();
