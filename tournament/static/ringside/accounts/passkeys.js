// Connects forms with the passkey scripts of django-allauth, and shows what this browser cannot do.
(() => {
  "use strict";

  // Browsers have passkeys only for a name, with https or on the machine itself.
  const isNumber = /^[\d.]+$|:/.test(location.hostname);
  const hasPasskeys = window.PublicKeyCredential !== undefined && !isNumber;
  for (const part of document.querySelectorAll("[data-passkeys]")) part.hidden = !hasPasskeys;
  for (const part of document.querySelectorAll("[data-no-passkeys]")) part.hidden = hasPasskeys;

  const ids = { add: "passkey-use", authenticate: "passkey-use", login: "passkey-use", passwordless: "id_passwordless", credential: "id_credential" };
  for (const form of document.querySelectorAll("form[data-passkey-form]")) {
    const data = JSON.parse(form.dataset.passkeyOptions || "null");
    window.allauth.webauthn.forms[form.dataset.passkeyForm]({ ids, data });
  }

  const SENTENCES = {
    NotAllowedError: gettext("No passkey was used. Try again, or sign in another way."),
    InvalidStateError: gettext("This device already has a passkey for your account."),
  };
  document.addEventListener("allauth.error", (event) => {
    event.preventDefault();
    const status = document.getElementById("passkey-status");
    status.textContent = SENTENCES[event.detail.exception?.name] || gettext("The passkey did not work. Try again.");
  });
})();
