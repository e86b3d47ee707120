// Reads the codes of badges by the camera; a number can always be typed. Needs codes.js.
(() => {
  "use strict";

  const place = document.querySelector("[data-scan]");
  if (!place) return;
  const words = place.querySelector("[data-scan-words]");
  const start = place.querySelector("[data-scan-start]");
  const form = place.querySelector("form");
  const KEY = "ringside-scan";
  const LOOKS_WITHOUT = 5;
  let video = null;
  let last = "";
  let looksWithout = 0;

  function say(text) { words.textContent = text; }

  // A badge that is still held there is not sent again and again.
  async function look() {
    const code = await window.RingsideCodes.seen(video);
    if (code && /\/B\/[^/]+\/\d+/i.test(code)) {
      if (code !== last) form.dispatchEvent(new CustomEvent("ringside:enter", { detail: code }));
      last = code;
      looksWithout = 0;
    } else if (code) say(gettext("This code is not on a badge of an event."));
    else looksWithout += 1;
    if (looksWithout > LOOKS_WITHOUT) last = "";
    setTimeout(look, 150);
  }

  async function run() {
    let stream;
    try {
      stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } });
    } catch {
      say(gettext("The browser blocked the camera. Allow it, or type the number."));
      return;
    }
    sessionStorage.setItem(KEY, "1");
    video = window.RingsideCodes.insertVideo(place);
    video.srcObject = stream;
    start.hidden = true;
    await video.play();
    say(gettext("Point the camera at a badge."));
    look();
  }

  if (!window.RingsideCodes.canUseCamera()) {
    say(gettext("The camera needs an https page. Type the number on the badge, or scan the code with the camera app."));
    return;
  }
  say(gettext("Scan badges with the camera, or type the number."));
  start.hidden = false;
  start.addEventListener("click", run);
  if (sessionStorage.getItem(KEY)) run();
})();
