// The opening of a pack: the wrapper tears, the cards come out face down, and turn over one by one,
// by click, by key or by themselves. The page already holds all of it; this only unveils it.

const EASE = "cubic-bezier(0.2, 0.7, 0.3, 1)";
const TURN = 240;
const BREATH = 420;

const still = () => window.matchMedia("(prefers-reduced-motion: reduce)").matches;

/** @param {number} milliseconds */
const pause = (milliseconds) => new Promise((done) => window.setTimeout(done, milliseconds));

/**
 * @param {Element} element
 * @param {Keyframe[]} frames
 * @param {KeyframeAnimationOptions} options
 */
async function play(element, frames, options) {
  const animation = element.animate(frames, { easing: EASE, fill: "backwards", ...options });
  await animation.finished.catch(() => undefined);
}

/** One opened pack on its felt. */
class Opening {
  /** @param {HTMLElement} felt */
  constructor(felt) {
    this.felt = felt;
    this.cards = /** @type {HTMLElement[]} */ ([...felt.querySelectorAll("[data-card]")]);
    this.tools = this.part("[data-tools]");
    this.nextButton = /** @type {HTMLButtonElement} */ (this.part("[data-next]"));
    this.autoButton = /** @type {HTMLButtonElement} */ (this.part("[data-auto]"));
    this.live = this.part("[data-live]");
    this.quickly = "quickly" in felt.dataset;
    this.auto = false;
    /** Counts showings, so that what an earlier one still meant to do is left undone. */
    this.showing = 0;
    for (const card of this.cards) {
      this.back(card).addEventListener("click", () => this.turn(card));
    }
    this.nextButton.addEventListener("click", () => this.turnNext());
    this.autoButton.addEventListener("click", () => this.runByItself(!this.auto));
    this.part("[data-all]").addEventListener("click", () => this.turnAll());
    this.again?.addEventListener("click", () => this.begin());
    if (this.again) this.again.hidden = false;
    document.addEventListener("keydown", (event) => this.key(event));
  }

  /** @param {string} selector */
  part(selector) {
    return /** @type {HTMLElement} */ (this.felt.querySelector(selector));
  }

  get again() {
    return /** @type {HTMLButtonElement | null} */ (this.felt.querySelector("[data-again]"));
  }

  /** @param {HTMLElement} card */
  back(card) {
    return /** @type {HTMLButtonElement} */ (card.querySelector("[data-turn]"));
  }

  /** The cards that still lie face down, in order. */
  get waiting() {
    return this.cards.filter((card) => !card.classList.contains("is-turned"));
  }

  /** Tear the wrapper, lay the cards out face down, and wait for somebody to turn them. */
  async begin() {
    const showing = ++this.showing;
    this.runByItself(false);
    this.felt.dataset.state = "sealed";
    for (const card of this.cards) {
      card.classList.remove("is-turned");
      this.back(card).hidden = false;
    }
    if (!this.felt.querySelector("[data-plain]")) this.felt.scrollIntoView({ block: "nearest" });
    await this.tear();
    if (showing !== this.showing) return;
    this.felt.dataset.state = "closed";
    this.felt.querySelector("[data-plain]")?.remove();
    this.tools.hidden = false;
    this.nextButton.focus({ preventScroll: true });
    this.say(`${this.cards.length} cards are face down.`);
    await this.layOut();
    if (showing === this.showing && this.quickly) this.runByItself(true);
  }

  async tear() {
    const wrapper = this.part("[data-wrapper]");
    if (still()) return void (await pause(TURN));
    await play(
      wrapper,
      [
        { transform: "translateY(24px)", opacity: 0 },
        { transform: "none", opacity: 1 },
      ],
      { duration: TURN },
    );
    await play(
      wrapper,
      [
        { transform: "rotate(0)" },
        { transform: "rotate(-2.5deg)" },
        { transform: "rotate(2.5deg)" },
        { transform: "rotate(-2.5deg)" },
        { transform: "rotate(0) scale(1.04)" },
      ],
      { duration: TURN * 2 },
    );
    await play(
      wrapper,
      [
        { transform: "scale(1.04)", opacity: 1, clipPath: "inset(0)" },
        { transform: "translateY(36px) scale(0.97)", opacity: 0, clipPath: "inset(12% 0 0 0)" },
      ],
      { duration: TURN, fill: "both" },
    );
    for (const animation of wrapper.getAnimations()) animation.cancel();
  }

