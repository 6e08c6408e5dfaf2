// What is said at the table: the panel beside the felt, on a phone below it. It never lies over the table.

import { stylesOf } from "./styles.js";

const panel = /** @type {HTMLElement | null} */ (document.getElementById("talk"));
const side = document.getElementById("side");
const count = /** @type {HTMLElement | null} */ (document.querySelector("[data-unread].tool-count"));
const HEADERS = { "Riffle-Script": "table" };

const isOpen = () => panel !== null && !panel.hidden;

/** @param {number} unread */
function showCount(unread) {
  if (!count) return;
  count.textContent = String(unread);
  count.hidden = unread === 0;
}

/** Put what the server drew into the panel; what is being written stays. @param {string} text @param {boolean} sent */
function draw(text, sent) {
  if (!panel) return;
  const page = new DOMParser().parseFromString(text, "text/html");
  const talk = page.querySelector(".talk");
  if (!talk) return;
  const before = panel.querySelector(".talk");
  if (before && !sent) {
    for (const id of ["talk-text", "note-text"]) {
      const old = before.querySelector(`#${id}`);
      const now = talk.querySelector(`#${id}`);
      if (old instanceof HTMLInputElement && now instanceof HTMLInputElement) now.value = old.value;
    }
  }
  for (const details of before?.querySelectorAll("details.talk-ready") ?? []) {
    const place = [.../** @type {Element} */ (before).querySelectorAll("details.talk-ready")].indexOf(details);
    const again = talk.querySelectorAll("details.talk-ready")[place];
    if (again instanceof HTMLDetailsElement) again.open = /** @type {HTMLDetailsElement} */ (details).open;
  }
  const focused = document.activeElement?.id;
  before?.remove();
  panel.append(document.importNode(talk, true));
  if (focused && ["talk-text", "note-text"].includes(focused)) document.getElementById(focused)?.focus();
  const lines = panel.querySelector(".talk-lines");
  if (lines) lines.scrollTop = lines.scrollHeight;
  const { last = "0", unread = "0" } = /** @type {HTMLElement} */ (talk).dataset;
  if (isOpen() && !document.hidden) void read(last);
  else showCount(Number(unread));
}

/** @param {string} line */
async function read(line) {
  showCount(0);
  const token = /** @type {HTMLInputElement | null} */ (panel?.querySelector("[name=csrfmiddlewaretoken]"));
  if (!token || line === "0") return;
  const body = new URLSearchParams({ line, csrfmiddlewaretoken: token.value });
  await fetch(panel?.dataset.read ?? "", { method: "POST", body, headers: HEADERS }).catch(() => undefined);
}

/** Have a look at what is said. */
export async function hearTalk() {
  if (!panel) return;
  try {
    const response = await fetch(panel.dataset.talk ?? "", { cache: "no-store", headers: HEADERS });
    if (response.ok) draw(await response.text(), false);
  } catch {
    // The next line, or the next look, brings it.
  }
}

/** @param {boolean} wanted */
function open(wanted) {
  if (!panel || !side) return;
  panel.hidden = !wanted;
  side.classList.toggle("has-talk", wanted);
  for (const tool of document.querySelectorAll("[data-side]")) {
    tool.toggleAttribute("data-open", (/** @type {HTMLElement} */ (tool).dataset.side === "talk") === wanted);
  }
}

document.addEventListener("click", (event) => {
  const tool = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest("[data-side]"));
  if (!tool || event.ctrlKey || event.metaKey || event.shiftKey || !panel) return;
  if (tool.dataset.side === "log") return open(false);
  event.preventDefault();
  const wanted = !isOpen();
  open(wanted);
  if (!wanted) return;
  document.dispatchEvent(new CustomEvent("talk:opened"));
  panel.scrollIntoView({ block: "nearest" });
  void stylesOf(panel).then(hearTalk).then(() => panel.scrollIntoView({ block: "nearest" }));
});

document.addEventListener("submit", async (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (!("talkForm" in form.dataset) || !panel?.contains(form)) return;
  event.preventDefault();
  if (form.dataset.sent) return;
  form.dataset.sent = "yes";
  const body = new FormData(form);
  if (event.submitter instanceof HTMLButtonElement && event.submitter.name) {
    body.set(event.submitter.name, event.submitter.value);
  }
  try {
    const response = await fetch(form.action, { method: "POST", body, headers: HEADERS });
    const text = await response.text();
    if ((response.headers.get("Content-Type") ?? "").includes("html")) draw(text, true);
    else refuse(JSON.parse(text).detail);
  } catch {
    refuse("No connection. Nothing was sent; try again.");
  } finally {
    delete form.dataset.sent;
  }
});

/** @param {string} words */
function refuse(words) {
  const place = panel?.querySelector(".talk-refusal");
  if (place) place.textContent = words;
}
