// What the table asks of the server: the drawn table after a ply, and moves.

/**
 * A place of the table (`hand`, or the name of a pile or a slot) and the seat that it belongs to.
 * @typedef {{place: string, seat: number | null}} Place
 */

/**
 * Cards that an event moves on the table (none of them, where they stay hidden), and how many.
 * @typedef {{cards: {id: number}[], count: number, from: Place, to: Place}} Motion
 */

/**
 * One event as this seat may know it, with its line of the log ("" for none).
 * @typedef {{ply: number, kind: string, event: Record<string, any>, motions: Motion[], text: string}} News
 */

/**
 * A freshly drawn table and what happened since the ply that was asked from.
 * @typedef {{table: HTMLElement, news: News[], ply: number}} Drawn
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

const HEADERS = { "Riffle-Script": "table" };

/**
 * @param {URL | string} address
 * @param {RequestInit} request
 * @returns {Promise<Drawn>}
 */
async function ask(address, request) {
  let response;
  try {
    response = await fetch(address, { ...request, headers: HEADERS });
  } catch {
    throw new Refusal("No connection. Nothing was changed; try again.", 0);
  }
  const type = response.headers.get("Content-Type") ?? "";
  if (!response.ok) {
    const problem = type.includes("json") ? await response.json() : null;
    throw new Refusal(problem?.detail ?? "That did not work. Nothing was changed.", response.status);
  }
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const table = page.getElementById("table");
  if (!table) throw new Refusal("The table could not be read. Load the page again.", response.status);
  return { table, news: readNews(page), ply: Number(table.dataset.ply) };
}

/**
 * What happened, as a page brings it along.
 * @param {ParentNode} page
 * @returns {News[]}
 */
export function readNews(page) {
  return [...page.querySelectorAll("#news > li")].map((line) => {
    const { ply, kind, event, motions } = /** @type {HTMLElement} */ (line).dataset;
    return {
      ply: Number(ply),
      kind: kind ?? "",
      event: JSON.parse(event ?? "{}"),
      motions: JSON.parse(motions ?? "[]"),
      text: (line.textContent ?? "").trim(),
    };
  });
}

/**
 * The table as it is now (or was after `ply`), with what happened after `since`.
 * @param {string} address
 * @param {{since?: number, ply?: number}} wanted
 */
export async function fetchTable(address, wanted) {
  const url = new URL(address, location.href);
  for (const [name, value] of Object.entries(wanted)) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  return ask(url, { cache: "no-store" });
}

/**
 * Send an answer to the question that the form holds.
 * @param {HTMLFormElement} form
 * @param {string | null} notation null: all that is chosen in the form
 */
export async function sendMove(form, notation) {
  const body = new FormData(form);
  if (notation !== null) body.set("move", notation);
  return ask(form.action, { method: "POST", body });
}