  /** The cards come from where the wrapper lay. */
  async layOut() {
    if (still()) return;
    const from = this.part(".opening-table").getBoundingClientRect();
    const gap = Math.min(60, 600 / this.cards.length);
    await Promise.all(
      this.cards.map((card, number) => {
        const box = card.getBoundingClientRect();
        const x = from.left + from.width / 2 - box.left - box.width / 2;
        const y = from.top - box.top + 20;
        return play(
          card,
          [
            { transform: `translate(${x}px, ${y}px) rotate(${number % 2 ? 5 : -5}deg)`, opacity: 0 },
            { transform: `translate(${x}px, ${y}px) rotate(${number % 2 ? 5 : -5}deg)`, opacity: 1, offset: 0.01 },
            { transform: "none", opacity: 1 },
          ],
          { duration: TURN, delay: number * gap },
        );
      }),
    );
  }

  /**
   * Turn one card over.
   * @param {HTMLElement} card
   */
  turn(card) {
    if (card.classList.contains("is-turned")) return;
    const back = this.back(card);
    const held = back === document.activeElement;
    card.classList.add("is-turned");
    const left = this.waiting.length;
    const words = card.dataset.words ?? "";
    this.say(left ? words : `${words} All cards are revealed.`);
    this.flip(card, back);
    if (!left) this.finish();
    else if (held) this.back(this.waiting[0]).focus({ preventScroll: true });
    if (!this.quickly) card.scrollIntoView({ block: "nearest" });
  }

  /**
   * @param {HTMLElement} card
   * @param {HTMLButtonElement} back
   */
  async flip(card, back) {
    const showing = this.showing;
    const face = /** @type {HTMLElement} */ (card.querySelector(".opening-face"));
    const note = /** @type {HTMLElement} */ (card.querySelector(".opening-note"));
    if (still()) {
      play(face, [{ opacity: 0 }, { opacity: 1 }], { duration: TURN });
      await play(back, [{ opacity: 1 }, { opacity: 0 }], { duration: TURN, fill: "both" });
    } else {
      play(note, [{ opacity: 0 }, { opacity: 0, offset: 0.5 }, { opacity: 1 }], { duration: TURN * 2 });
      play(face, [{ transform: "rotateY(-180deg)" }, { transform: "none" }], { duration: TURN });
      const turned = play(back, [{ transform: "none" }, { transform: "rotateY(180deg)" }], { duration: TURN, fill: "both" });
      if (card.classList.contains("is-best")) this.glow(card);
      await turned;
    }
    if (showing === this.showing) back.hidden = true;
    for (const animation of back.getAnimations()) animation.cancel();
  }

  /** @param {HTMLElement} card */
  glow(card) {
    const flip = /** @type {HTMLElement} */ (card.querySelector(".opening-flip"));
    flip.animate(
      [
        { transform: "scale(0.6)", opacity: 0 },
        { transform: "scale(1.15)", opacity: 1, offset: 0.5 },
        { transform: "none", opacity: 0.5 },
      ],
      { pseudoElement: "::before", duration: 900, easing: EASE },
    );
  }

  turnNext() {
    const [card] = this.waiting;
    if (card) this.turn(card);
  }

  /** @param {boolean} on */
  async runByItself(on) {
    this.auto = on;
    this.autoButton.setAttribute("aria-pressed", String(on));
    const showing = this.showing;
    while (this.auto && showing === this.showing && this.waiting.length) {
      this.turnNext();
      const last = this.waiting.length === 1 && this.waiting[0].classList.contains("is-best");
      await pause(this.quickly ? 70 : last ? BREATH * 2 : BREATH + TURN);
    }
  }

  turnAll() {
    this.runByItself(false);
    for (const card of this.waiting) this.turn(card);
    this.say("All cards are revealed.");
  }

  /** Everything is seen: what comes next is offered, and whoever was turning cards stands there. */
  finish() {
    const held = this.felt.contains(document.activeElement) || document.activeElement === document.body;
    this.auto = false;
    this.tools.hidden = true;
    this.felt.dataset.state = "open";
    if (held) this.part("[data-open-next]").focus({ preventScroll: true });
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (this.felt.dataset.state !== "closed" || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "ArrowRight") this.turnNext();
    else if (event.key === "Escape") this.turnAll();
    else return;
    event.preventDefault();
  }

  /** @param {string} words */
  say(words) {
    this.live.textContent = words;
  }
}

for (const felt of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-opening]"))) {
  const opening = new Opening(felt);
  if (felt.dataset.state === "sealed") opening.begin();
}
