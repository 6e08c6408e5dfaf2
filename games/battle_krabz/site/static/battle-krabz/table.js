// The table of Battle Krabz: cards to tick, cards to sort, how many to draw; stamps and bonuses.
// Without this script the same form is sent as it stands, and the server says what is missing.

/** @typedef {import("riffle/events.js").Prepared} Prepared */
/** @typedef {import("riffle/events.js").Shown} Shown */

const SLIDE = 240;
const EASE = "cubic-bezier(0.2, 0.7, 0.3, 1)";

const still = () => window.matchMedia("(prefers-reduced-motion: reduce)").matches;

// --- Answers that are chosen on the page and sent together ---------------------------------------

/** @param {number} count @param {string} noun */
const many = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;

/**
 * Lay the chosen cards into the places of the hand, from where a touch puts each back into the deck.
 * @param {HTMLElement} table
 * @param {HTMLInputElement[]} chosen
 * @param {number} places
 */
function lay(table, chosen, places) {
  const hand = table.querySelector(".tray .hand");
  for (const old of hand?.querySelectorAll("[data-laid]") ?? []) old.remove();
  for (let number = 0; number < Math.max(places, chosen.length); number++) {
    const place = document.createElement("li");
    place.className = "hand-card";
    place.dataset.laid = "";
    // The boxes themselves are what keyboards and screen readers use.
    place.setAttribute("aria-hidden", "true");
    place.append(number < chosen.length ? thumbnail(chosen[number]) : hollow());
    hand?.append(place);
  }
}

/** A chosen card, small. @param {HTMLInputElement} box */
function thumbnail(box) {
  const card = document.createElement("label");
  card.className = "piece piece-hand tick-laid";
  card.htmlFor = box.id;
  const picture = box.closest("label")?.querySelector("img")?.cloneNode();
  if (picture) /** @type {HTMLImageElement} */ (picture).loading = "eager";
  if (picture) card.append(picture);
  return card;
}

function hollow() {
  const free = document.createElement("span");
  free.className = "place-hollow";
  return free;
}

/**
 * Tick the cards of a hand that is offered as a whole, and nothing else.
 * @param {HTMLElement} table
 * @param {string} numbers
 */
function tick(table, numbers) {
  const wanted = numbers.split(" ");
  for (const box of table.querySelectorAll('[data-choosing] input[name="move"]')) {
    const card = box.closest("[data-card]")?.getAttribute("data-card") ?? "";
    /** @type {HTMLInputElement} */ (box).checked = wanted.includes(card);
  }
  tally(table);
  sift(table);
}

/**
 * Say beside a card why it cannot be chosen now; the next choice takes the words away.
 * @param {HTMLElement} table
 * @param {Element | null} card
 */
function explain(table, card) {
  for (const old of table.querySelectorAll(".tick-why")) old.remove();
  if (!card) return;
  const full = !table.querySelector('[data-choosing] input[name="move"]:not(:checked):not(:disabled)');
  const why = document.createElement("p");
  why.className = "tick-why";
  why.setAttribute("role", "alert");
  why.textContent = full ? "Your hand is full: put a card back first." : "The last one must be a Warrior.";
  const rule = document.createElement("a");
  rule.href = "/rules/BKZ-P-10/";
  rule.dataset.rules = "";
  rule.textContent = "What the rules say";
  why.append(" ", rule);
  card.after(why);
}

/**
 * Say how far a choice of cards has come, and let nobody tick too many or too few.
 * @param {HTMLElement} table
 */
function count(table) {
  const place = /** @type {HTMLElement | null} */ (table.querySelector("[data-choosing]"));
  const line = table.querySelector("[data-chosen]");
  if (!place || !line) return;
  const wanted = Number(place.dataset.choosing);
  const boxes = /** @type {HTMLInputElement[]} */ ([...place.querySelectorAll('input[name="move"]')]);
  const warrior = (/** @type {Element} */ box) => box.closest("[data-kind]")?.getAttribute("data-kind") === "warrior";
  const chosen = boxes.filter((box) => box.checked);
  const warriors = chosen.filter(warrior).length;
  const oneOf = (place.dataset.oneOf ?? "").split(" ").filter(Boolean);
  const isOne = (/** @type {Element} */ box) => oneOf.includes(box.closest("[data-card]")?.getAttribute("data-card") ?? "");
  const needsOne = oneOf.length > 0 && !chosen.some(isOne);
  const missing = wanted - chosen.length;
  for (const box of boxes) {
    box.disabled = !box.checked && (missing <= 0 || (missing === 1 && needsOne && !isOne(box)));
  }
  const rest = missing === 1 && needsOne ? "a Warrior" : many(Math.max(missing, 0), "more card");
  const words = `${chosen.length} of ${wanted} chosen, ${many(warriors, "Warrior")}.${missing > 0 ? ` Choose ${rest}.` : ""}`;
  if (line.textContent !== words) line.textContent = words;
  lay(table, chosen, wanted);
  const send = /** @type {HTMLButtonElement | null} */ (table.querySelector("[data-send]"));
  if (send) send.disabled = missing !== 0;
}

