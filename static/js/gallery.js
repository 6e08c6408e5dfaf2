// On a card's page the arrow keys turn to the card before and after it.

addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const target = /** @type {Element} */ (event.target);
  if (target.closest("input, textarea, select, [contenteditable], dialog[open], [role=menu]")) return;
  const way = { ArrowLeft: "prev", ArrowRight: "next" }[event.key];
  const link = way && document.querySelector(`.card-neighbours a[rel="${way}"]`);
  if (link instanceof HTMLAnchorElement) link.click();
});
