// News for all tabs of a browser by one event stream, and by asking every few seconds where there is none.
//
// Over HTTP/1.1 a browser has six connections to a site, and each stream keeps one of them. So the tab that has been
// in sight longest listens for all tabs in sight and passes on what it hears. A hidden tab neither listens nor
// hears: it has a look when it comes back. Web Locks could choose who listens, but over plain HTTP, where HTTP/1.1
// is most at home, browsers have none; a BroadcastChannel they have everywhere.

const GRACE = 100; // so long a tab waits for an answer of those that are there
const BEAT = 200; // so often the tab that listens says so, where others rely on it
const SILENCE = 600; // after so long without a word from it the next one takes over
const SLOW_BEATS = 25; // the others say that they are there after so many beats …
const STALE = 3 * SLOW_BEATS * BEAT; // … and are forgotten after so long
const TOGETHER = 50; // changes at one moment open one stream
const RECONNECT = 1000;
const MAX_FAILURES = 3;
const RETRY = 30000;
const MAX_TABLES = 50; // as the server has it
const MAX_PAGES = 10; // as well
const PAUSED = "Live updates are paused. This page looks for news every few seconds.";

/** Of the stream: "paused" by the server, which looks for moves every few seconds then; "down": there is none. */
/** @typedef {"starting" | "open" | "paused" | "down"} State */
/** What a tab wants to hear: "me", "lobby", "page:" or "match:" with a name; of a match also the ply that it shows. */
/** @typedef {Record<string, number | null>} Topics */
/** @typedef {{kind: "here", tab: string, since: number, topics: Topics, state: State, asks: boolean}} Here */
/** @typedef {{kind: "gone", tab: string}} Gone */
/** @typedef {{kind: "news", event: string, data: Record<string, any>}} News */
/** @typedef {{since: number, topics: Topics, heardAt: number}} Tab */
/** @typedef {(event: string, data: Record<string, any>) => void} Listener */

const user = document.body.dataset.user ?? "";
const name = `riffle-live:${user}`; // after another login nothing that the former stream says is passed on
const me = [...crypto.getRandomValues(new Uint32Array(3))].join("-");

/** @type {Map<string, Set<Listener>>} */
const listeners = new Map();
/** @type {Map<string, () => number>} */
const plies = new Map();
/** The other tabs in sight. @type {Map<string, Tab>} */
const others = new Map();
/** @type {BroadcastChannel | null} */
let channel = null;
/** The stream that is heard, and the one that is to take its place. @type {EventSource | null} */
let stream = null;
/** @type {EventSource | null} */
let next = null;
/** @type {State} */
let state = "starting";
let inSight = false;
let since = 0;
let settled = false;
let followed = false;
let missed = false;
let failures = 0;
let opened = "";
let opening = 0;
let greeting = 0;
let pulse = 0;
let beats = 0;
let lastBeat = 0;

// --- The tabs -------------------------------------------------------------------------------------

/** What this tab wants to hear. @returns {Topics} */
const ownTopics = () => Object.fromEntries([...listeners.keys()].map((topic) => [topic, plies.get(topic)?.() ?? null]));

/** @param {boolean} [asks] the others are to answer */
function sayHere(asks = false) {
  channel?.postMessage({ kind: "here", tab: me, since, topics: ownTopics(), state, asks });
}

/** The tab that has been in sight longest, or null: this one. */
function eldest() {
  /** @type {[string | null, number]} */
  let found = [null, since];
  for (const [tab, other] of others) {
    if (other.since < found[1] || (other.since === found[1] && tab < (found[0] ?? me))) found = [tab, other.since];
  }
  return found[0];
}

/** Come into sight: say so, and see who is there. */
function enter() {
  if (inSight || document.hidden || listeners.size === 0) return;
  inSight = true;
  [since, state, settled, followed, missed, failures] = [Date.now(), "starting", false, false, false, 0];
  if ("BroadcastChannel" in window) {
    channel = new BroadcastChannel(name);
    channel.addEventListener("message", ({ data }) => receive(data));
  }
  sayHere(true);
  greeting = window.setTimeout(() => {
    settled = true;
    decide();
  }, GRACE);
}

/** Go out of sight; the next tab listens at once. */
function leave() {
  if (!inSight) return;
  inSight = false;
  window.clearTimeout(greeting);
  rest();
  hangUp();
  channel?.postMessage({ kind: "gone", tab: me });
  channel?.close();
  channel = null;
  others.clear();
}