/**
 * Show what there will be to draw, as the cards are sorted now.
 * @param {HTMLElement} table
 */
function draw(table) {
  const place = /** @type {HTMLElement | null} */ (table.querySelector("[data-draws]"));
  const range = /** @type {HTMLInputElement | null} */ (place?.querySelector("[data-warriors]"));
  const take = /** @type {HTMLInputElement | null} */ (place?.querySelector("[data-take]"));
  const words = place?.querySelector("[data-drawn]");
  if (!place || !range || !take || !words) return;
  const sorted = /** @type {HTMLInputElement[]} */ ([...table.querySelectorAll("[data-sort]:checked")]);
  const key = sorted.map(({ value }) => (value === "keep" ? "1" : "0")).join("");
  const [number, least, most] = JSON.parse(place.dataset.draws ?? "{}")[key];
  place.hidden = false;
  range.min = String(least);
  range.max = String(most);
  range.hidden = take.disabled = !number || least === most;
  const warriors = Math.min(Math.max(Number(range.value), least), most);
  take.value = `take ${warriors}`;
  const supports = many(number - warriors, "support card");
  words.textContent = number ? `You draw ${many(warriors, "Warrior")} and ${supports}.` : "You draw nothing.";
  range.setAttribute("aria-valuetext", `${many(warriors, "Warrior")}, ${supports}`);
}

/** Say so where no card is left by the filters. @param {HTMLElement} table */
function sift(table) {
  const line = table.querySelector("[data-nothing]");
  const cards = /** @type {HTMLElement[]} */ ([...table.querySelectorAll("[data-choosing] [data-kind]")]);
  if (line) line.textContent = cards.some((card) => card.offsetParent) ? "" : "No card of your deck fits.";
}

/**
 * Bring a table up to date with what is ticked on it.
 * @param {HTMLElement} table
 */
function tally(table) {
  count(table);
  draw(table);
}

for (const kind of ["change", "input"]) {
  document.addEventListener(kind, ({ target }) => {
    const table = document.getElementById("table");
    if (!table || !(target instanceof Element) || !target.closest("[data-keep]")) return;
    explain(table, null);
    tally(table);
    sift(table);
  });
}

document.addEventListener("click", (event) => {
  const table = document.getElementById("table");
  const target = event.target;
  if (!table || !(target instanceof Element)) return;
  const way = /** @type {HTMLElement | null} */ (target.closest("[data-ticks]"));
  if (way) {
    event.preventDefault();
    explain(table, null);
    tick(table, way.dataset.ticks ?? "");
  } else if (target.closest(".tick:has(:disabled)")) {
    explain(table, target.closest(".tick"));
  }
});

document.addEventListener("table:prepared", (told) => {
  tally(/** @type {CustomEvent<Prepared>} */ (told).detail.table);
});

// --- What has just happened ----------------------------------------------------------------------

/** How things show that something happened to them: a stamp falls, a bonus pops up, a card tips over. */
const STAMP = [
  { transform: "scale(2.2) rotate(-14deg)", opacity: 0 },
  { transform: "scale(0.92) rotate(-3deg)", opacity: 1, offset: 0.7 },
  { transform: "none", opacity: 1 },
];
const POP = [
  { transform: "translateY(45%) scale(0.7)", opacity: 0 },
  { transform: "translateY(-8%) scale(1.1)", opacity: 1, offset: 0.65 },
  { transform: "none", opacity: 1 },
];
const TIP = { downed: "rotate(-6deg) translateY(-7px)", revived: "rotate(8deg) translateY(5px)" };

/**
 * What has just happened, on the things it happened to. `data-pops` names the events that make a
 * thing pop up, `data-of` the seat (else it is the seat around it).
 * @param {Shown} shown
 */
function enact({ table, news }) {
  for (const { kind, event } of news) {
    const things = [...table.querySelectorAll(`[data-pops~="${kind}"]`)].filter((thing) => {
      const home = /** @type {HTMLElement | null} */ (thing.closest("[data-of], [data-seat]"));
      return home && (home.dataset.of ?? home.dataset.seat) === String(event.seat);
    });
    for (const [order, thing] of things.entries()) {
      const frames = kind === "boosted" && !thing.matches("[data-of]") ? STAMP : POP;
      thing.animate(frames, { duration: 260, delay: SLIDE + order * 70, easing: EASE, fill: "backwards" });
    }
    if (kind !== "downed" && kind !== "revived") continue;
    for (const card of event.cards ?? []) {
      const piece = table.querySelector(`[data-slot] > [data-card="${card.id}"]`);
      piece?.animate([{ transform: TIP[kind] }, {}], { duration: SLIDE, easing: EASE });
    }
  }
}

document.addEventListener("table:drawn", (told) => {
  if (!still()) enact(/** @type {CustomEvent<Shown>} */ (told).detail);
});
