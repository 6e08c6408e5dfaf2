// On the page that stands in for one that could not be fetched: says so where this device has a
// network and the site does not answer, and goes on as soon as there is a network again.

if (navigator.onLine) {
  for (const part of document.querySelectorAll("[data-offline], [data-unreachable]")) {
    part.toggleAttribute("hidden");
  }
}
addEventListener("online", () => location.reload());
