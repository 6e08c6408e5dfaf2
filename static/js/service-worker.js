// Shows what the site sends to this browser, also while none of its pages is open, and opens the
// right one when it is pressed. It keeps nothing and stands in no request's way.

const worker = /** @type {any} */ (self);

worker.addEventListener("install", () => worker.skipWaiting());
worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(worker.clients.claim()));

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
