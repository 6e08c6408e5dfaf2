// Small conveniences of every page: messages that can be dismissed, text that can be copied,
// dialogs opened by a button, menus, the theme, the time zone, a short line when a request of htmx fails, and a
// page for when there is no network. One file, for each costs a slow phone a way to the server.

/**
 * Show one short line above the bottom edge for a few seconds.
 * @param {string} text
 * @param {string} [kind] "error" or nothing
 */
export function toast(text, kind = "") {
  const home = document.querySelector("[data-toasts]");
  if (!home) return;
  const line = document.createElement("p");
  line.className = kind ? `message message-${kind}` : "message";
  line.textContent = text;
  home.append(line);
  setTimeout(() => line.remove(), 6000);
}

document.addEventListener("riffle:toast", (event) => {
  const { text, kind } = /** @type {CustomEvent<{text: string, kind?: string}>} */ (event).detail;
  toast(text, kind);
});

document.addEventListener("click", async (event) => {
  const target = /** @type {Element} */ (event.target);

  const dismiss = target.closest("[data-dismiss]");
  if (dismiss) dismiss.closest("[data-message]")?.remove();

  const copy = /** @type {HTMLElement | null} */ (target.closest("[data-copy]"));
  if (copy) {
    const source = document.getElementById(copy.dataset.copy ?? "");
    const text = source instanceof HTMLInputElement ? source.value : (source?.textContent ?? "").trim();
    try {
      await navigator.clipboard.writeText(text);
      toast("Copied.");
    } catch {
      toast("Copying did not work here. Select the text and copy it yourself.", "error");
    }
  }

  const opener = /** @type {HTMLElement | null} */ (target.closest("[data-dialog]"));
  if (opener) {
    const dialog = document.getElementById(opener.dataset.dialog ?? "");
    if (dialog instanceof HTMLDialogElement) dialog.showModal();
  }
  if (target.closest("[data-close-dialog]")) target.closest("dialog")?.close();
  if (target instanceof HTMLDialogElement && target.open) target.close(); // the backdrop
});

// A form that starts something must not start it twice by a double click. Without this script the server sees to
// that: the same form from the same page is one. Who comes back by the browser's "back" may mean the same once more.
document.addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (!("once" in form.dataset)) return;
  if (form.dataset.once === "sent") event.preventDefault();
  form.dataset.once = "sent";
});
addEventListener("pageshow", (event) => {
  for (const form of document.querySelectorAll("form[data-once]")) form.setAttribute("data-once", "");
  const [loaded] = performance.getEntriesByType("navigation");
  if (event.persisted || /** @type {PerformanceNavigationTiming} */ (loaded)?.type === "back_forward") {
    for (const form of document.querySelectorAll("form[method=post]")) {
      const cameBack = document.createElement("input");
      Object.assign(cameBack, { type: "hidden", name: "came_back", value: String(Date.now()) });
      form.append(cameBack);
    }
  }
});

document.addEventListener("htmx:sendError", () => toast("No connection. Nothing was changed; try again.", "error"));
document.addEventListener("htmx:responseError", () => toast("That did not work. Nothing was changed.", "error"));

// The server writes times in this zone where the person has chosen none (core/zones.py).
const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
if (timeZone && !document.cookie.split("; ").includes(`riffle_zone=${timeZone}`)) {
  document.cookie = `riffle_zone=${timeZone}; path=/; max-age=31536000; samesite=lax`;
  // This page was written in UTC, and its dates would be read in the new zone: get it again, but for one that says
  // something once, or that would be sent again.
  const hours = /\b\d\d:\d\d UTC\b/.test(document.body.textContent ?? "") && !document.querySelector("[data-message]");
  const dates = document.querySelector("input[type=datetime-local]");
  if ((hours || dates) && document.cookie.includes("riffle_zone=")) location.replace(location.pathname + location.search);
}

// It keeps that page and nothing else. Where it cannot be had, the browser's own page stands there.
addEventListener("load", () => navigator.serviceWorker?.register("/sw.js").catch(() => {}));

// On a narrow screen the tab of this page may lie outside the row: bring it in.
document.querySelector(".tabs > [aria-current]")?.scrollIntoView({ inline: "nearest", block: "nearest" });

// Menus are <details data-menu>: they open without a script. This closes them by Escape, by a click
// elsewhere, and when another one opens.

const menus = () => /** @type {NodeListOf<HTMLDetailsElement>} */ (document.querySelectorAll("details[data-menu][open]"));

document.addEventListener("click", (event) => {
  for (const menu of menus()) {
    if (!menu.contains(/** @type {Node} */ (event.target))) menu.open = false;
  }
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const menu of menus()) {
    const hadFocus = menu.contains(document.activeElement);
    menu.open = false;
    if (hadFocus) menu.querySelector("summary")?.focus();
  }
});

document.addEventListener("focusin", (event) => {
  for (const menu of menus()) {
    if (!menu.contains(/** @type {Node} */ (event.target))) menu.open = false;
  }
});

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
