// The table of Kaolan: dice on their lamps, and cards that are picked up to challenge or to attack.

/** @typedef {import("riffle/events.js").Asked} Asked */
/** @typedef {import("riffle/events.js").Happened} Happened */
/** @typedef {import("riffle/events.js").Picked} Picked */

const still = () => window.matchMedia("(prefers-reduced-motion: reduce)").matches;

/** @param {number} milliseconds */
const pause = (milliseconds) => new Promise((done) => window.setTimeout(done, milliseconds));

// --- Dice ----------------------------------------------------------------------------------------

/**
 * Roll the dice of one event in the table that is shown, then light up the number that was hit.
 * @param {HTMLElement} table
 * @param {string} sheet the address of the drawn dice
 * @param {Record<string, any>} event
 * @param {number} pace
 */
async function roll(table, sheet, event, pace) {
  const lamp = table.querySelector(`[data-stage="${event.stage}"]`);
  const tray = lamp?.querySelector("[data-dice]");
  if (!lamp || !tray) return;
  lamp.classList.remove("lamp-yes", "lamp-no");
  lamp.classList.add("lamp-now");
  const dice = event.dice.map((/** @type {number} */ pips, /** @type {number} */ order) => {
    const die = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
    die.setAttribute("class", still() ? "die" : "die is-rolling");
    use.setAttribute("href", `${sheet}#die-${still() ? pips : ((pips + 2 + order) % 6) + 1}`);
    die.append(use);
    return { die, use, pips };
  });
  tray.replaceChildren(...dice.map((/** @type {{die: Element}} */ { die }) => die));
  if (!still()) {
    for (const turn of [1, 2, 3]) {
      await pause(90 * pace);
      for (const { use, pips } of dice) use.setAttribute("href", `${sheet}#die-${((pips + turn * 2) % 6) + 1}`);
    }
    await pause(90 * pace);
  }
  for (const { use, pips } of dice) use.setAttribute("href", `${sheet}#die-${pips}`);
  await pause(160 * pace);
  lamp.classList.remove("lamp-now");
  lamp.classList.add(event.success ? "lamp-yes" : "lamp-no");
  const total = event.dice.reduce((/** @type {number} */ sum, /** @type {number} */ pips) => sum + pips, 0);
  if (event.success && event.dice.length > 1) {
    const tabs = table.querySelectorAll(`[data-seat="${event.seat}"] :is(.spot-leader, .spot-link) [data-numbers~="${total}"]`);
    for (const tab of tabs) tab.classList.add("is-hit");
  }
  await pause(420 * pace);
}

/**
 * Empty the lamps for a new Challenge.
 * @param {HTMLElement} table
 */
function clearLamps(table) {
  for (const lamp of table.querySelectorAll("[data-stage]")) {
    lamp.classList.remove("lamp-yes", "lamp-no", "lamp-now");
    lamp.querySelector("[data-dice]")?.replaceChildren();
    const words = lamp.querySelector(".lamp-words");
    if (words) words.textContent = "\u00a0";
  }
}

document.addEventListener("table:happened", (told) => {
  const { kind, event, table, pace, wait } = /** @type {CustomEvent<Happened>} */ (told).detail;
  const { dice = "" } = /** @type {HTMLElement} */ (document.querySelector("[data-match]")).dataset;
  if (kind === "challenge_announced" || kind === "battle") clearLamps(table);
  if (kind === "rolled") wait(roll(table, dice, event, pace));
});

// --- Picking -------------------------------------------------------------------------------------

document.addEventListener("table:picked", (told) => {
  const { detail } = /** @type {CustomEvent<Picked>} */ (told);
  const { aim = "{}", intent, title = "" } = detail.element.dataset;
  const { seat } = JSON.parse(aim);
  if (intent === "challenge") {
    const name = detail.table.querySelector(`.opponent[data-seat="${seat}"]`)?.getAttribute("aria-label") ?? "";
    detail.words = `Challenge ${name}?`;
    detail.confirm = `Challenge ${name}`;
    const odds = document.getElementById(`odds-${seat}`)?.cloneNode(true);
    if (odds instanceof HTMLElement) {
      odds.removeAttribute("id");
      odds.classList.add("ask-odds");
      detail.details.push(odds);
    }
  } else if (intent === "attack") {
    detail.words = `Attack ${title}?`;
    detail.confirm = `Attack ${title}`;
  }
});

document.addEventListener("table:asked", (told) => {
  const { detail } = /** @type {CustomEvent<Asked>} */ (told);
  if (!/^(choose_|solo_target)/.test(detail.kind)) return;
  const { slot, seat, card = detail.intent.card } = detail.intent.target ?? {};
  let place = `:is(.own, .foe-piles) [data-slot="${slot}"] [data-option]`;
  if (seat !== undefined) place = `.opponent[data-seat="${seat}"] .spot-leader > [data-option]`;
  if (card !== undefined) place = `[data-option][data-card="${card}"]`;
  detail.option = /** @type {HTMLElement | null} */ (detail.table.querySelector(place))?.dataset.option;
});
