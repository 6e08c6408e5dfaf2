// How fast what happens is shown.

import { offer, setting } from "./settings.js";

const FACTORS = /** @type {Record<string, number>} */ ({ slow: 2, normal: 1, fast: 0.45, once: 0 });

function chosen() {
  const pace = setting("pace");
  return pace in FACTORS ? pace : "normal";
}

/** By what every rest is multiplied; 0: nothing is shown step by step. */
export const pace = () => FACTORS[chosen()];

/** So long a line takes to be read. @param {string} text */
export const reading = (text) => Math.min(300 + 20 * text.length, 2400) * pace();

/** Let the reader set it. */
export function offerPace() {
  offer(
    "pace",
    (select) => select.value,
    (select) => {
      select.value = chosen();
    },
  );
}
