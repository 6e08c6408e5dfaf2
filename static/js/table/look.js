// Looking at a card closely: resting on it shows it large, a long press or a click opens it with words.

import { addressOf } from "./why.js";

const REST = 450;
const PRESS = 480;

/** @param {EventTarget | null} target */
const cardAt = (target) =>
  target instanceof Element ? /** @type {HTMLElement | null} */ (target.closest("[data-look]")) : null;

/**
 * Open the enlargement of a card.
 * @param {HTMLElement} card
 * @param {import("./why.js").Reason | null} [why] why it cannot be chosen, if somebody wanted to
 */
export function look(card, why = null) {
  const dialog = /** @type {HTMLDialogElement | null} */ (document.getElementById("look"));
  if (!dialog || dialog.open) return;
  const { title = "", words: about = "", picture = "", look: address = "" } = card.dataset;
  const image = /** @type {HTMLImageElement} */ (document.getElementById("look-picture"));
  image.src = picture;
  image.hidden = !picture;
  const words = (/** @type {string} */ id, /** @type {string} */ value) => {
    const element = /** @type {HTMLElement} */ (document.getElementById(id));
    element.textContent = value;
    element.hidden = !value;
  };
  words("look-name", title);
  words("look-text", about);
  const reason = /** @type {HTMLElement} */ (document.getElementById("look-why"));
  reason.hidden = !why;
  /** @type {HTMLElement} */ (reason.querySelector("[data-why]")).textContent = why?.[0] ?? "";
  const rule = /** @type {HTMLAnchorElement} */ (reason.querySelector("a"));
  rule.hidden = !why?.[1];
  if (why?.[1]) rule.href = addressOf(why[1]);
  /** @type {HTMLAnchorElement} */ (document.getElementById("look-page")).href = address;
  dialog.showModal();
}

/** Large pictures for whoever rests on a card with the mouse or the keyboard. */
function peeks() {
  let timer = 0;
  /** @type {HTMLElement | null} */
  let wanted = null;
  /** @type {HTMLElement | null} */
  let peek = null;

  const hide = () => {
    window.clearTimeout(timer);
    wanted = null;
    peek?.remove();
    peek = null;
  };
  // Nothing is put over the table before there is a picture to see.
  const show = async (/** @type {HTMLElement} */ card) => {
    const { picture } = card.dataset;
    if (!picture) return;
    wanted = card;
    const image = document.createElement("img");
    image.src = picture;
    image.alt = "";
    await image.decode().catch(() => hide());
    if (wanted !== card || !card.isConnected) return;
    peek = document.createElement("div");
    peek.className = "peek";
    peek.setAttribute("aria-hidden", "true");
    peek.append(image);
    document.body.append(peek);
    const box = card.getBoundingClientRect();
    const { width, height } = peek.getBoundingClientRect();
    const right = box.right + 12 + width < window.innerWidth;
    const left = right ? box.right + 12 : Math.max(8, box.left - 12 - width);
    const top = Math.min(Math.max(8, box.top + box.height / 2 - height / 2), window.innerHeight - height - 8);
    peek.style.insetInlineStart = `${left}px`;
    peek.style.insetBlockStart = `${top}px`;
  };

  const rest = (/** @type {HTMLElement | null} */ card) => {
    hide();
    if (card) timer = window.setTimeout(() => show(card), REST);
  };
  document.addEventListener("pointerover", (event) => {
    if (event.pointerType === "mouse") rest(cardAt(event.target));
  });
  document.addEventListener("focusin", (event) => {
    const card = cardAt(event.target);
    rest(card?.matches(":focus-visible") && window.matchMedia("(min-width: 64rem)").matches ? card : null);
  });
  document.addEventListener("focusout", hide);
  // A table that is drawn anew takes the card away from under the pointer, and tells nobody.
  for (const kind of ["pointerdown", "keydown", "scroll", "table:drawn"]) document.addEventListener(kind, hide, true);
}

/** A finger that stays on a card opens it. */
function presses() {
  let timer = 0;
  let opened = false;
  document.addEventListener("pointerdown", (event) => {
    opened = false;
    const card = event.pointerType === "mouse" ? null : cardAt(event.target);
    if (!card) return;
    timer = window.setTimeout(() => {
      opened = true;
      look(card);
    }, PRESS);
  });
  for (const kind of ["pointerup", "pointercancel", "pointermove"]) {
    document.addEventListener(kind, (event) => {
      const moved = /** @type {PointerEvent} */ (event);
      if (kind !== "pointermove" || Math.hypot(moved.movementX, moved.movementY) > 6) window.clearTimeout(timer);
    });
  }
  document.addEventListener(
    "click",
    (event) => {
      if (!opened) return;
      opened = false;
      event.preventDefault();
      event.stopPropagation();
    },
    true,
  );
  document.addEventListener("contextmenu", (event) => {
    if (cardAt(event.target) && window.matchMedia("(hover: none)").matches) event.preventDefault();
  });
}

/** Start to watch for all three. */
export function watchLooks() {
  peeks();
  presses();
}
