// Run in a page by boxes.py: boxes that overlap, are cut or too small.
({ apart, whole, least }) => {
  const problems = [];
  const box = element => element.getBoundingClientRect();
  const all = selector => [...document.querySelectorAll(selector)].filter(element =>
    element.checkVisibility() && !element.closest("[popover], .visually-hidden") && box(element).width > 1);
  const called = element => `${element.className} "${element.textContent.trim().slice(0, 24)}"`;
  for (const [first, second] of apart) for (const a of all(first)) for (const b of all(second)) {
    if (a === b || a.contains(b) || b.contains(a)) continue;
    const [p, q] = [box(a), box(b)];
    const wide = Math.min(p.right, q.right) - Math.max(p.left, q.left);
    const high = Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top);
    if (wide > 2 && high > 2) problems.push(`${called(a)} and ${called(b)} overlap by ${wide} x ${high}`);
  }
  for (const selector of whole) for (const element of all(selector)) {
    const around = box(element.closest(".tray, .stage") ?? document.body), own = box(element);
    if (own.left < around.left - 1 || own.right > around.right + 1) problems.push(`${called(element)} is cut`);
    if (element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).overflowX !== "visible")
      problems.push(`the words of ${called(element)} are cut`);
  }
  for (const [selector, width] of Object.entries(least)) for (const element of all(selector))
    if (box(element).width < width - 0.5) problems.push(`${called(element)} is ${box(element).width} wide`);
  return problems;
}
