// Small sounds for what happens, made here: a card that is laid, dice, one's turn, the end. Off until somebody
// turns them on.

import { offer, setting } from "./settings.js";

/** @typedef {import("./client.js").TableEvent} TableEvent */

const LOUD = 0.16;

/** @type {AudioContext | null} */
let context = null;

const isOn = () => setting("sound") === "on";

/** Browsers let nothing sound before somebody has pressed something. */
function ready() {
  if (!isOn()) return null;
  context ??= new AudioContext();
  if (context.state === "suspended") void context.resume();
  return context;
}

/**
 * A tap, as of paper or wood: a short noise through a filter.
 * @param {AudioContext} audio
 * @param {number} after seconds
 * @param {number} pitch
 * @param {number} length seconds
 */
function tap(audio, after, pitch, length) {
  const noise = audio.createBufferSource();
  const size = Math.ceil(audio.sampleRate * length);
  noise.buffer = audio.createBuffer(1, size, audio.sampleRate);
  const samples = noise.buffer.getChannelData(0);
  for (let n = 0; n < size; n++) samples[n] = (Math.random() * 2 - 1) * (1 - n / size) ** 3;
  const filter = audio.createBiquadFilter();
  filter.type = "bandpass";
  filter.frequency.value = pitch;
  const gain = audio.createGain();
  gain.gain.value = LOUD * 2;
  noise.connect(filter).connect(gain).connect(audio.destination);
  noise.start(audio.currentTime + after);
}

/**
 * A soft tone that fades.
 * @param {AudioContext} audio
 * @param {number} after seconds
 * @param {number} pitch
 */
function tone(audio, after, pitch) {
  const start = audio.currentTime + after;
  const voice = audio.createOscillator();
  const gain = audio.createGain();
  voice.type = "triangle";
  voice.frequency.value = pitch;
  gain.gain.setValueAtTime(0, start);
  gain.gain.linearRampToValueAtTime(LOUD, start + 0.02);
  gain.gain.exponentialRampToValueAtTime(0.001, start + 0.5);
  voice.connect(gain).connect(audio.destination);
  voice.start(start);
  voice.stop(start + 0.55);
}

/** @type {Record<string, (audio: AudioContext) => void>} */
const SOUNDS = {
  card: (audio) => tap(audio, 0, 1800, 0.07),
  dice: (audio) => [0, 0.09, 0.2, 0.27].forEach((after, n) => tap(audio, after, 900 + 160 * n, 0.05)),
  turn: (audio) => [523, 784].forEach((pitch, n) => tone(audio, n * 0.12, pitch)),
  over: (audio) => [392, 494, 587, 784].forEach((pitch, n) => tone(audio, n * 0.14, pitch)),
};

/** @param {"card" | "dice" | "turn" | "over"} name */
export function sound(name) {
  const audio = ready();
  if (audio) SOUNDS[name](audio);
}

/** What an event sounds like: dice, or cards that move. @param {{event: Record<string, any>, motions: unknown[]}} happened */
export function soundOf({ event, motions }) {
  if (Array.isArray(event.dice)) sound("dice");
  else if (motions.length) sound("card");
}

/** Let the reader turn them on. */
export function offerSound() {
  offer(
    "sound",
    (box) => (box.checked ? "on" : "off"),
    (box) => {
      box.checked = isOn();
      box.addEventListener("change", () => setTimeout(() => sound("turn")));
    },
  );
  for (const kind of ["pointerdown", "keydown"]) document.addEventListener(kind, () => void ready(), { once: true });
}
