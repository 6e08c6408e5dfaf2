// The table of Twelve: keeps count of what it was told.

const told = { prepared: 0, happened: 0, drawn: 0 };

for (const name of /** @type {(keyof typeof told)[]} */ (Object.keys(told))) {
  document.addEventListener(`table:${name}`, () => {
    told[name] += 1;
    document.documentElement.dataset.twelve = JSON.stringify(told);
  });
}
