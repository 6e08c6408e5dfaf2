// A card at a glance: the whole card with its text beside whatever stands for it, while a mouse
// rests there or a finger lies on it. Nothing needs it: each card has a page of its own.

const REST = 350;
const PRESS = 450;

/** What was fetched. @type {Map<string, Promise<string>>} */
const kept = new Map();

/** @param {string} address */
function fetched(address) {
  const known = kept.get(address);
  if (known) return known;
  const asked = fetch(address).then((answer) => (answer.ok ? answer.text() : Promise.reject()));
  kept.set(address, asked);
  asked.catch(() => kept.delete(address));
  return asked;
}

/**
 * Show cards of a page at a glance.
 * @param {HTMLElement} root
 * @param {string} selector what stands for a card; its `data-glance` is where the card is told
 */
export function glances(root, selector) {
  const sheet = document.createElement("div");
  sheet.className = "glance sheet";
  sheet.hidden = true;
  sheet.setAttribute("aria-hidden", "true");
  document.body.append(sheet);
  let timer = 0;
  /** @type {Element | null} */
  let over = null;
  let pressed = false;

  /** @param {HTMLElement} card */
  async function show(card) {
    const html = await fetched(card.dataset.glance ?? "").catch(() => "");
    if (over !== card || !html || !card.isConnected) return;
    sheet.innerHTML = html;
    sheet.hidden = false;
    const box = card.getBoundingClientRect();
    const own = sheet.getBoundingClientRect();
    const right = box.right + 12;
    const left = right + own.width <= innerWidth - 8 ? right : Math.max(8, box.left - own.width - 12);
    const top = Math.min(Math.max(8, box.top + box.height / 2 - own.height / 2), innerHeight - own.height - 8);
    sheet.style.setProperty("inset-inline-start", `${innerWidth < 600 ? (innerWidth - own.width) / 2 : left}px`);
    sheet.style.setProperty("inset-block-start", `${Math.max(8, top)}px`);
  }
  function hide() {
    clearTimeout(timer);
    over = null;
    sheet.hidden = true;
  }
  /** @param {EventTarget | null} target @returns {HTMLElement | null} */
  const cardOf = (target) => (target instanceof Element ? target.closest(selector) : null);

  root.addEventListener("pointerover", (event) => {
    if (event.pointerType !== "mouse" || event.buttons) return;
    const card = cardOf(event.target);
    if (card === over) return;
    hide();
    over = card;
    if (card) timer = setTimeout(() => void show(card), REST);
  });
  root.addEventListener("pointerleave", hide);
  root.addEventListener("pointerdown", (event) => {
    hide();
    pressed = false;
    const card = cardOf(event.target);
    if (event.pointerType === "mouse" || !card) return;
    over = card;
    timer = setTimeout(() => {
      pressed = true;
      void show(card);
    }, PRESS);
  });
  for (const name of ["pointerup", "pointercancel"]) addEventListener(name, (event) => {
    if (/** @type {PointerEvent} */ (event).pointerType !== "mouse") hide();
  });
  // A finger that lay long on a card wanted to read it: neither the menu of its picture, nor a press.
  root.addEventListener("contextmenu", (event) => over && cardOf(event.target) && event.preventDefault());
  root.addEventListener(
    "click",
    (event) => {
      if (!pressed) return;
      pressed = false;
      event.preventDefault();
      event.stopPropagation();
    },
    true,
  );
  addEventListener("scroll", hide, { passive: true });
  addEventListener("keydown", (event) => {
    if (event.key === "Escape") hide();
  });
}
