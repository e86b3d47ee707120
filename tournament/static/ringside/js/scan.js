// Reads the codes of badges by the camera, where the browser itself can; a number can always be typed.
(() => {
  "use strict";

  const place = document.querySelector("[data-scan]");
  if (!place) return;
  const video = place.querySelector("video");
  const words = place.querySelector("[data-scan-words]");
  const start = place.querySelector("[data-scan-start]");
  const form = place.querySelector("form");
  const KEY = "ringside-scan";

  function say(text) { words.textContent = text; }

  async function reader() {
    if (!("BarcodeDetector" in window)) return null;
    const kinds = await window.BarcodeDetector.getSupportedFormats();
    return kinds.includes("qr_code") ? new window.BarcodeDetector({ formats: ["qr_code"] }) : null;
  }

  async function look(detector) {
    const codes = video.readyState >= 2 ? await detector.detect(video).catch(() => []) : [];
    const code = codes.map((one) => one.rawValue).find((text) => /\/B\/[^/]+\/\d+/i.test(text));
    if (code) {
      form.elements.code.value = code;
      form.requestSubmit();
      return;
    }
    if (codes.length) say("That code is no badge of an event.");
    setTimeout(() => look(detector), 150);
  }

  async function run(detector) {
    try {
      video.srcObject = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } });
    } catch {
      say("The camera may not be used. Allow it in the browser, or type the number.");
      return;
    }
    sessionStorage.setItem(KEY, "1");
    video.hidden = false;
    start.hidden = true;
    await video.play();
    say("Hold a badge in front of the camera.");
    look(detector);
  }

  (async () => {
    const detector = await reader();
    if (!navigator.mediaDevices) {
      say("Browsers give the camera to pages under https only. Type the number on the badge.");
    } else if (!detector) {
      say("This browser cannot read codes. The phone's own camera opens the player's page from the code; or type the number.");
    } else {
      say("Read codes by camera, or type the number on the badge.");
      start.hidden = false;
      start.addEventListener("click", () => run(detector));
      if (sessionStorage.getItem(KEY)) run(detector);
    }
  })();
})();
