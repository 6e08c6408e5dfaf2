// Messages of this browser: asked for by a button, and given up again.

const form = /** @type {HTMLFormElement | null} */ (document.querySelector("form[data-push]"));
if (form) offer(form);

// The list is drawn anew while a test is on its way, so its forms are not asked one by one.
document.addEventListener("submit", (event) => {
  if (!(event.target instanceof HTMLFormElement) || !("pushHere" in event.target.dataset)) return;
  current().then((subscription) => subscription?.unsubscribe());
});

/** @param {HTMLFormElement} form */
async function offer(form) {
  const button = /** @type {HTMLButtonElement} */ (form.querySelector("button"));
  const note = /** @type {HTMLElement} */ (form.querySelector("[data-push-note]"));
  const here = document.querySelector("form[data-push-here]");

  if (!("serviceWorker" in navigator && "PushManager" in window && "Notification" in window)) {
    note.textContent = isSecureContext
      ? "This browser doesn't support push notifications. On an iPhone or iPad, add Riffle to the home screen first and open it from there."
      : "This works only where Riffle is opened by an address with https://.";
    return;
  }
  if (Notification.permission === "denied") {
    note.textContent = "Notifications from Riffle are blocked in this browser. Allow them in its settings for this page first.";
    return;
  }
  // With another key of the site the old subscription hears nothing any more.
  const subscription = await current();
  const heard = subscription && sameKey(subscription, form.dataset.push ?? "");
  if (here && heard) return;
  button.hidden = false;

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    button.disabled = true;
    try {
      note.textContent = (await subscribe(form)) ?? "";
    } catch (error) {
      note.textContent = `The browser refused: ${error instanceof Error ? error.message : error}`;
    }
    button.disabled = false;
  });
}

async function current() {
  const registration = await navigator.serviceWorker.getRegistration();
  return (await registration?.pushManager.getSubscription()) ?? null;
}

/**
 * What went wrong, in words; where nothing did, the page comes back with this browser on its list.
 * @param {HTMLFormElement} form
 */
async function subscribe(form) {
  if ((await Notification.requestPermission()) !== "granted") {
    return "The browser was not allowed to show messages, so nothing was changed.";
  }
  await navigator.serviceWorker.register(form.dataset.pushWorker ?? "");
  const registration = await navigator.serviceWorker.ready;
  const key = form.dataset.push ?? "";
  const before = await registration.pushManager.getSubscription();
  if (before && !sameKey(before, key)) await before.unsubscribe();
  const subscription = await registration.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: key,
  });
  const { endpoint, keys } = subscription.toJSON();
  const body = new FormData(form);
  body.set("endpoint", endpoint ?? "");
  body.set("key", keys?.p256dh ?? "");
  body.set("auth", keys?.auth ?? "");
  const answer = await fetch(form.action, { method: "POST", body });
  if (!answer.ok) return "The site did not take it. Load the page again and try once more.";
  location.reload();
  return null;
}

/**
 * @param {PushSubscription} subscription
 * @param {string} key
 */
function sameKey(subscription, key) {
  const bytes = new Uint8Array(subscription.options.applicationServerKey ?? new ArrayBuffer(0));
  const text = btoa(String.fromCharCode(...bytes));
  return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "") === key;
}
