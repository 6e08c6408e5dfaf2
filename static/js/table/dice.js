// Dice as they are drawn on the site.

const SVG = "http://www.w3.org/2000/svg";

/**
 * Small pictures of dice; what they show is said in words beside them.
 * @param {string} sheet the address of the drawn dice
 * @param {number[]} pips
 */
export const dieFaces = (sheet, pips) =>
  pips.map((face) => {
    const die = document.createElementNS(SVG, "svg");
    die.setAttribute("class", "die die-small");
    die.setAttribute("aria-hidden", "true");
    const use = document.createElementNS(SVG, "use");
    use.setAttribute("href", `${sheet}#die-${face}`);
    die.append(use);
    return die;
  });
