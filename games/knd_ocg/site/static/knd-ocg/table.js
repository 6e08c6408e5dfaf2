// The table of KND: OCG: what is lost is seen where it is lost, and ending a turn to one's own harm is asked twice.

/** @typedef {import("riffle/events.js").Happened} Happened */
/** @typedef {import("riffle/events.js").Picked} Picked */

const still = () => window.matchMedia("(prefers-reduced-motion: reduce)").matches;

/** @param {number} milliseconds */
const pause = (milliseconds) => new Promise((done) => window.setTimeout(done, milliseconds));

/**
 * The place of the field where a Character lies.
 * @param {HTMLElement} table
 * @param {number} card
 */
const placeOf = (table, card) =>
  /** @type {HTMLElement | null} */ (table.querySelector(`.side [data-slot] > .piece[data-card="${card}"]`)?.parentElement ?? null);

/**
 * A class for as long as something is to be seen.
 * @param {HTMLElement | null} place
 * @param {string} name
 * @param {number} milliseconds
 */
async function flash(place, name, milliseconds) {
  if (!place) return;
  place.classList.add(name);
  await pause(milliseconds);
  place.classList.remove(name);
}

/**
 * A number that stands on a Character for a moment.
 * @param {HTMLElement} table
 * @param {Record<string, any>} event
 * @param {boolean} healed
 * @param {number} pace
 */
async function count(table, event, healed, pace) {
  const place = placeOf(table, event.card?.id ?? event.card);
  if (!place || !event.amount) return;
  const words = document.createElement("span");
  words.className = healed ? "lost is-healed" : "lost";
  words.setAttribute("aria-hidden", "true");
  words.textContent = `${healed ? "+" : "−"}${event.amount}`;
  place.append(words);
  if (!still()) words.animate([{ opacity: 0, scale: 0.6 }, { opacity: 1, scale: 1 }], { duration: 160 });
  await Promise.all([pause(700 * pace), flash(place, healed ? "is-healed" : "is-struck", 360 * pace)]);
  words.remove();
}

document.addEventListener("table:happened", (told) => {
  const { kind, event, table, pace, wait } = /** @type {CustomEvent<Happened>} */ (told).detail;
  if (kind === "attack") wait(flash(placeOf(table, event.card?.id ?? event.card), "is-striking", 360 * pace));
  if (kind === "damage" || kind === "heal") wait(count(table, event, kind === "heal", pace));
});

document.addEventListener("table:picked", (told) => {
  const { detail } = /** @type {CustomEvent<Picked>} */ (told);
  const { yes, ask, text = "" } = detail.element.dataset;
  if (ask) detail.words = ask;
  if (!yes) return;
  detail.words = text;
  detail.confirm = yes;
});
