// What the table asks of the server: the drawn table after a ply, and moves. Parts of the table that
// the page holds already come as marks, in the places of which they are put again.

/**
 * A place of the table (`hand`, or the name of a pile or a slot) and the seat that it belongs to.
 * @typedef {{place: string, seat: number | null}} Place
 */

/**
 * Cards that an event moves on the table (none of them, where they stay hidden), and how many.
 * @typedef {{cards: {id: number}[], count: number, from: Place, to: Place}} Motion
 */

/**
 * One event as this seat may know it, with its line of the log ("" for none); `turn` if it begins one; `by`
 * the seat that does something, `to` those to which it does it; `cards` are the numbers of those it speaks of.
 * @typedef {{
 *   ply: number, kind: string, event: Record<string, any>, motions: Motion[], text: string, turn: boolean,
 *   by: number | null, to: number[], cards: string,
 * }} TableEvent
 */

/**
 * A freshly drawn table and what happened since the ply that was asked from; `steps` are the tables
 * before it, by their plies; `clocks` those of the seats, if they are others than the page has.
 * @typedef {{
 *   table: HTMLElement, steps: Map<number, HTMLElement>, news: TableEvent[], ply: number, clocks: HTMLElement | null,
 *   lesson: HTMLElement | null,
 * }} Drawn
 */

/** A refusal of the server, with its sentence. */
export class Refusal extends Error {
  /**
   * @param {string} sentence
   * @param {number} status
   */
  constructor(sentence, status) {
    super(sentence);
    this.status = status;
  }
}

const READ_TIMEOUT = 15000;
const PATIENCE = 5000;
const UNREADABLE = "The table could not be read. Load the page again.";

/** The parts of the table that is shown, as the server drew them, by their marks. @type {Map<string, Element>} */
let held = new Map();

/**
 * Hold the parts of a table, before any script changes it.
 * @param {HTMLElement} table
 */
export function hold(table) {
  held = new Map();
  collect(/** @type {HTMLElement} */ (table.cloneNode(true)), held);
}

/**
 * @param {HTMLElement} drawn
 * @param {Map<string, Element>} parts
 */
function collect(drawn, parts) {
  for (const part of drawn.querySelectorAll("[data-part]")) {
    parts.set(/** @type {HTMLElement} */ (part).dataset.part ?? "", part);
  }
}

/**
 * Put parts that are held in the places of their marks.
 * @param {HTMLElement} table
 * @param {Map<string, Element>} parts
 */
function complete(table, parts) {
  for (const mark of table.querySelectorAll("[data-same]")) {
    const part = parts.get(/** @type {HTMLElement} */ (mark).dataset.same ?? "");
    if (!part) throw new Refusal(UNREADABLE, 0);
    mark.replaceWith(document.importNode(part, true));
  }
}

/**
 * @param {URL | string} address
 * @param {RequestInit} request
 * @returns {Promise<Drawn>}
 */
async function ask(address, request) {
  const parts = new Map(held);
  const clocksHeld = document.getElementById("clocks")?.dataset.part ?? "";
  const marks = [...parts.keys(), clocksHeld].join(" ");
  const headers = { "Riffle-Script": "table", "Riffle-Parts": marks };
  let response, text;
  try {
    response = await fetch(address, { ...request, headers });
    text = await response.text();
  } catch {
    const sent = request.method === "POST"; // it may have arrived all the same
    throw new Refusal(sent ? "No connection. You can send it again; it counts only once." : "No connection. Try again.", 0);
  }
  const type = response.headers.get("Content-Type") ?? "";
  if (!response.ok) {
    const problem = type.includes("json") ? JSON.parse(text) : null;
    throw new Refusal(problem?.detail ?? "That did not work. Nothing was changed.", response.status);
  }
  if (response.status === 204) {
    location.reload(); // there is no table any more: the match was cancelled
    throw new Refusal("This match was cancelled.", response.status);
  }
  const page = new DOMParser().parseFromString(text, "text/html");
  const tables = /** @type {HTMLElement[]} */ ([...page.querySelectorAll("[data-shown]")]);
  for (const drawn of tables) {
    complete(drawn, parts);
    collect(/** @type {HTMLElement} */ (drawn.cloneNode(true)), parts);
  }
  const table = tables.pop();
  if (!table) throw new Refusal(UNREADABLE, response.status);
  const steps = new Map(tables.map((drawn) => [Number(drawn.dataset.shown), drawn]));
  const [clocks, lesson] = ["clocks", "lesson"].map((id) => page.getElementById(id));
  return { table, steps, news: readEvents(page), ply: Number(table.dataset.ply), clocks, lesson };
}

/**
 * What happened, as a page brings it along.
 * @param {ParentNode} page
 * @returns {TableEvent[]}
 */
export function readEvents(page) {
  return [...page.querySelectorAll("#news > li")].map((line) => {
    const { ply, kind, event = "{}", motions, turn, to, cards = "" } = /** @type {HTMLElement} */ (line).dataset;
    return {
      ply: Number(ply),
      kind: kind ?? "",
      event: JSON.parse(event),
      motions: JSON.parse(motions ?? "[]"),
      text: (line.textContent ?? "").trim(),
      turn: turn !== undefined,
      by: JSON.parse(event).seat ?? null,
      to: JSON.parse(to ?? "[]"),
      cards,
    };
  });
}

/**
 * What is new to the page: what happened after the ply `since`; with `steps` also the tables as they
 * were from that ply on.
 * @typedef {{since: number, steps?: number}} Wanted
 */

/**
 * The table as it is now.
 * @param {string} address
 * @param {Wanted} wanted
 */
export async function fetchTable(address, { since, steps }) {
  const url = new URL(address, location.href);
  url.searchParams.set("since", String(since));
  if (steps !== undefined) url.searchParams.set("steps", String(steps));
  return ask(url, { cache: "no-store", signal: AbortSignal.timeout(READ_TIMEOUT) });
}

/**
 * Send an answer to the question that the form holds. The server takes the same answer to the same question once,
 * however often it comes.
 * @param {HTMLFormElement} form
 * @param {string | null} notation null: all that is chosen in the form
 * @param {Wanted} wanted
 * @param {(retry: () => void) => void} onSilence no answer has come for five seconds; what it is called with sends it once more
 * @param {HTMLElement | null} pressed the button, if it says something by itself
 */
export async function sendMove(form, notation, { since, steps }, onSilence, pressed = null) {
  const body = new FormData(form, pressed);
  if (notation !== null) body.set("move", notation);
  body.set("ply", String(since));
  if (steps !== undefined) body.set("steps", String(steps));
  return untilAnswered((signal) => ask(form.action, { method: "POST", body, signal }), onSilence);
}

/**
 * The answer to the last attempt. An attempt that another one follows is given up: it may keep a connection busy.
 * @param {(signal: AbortSignal) => Promise<Drawn>} send
 * @param {(retry: () => void) => void} onSilence
 * @returns {Promise<Drawn>}
 */
function untilAnswered(send, onSilence) {
  return new Promise((resolve, reject) => {
    const attempt = () => {
      const attempts = new AbortController();
      const timer = window.setTimeout(() => {
        onSilence(() => {
          if (attempts.signal.aborted) return;
          attempts.abort();
          attempt();
        });
      }, PATIENCE);
      send(attempts.signal)
        .then(resolve, (error) => attempts.signal.aborted || reject(error))
        .finally(() => window.clearTimeout(timer));
    };
    attempt();
  });
}
