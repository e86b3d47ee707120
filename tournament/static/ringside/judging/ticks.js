// Ticks of a deck check are saved one by one. Without a network, they wait on this device and are sent when it returns.
(() => {
  "use strict";
  const form = document.querySelector("form[data-ticks]");
  if (!form) return;
  const KEY = `ringside-ticks-${form.dataset.ticks}`;
  const boxes = [...form.querySelectorAll("input[name=ticks]")];
  const words = form.querySelector("[data-ticks-words]");
  const isClosed = form.querySelector("fieldset[disabled]") !== null;
  let waiting = read();
  let sending = false;
  let isRefused = false;

  function read() {
    try {
      return JSON.parse(localStorage.getItem(KEY)) || {};
    } catch {
      return {};
    }
  }

  function store() {
    try {
      if (Object.keys(waiting).length) localStorage.setItem(KEY, JSON.stringify(waiting));
      else localStorage.removeItem(KEY);
    } catch {
      // A browser without storage still sends.
    }
  }

  function count() {
    const tickedCount = boxes.filter((box) => box.checked).reduce((sum, box) => sum + Number(box.dataset.qty), 0);
    form.querySelector("[data-ticked]").textContent = String(tickedCount);
    form.querySelector("[data-ticked-bar]").value = tickedCount;
  }

  function tell(text) {
    words.textContent = text;
    words.hidden = !text;
  }

  const NOT_KEPT = {
    403: gettext("You no longer have access to this deck check. Your ticks are saved on this device."),
    404: gettext("This deck check no longer exists. Your ticks are saved on this device."),
    "signed-out": gettext("You are signed out. Your ticks are saved on this device."),
    "form-too-old": gettext("This form has expired. Your ticks are saved on this device. Reload the page."),
  };

  // Shows why a tick was not saved; true if a retry makes sense.
  function isForAMoment(answer) {
    const why = answer.headers.get("X-Ringside-Why");
    const lasting = NOT_KEPT[why] || NOT_KEPT[answer.status];
    tell(lasting || gettext("Something went wrong on our side. Your ticks are saved on this device."));
    if (why === "signed-out") window.ringside.signedOut();
    return !lasting;
  }

  async function send() {
    if (sending) return;
    sending = true;
    let again = true;
    try {
      for (const [place, isTicked] of Object.entries(waiting)) {
        const body = new URLSearchParams({ place, ticked: isTicked });
        body.set("csrfmiddlewaretoken", form.querySelector("[name=csrfmiddlewaretoken]").value);
        const answer = await fetch(form.action, { method: "POST", body });
        if (answer.status === 409) {
          tell((await answer.json()).error);
          isRefused = true;
          waiting = {};
          break;
        }
        if (!answer.ok || answer.redirected) {
          again = isForAMoment(answer);
          break;
        }
        if (waiting[place] === isTicked) delete waiting[place];
      }
      if (!Object.keys(waiting).length && !isRefused) tell("");
    } catch {
      tell(gettext("No connection. Your ticks are saved on this device."));
    } finally {
      store();
      sending = false;
    }
    if (again && Object.keys(waiting).length) setTimeout(send, navigator.onLine ? 3000 : 15000);
  }

  function wait(box) {
    waiting[box.value] = box.checked ? "1" : "0";
  }

  form.addEventListener("change", (event) => {
    if (!event.target.matches("input[name=ticks]")) return;
    wait(event.target);
    store();
    count();
    send();
  });
  form.addEventListener("submit", (event) => event.preventDefault());

  // On a slow connection, someone may have ticked before this file loaded.
  for (const box of boxes) if (box.checked !== box.defaultChecked) wait(box);
  if (isClosed) waiting = {};
  for (const box of boxes) if (box.value in waiting) box.checked = waiting[box.value] === "1";
  store();
  count();
  if (Object.keys(waiting).length) send();
  addEventListener("online", send);
})();
