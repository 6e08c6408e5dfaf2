// Bringing a list: the drop zone says which file was chosen, and refuses at once what is too large.
// Without this script the zone is an ordinary file field.

const form = /** @type {HTMLFormElement | null} */ (document.querySelector("form[data-import]"));
const zone = /** @type {HTMLElement | null} */ (form?.querySelector("[data-drop]") ?? null);
const field = /** @type {HTMLInputElement | null} */ (zone?.querySelector("input[type=file]") ?? null);
const refusal = /** @type {HTMLElement | null} */ (form?.querySelector("[data-drop-error]") ?? null);

/**
 * A number of bytes as people say it.
 * @param {number} bytes
 */
function spoken(bytes) {
  if (bytes < 1024) return bytes === 1 ? "1 byte" : `${bytes} bytes`;
  const kilo = bytes / 1024;
  return kilo < 1024 ? `${Math.ceil(kilo)} KB` : `${(kilo / 1024).toFixed(1)} MB`;
}

/** The chosen file's size if it is more than is taken, else 0. */
function excess() {
  const size = field?.files?.[0]?.size ?? 0;
  return size > Number(field?.dataset.most) ? size : 0;
}

function show() {
  const file = field?.files?.[0];
  const name = zone?.querySelector("[data-drop-name]");
  const hint = zone?.querySelector("[data-drop-hint]");
  if (!field || !refusal || !name) return;
  name.textContent = file ? file.name : "Choose a file";
  if (hint) hint.textContent = file ? spoken(file.size) : "or drop it here";
  const size = excess();
  refusal.hidden = size === 0;
  const words = refusal.querySelector("span");
  if (words) {
    words.textContent = size
      ? `This file has ${spoken(size)}; the limit is ${spoken(Number(field.dataset.most))}. Split it into several files.`
      : "";
  }
}

if (form && zone && field) {
  field.addEventListener("change", show);
  for (const kind of ["dragenter", "dragover"]) {
    zone.addEventListener(kind, (event) => {
      event.preventDefault();
      zone.classList.add("is-over");
    });
  }
  for (const kind of ["dragleave", "drop"]) {
    zone.addEventListener(kind, () => zone.classList.remove("is-over"));
  }
  zone.addEventListener("drop", (event) => {
    event.preventDefault();
    const files = event.dataTransfer?.files;
    if (!files?.length) return;
    field.files = files;
    show();
  });
  // Before the check against sending twice, which would not let a mended form go.
  form.addEventListener("submit", (event) => {
    if (!excess()) return;
    event.preventDefault();
    event.stopPropagation();
    field.focus();
  });
  show();
}
