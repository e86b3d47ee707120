// The players of this device, by event: players whose private link was opened here are listed, with links to their
// pages.
//
//   <div id="live" data-own-player="Petra Lind" data-own-event="spring-open" data-own-table="7"> … </div>
//   <nav id="own-players" data-event="spring-open" hidden></nav>    the switch, where several play on this device
//   <div data-own-rows="spring-open">      a list that begins with the rows of these players
//
// Nothing of it leaves the device. A link that no longer works takes its player along.
(() => {
  "use strict";
  const KEY = "ringside-players";
  const MOST_DAYS = 60;

  function read() {
    try {
      const storedPlayers = JSON.parse(localStorage.getItem(KEY)) || [];
      return storedPlayers.filter((player) => Date.now() - player.at < MOST_DAYS * 86400000);
    } catch {
      return [];
    }
  }

  function write(players) {
    try {
      localStorage.setItem(KEY, JSON.stringify(players));
    } catch {
      // Without storage each player opens the own link.
    }
  }

  const homeOf = (path) => path.match(/^\/p\/[^/]+\//)?.[0];
  const ofEvent = (slug) => read().filter((player) => player.event === slug);

  function remember() {
    const { ownPlayer: name, ownEvent: event, ownTable: table } = document.getElementById("live")?.dataset || {};
    const page = homeOf(location.pathname);
    if (!name || !page) return;
    const others = read();
    const knownPlayer = others.find((player) => player.page === page);
    const present = { page, name, event, table: table || "", at: Date.now() };
    if (knownPlayer) Object.assign(knownPlayer, present);
    else others.push(present);
    write(others);
  }

  function forget(page) {
    write(read().filter((player) => player.page !== page));
  }

  // ── The switch ───────────────────────────────────────────────────────────────────────────────────────────
  // A first name is enough where it is the only one.
  function shortName(name, all) {
    const first = name.split(/\s+/)[0];
    return all.filter((other) => other.split(/\s+/)[0] === first).length > 1 ? name : first;
  }

  function drawSwitch() {
    const place = document.getElementById("own-players");
    if (!place) return;
    const players = ofEvent(place.dataset.event);
    const names = players.map((player) => player.name);
    place.replaceChildren(...players.map((player) => switchTo(player, shortName(player.name, names))));
    place.hidden = players.length < Number(place.dataset.least || 2);
    // More than fit: the player of this page is in view, not the first.
    const current = place.querySelector("[aria-current]");
    const before = current ? current.offsetLeft - place.offsetLeft : 0;
    place.scrollLeft = before - (place.clientWidth - (current?.offsetWidth || 0)) / 2;
  }

  function switchTo({ page, name, table }, short) {
    const link = document.createElement("a");
    const shortLabel = document.createElement("bdi");
    shortLabel.translate = false;
    shortLabel.textContent = short;
    link.href = page;
    link.title = name;
    link.append(shortLabel);
    if (table) link.append(` ${fillText(gettext("table %(table)s"), { table })}`);
    if (page === homeOf(location.pathname)) link.setAttribute("aria-current", "page");
    return link;
  }

  // ── The own rows first ───────────────────────────────────────────────────────────────────────────────────
  const wordsOf = (element) => element.textContent.trim().replace(/\s+/g, " ");

  // A name that two rows bear is nobody's: better no row than that of another player.
  function rowOf(rows, name) {
    const rowsOfName = rows.filter((row) => [...row.querySelectorAll(".key")].some((cell) => wordsOf(cell) === name));
    return rowsOfName.length === 1 ? rowsOfName[0] : null;
  }

  function pinRows() {
    for (const list of document.querySelectorAll("[data-own-rows]")) {
      const body = list.querySelector("tbody:not([data-pinned])");
      if (!body || list.querySelector("[data-pinned]")) continue;
      const rows = [...body.rows];
      const namedRows = ofEvent(list.dataset.ownRows).map((player) => rowOf(rows, player.name));
      const own = new Set([...rows.filter((row) => row.matches(".is-me")), ...namedRows.filter(Boolean)]);
      if (!own.size) continue;
      const pinnedBody = document.createElement("tbody");
      pinnedBody.setAttribute("role", "rowgroup");
      pinnedBody.setAttribute("aria-label", gettext("Your table"));
      pinnedBody.dataset.pinned = "";
      for (const row of own) {
        row.classList.add("is-me");
        pinnedBody.append(row);
      }
      body.before(pinnedBody);
    }
  }

  function draw() {
    remember();
    drawSwitch();
    pinRows();
  }

  const goneHome = document.querySelector("[data-no-player]") && homeOf(location.pathname);
  if (goneHome) forget(goneHome);
  document.addEventListener("ringside:refreshed", draw);
  document.addEventListener("htmx:afterSettle", pinRows);
  draw();
})();
