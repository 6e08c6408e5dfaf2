// One's own clock: where nobody has said yet where they are, the browser says it.

const note = document.querySelector("[data-guess-zone]");
const select = document.querySelector("select[name='zone']");
const { timeZone } = Intl.DateTimeFormat().resolvedOptions();

if (note instanceof HTMLElement && select instanceof HTMLSelectElement && timeZone) {
  const known = [...select.options].some((option) => option.value === timeZone);
  const { csrfmiddlewaretoken } = /** @type {any} */ (select.form)?.elements ?? {};
  if (known) {
    select.value = timeZone;
    const body = new FormData();
    body.set("zone", timeZone);
    body.set("csrfmiddlewaretoken", csrfmiddlewaretoken?.value ?? "");
    const answer = await fetch(note.dataset.guessZone ?? "", { method: "POST", body }).catch(() => null);
    if (answer?.ok) note.textContent = "Your browser says that you are here. Choose another zone if that is wrong.";
  }
}
