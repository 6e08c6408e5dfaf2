// The theme switch: the page changes at once, the server is told behind its back.
// Without this file the same form posts and the page comes back in its new colours.

for (const form of document.querySelectorAll("[data-theme-switch]")) {
  form.addEventListener("submit", (event) => {
    const button = /** @type {SubmitEvent} */ (event).submitter;
    if (!(button instanceof HTMLButtonElement)) return;
    event.preventDefault();
    document.documentElement.dataset.theme = button.value;
    for (const other of form.querySelectorAll("button[name=theme]")) {
      other.setAttribute("aria-pressed", String(other === button));
    }
    const body = new FormData(/** @type {HTMLFormElement} */ (form), button);
    // The quick answer (204) also sets the cookie that the next page is drawn by.
    fetch(/** @type {HTMLFormElement} */ (form).action, {
      method: "POST",
      body,
      headers: { "X-Requested-With": "fetch" },
    }).catch(() => {});
  });
}