/** @param {Here | Gone | News} message */
function receive(message) {
  if (message.kind === "news") {
    deliver(message.event, message.data);
    return;
  }
  if (message.kind === "gone") {
    others.delete(message.tab);
    decide();
    return;
  }
  const { tab, topics, asks } = message;
  others.set(tab, { since: message.since, topics, heardAt: performance.now() });
  if (!pulse) {
    lastBeat = performance.now();
    pulse = window.setInterval(beat, BEAT);
  }
  if (asks) sayHere();
  // A page that was loaded anew may be another's: somebody has sat down. So it is admitted anew.
  decide(asks && Object.keys(topics).some((topic) => topic.startsWith("match:")));
  if (settled && eldest() === tab) become(message.state);
}

function beat() {
  const now = performance.now();
  const late = now - lastBeat > SILENCE / 2; // this tab was held up, and what the others said may still wait
  lastBeat = now;
  beats += 1;
  const first = eldest();
  if (first === null || beats % SLOW_BEATS === 0) sayHere();
  if (late) return;
  const silent = [...others].filter(([tab, { heardAt }]) => now - heardAt > (tab === first ? SILENCE : STALE));
  for (const [tab] of silent) others.delete(tab);
  if (silent.length) decide();
  if (!others.size) rest();
}

/** Alone there is nobody to whom to say anything. */
function rest() {
  window.clearInterval(pulse);
  pulse = 0;
}

/** Listen or not, and to what. @param {boolean} [anew] */
function decide(anew = false) {
  if (!inSight || !settled) return;
  if (eldest() !== null) {
    hangUp();
    followed = true;
    return;
  }
  if (followed) [followed, missed] = [false, true];
  const wanted = [...wantedTopics().keys()].sort().join(" ");
  if (wanted === opened && !anew) return;
  opened = wanted;
  window.clearTimeout(opening);
  opening = window.setTimeout(connect, TOGETHER);
}

/** What all tabs in sight want to hear, and from which ply on. */
function wantedTopics() {
  /** @type {Map<string, number | null>} */
  const wanted = new Map();
  for (const topics of [ownTopics(), ...[...others.values()].map((other) => other.topics)]) {
    for (const [topic, ply] of Object.entries(topics)) {
      wanted.set(topic, Math.min(ply ?? 0, wanted.get(topic) ?? Infinity));
    }
  }
  return wanted;
}

// --- The stream -----------------------------------------------------------------------------------

function address() {
  const query = new URLSearchParams();
  for (const [topic, ply] of wantedTopics()) {
    const [kind, slug] = topic.split(":");
    if (kind === "lobby") query.set("lobby", "1");
    if (kind === "page" && query.getAll("page").length < MAX_PAGES) query.append("page", slug);
    if (kind === "match" && query.getAll("match").length < MAX_TABLES) query.append("match", `${slug}:${ply}`);
  }
  return `/events/me/?${query}`;
}

/** Open a stream; one that is there already is heard until the new one is open. */
function connect() {
  next?.close();
  const source = new EventSource(address());
  next = source;
  source.addEventListener("open", () => {
    stream?.close();
    [stream, next] = [source, null];
    become("open");
    if (missed) tell("look");
    else if (failures) tell("talk"); // moves the stream tells by itself
    [missed, failures] = [false, 0];
  });
  let first = true; // it begins with one
  source.addEventListener("counts", () => {
    if (!first) tell("counts");
    first = false;
  });
  for (const event of ["lobby", "page", "ply", "talk", "watchers", "refused"]) {
    source.addEventListener(event, (message) => tell(event, JSON.parse(/** @type {MessageEvent} */ (message).data)));
  }
  source.addEventListener("paused", () => become("paused"));
  source.addEventListener("resumed", () => {
    become("open");
    tell("look");
  });
  source.addEventListener("error", () => {
    const refused = source.readyState === EventSource.CLOSED;
    const wanted = opened;
    hangUp();
    opened = wanted;
    failures += 1;
    const down = refused || failures >= MAX_FAILURES;
    if (down) become("down");
    // Not by the browser itself, which would ask from the same plies on again.
    opening = window.setTimeout(connect, down ? RETRY : RECONNECT * (1 + Math.random()));
  });
}

function hangUp() {
  window.clearTimeout(opening);
  stream?.close();
  next?.close();
  [stream, next, opened] = [null, null, ""];
}

