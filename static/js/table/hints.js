// The panel with a hint: it asks, waits until a worker has found it, and forgets it when something else is asked.

const PAUSE = 700;

/** Wake the panel, where the table has one. */
export function watchHints() {
  const panel = document.getElementById("hint");
  const place = panel?.querySelector("[data-hint-place]");
  if (!panel || !(place instanceof HTMLElement)) return;
  const address = panel.dataset.hint ?? "";
  const prompt = () => document.getElementById("table")?.dataset.prompt;
  let waiting = 0;
  let about = prompt();

  /** @param {RequestInit} [how] */
  async function show(how = {}) {
    window.clearTimeout(waiting);
    try {
      const response = await fetch(address, { ...how, headers: { "Riffle-Script": "table" } });
      const text = response.ok ? await response.text() : "";
      const refusal = response.ok ? "" : (await response.json()).detail;
      const page = new DOMParser().parseFromString(text, "text/html");
      if (refusal) place?.replaceChildren(Object.assign(document.createElement("p"), { textContent: refusal }));
      else place?.replaceChildren(...page.body.childNodes);
    } catch {
      location.assign(address);
      return;
    }
    if (panel?.matches(":popover-open") && place?.querySelector("[data-thinking]")) waiting = window.setTimeout(show, PAUSE);
  }

  panel.addEventListener("toggle", () => {
    if (!panel.matches(":popover-open")) return;
    about = prompt();
    void show();
  });
  document.addEventListener("table:drawn", () => {
    if (prompt() !== about) panel.hidePopover();
  });
  panel.addEventListener("submit", (event) => {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.target);
    void show({ method: "POST", body: new FormData(form) });
    place.focus({ preventScroll: true });
  });
}
