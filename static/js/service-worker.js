// Shows what the site sends to this browser, also while none of its pages is open, and opens the
// right one when it is pressed. Where the site cannot be reached it says so, with a page of its own:
// that page and what it is drawn with are all that is ever kept here.

const worker = /** @type {any} */ (self);

/** @type {{version: string, page: string, parts: string[]}} The server says it, in front of this. */
const offline = worker.riffleOffline;
const CACHE = `riffle-offline-${offline.version}`;

worker.addEventListener("install", (/** @type {any} */ event) => {
  event.waitUntil(keep());
  worker.skipWaiting();
});

worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(takeOver()));

worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const { request } = event;
  if (request.method !== "GET") return; // the browser itself offers to send a form again
  if (request.mode === "navigate") event.respondWith(navigate(event));
  else if (offline.parts.includes(new URL(request.url).pathname)) event.respondWith(part(request));
});

/** Fetch what is shown without a network: as a stranger would see it, and past other caches. */
async function keep() {
  const cache = await caches.open(CACHE);
  const wanted = [offline.page, ...offline.parts];
  await cache.addAll(wanted.map((path) => new Request(path, { cache: "reload", credentials: "omit" })));
}

/** Forget what the versions before kept, and look after the pages that are open. */
async function takeOver() {
  const before = (await caches.keys()).filter((name) => name !== CACHE);
  await Promise.all(before.map((name) => caches.delete(name)));
  // A page is asked for while this script is still being started.
  await worker.registration.navigationPreload?.enable();
  await worker.clients.claim();
}

/** @param {any} event */
async function navigate(event) {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request));
  } catch (error) {
    const kept = await caches.match(offline.page, { cacheName: CACHE, ignoreVary: true });
    if (!kept) throw error;
    return kept;
  }
}

/** @param {Request} request */
async function part(request) {
  return (await caches.match(request, { cacheName: CACHE, ignoreVary: true })) ?? fetch(request);
}

worker.addEventListener("push", (/** @type {any} */ event) => {
  const { title, body, link, tag = "riffle" } = event.data.json();
  event.waitUntil(
    worker.registration.showNotification(title, {
      body,
      icon: "/icons/icon-192.png",
      tag, // a newer message takes the older one's place
      renotify: true,
      data: { link },
    }),
  );
});

worker.addEventListener("notificationclick", (/** @type {any} */ event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data.link));
});

/**
 * Go to the page in a window that shows it, or else in one of ours, or else in a new one.
 * @param {string} link
 */
async function open(link) {
  const address = new URL(link, worker.location.origin);
  if (address.origin !== worker.location.origin) return;
  const windows = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const page = address.href.split("#")[0];
  const there = windows.find((/** @type {any} */ one) => one.url.split("#")[0] === page);
  if (there) {
    await there.focus();
    return;
  }
  await worker.clients.openWindow(address.href);
}

// Browsers change their address by themselves now and then; without a word they would go silent.
worker.addEventListener("pushsubscriptionchange", (/** @type {any} */ event) => {
  if (event.oldSubscription) event.waitUntil(renew(event.oldSubscription, event.newSubscription));
});

/**
 * @param {PushSubscription} old
 * @param {PushSubscription | null} fresh
 */
async function renew(old, fresh) {
  const subscription = fresh ?? (await worker.registration.pushManager.subscribe(old.options));
  const { endpoint, keys } = subscription.toJSON();
  const body = new URLSearchParams({ old: old.endpoint, endpoint, key: keys.p256dh, auth: keys.auth });
  await fetch("/you/notices/browsers/renew/", { method: "POST", body, credentials: "same-origin" });
}
