// How the table shows what happens: kept with whoever is signed in, and in the browser for everybody else.

const root = () => /** @type {HTMLElement} */ (document.querySelector("[data-match]"));

/**
 * What was chosen for a setting; "" if nothing was.
 * @param {"pace" | "sound"} name
 */
export function setting(name) {
  const own = root()?.dataset[name];
  if (own) return own;
  try {
    return localStorage.getItem(`riffle.${name}`) ?? "";
  } catch {
    return ""; // a browser that keeps nothing
  }
}

/**
 * Let the reader choose, by what stands beside the log.
 * @param {"pace" | "sound"} name
 * @param {(control: HTMLInputElement & HTMLSelectElement) => string} read
 * @param {(control: HTMLInputElement & HTMLSelectElement) => void} show
 */
export function offer(name, read, show) {
  const control = /** @type {(HTMLInputElement & HTMLSelectElement) | null} */ (document.getElementById(name));
  if (!control) return;
  show(control);
  control.closest("[hidden]")?.removeAttribute("hidden");
  control.addEventListener("change", () => {
    root().dataset[name] = read(control);
    try {
      localStorage.setItem(`riffle.${name}`, read(control));
    } catch {
      // It holds for as long as this page is open.
    }
    void keep();
  });
}

/** Keep what is chosen with the person. */
async function keep() {
  const { settings = "", pace = "", sound = "" } = root().dataset;
  const token = /** @type {HTMLInputElement | null} */ (document.querySelector("[name=csrfmiddlewaretoken]"));
  if (!settings || !token) return;
  const body = new URLSearchParams({ pace: pace || setting("pace") || "normal", csrfmiddlewaretoken: token.value });
  if ((sound || setting("sound")) === "on") body.set("sound", "on");
  await fetch(settings, { method: "POST", body }).catch(() => undefined); // the browser has it
}