/** Tell all tabs in sight. @param {string} event @param {Record<string, any>} [data] */
function tell(event, data = {}) {
  if (event === "ply") {
    for (const { topics } of others.values()) {
      if (`match:${data.match}` in topics) topics[`match:${data.match}`] = data.ply;
    }
  }
  channel?.postMessage({ kind: "news", event, data });
  deliver(event, data);
}

/** @param {State} now */
function become(now) {
  if (now === state) return;
  state = now;
  if (eldest() === null) sayHere();
  if (now !== "starting") deliver(now, {});
}

const TOPICS = /** @type {Record<string, string>} */ ({ counts: "me", lobby: "lobby" });

/** Tell whoever wants to hear it on this page. @param {string} event @param {Record<string, any>} data */
function deliver(event, data) {
  const topic = data.match ? `match:${data.match}` : data.page ? `page:${data.page}` : TOPICS[event];
  for (const [own, all] of listeners) {
    if (!topic || own === topic) for (const listener of all) listener(event, data);
  }
}

/**
 * @param {string} topic
 * @param {Listener} listener
 * @param {() => number} [ply]
 */
function listen(topic, listener, ply) {
  if (topic === "me" && !user) return;
  const all = listeners.get(topic);
  if (all) {
    all.add(listener);
    return;
  }
  listeners.set(topic, new Set([listener]));
  if (ply) plies.set(topic, ply);
  if (!inSight) return enter();
  sayHere(true);
  return decide();
}

for (const event of ["visibilitychange", "freeze", "resume", "pagehide", "pageshow"]) {
  const target = event.startsWith("page") ? window : document;
  target.addEventListener(event, () => (document.hidden || event === "freeze" || event === "pagehide" ? leave() : enter()));
}

// --- A page ---------------------------------------------------------------------------------------

/** Say on the page, for as long as it is so, that updates are paused. @param {boolean} paused */
function showPaused(paused) {
  const note = document.querySelector("[data-live-note]");
  const words = paused ? PAUSED : "";
  if (note && note.textContent !== words) note.textContent = words;
}

/**
 * Keep a page up to date. It looks for news when it comes back into sight, when something may have been missed,
 * and every few seconds as long as there is no stream.
 * @param {string} topic "me", "lobby", "page:" with a page's name, or "match:" with a slug
 * @param {object} how
 * @param {() => void} how.look have a look
 * @param {number} how.every milliseconds
 * @param {Record<string, (data: Record<string, any>) => void>} how.hear what to do with which event
 * @param {() => number} [how.ply] the ply that a match's page shows
 * @param {boolean} [how.note] the page says while updates are paused
 */
export function watch(topic, { look, every, hear, ply, note = true }) {
  let timer = 0;
  let warning = 0;
  /** @param {boolean} paused */
  const poll = (paused) => {
    window.clearInterval(timer);
    timer = paused ? window.setInterval(() => document.hidden || look(), every) : 0;
  };
  const warn = () => note && showPaused(true);
  /** @type {Record<string, (data: Record<string, any>) => void>} */
  const handlers = {
    ...hear,
    look,
    refused: look,
    open: () => {
      poll(false);
      window.clearTimeout(warning);
      warning = 0;
      if (note) showPaused(false);
    },
    paused: () => {
      warn();
      poll(!topic.startsWith("match:")); // of matches the stream tells all the same
    },
    down: () => {
      poll(true);
      warning ||= window.setTimeout(warn, RETRY); // not for a moment
      hear.watchers?.({ watchers: null });
    },
  };
  listen(topic, (event, data) => handlers[event]?.(data), ply);
  document.addEventListener("visibilitychange", () => document.hidden || look());
  addEventListener("pageshow", (event) => event.persisted && look());
}

const OFTEN = 15000;
const OFTEN_FOR = 10 * 60000;
const SELDOM = 5 * 60000;

/**
 * Have a look now and then while the tab is hidden, and hears nothing: its title says when it is somebody's turn.
 * @param {() => void} look
 */
export function lookWhileHidden(look) {
  let timer = 0;
  let hiddenAt = 0;
  const again = () => {
    timer = window.setTimeout(() => {
      look();
      again();
    }, Date.now() - hiddenAt < OFTEN_FOR ? OFTEN : SELDOM);
  };
  document.addEventListener("visibilitychange", () => {
    window.clearTimeout(timer);
    hiddenAt = Date.now();
    if (document.hidden) again();
  });
}
