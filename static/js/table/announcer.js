// What is told to whoever listens instead of looking.

const MOST_LINES = 12;

/** Say it when there is a pause. @param {string} text */
export function say(text) {
  const announcer = document.getElementById("announcer");
  if (!announcer || !text) return;
  const line = document.createElement("span");
  line.textContent = `${text} `;
  announcer.append(line);
  while (announcer.childElementCount > MOST_LINES) announcer.firstElementChild?.remove();
}
