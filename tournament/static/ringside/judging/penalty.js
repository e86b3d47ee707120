// The form of a penalty: an infraction brings its suggested level, and the button names the penalty and the player.
(() => {
  "use strict";
  const form = document.querySelector("[data-penalty]");
  if (!form) return;
  const button = form.querySelector("[data-penalty-button]");
  const findChecked = (name) => form.querySelector(`[name=${name}]:checked`);

  function suggest(infraction) {
    const level = form.querySelector(`[name=degree][value="${infraction.dataset.suggested}"]`);
    if (level) level.checked = true;
  }

  function sayIt() {
    const [infraction, level] = [findChecked("infraction"), findChecked("degree")];
    button.textContent = (infraction && level && infraction.getAttribute(`data-${level.value}`)) || form.dataset.words;
  }

  form.addEventListener("change", (event) => {
    if (event.target.name === "infraction") suggest(event.target);
    sayIt();
  });
  // Back to a page from the browser's cache: the choices are restored, the button text is not.
  addEventListener("pageshow", sayIt);
  sayIt();
})();
