// Answers that are chosen on the page and sent together: cards to tick, cards to sort, how many to draw.
// Without this script the same form is sent as it stands, and the server says what is missing.

/** @param {number} count @param {string} noun */
const many = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;

/**
 * Lay the chosen cards into the hand, from where a touch puts each back into the deck.
 * @param {HTMLElement} table
 * @param {HTMLInputElement[]} chosen
 */
function lay(table, chosen) {
  const hand = table.querySelector(".tray .hand");
  for (const old of hand?.querySelectorAll("[data-laid]") ?? []) old.remove();
  for (const box of chosen) {
    const picture = box.closest("label")?.querySelector("img");
    if (!picture) continue;
    const place = document.createElement("li");
    const card = document.createElement("label");
    place.className = "hand-card";
    place.dataset.laid = "";
    // The boxes themselves are what keyboards and screen readers use.
    place.setAttribute("aria-hidden", "true");
    card.className = "piece piece-hand tick-laid";
    card.htmlFor = box.id;
    card.append(picture.cloneNode());
    place.append(card);
    hand?.append(place);
  }
}

/**
 * Say how far a choice of cards has come, and let nobody tick too many or too few.
 * @param {HTMLElement} table
 */
function count(table) {
  const place = /** @type {HTMLElement | null} */ (table.querySelector("[data-choosing]"));
  const line = place?.querySelector("[data-chosen]");
  if (!place || !line) return;
  const wanted = Number(place.dataset.choosing);
  const boxes = /** @type {HTMLInputElement[]} */ ([...place.querySelectorAll('input[name="move"]')]);
  const warrior = (/** @type {Element} */ box) => box.closest("[data-kind]")?.getAttribute("data-kind") === "warrior";
  const chosen = boxes.filter((box) => box.checked);
  const warriors = chosen.filter(warrior).length;
  const needsWarrior = !place.dataset.hasWarrior && !warriors;
  const missing = wanted - chosen.length;
  for (const box of boxes) {
    box.disabled = !box.checked && (missing <= 0 || (missing === 1 && needsWarrior && !warrior(box)));
  }
  const words = `${chosen.length} of ${wanted} chosen, ${many(warriors, "Warrior")}.`;
  if (line.textContent !== words) line.textContent = words;
  lay(table, chosen);
  const send = /** @type {HTMLButtonElement | null} */ (table.querySelector("[data-send]"));
  if (!send) return;
  const rest = missing === 1 && needsWarrior ? "a Warrior" : many(Math.max(missing, 0), "more card");
  send.textContent = missing > 0 ? `Choose ${rest}` : `Take these ${wanted} cards`;
  send.disabled = missing !== 0;
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
  const send = table.querySelector("[data-send]");
  if (send) send.textContent = number ? "Sort and draw" : "Sort these";
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
export function tally(table) {
  count(table);
  draw(table);
}

/**
 * What is chosen but not sent stays so when the table is drawn anew.
 * @param {HTMLElement} before
 * @param {HTMLElement} after
 */
export function keepChoices(before, after) {
  for (const old of before.querySelectorAll("[data-keep] input")) {
    const { name, value, type, checked, id } = /** @type {HTMLInputElement} */ (old);
    if (type === "range") {
      const range = /** @type {HTMLInputElement | null} */ (after.querySelector(`#${CSS.escape(id)}`));
      if (range) range.value = value;
    } else if (checked) {
      const same = `[data-keep] input[name="${CSS.escape(name)}"][value="${CSS.escape(value)}"]`;
      const again = /** @type {HTMLInputElement | null} */ (after.querySelector(same));
      if (again) again.checked = true;
    }
  }
}

/** Keep count from now on. @param {() => HTMLElement} table */
export function watchChoices(table) {
  tally(table());
  for (const kind of ["change", "input"]) {
    document.addEventListener(kind, ({ target }) => {
      if (!(target instanceof Element) || !target.closest("[data-keep]")) return;
      tally(table());
      sift(table());
    });
  }
}
