// The bell in the header keeps itself up to date, and so do the page's title and its icon. One tab
// of a browser listens for all of them: a browser has few connections to a site, and the table that
// is looked at needs one, too.

const EVERY = 60000; // where no tab can listen for all
const LOCK = "riffle-bell";

/** @type {BroadcastChannel | null} */
const others = "BroadcastChannel" in window ? new BroadcastChannel(LOCK) : null;
const icon = /** @type {HTMLLinkElement | null} */ (document.querySelector('link[rel="icon"]'));
const plainIcon = icon?.href ?? "";
let drawing = "";

/** @returns {HTMLElement | null} */
const bell = () => document.querySelector("[data-bell]");

/** Show how much is new where a tab shows it. @param {number} count */
async function show(count) {
  const title = document.title.replace(/^\(\d+\) /, "");
  document.title = count ? `(${count}) ${title}` : title;
  if (!icon) return;
  if (!count) {
    icon.href = plainIcon;
    return;
  }
  drawing ||= await fetch(plainIcon).then((response) => response.text());
  const mark =
    '<circle cx="34" cy="34" r="14" fill="#b3261e"/><text x="34" y="41" fill="#fff" font-size="20" ' +
    `font-family="sans-serif" font-weight="700" text-anchor="middle">${count > 9 ? "9+" : count}</text></svg>`;
  icon.href = `data:image/svg+xml,${encodeURIComponent(drawing.replace("</svg>", mark))}`;
}

async function renew() {
  const here = bell();
  if (!here || document.hidden) return;
  if (here.querySelector("details[open]")) return; // somebody is reading it
  const address = `/you/notices/bell/?at=${encodeURIComponent(location.pathname)}`;
  const response = await fetch(address, { cache: "no-store" }).catch(() => null);
  if (!response?.ok || response.redirected) return;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const fresh = /** @type {HTMLElement | null} */ (page.querySelector("[data-bell]"));
  if (!fresh || fresh.outerHTML === here.outerHTML) return;
  here.replaceWith(fresh);
  void show(Number(fresh.dataset.count));
}

/** Listen for all tabs, for as long as this one is open. */
function listen() {
  return new Promise((end) => {
    const stream = new EventSource("/events/me/");
    let first = true;
    stream.addEventListener("counts", () => {
      if (!first) {
        others?.postMessage("");
        void renew();
      }
      first = false;
    });
    addEventListener("pagehide", () => {
      stream.close();
      end(undefined);
    });
  });
}

if (bell()) {
  void show(Number(bell()?.dataset.count));
  others?.addEventListener("message", () => void renew());
  if (navigator.locks) void navigator.locks.request(LOCK, listen);
  else setInterval(() => void renew(), EVERY);
  document.addEventListener("visibilitychange", () => void renew());
  addEventListener("pageshow", (event) => {
    if (event.persisted) void renew();
  });
}
