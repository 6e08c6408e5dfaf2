// Words and cards light each other up: a line of the log its cards on the table, a card its lines. By the mouse, by
// the focus, by touch; with the log in focus ↑ and ↓ go from line to line.

import { say } from "./announcer.js";

const LIT = "is-alight";

const list = () => /** @type {HTMLElement | null} */ (document.querySelector(".table-lines"));
const lines = () => /** @type {HTMLElement[]} */ ([...(list()?.querySelectorAll("[data-cards]") ?? [])]);

/** @param {HTMLElement} element */
const cardsOf = ({ dataset: { cards, card } }) => (cards ?? card ?? "").split(" ").filter(Boolean);

/**
 * Where cards lie on the table; one on a board that is not open, at the chip that opens it.
 * @param {string[]} cards
 */
function placesOf(cards) {
  const selector = cards.map((card) => `[data-card="${card}"], [data-cards~="${card}"]`).join();
  const all = selector ? document.querySelectorAll(`.table-felt :is(${selector})`) : [];
  const shown = [...all].filter((element) => !element.closest("[popover]"));
  return shown.flatMap((element) =>
    element.checkVisibility() ? element : (element.closest(".opponent")?.querySelector(".seat-chip") ?? []),
  );
}

/** The line or card that is lit up from. @type {HTMLElement | null} */
let source = null;

/** @param {HTMLElement | null} from a line of the log, or a card on the table */
function light(from) {
  for (const element of document.querySelectorAll(`.${LIT}`)) element.classList.remove(LIT);
  source = from;
  if (!from) return;
  const cards = cardsOf(from);
  const isLine = from.closest(".table-lines") !== null;
  const others = isLine ? placesOf(cards) : lines().filter((line) => cardsOf(line).some((card) => cards.includes(card)));
  if (isLine || others.length) from.classList.add(LIT);
  for (const element of others) element.classList.add(LIT);
  if (!isLine) bringIntoList(/** @type {HTMLElement | undefined} */ (others.at(-1)));
}

/** Scroll the log, and nothing else, until a line is to be seen. @param {HTMLElement} [line] */
function bringIntoList(line) {
  const around = list();
  if (!line || !around) return;
  const [box, frame] = [line.getBoundingClientRect(), around.getBoundingClientRect()];
  if (box.top < frame.top || box.bottom > frame.bottom) around.scrollTop += box.top - frame.top - frame.height / 2;
}

/** @param {EventTarget | null} target */
const sourceAt = (target) =>
  target instanceof Element
    ? /** @type {HTMLElement | null} */ (target.closest(".table-lines [data-cards], .table-felt :is([data-card], [data-cards])"))
    : null;

export function watchLights() {
  for (const kind of ["pointerover", "focusin"]) {
    document.addEventListener(kind, ({ target }) => {
      const from = sourceAt(target);
      // The log keeps its light while it has the focus itself, and nothing is pointed at.
      if (from !== source && !(kind === "focusin" && target === list())) light(from);
    });
  }
  document.addEventListener("click", ({ target }) => {
    const from = sourceAt(target);
    // On a phone the log lies below the table.
    if (from?.matches("li")) placesOf(cardsOf(from))[0]?.scrollIntoView({ block: "nearest", inline: "nearest" });
  });
  document.addEventListener("keydown", (event) => {
    const way = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!way || event.target !== list()) return;
    const all = lines().filter((line) => line.checkVisibility());
    const here = source ? all.indexOf(source) : -1;
    const next = all[here < 0 ? (way > 0 ? 0 : all.length - 1) : here + way];
    if (!next) return;
    event.preventDefault();
    light(next);
    bringIntoList(next);
    say(next.textContent?.trim() ?? "");
  });
  // A table that is drawn anew has other cards in the places of those that were lit.
  document.addEventListener("table:drawn", () => light(source?.isConnected ? source : null));
}
