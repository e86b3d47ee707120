// A value of the standings opens over the table: how it is worked out, taken from the page that it leads to.
// Without this file, or without an answer, the link leads to that page as any other.
(() => {
  "use strict";
  const VALUES = 'a.plain[href*="#worked-"]';
  let dialog = null;

  function makeDialog() {
    dialog = document.createElement("dialog");
    dialog.className = "dialog stack stack-m";
    dialog.setAttribute("aria-labelledby", "value-title");
    document.body.append(dialog);
    // A press beside the dialog closes it.
    dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  }

  function makeHead(words) {
    const head = document.createElement("div");
    const title = document.createElement("h2");
    const form = document.createElement("form");
    const button = document.createElement("button");
    head.className = "spread spread-line";
    title.id = "value-title";
    title.className = "card-title";
    title.textContent = words;
    form.method = "dialog";
    button.className = "button button-small";
    button.textContent = gettext("Close");
    form.append(button);
    head.append(title, form);
    return head;
  }

  function makeWay(address) {
    const line = document.createElement("p");
    const link = document.createElement("a");
    line.className = "small";
    link.href = address;
    link.textContent = gettext("View all calculations of this player");
    line.append(link);
    return line;
  }

  async function open(link) {
    const address = new URL(link.href);
    const answer = await fetch(address.pathname + address.search, { headers: { Accept: "text/html" } });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const part = answer.ok && page.getElementById(address.hash.slice(1));
    if (!part) return void location.assign(link.href);
    const value = part.closest("details")?.querySelector("summary")?.textContent.trim().replace(/\s+/g, " ");
    const name = page.querySelector("h1")?.textContent.trim();
    part.removeAttribute("id");
    if (!dialog) makeDialog();
    dialog.replaceChildren(makeHead([name, value].filter(Boolean).join(" · ")), document.adoptNode(part), makeWay(link.href));
    dialog.showModal();
  }

  document.addEventListener("click", (event) => {
    const link = event.target.closest?.(VALUES);
    if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    open(link).catch(() => location.assign(link.href));
  });
})();
