// Styles that only some readers need, fetched when they do: what a table is drawn with comes first.

/** @type {Map<string, Promise<unknown>>} */
const fetched = new Map();

/**
 * When the style sheet that an element names (`data-styles`) is there, or could not be had.
 * @param {HTMLElement} element
 */
export function stylesOf(element) {
  const { styles = "" } = element.dataset;
  const known = fetched.get(styles);
  if (known || !styles) return known ?? Promise.resolve();
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = styles;
  const there = new Promise((done) => {
    for (const end of ["load", "error"]) link.addEventListener(end, done);
  });
  fetched.set(styles, there);
  document.head.append(link);
  return there;
}
