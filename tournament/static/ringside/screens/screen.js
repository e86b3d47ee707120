// The hall screen: as many rows as fit, a page every few seconds, one view after the other, nobody's hands.
(() => {
  "use strict";
  const root = document.documentElement;
  const live = () => document.getElementById("live");
  let pages = [];
  let at = 0;
  let timer = 0;
  let sound = null;

  root.classList.add("has-script");

  // Every page of every view in turn: {view, from, to} by rows, or the whole view.
  function build() {
    pages = [];
    for (const view of live().querySelectorAll(".screen-view")) {
      const rows = view.querySelector(".screen-rows");
      view.classList.add("is-now");
      if (rows) pages.push(...split(view, rows));
      else pages.push({ view });
      if (view.querySelector(".screen-fit")) fit(view);
      view.classList.remove("is-now");
    }
    at = Math.min(at, Math.max(pages.length - 1, 0));
    show();
  }

  function split(view, rows) {
    const all = [...rows.children];
    for (const row of all) row.classList.remove("is-off");
    // Measured as a page without a script has it: filled down the columns, rows would add columns of their own.
    rows.style.gridTemplateRows = "";
    rows.style.gridAutoFlow = "row";
    const box = getComputedStyle(view);
    const free = view.clientHeight - parseFloat(box.paddingTop) - parseFloat(box.paddingBottom);
    const high = all[0] ? all[0].getBoundingClientRect().height : 1;
    const down = Math.max(1, Math.floor(free / Math.max(high, 1)));
    const columns = getComputedStyle(rows).gridTemplateColumns.split(" ").length;
    const each = down * Math.max(columns, 1);
    rows.style.gridAutoFlow = "";
    rows.style.gridTemplateRows = `repeat(${down}, ${high}px)`;
    const viewPages = [];
    for (let from = 0; from < all.length; from += each) {
      viewPages.push({ view, rows: all, from, to: Math.min(from + each, all.length) });
    }
    return viewPages;
  }

  function fit(view) {
    const inner = view.querySelector(".screen-fit");
    inner.style.transform = "";
    const box = getComputedStyle(view);
    const wide = view.clientWidth - parseFloat(box.paddingLeft) - parseFloat(box.paddingRight);
    const high = view.clientHeight - parseFloat(box.paddingTop) - parseFloat(box.paddingBottom);
    const scale = Math.min(wide / inner.scrollWidth, high / inner.scrollHeight, 3);
    inner.style.transform = `scale(${scale})`;
  }

  function show() {
    const page = pages[at];
    if (!page) return;
    for (const view of live().querySelectorAll(".screen-view")) view.classList.toggle("is-now", view === page.view);
    if (page.rows) {
      page.rows.forEach((row, place) => row.classList.toggle("is-off", place < page.from || place >= page.to));
    }
    label(page);
  }

  function label(page) {
    const of = pages.filter((other) => other.view === page.view);
    const key = (place) => page.rows[place].dataset.key.toLocaleUpperCase();
    const range = page.rows && page.rows.length ? [key(page.from), key(page.to - 1)] : [];
    const words = range[0] === range[1] ? range[0] || "" : `${range[0]} – ${range[1]}`;
    document.getElementById("screen-range").textContent = `${page.view.getAttribute("aria-label")} ${words}`.trim();
    document.getElementById("screen-page").textContent = of.length > 1 ? `${of.indexOf(page) + 1} / ${of.length}` : "";
  }

  function turn(by) {
    if (pages.length) at = (at + by + pages.length) % pages.length;
    show();
    wait();
  }

  function wait() {
    clearTimeout(timer);
    timer = setTimeout(() => turn(1), 1000 * Number(live().dataset.seconds || 8));
  }

  function tone(high, from, long) {
    const voice = sound.createOscillator();
    const loud = sound.createGain();
    voice.frequency.value = high;
    loud.gain.setValueAtTime(0.001, sound.currentTime + from);
    loud.gain.exponentialRampToValueAtTime(0.4, sound.currentTime + from + 0.03);
    loud.gain.exponentialRampToValueAtTime(0.001, sound.currentTime + from + long);
    voice.connect(loud).connect(sound.destination);
    voice.start(sound.currentTime + from);
    voice.stop(sound.currentTime + from + long);
  }

  // A browser makes no sound before somebody has asked for it.
  const button = document.getElementById("screen-sound");
  button.hidden = !("AudioContext" in window);
  button.addEventListener("click", () => {
    sound = sound ? void sound.close() || null : new AudioContext();
    button.textContent = sound ? gettext("Turn sound off") : gettext("Turn sound on");
    button.setAttribute("aria-pressed", String(sound !== null));
    if (sound) tone(660, 0, 0.25);
  });

  document.addEventListener("ringside:clock", (event) => {
    if (!sound) return;
    if (event.detail.to === "warning") for (const from of [0, 0.4]) tone(660, from, 0.35);
    if (event.detail.to === "time_called") for (const from of [0, 0.7, 1.4]) tone(440, from, 0.65);
    if (event.detail.from === "not_started") tone(880, 0, 0.6);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "ArrowRight") turn(1);
    if (event.key === "ArrowLeft") turn(-1);
  });
  document.addEventListener("ringside:refreshed", build);
  addEventListener("resize", build);
  document.fonts?.ready.then(build);
  build();
  wait();
})();
