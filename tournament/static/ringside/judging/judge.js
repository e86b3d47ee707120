// The judge's field: "/" moves the focus to it, and the camera fills it. Needs codes.js.
(() => {
  "use strict";
  const form = document.querySelector("[data-judge-find]");
  if (!form) return;
  const field = form.querySelector("input[name=what]");
  const button = form.querySelector("[data-scan]");
  const box = form.querySelector("[data-camera]");
  const words = box.querySelector("[data-camera-words]");
  let stream = null;
  let video = null;

  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
    if (document.activeElement?.matches("input, textarea, select")) return;
    event.preventDefault();
    field.focus();
    field.select();
  });

  if (!window.RingsideCodes.canUseCamera()) return;
  button.hidden = false;

  function stop() {
    stream?.getTracks().forEach((track) => track.stop());
    stream = null;
    box.hidden = true;
    button.hidden = false;
  }

  async function look() {
    if (!stream) return;
    const code = await window.RingsideCodes.seen(video);
    if (code && stream) {
      field.value = code;
      stop();
      form.requestSubmit();
      return;
    }
    setTimeout(look, 150);
  }

  button.addEventListener("click", async () => {
    try {
      stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } });
    } catch {
      box.hidden = false;
      words.textContent = gettext("The browser blocked the camera. Type the table or the name instead.");
      return;
    }
    video = window.RingsideCodes.insertVideo(box);
    video.srcObject = stream;
    box.hidden = false;
    button.hidden = true;
    await video.play();
    look();
  });

  form.querySelector("[data-camera-off]").addEventListener("click", stop);
  addEventListener("pagehide", stop);
})();
