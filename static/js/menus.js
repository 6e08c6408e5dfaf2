// Menus are <details data-menu>: they open without a script. This closes them by Escape, by a click
// elsewhere, and when another one opens.

const menus = () => /** @type {NodeListOf<HTMLDetailsElement>} */ (document.querySelectorAll("details[data-menu][open]"));

document.addEventListener("click", (event) => {
  for (const menu of menus()) {
    if (!menu.contains(/** @type {Node} */ (event.target))) menu.open = false;
  }
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const menu of menus()) {
    const hadFocus = menu.contains(document.activeElement);
    menu.open = false;
    if (hadFocus) menu.querySelector("summary")?.focus();
  }
});

document.addEventListener("focusin", (event) => {
  for (const menu of menus()) {
    if (!menu.contains(/** @type {Node} */ (event.target))) menu.open = false;
  }
});
