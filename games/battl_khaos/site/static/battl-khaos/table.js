// The table of Batt'l Kha'os: a board to move about on, and a tile that is turned and weighed up on it
// before it is placed. Without this script every answer is a button of the same form.

/** @typedef {import("riffle/events.js").Prepared} Prepared */
/** @typedef {import("riffle/events.js").Happened} Happened */
/** @typedef {import("riffle/events.js").Shown} Shown */

/**
 * A place beside a tile: why no tile ("" where one may go) and why no tower may go there, and the tokens
 * that a tile there could be played with, by their numbers.
 * @typedef {{x: number, y: number, tile: string, tower: string, tokens: number[]}} Place
 */

/**
 * A tower in play: its cell, its name, its flag, what it is worth, who owns it.
 * @typedef {[x: number, y: number, name: string, flag: string, value: number, owner: string]} Tower
 */

/**
 * What the server says of the board. `units` are the strengths in a tile's corners, from the north-west on: a plus
 * for orcs, a minus for knights.
 * @typedef {{
 *   last: {x: number, y: number}[], words: Map<string, string>, towers: Tower[], units: Map<string, number[]>,
 *   seat: number | null, sides: string[], scores: number[],
 *   draft?: {cells: Place[], picked: number | null, cell: {x: number, y: number} | null},
 * }} Board
 */

/** @typedef {{missing: number, orcs: number, knights: number, result: string}} Corner */

/**
 * What a placement or a token would lead to: the corners it touches, the towers that would change hands or
 * value, both scores.
 * @typedef {{
 *   corners: (Corner & {x: number, y: number, corner: number})[],
 *   towers: {x: number, y: number, name: string, was: string, owner: string, value: number}[],
 *   orcs: number, knights: number,
 * }} Outcome
 */

/** How a token changes the strengths on its tile. @typedef {{whose: string, change: string, number: number}} Effect */

/** @typedef {{option: string, id: number, name: string, effect: Effect | null, face: SVGElement | null}} Token */

/**
 * What is being placed, as far as it has been chosen. `answered`: how many of tile, cell and turn the
 * server knows already.
 * @typedef {{
 *   card: number, name: string, kind: string, temple: boolean, units: number[], value: number, flag: string,
 *   source: HTMLElement | null, piece: HTMLElement | null, notation: string, answered: number,
 *   cell: Place | null, turn: number, token: Token | null,
 * }} Draft
 */

const SVG = "http://www.w3.org/2000/svg";
const CELL = 100;
/** The middles of a tile's units and the corner points of a tower, from the north-west on. */
const UNITS = [[25, 25], [75, 25], [75, 75], [25, 75]];
const POINTS = [[0, 0], [100, 0], [100, 100], [0, 100]];
const NAMES = ["north-west", "north-east", "south-east", "south-west"];
/** The three cells that meet a tower's corner, as steps from the tower, each with the corner that counts. */
const MEETING = [
  [[-1, -1, 2], [0, -1, 3], [-1, 0, 1]],
  [[0, -1, 2], [1, -1, 3], [1, 0, 0]],
  [[1, 0, 3], [1, 1, 0], [0, 1, 1]],
  [[-1, 0, 2], [-1, 1, 1], [0, 1, 0]],
];
const SIDES = /** @type {Record<string, string>} */ ({ O: "orcs", K: "knights" });
const WHY = /** @type {Record<string, [sentence: string, rule: string]>} */ ({
  reserved: ["Reserved by your opponent.", "BKH-P-18"],
  halberd: ["Blocked this turn by a Halberd.", "BKH-P-13"],
  hit: ["Blocked this turn: a Catapult has just hit this space.", "BKH-P-24"],
  tower: ["Too close to another tower.", "BKH-T-05"],
});
const REASONS = /** @type {Record<string, string>} */ ({ reserved: "staff", halberd: "blade", hit: "crater", tower: "tower-sign" });
/** Below this scale signs are drawn larger, and the camera moves in while a piece is placed. */
const FAR = 0.72;
const MAX_SCALE = 2.4;
const MIN_SCALE = 0.14;
/** Tiles of a board that fits into its room are as large as it allows, up to 180 pixels. */
const MAX_FITTED_SCALE = 1.8;
/** The narrowest cell, in pixels, on a board that is fitted into its room. */
const MIN_CELL = 28;
/** So many pixels round a fitted board are left to the sums at its outermost corners. */
const MARGIN = { x: 18, y: 14 };
/** A pointer that moves further than this, in pixels, between press and release drags the board. */
const DRAG_DISTANCE = { mouse: 6, touch: 12 };

const reducedMotion = () => window.matchMedia("(prefers-reduced-motion: reduce)").matches;
/** @param {number} value @param {number} least @param {number} most */
const within = (value, least, most) => Math.min(Math.max(value, least), most);
/** @param {number} x @param {number} y */
const key = (x, y) => `${x},${y}`;
/** The page is sending an answer, or shows what has happened. A replay never is. */
const isBusy = () => document.querySelector("[data-match]")?.matches(".is-busy, .is-playing") ?? false;
const isReplay = () => document.querySelector("[data-replay]") !== null;

// --- What stands on the page ---------------------------------------------------------------------

/** The table that is shown, or is about to be. @type {HTMLElement} */
let table;
/** @type {Board} */
let board;
/** @type {Draft | null} */
let draft = null;
/** The answer that is aimed at something on the board, before it is given. @type {Element | null} */
let aimed = null;
/** The open place or the target under the mouse. @type {Element | null} */
let hovered = null;

const map = () => /** @type {SVGSVGElement} */ (table.querySelector(".board-map"));
const place = () => /** @type {HTMLElement} */ (table.querySelector("[data-board-place]"));
const asked = () => table.dataset.asked === "1";
const kind = () => table.dataset.promptKind ?? "";

/**
 * @param {string} name
 * @param {Record<string, string | number>} attributes
 * @param {...(Element | string)} inside
 */
function draw(name, attributes = {}, ...inside) {
  const element = document.createElementNS(SVG, name);
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, String(value));
  element.append(...inside);
  return element;
}

/** @param {string} name @param {number} x @param {number} y @param {number} size */
const drawn = (name, x, y, size) =>
  draw("use", { href: `${map().dataset.sheet}#${name}`, x: x - size / 2, y: y - size / 2, width: size, height: size });

/** “2 east, 1 north” of the first tower. @param {number} x @param {number} y */
function where(x, y) {
  if (!x && !y) return "the middle";
  const across = x ? `${Math.abs(x)} ${x > 0 ? "east" : "west"}` : "";
  const down = y ? `${Math.abs(y)} ${y > 0 ? "south" : "north"}` : "";
  return [across, down].filter(Boolean).join(", ");
}

// --- Adding up corners ---------------------------------------------------------------------------

/** What the server says of a table. @param {HTMLElement} home @returns {Board} */
function read(home) {
  const { last, draft: outlook, ...facts } = JSON.parse(map().dataset.board ?? "{}");
  /** @type {Board} */
  const state = { ...facts, last: last.map(at), words: new Map(), towers: [], units: new Map() };
  for (const element of home.querySelectorAll("[data-cell]")) {
    const { cell = "", words = "", units, tower } = /** @type {SVGElement} */ (element).dataset;
    state.words.set(cell, words);
    if (units) state.units.set(cell, units.split(",").map(Number));
    if (!tower) continue;
    const [x, y] = cell.split(",").map(Number);
    const [name, flag, value, holder] = tower.split("|");
    state.towers.push([x, y, name, flag, Number(value), holder]);
  }
  if (outlook) {
    const cells = outlook.cells.map((/** @type {[number, number, string, string, number]} */ [x, y, tile, tower, list]) =>
      ({ x, y, tile, tower, tokens: outlook.tokens[list] }));
    state.draft = { cells, picked: outlook.picked, cell: outlook.cell && at(outlook.cell) };
  }
  return state;
}

/** @param {[number, number]} pair */
const at = ([x, y]) => ({ x, y });

/**
 * One corner of a tower, with these strengths around it.
 * @param {Map<string, number[]>} units
 * @param {number} x
 * @param {number} y
 * @param {number} corner
 * @returns {Corner}
 */
function sum(units, x, y, corner) {
  const total = { missing: 0, orcs: 0, knights: 0, result: "" };
  for (const [right, down, at] of MEETING[corner]) {
    const strength = units.get(key(x + right, y + down));
    if (!strength) total.missing += 1;
    else if (strength[at] > 0) total.orcs += strength[at];
    else total.knights -= strength[at];
  }
  if (!total.missing) total.result = total.orcs > total.knights ? "O" : total.knights > total.orcs ? "K" : "N";
  return total;
}

/**
 * Who owns a tower with these corners.
 * @param {Corner[]} corners
 * @param {string} flag
 */
function owner(corners, flag) {
  if (corners.some(({ missing }) => missing)) return "";
  const [orcs, knights] = ["O", "K"].map((side) => corners.filter(({ result }) => result === side).length);
  return orcs > knights ? "O" : knights > orcs ? "K" : flag;
}

/** As it lies after so many quarter turns. @param {number[]} units @param {number} turn */
const turned = (units, turn) => units.map((_, corner) => units[(corner - turn + 4) % 4]);

/** How many looks a tile has. @param {number[]} units */
function looks(units) {
  return [1, 2, 4].find((turn) => turned(units, turn).every((unit, corner) => unit === units[corner])) ?? 4;
}

/**
 * The strengths on a tile that carries a token of this side.
 * @param {number[]} units
 * @param {Effect | null} effect
 * @param {string} side
 */
function strengthened(units, effect, side) {
  if (!effect) return units;
  const { whose, change, number } = effect;
  return units.map((unit) => {
    const own = unit > 0 === (side === "O");
    if (!unit || own !== (whose === "own")) return unit;
    const count = Math.abs(unit);
    const now = change === "add" ? Math.max(0, count + number) : change === "times" ? count * number : number;
    return Math.sign(unit) * now;
  });
}

/**
 * What the board would be with the draft on it, in sums. The rules are the server's; here is only the
 * adding up, so that a turn of the tile is answered at once.
 * @param {Board} on
 * @param {Draft} piece
 * @param {Place} cell
 * @returns {Outcome}
 */
function weigh(on, piece, { x, y }) {
  const after = new Map(on.units);
  const side = on.sides[on.seat ?? 0];
  const field = piece.kind !== "tower";
  if (field) after.set(key(x, y), strengthened(turned(piece.units, piece.turn), piece.token?.effect ?? null, side));
  /** @type {Outcome} */
  const coming = { corners: [], towers: [], orcs: scoreOf(on, "O"), knights: scoreOf(on, "K") };
  const near = on.towers.filter(([tx, ty]) => Math.max(Math.abs(tx - x), Math.abs(ty - y)) === 1);
  /** @type {Tower[]} */
  const touchedTowers = field ? near : [[x, y, piece.name, piece.flag, piece.value, ""]];
  for (const [tx, ty, name, flag, worth, was] of touchedTowers) {
    const corners = POINTS.map((_, corner) => sum(after, tx, ty, corner));
    for (const [corner, sums] of corners.entries()) {
      const touched = !field || MEETING[corner].some(([right, down]) => tx + right === x && ty + down === y);
      if (touched) coming.corners.push({ x: tx, y: ty, corner, ...sums });
    }
    const now = owner(corners, flag);
    const value = field && piece.temple ? 3 : worth;
    if (was === "O") coming.orcs -= worth;
    if (was === "K") coming.knights -= worth;
    if (now === "O") coming.orcs += value;
    if (now === "K") coming.knights += value;
    if (now !== was || (now && value !== worth)) coming.towers.push({ x: tx, y: ty, name, was, owner: now, value });
  }
  return coming;
}

/** @param {Board} on @param {string} side */
const scoreOf = (on, side) => on.scores[on.sides.indexOf(side)];

/** “You” or “The knights”. @param {string} side */
const sideWords = (side) => (board.seat !== null && side === board.sides[board.seat] ? "You" : `The ${SIDES[side]}`);

/** A tower that changes. @param {Outcome["towers"][number]} tower */
function towerWords({ name, was, owner: now, value }) {
  if (!now) return `${sideWords(was)} lose ${name}`;
  return was === now ? `${name} is now worth ${value}` : `${sideWords(now)} win ${name} (${value})`;
}

/** Who would hold what, and the score, as sentences. @param {Outcome} outcome */
function outcomeWords({ corners, towers, orcs, knights }) {
  const sums = corners
    .filter(({ missing }) => !missing)
    .map(({ corner, orcs: o, knights: k, result }) => `${NAMES[corner]} corner ${o} : ${k}${result === "N" ? ", neutral" : ""}`);
  const open = corners.length - sums.length;
  const lines = towers.map(towerWords);
  if (!corners.length) lines.push("Not next to a tower");
  else if (!sums.length) lines.push(`${open === 1 ? "One corner stays" : `${open} corners stay`} open`);
  if (sums.length) lines.push(sums.join("; ").replace(/^./, (letter) => letter.toUpperCase()));
  return `${lines.join(". ")}. Score: orcs ${orcs}, knights ${knights}.`;
}

// --- The camera ----------------------------------------------------------------------------------

/** The middle of what is seen, and how many pixels a unit of the drawing has. `own`: the reader has moved it. */
const camera = { x: 50, y: 50, scale: 1, own: false };
let size = { width: 800, height: 500 };

function measure() {
  const box = place()?.getBoundingClientRect();
  if (box?.width && box.height) size = { width: box.width, height: box.height };
}

function showCamera() {
  const [width, height] = [size.width / camera.scale, size.height / camera.scale];
  map().classList.toggle("is-far", camera.scale < FAR);
  map().setAttribute("viewBox", `${camera.x - width / 2} ${camera.y - height / 2} ${width} ${height}`);
  showRulers();
  const overview = table.querySelector(".overview");
  const seen = overview?.querySelector(".in-view");
  const box = extent();
  if (!overview || !seen) return;
  const whole = box.left >= camera.x - width / 2 - 1 && box.right <= camera.x + width / 2 + 1 &&
    box.top >= camera.y - height / 2 - 1 && box.bottom <= camera.y + height / 2 + 1;
  overview.toggleAttribute("hidden", whole);
  for (const [name, value] of Object.entries({ x: camera.x - width / 2, y: camera.y - height / 2, width, height })) {
    seen.setAttribute(name, String(value));
  }
}

/** The names of columns and rows along the edges: “2W”, “1N”. The first tower stands at 0. */
function showRulers() {
  const { left, right, top, bottom } = extent();
  const wide = CELL * camera.scale;
  const every = Math.max(1, Math.ceil(24 / wide));
  /** @type {[string, number, number, string][]} */
  const axes = [["x", left / CELL, right / CELL, "WE"], ["y", top / CELL, bottom / CELL, "NS"]];
  for (const [axis, first, end, letters] of axes) {
    const ruler = table.querySelector(`[data-ruler="${axis}"]`);
    const across = axis === "x";
    const marks = [];
    for (let number = first; number < end; number += 1) {
      const [x, y] = onScreen((number + 0.5) * CELL, (number + 0.5) * CELL);
      const middle = across ? x : y;
      if (number % every || middle < 12 || middle > (across ? size.width : size.height) - 12) continue;
      const mark = document.createElement("span");
      mark.textContent = number ? `${Math.abs(number)}${letters[Number(number > 0)]}` : "0";
      mark.style.setProperty("--at", `${middle}px`);
      marks.push(mark);
    }
    ruler?.replaceChildren(...marks);
  }
}

/** The part of the board on which something lies, with the places beside it. */
function extent() {
  const cells = [...board.words.keys()].map((name) => name.split(",").map(Number));
  const [xs, ys] = [cells.map(([x]) => x), cells.map(([, y]) => y)];
  return {
    left: (Math.min(...xs) - 1) * CELL, right: (Math.max(...xs) + 2) * CELL,
    top: (Math.min(...ys) - 1) * CELL, bottom: (Math.max(...ys) + 2) * CELL,
  };
}

function seeWhole() {
  const { left, right, top, bottom } = extent();
  const [wide, high] = [right - left, bottom - top];
  const all = Math.min(size.width / wide, size.height / high);
  const framed = Math.min((size.width - 2 * MARGIN.x) / wide, (size.height - 2 * MARGIN.y) / high);
  // Where a placement is looked at from nearby, the whole board needs no margin.
  camera.scale = within(Math.max(framed, Math.min(all, FAR)), MIN_SCALE, MAX_FITTED_SCALE);
  camera.x = (left + right) / 2;
  camera.y = (top + bottom) / 2;
}

/** The whole board, or where that would be too small, what was placed last. */
function seeUnasked() {
  seeWhole();
  if (camera.scale * CELL >= MIN_CELL) return;
  camera.scale = (MIN_CELL + 20) / CELL;
  const [last] = board.last;
  if (!last) return;
  camera.x = (last.x + 0.5) * CELL;
  camera.y = (last.y + 0.5) * CELL;
}

/** Move so far that a cell can be seen. @param {number} x @param {number} y */
function include(x, y) {
  const [width, height] = [size.width / camera.scale / 2 - 1.3 * CELL, size.height / camera.scale / 2 - 1.3 * CELL];
  const [middle, line] = [(x + 0.5) * CELL, (y + 0.5) * CELL];
  camera.x = within(camera.x, middle - Math.max(width, 0), middle + Math.max(width, 0));
  camera.y = within(camera.y, line - Math.max(height, 0), line + Math.max(height, 0));
}

/**
 * @param {number} factor
 * @param {{x: number, y: number}} [at] the point of the screen that stays where it is
 */
function zoom(factor, at) {
  const box = map().getBoundingClientRect();
  const [right, down] = at ? [at.x - box.left - box.width / 2, at.y - box.top - box.height / 2] : [0, 0];
  const before = camera.scale;
  camera.scale = within(before * factor, MIN_SCALE, MAX_SCALE);
  camera.x += right / before - right / camera.scale;
  camera.y += down / before - down / camera.scale;
  camera.own = true;
  farther = null;
  showCamera();
  showGhost();
}

/** By so many pixels of the screen. @param {number} right @param {number} down */
function pan(right, down) {
  camera.x -= right / camera.scale;
  camera.y -= down / camera.scale;
  camera.own = true;
  showCamera();
}

/** @param {string} view */
function look(view) {
  if (view === "in") zoom(1.25);
  if (view === "out") zoom(0.8);
  if (view === "whole") {
    seeWhole();
    camera.own = false;
    farther = null;
  }
  if (view === "last" && board.last.length) {
    camera.scale = Math.max(camera.scale, 0.8);
    camera.x = (board.last[0].x + 0.5) * CELL;
    camera.y = (board.last[0].y + 0.5) * CELL;
    camera.own = true;
  }
  showCamera();
  showGhost();
}

// --- A placement, before it is made --------------------------------------------------------------

/** Places where the picked piece may go. @param {Draft} of */
const open = (of) => (board.draft?.cells ?? []).filter((cell) => !reason(cell, of));

/** Why a piece cannot go to a place; "": it can. @param {Place} cell @param {Draft} of */
const reason = (cell, of) => (of.kind === "tower" ? cell.tower : cell.tile);

/** @param {Element} source a piece beside the board, or the button over it @returns {Draft} */
function drafted(source) {
  const slot = source.closest(".tile-slot");
  const piece = /** @type {HTMLElement} */ (slot?.querySelector(".piece-tile") ?? source);
  const pressed = /** @type {HTMLElement | null} */ (slot?.querySelector(".tile-pick") ?? null);
  const { card = "", title = "", kind: sort = "", units = "0,0,0,0", value = "0", flag = "", slug = "" } = piece.dataset;
  return {
    card: Number(card), name: title, kind: sort, temple: slug.endsWith("temple"), units: units.split(",").map(Number),
    value: Number(value), flag, source: pressed, piece, notation: pressed?.dataset.option ?? "", answered: 0,
    cell: null, turn: 0, token: null,
  };
}

/** The tokens that could be played with the draft where it is. @returns {Token[]} */
function tokens() {
  if (!draft?.cell || draft.kind !== "field" || kind() === "circle-tile") return [];
  return draft.cell.tokens.flatMap((id) => {
    const shown = /** @type {HTMLElement | null} */ (table.querySelector(`.tokens-own [data-card="${id}"]`));
    if (!shown) return [];
    const { token = "", name = "", whose, change = "", number = "0" } = shown.dataset;
    const effect = whose ? { whose, change, number: Number(number) } : null;
    return [{ option: `token ${token}`, id, name, effect, face: shown.querySelector("svg") }];
  });
}

/** The answers that the draft is, in order, without those that the server gives by itself. */
function answers() {
  if (!draft?.cell) return [];
  const { answered, cell, kind: sort, notation, token, turn, units } = draft;
  const moves = [];
  if (answered < 1) moves.push(notation);
  if (answered < 2 && kind() !== "circle-tile" && open(draft).length > 1) moves.push(`cell ${key(cell.x, cell.y)}`);
  if (answered < 3 && sort === "field" && looks(units) > 1) moves.push(`turn ${turn}`);
  if (tokens().length) moves.push(token?.option ?? "none");
  return moves;
}

/** Pick a piece up. @param {HTMLElement} source the button over it */
function pick(source) {
  putBack();
  draft = drafted(source);
  source.classList.add("is-picked");
  source.setAttribute("aria-pressed", "true");
  const [only, ...more] = open(draft);
  if (only && !more.length) draft.cell = only;
  showChoices();
  showDraft();
  showGhost();
  const first = table.querySelector(".layer-choices .may");
  if (source.matches(":focus-visible") && first instanceof SVGElement) first.focus();
}

/** @returns {boolean} whether there was something to put back */
function putBack() {
  const held = draft !== null || aimed !== null;
  draft?.source?.classList.remove("is-picked");
  draft?.source?.removeAttribute("aria-pressed");
  aimed?.classList.remove("is-aimed-at");
  draft = null;
  aimed = null;
  hovered = null;
  if (farther) {
    goBack();
    showCamera();
  }
  showChoices();
  showDraft();
  showGhost();
  return held;
}

/**
 * Light up the places of what is picked, with their reasons where they are closed. Without a pick they are
 * not seen, but a lesson may point at one.
 */
function showChoices() {
  const layer = table.querySelector(".layer-choices");
  if (!layer || !board.draft) return;
  const pointed = new Set([...layer.querySelectorAll(".is-pointed")].map((element) => element.getAttribute("data-slot")));
  layer.replaceChildren();
  if (draft && draft.answered >= 2) return;
  for (const cell of board.draft.cells) {
    const why = draft ? reason(cell, draft) : "";
    const slot = `cell ${key(cell.x, cell.y)}`;
    const element = draw("g", { class: "choice", transform: `translate(${cell.x * CELL} ${cell.y * CELL})`, "data-slot": slot });
    element.classList.toggle("is-pointed", pointed.has(slot));
    element.append(draw("rect", { x: 5, y: 5, width: 90, height: 90, rx: 9 }));
    layer.append(element);
    if (!draft) continue;
    element.classList.add(...(why ? ["is-closed"] : ["is-open", "may"]));
    element.setAttribute("data-choice", key(cell.x, cell.y));
    if (why) {
      element.append(drawn(REASONS[why] ?? "crater", 50, 50, 46));
    } else {
      const named = { tabindex: "0", role: "button", "aria-label": `${draft.name} to ${where(cell.x, cell.y)}` };
      for (const [name, value] of Object.entries(named)) element.setAttribute(name, value);
    }
  }
}

/** A tap on a place of the board. @param {Element} element @param {boolean} byKey */
function choose(element, byKey) {
  const name = /** @type {SVGElement} */ (element).dataset.choice ?? "";
  if (element.matches("[data-answer]")) return aim(element, byKey);
  const cell = board.draft?.cells.find(({ x, y }) => key(x, y) === name);
  if (!draft || !cell) return undefined;
  const why = reason(cell, draft);
  if (why) return refuse(element, ...WHY[why]);
  if (draft.cell === cell) {
    if (byKey) /** @type {HTMLElement | null} */ (table.querySelector("[data-send-draft]"))?.focus();
    else turn(1);
    return undefined;
  }
  draft.cell = cell;
  hovered = null;
  if (draft.token && !tokens().some(({ id }) => id === draft?.token?.id)) draft.token = null;
  goNear(cell);
  showCamera();
  showDraft();
  showGhost();
  return undefined;
}

/** Where the reader looked from before a piece was placed from nearer by. @type {typeof camera | null} */
let farther = null;

/** Near enough to read the sums round a place. @param {{x: number, y: number}} cell */
function goNear({ x, y }) {
  if (camera.scale < FAR) {
    farther ??= { ...camera };
    camera.scale = FAR + 0.13;
    camera.x = (x + 0.5) * CELL;
    camera.y = (y + 0.5) * CELL;
  }
  // The whole board is seen as it is: then nothing moves under the finger.
  if (farther || camera.own) include(x, y);
  if (farther) leaveNoRoom();
}

/** Move so far that nothing beyond the outermost places is seen, as long as there is board to be seen instead. */
function leaveNoRoom() {
  const { left, right, top, bottom } = extent();
  const { scale } = camera;
  camera.x = middleOf(camera.x, left - MARGIN.x / scale, right + MARGIN.x / scale, size.width / scale);
  camera.y = middleOf(camera.y, top - MARGIN.y / scale, bottom + MARGIN.y / scale, size.height / scale);
}

/**
 * The middle of what is seen of a stretch, as near as can be to the one that is wanted.
 * @param {number} wanted
 * @param {number} from
 * @param {number} to
 * @param {number} seen
 */
const middleOf = (wanted, from, to, seen) =>
  to - from <= seen ? (from + to) / 2 : within(wanted, from + seen / 2, to - seen / 2);

/** And back, once it is placed or put back. */
function goBack() {
  if (farther) Object.assign(camera, farther);
  farther = null;
  fit();
}

/** Point at something before saying so. @param {Element} element @param {boolean} byKey */
function aim(element, byKey) {
  if (aimed === element && byKey) /** @type {HTMLElement | null} */ (table.querySelector("[data-send-draft]"))?.focus();
  aimed?.classList.remove("is-aimed-at");
  aimed = element;
  hovered = null;
  element.classList.add("is-aimed-at");
  showDraft();
  showGhost();
}

/** Quarter turns clockwise. @param {number} by */
function turn(by) {
  if (!draft || !shownCell() || draft.kind !== "field" || draft.answered >= 3) return;
  const count = looks(draft.units);
  draft.turn = (draft.turn + by + count) % count;
  showDraft();
  showGhost();
}

/**
 * Say in the tray why nothing can go to a place, and mark the place.
 * @param {Element} element
 * @param {string} sentence
 * @param {string} rule
 */
function refuse(element, sentence, rule) {
  showDraft();
  element.classList.add("is-refused");
  const note = document.createElement("p");
  note.className = "draft-why";
  note.setAttribute("role", "alert");
  const link = document.createElement("a");
  link.href = `/rules/${rule}/`;
  link.dataset.rules = "";
  link.textContent = "What the rules say";
  note.append(sentence, " ", link);
  table.querySelector("[data-draft-panel]")?.append(note);
}

/** A point of the drawing in pixels of its place. @param {number} x @param {number} y */
const onScreen = (x, y) => [(x - camera.x) * camera.scale + size.width / 2, (y - camera.y) * camera.scale + size.height / 2];

/** The place of the draft, or the one that the mouse points at. @returns {Place | null} */
function shownCell() {
  if (draft?.cell) return draft.cell;
  const name = /** @type {SVGElement | null} */ (hovered)?.dataset.choice;
  return board.draft?.cells.find(({ x, y }) => key(x, y) === name) ?? null;
}

/** What is chosen, as words and buttons in the tray. */
function showDraft() {
  const panel = /** @type {HTMLElement | null} */ (table.querySelector("[data-draft-panel]"));
  table.querySelector(".is-refused")?.classList.remove("is-refused");
  if (!panel) return;
  const question = table.querySelector("[data-question]");
  if (question instanceof HTMLElement) {
    question.dataset.before ??= question.textContent ?? "";
    question.textContent = ask() || question.dataset.before;
  }
  const kept = panel.contains(document.activeElement) ? /** @type {HTMLElement} */ (document.activeElement).dataset : null;
  panel.hidden = !draft && !aimed;
  const tray = table.querySelector(".tray");
  tray?.classList.toggle("is-drafting", !panel.hidden);
  tray?.classList.toggle("is-placing", Boolean(draft?.cell));
  tray?.classList.toggle("is-aiming", aimed !== null);
  panel.replaceChildren();
  showTokens();
  if (panel.hidden) return;
  const words = document.createElement("p");
  words.className = "draft-words";
  words.setAttribute("role", "status");
  if (aimed || draft?.cell) panel.append(button(sendWords(), "button button-action", "sendDraft"));
  if (draft?.cell && draft.kind === "field" && draft.answered < 3 && looks(draft.units) > 1) panel.append(button("Turn", "button", "turnDraft"));
  if (!draft?.answered) panel.append(button("Cancel", "button button-quiet", "backDraft"));
  panel.append(words);
  showWords();
  if (kept?.sendDraft !== undefined) /** @type {HTMLElement | null} */ (panel.querySelector("[data-send-draft]"))?.focus();
  if (kept?.turnDraft !== undefined) /** @type {HTMLElement | null} */ (panel.querySelector("[data-turn-draft]"))?.focus();
}

/** What it would lead to: in the tray, and beside each score. */
function showWords() {
  const coming = outcome();
  const words = table.querySelector(".draft-words");
  if (words) words.textContent = coming ? outcomeWords(coming) : "";
  for (const [side, points] of /** @type {[string, number | undefined][]} */ ([["O", coming?.orcs], ["K", coming?.knights]])) {
    const after = table.querySelector(`[data-score="${side}"] [data-score-after]`);
    if (after) after.textContent = points === undefined || points === scoreOf(board, side) ? "" : `→ ${points}`;
  }
}

/** The sentence of the tray while something is being chosen; "": the server's own. */
function ask() {
  if (!draft || aimed || draft.answered >= 3) return "";
  if (!draft.cell) return `${draft.name}: choose a space.`;
  if (draft.kind !== "field") return `Place ${draft.name} here?`;
  return tokens().length ? "Turn the tile or add a token." : "Turn the tile or place it.";
}

function sendWords() {
  if (aimed) return aimed.getAttribute("aria-label") ?? "Choose";
  if (!draft) return "";
  if (draft.answered >= 3) return draft.token ? `Play ${draft.token.name}` : "Play no token";
  if (draft.kind !== "field") return "Place";
  return draft.token ? `Place with ${draft.token.name}` : "Place tile";
}

/** @param {string} words @param {string} look @param {string} name */
function button(words, look, name) {
  const element = document.createElement("button");
  element.type = "button";
  element.className = look;
  element.textContent = words;
  element.dataset[name] = "";
  if (name === "sendDraft") element.classList.add("may");
  return element;
}

/** What the choice, or what the mouse points at, would lead to. @returns {Outcome | null} */
function outcome() {
  const target = aimed ?? (hovered?.matches("[data-answer]") ? hovered : null);
  if (!target) {
    const cell = shownCell();
    return draft && cell ? weigh(board, draft, cell) : null;
  }
  const preview = JSON.parse(/** @type {SVGElement} */ (target).dataset.preview || "null");
  if (!preview?.towers) return null;
  const name = (/** @type {{x: number, y: number}} */ { x, y }) => board.towers.find(([tx, ty]) => tx === x && ty === y)?.[2] ?? "The tower";
  return {
    ...preview,
    corners: preview.corners.map((/** @type {any} */ corner) => ({ ...corner, missing: corner.result ? 0 : 1, result: corner.result ?? "" })),
    towers: preview.towers.map((/** @type {any} */ tower) => ({ ...tower, was: tower.was ?? "", owner: tower.owner ?? "", name: name(tower) })),
  };
}

/** Send all that has been chosen as one. */
function send() {
  if (aimed) {
    const { answer = "" } = /** @type {SVGElement} */ (aimed).dataset;
    /** @type {HTMLElement | null} */ (table.querySelector(`#as-list [data-option="${CSS.escape(answer)}"]`))?.click();
    return;
  }
  const form = /** @type {HTMLFormElement | null} */ (document.getElementById("answer"));
  const pressed = /** @type {HTMLElement | null} */ (table.querySelector("[data-send-draft]"));
  if (!form || !pressed || !draft?.cell) return;
  const fields = [["together", "1"], ...answers().map((move, number) => [`move-${number + 1}`, move])].map(([name, value]) => {
    const field = document.createElement("input");
    Object.assign(field, { type: "hidden", name, value });
    return field;
  });
  const submit = document.createElement("button");
  submit.type = "submit";
  submit.hidden = true;
  form.dataset.together = "";
  form.append(...fields, submit);
  form.requestSubmit(submit);
  // The form has been read; after a refusal the draft stands as it was.
  delete form.dataset.together;
  for (const field of [...fields, submit]) field.remove();
}

// --- The ghost -----------------------------------------------------------------------------------

/** Draw the piece where it would lie, with the sums at the corners it touches. */
function showGhost() {
  const layer = table.querySelector(".layer-ghost");
  if (!layer) return;
  layer.replaceChildren();
  const cell = shownCell();
  if (draft && cell && draft.answered < 3) {
    const lying = ghost(draft, cell);
    lying.classList.toggle("is-hovered", !draft.cell);
    layer.append(lying);
  }
  if (draft?.cell && draft.answered >= 3 && draft.token) layer.append(chip(draft.token, draft.cell));
  const coming = outcome();
  // Sums stay legible at any scale.
  const larger = within(0.95 / camera.scale, 0.75, 2.4);
  for (const tower of coming?.towers ?? []) layer.append(takeover(tower));
  for (const corner of coming?.corners ?? []) layer.append(pill(corner, larger));
}

/** @param {Draft} of @param {Place} at */
function ghost(of, at) {
  const group = draw("g", { class: "ghost", transform: `translate(${at.x * CELL} ${at.y * CELL})` });
  const children = [...(of.piece?.querySelector("svg")?.children ?? [])];
  const [first, ...pieces] = children.map((child) => /** @type {Element} */ (child.cloneNode(true)));
  if (first) group.append(first);
  const side = board.sides[board.seat ?? 0];
  const plain = turned(of.units, of.turn);
  const counted = strengthened(plain, of.token?.effect ?? null, side);
  for (const [printed, piece] of pieces.entries()) {
    if (of.kind === "field") {
      const [x, y] = UNITS[(printed + of.turn) % 4];
      if (piece.tagName === "use") {
        piece.setAttribute("x", String(x - 21.5));
        piece.setAttribute("y", String(y - 21.5));
      } else {
        piece.setAttribute("cx", String(x));
        piece.setAttribute("cy", String(y));
      }
    }
    group.append(piece);
  }
  for (const [corner, strength] of counted.entries()) {
    if (strength === plain[corner]) continue;
    const [x, y] = [50 + (UNITS[corner][0] - 50) * 1.52, 50 + (UNITS[corner][1] - 50) * 0.34];
    group.append(draw("g", { class: "changed" }, draw("circle", { cx: x, cy: y, r: 9 }), draw("text", { x, y: y + 4.6 }, String(Math.abs(strength)))));
  }
  if (of.token) group.append(emblem(of.token));
  group.append(draw("rect", { class: "ghost-edge", x: 1, y: 1, width: 98, height: 98, rx: 7 }));
  return group;
}

/** @param {Token} token */
function emblem(token) {
  const face = token.face?.firstElementChild?.cloneNode(true);
  return draw("g", { transform: "translate(31 31) scale(0.38)" }, ...(face ? [/** @type {Element} */ (face)] : []));
}

/** @param {Token} token @param {{x: number, y: number}} at */
const chip = (token, at) => draw("g", { class: "ghost", transform: `translate(${at.x * CELL} ${at.y * CELL})` }, emblem(token));

/** A tower that would change hands. @param {{x: number, y: number, owner: string}} tower */
function takeover({ x, y, owner: now }) {
  const group = draw("g", { class: `takeover takeover-${now || "free"}`, transform: `translate(${x * CELL} ${y * CELL})` });
  group.append(draw("rect", { x: 4, y: 4, width: 92, height: 92, rx: 8 }));
  if (now) group.append(draw("circle", { cx: 50, cy: 44, r: 25 }), drawn(now === "O" ? "tusk" : "helm", 50, 44, 32));
  return group;
}

/** The sums at a corner: orcs, knights. @param {Corner & {x: number, y: number, corner: number}} of @param {number} larger */
function pill({ x, y, corner, orcs, knights, missing, result }, larger) {
  const [right, down] = POINTS[corner];
  const [width, height] = [size.width / camera.scale / 2, size.height / camera.scale / 2];
  // At the edge of what is seen it moves inwards, whole.
  const inside = (/** @type {number} */ at, /** @type {number} */ middle, /** @type {number} */ room, /** @type {number} */ half) =>
    Math.abs(at - middle) > room ? at : within(at, middle - room + half * larger, middle + room - half * larger);
  const [across, along] = [inside(x * CELL + right, camera.x, width, 37), inside(y * CELL + down, camera.y, height, 12)];
  const group = draw("g", {
    class: `pill pill-${missing ? "open" : result}`,
    transform: `translate(${across} ${along}) scale(${larger})`,
  });
  group.append(
    draw("rect", { x: -36, y: -11, width: 72, height: 22, rx: 11 }),
    drawn("tusk", -26, 0, 13), draw("text", { x: 0, y: 5.2 }, `${orcs} : ${knights}`), drawn("helm", 26, 0, 13),
  );
  return group;
}

/** The own tokens where they lie in the tray, as buttons where they could go with the tile. */
function showTokens() {
  const list = /** @type {HTMLElement | null} */ (table.querySelector("[data-token-choices]"));
  const own = /** @type {HTMLElement | null} */ (table.querySelector(".tokens-own"));
  if (!list || !own) return;
  const offered = new Map(tokens().map((token) => [String(token.id), token]));
  const active = /** @type {HTMLElement | null} */ (list.contains(document.activeElement) ? document.activeElement : null);
  const held = active?.dataset.chip;
  [list.hidden, own.hidden] = [!offered.size, offered.size > 0];
  list.replaceChildren();
  for (const shown of offered.size ? own.querySelectorAll("[data-token]") : []) {
    const { card = "", name = "" } = /** @type {HTMLElement} */ (shown).dataset;
    const token = offered.get(card);
    const choice = token ? button("", "token-own key-cap may", "chip") : document.createElement("span");
    choice.append(.../** @type {Element} */ (shown.cloneNode(true)).children);
    if (token) {
      choice.dataset.chip = card;
      choice.setAttribute("aria-pressed", String(draft?.token?.id === token.id));
    } else {
      choice.className = "token-own is-idle";
      choice.title = `${name} cannot be played here`;
    }
    const item = document.createElement("li");
    item.append(choice);
    list.append(item);
  }
  if (held) /** @type {HTMLElement | null} */ (list.querySelector(`[data-chip="${held}"]`))?.focus();
}

/** @param {number} id the token's number; once more takes it off again */
function toggle(id) {
  if (!draft) return;
  draft.token = draft.token?.id === id ? null : (tokens().find((token) => token.id === id) ?? null);
  showDraft();
  showGhost();
}

// --- Pointers ------------------------------------------------------------------------------------

/**
 * Pointers that are down on the board: where each was last, and where it was pressed.
 * @type {Map<number, {x: number, y: number, startX: number, startY: number}>}
 */
const fingers = new Map();
/** The pointers that are down have dragged or pinched the board: their release chooses nothing. */
let dragged = false;
let pressing = 0;

document.addEventListener("pointerdown", (event) => {
  const target = /** @type {Element} */ (event.target);
  if (!target.closest?.(".board-map") || (event.pointerType === "mouse" && event.button !== 0)) return;
  if (!fingers.size) dragged = false;
  const { clientX: x, clientY: y } = event;
  fingers.set(event.pointerId, { x, y, startX: x, startY: y });
  window.clearTimeout(pressing);
  if (event.pointerType !== "mouse") pressing = window.setTimeout(() => !dragged && caption(x, y), 450);
});

document.addEventListener("pointermove", (event) => {
  const before = fingers.get(event.pointerId);
  if (!before) {
    if (event.pointerType === "mouse" && table) follow(event);
    return;
  }
  const now = { ...before, x: event.clientX, y: event.clientY };
  const limit = event.pointerType === "mouse" ? DRAG_DISTANCE.mouse : DRAG_DISTANCE.touch;
  dragged ||= fingers.size > 1 || Math.hypot(now.x - before.startX, now.y - before.startY) >= limit;
  if (!dragged) return;
  const [right, down] = [now.x - before.x, now.y - before.y];
  fingers.set(event.pointerId, now);
  map().classList.add("is-dragged");
  const other = [...fingers].find(([id]) => id !== event.pointerId)?.[1];
  if (!other) {
    pan(right, down);
    return;
  }
  const spread = (/** @type {{x: number, y: number}} */ finger) => Math.hypot(finger.x - other.x, finger.y - other.y);
  zoom(spread(now) / Math.max(spread(before), 1), { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 });
  pan(right / 2, down / 2);
});

/** Show what the mouse points at: the ghost on an open place, else what lies there. @param {PointerEvent} event */
function follow(event) {
  const target = /** @type {Element} */ (event.target);
  const over = target.closest?.(".board-map") ?? null;
  if (over) caption(event.clientX, event.clientY);
  else say("");
  const choice = over && !draft?.cell && !aimed && !isBusy() ? target.closest(".layer-choices .is-open") : null;
  if (choice === hovered) return;
  hovered = choice;
  showWords();
  showGhost();
}

for (const name of ["pointerup", "pointercancel"]) {
  document.addEventListener(name, (event) => {
    window.clearTimeout(pressing);
    fingers.delete(/** @type {PointerEvent} */ (event).pointerId);
    if (fingers.size || !table) return;
    map()?.classList.remove("is-dragged");
    if (/** @type {PointerEvent} */ (event).pointerType !== "mouse") say("");
  });
}

document.addEventListener(
  "wheel",
  (event) => {
    const target = /** @type {Element} */ (event.target);
    if (!target.closest?.(".board-map")) return;
    event.preventDefault();
    const at = cellAt(event.clientX, event.clientY);
    if (draft?.cell && draft.kind === "field" && at.x === draft.cell.x && at.y === draft.cell.y && !event.ctrlKey) {
      turnByWheel(event.deltaY);
    } else {
      zoom(Math.exp(-event.deltaY * (event.ctrlKey ? 0.008 : 0.0015)), { x: event.clientX, y: event.clientY });
    }
  },
  { passive: false },
);

let wheeled = 0;
let wheeledAt = 0;

/** One notch is one quarter turn, however finely a wheel counts. @param {number} by */
function turnByWheel(by) {
  const now = performance.now();
  if (now - wheeledAt > 250) wheeled = 0;
  wheeledAt = now;
  wheeled += by;
  if (Math.abs(wheeled) < 40) return;
  turn(Math.sign(wheeled));
  wheeled = 0;
}

/** @param {number} clientX @param {number} clientY */
function cellAt(clientX, clientY) {
  const box = map().getBoundingClientRect();
  const x = camera.x + (clientX - box.left - box.width / 2) / camera.scale;
  const y = camera.y + (clientY - box.top - box.height / 2) / camera.scale;
  return { x: Math.floor(x / CELL), y: Math.floor(y / CELL) };
}

/** Name the place under the pointer, and what lies there. @param {number} clientX @param {number} clientY */
function caption(clientX, clientY) {
  const { x, y } = cellAt(clientX, clientY);
  const words = board.words.get(key(x, y));
  say(`${where(x, y).replace(/^./, (letter) => letter.toUpperCase())}${words ? `: ${words}` : ""}`);
}

/** @param {string} words beside the board's tools; "": nothing is pointed at any more */
function say(words) {
  const line = table.querySelector("[data-caption]");
  if (line && line.textContent !== words) line.textContent = words;
}

document.addEventListener("pointerover", (event) => {
  const overview = /** @type {Element} */ (event.target).closest?.(".overview");
  if (overview && event.buttons) goTo(overview, event);
});

/** @param {Element} overview @param {MouseEvent} event */
function goTo(overview, event) {
  const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(/** @type {SVGSVGElement} */ (overview).getScreenCTM()?.inverse());
  [camera.x, camera.y, camera.own] = [point.x, point.y, true];
  showCamera();
}

// In the capturing phase: a tile's button would otherwise be sent as a single answer.
document.addEventListener(
  "click",
  (event) => {
    const target = /** @type {Element} */ (event.target);
    if (!table || !target.closest) return;
    const stop = () => {
      event.preventDefault();
      event.stopPropagation();
    };
    if (target.closest(".board-map") && dragged) return stop();
    const overview = target.closest(".overview");
    if (overview) goTo(overview, event);
    const view = /** @type {HTMLElement | null} */ (target.closest("[data-view]"));
    if (view) look(view.dataset.view ?? "");
    const shelf = /** @type {HTMLElement | null} */ (target.closest("[data-shelf]"));
    if (shelf) table.querySelector(`[data-shelf-of="${shelf.dataset.shelf}"]`)?.scrollIntoView({ inline: "start", block: "nearest" });
    if (isBusy() || isReplay()) return undefined;
    if (target.closest("[data-send-draft]")) send();
    if (target.closest("[data-turn-draft]")) turn(1);
    const token = /** @type {HTMLElement | null} */ (target.closest("[data-chip]"));
    if (token) toggle(Number(token.dataset.chip));
    if (target.closest("[data-back-draft]")) {
      const source = draft?.source;
      putBack();
      source?.focus();
    }
    const pressed = /** @type {HTMLElement | null} */ (target.closest(".tile-slot")?.querySelector(".tile-pick") ?? null);
    if (pressed && !target.closest("[popover]")) {
      if (pressed.dataset.place === undefined) return undefined;
      stop();
      if (draft?.source === pressed) putBack();
      else pick(pressed);
      return undefined;
    }
    const choice = target.closest("[data-choice]");
    if (choice) choose(choice, false);
    return undefined;
  },
  true,
);

// A piece under its button can be looked at closely all the same: by resting on it, pressing it, with L.
for (const name of ["pointerover", "pointerdown"]) {
  document.addEventListener(name, (event) => {
    const { target, pointerType } = /** @type {PointerEvent} */ (event);
    if (!(target instanceof Element) || !target.matches(".tile-pick")) return;
    pieceUnder(target)?.dispatchEvent(new PointerEvent(name, { bubbles: true, pointerType }));
  });
}

/** @param {Element} pressed */
const pieceUnder = (pressed) => /** @type {HTMLElement | null} */ (pressed.parentElement?.querySelector(".piece-tile") ?? null);

// --- Keys ----------------------------------------------------------------------------------------

const STEP = 90;
const WAYS = /** @type {Record<string, [number, number]>} */ ({ ArrowLeft: [STEP, 0], ArrowRight: [-STEP, 0], ArrowUp: [0, STEP], ArrowDown: [0, -STEP] });

document.addEventListener(
  "keydown",
  (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    if (!table || event.ctrlKey || event.metaKey || event.altKey) return;
    if (target.closest("input:not([type=checkbox], [type=radio]), textarea, select")) return;
    if (document.querySelector("dialog[open], :popover-open:not(#hint)")) return; // a hint is played while it is read
    const name = event.key;
    const choice = target.closest("[data-choice]");
    const free = !isBusy() && !isReplay();
    // In a replay the arrows go from step to step.
    if (name in WAYS && !isReplay() && (event.shiftKey || (!asked() && !target.closest(".table-lines")))) pan(...WAYS[name]);
    else if (name === "+" || name === "=") look("in");
    else if (name === "-") look("out");
    else if (name === "b" || name === "B") look("whole");
    else if (name === "m" || name === "M") look("last");
    else if ((name === "r" || name === "R") && draft && shownCell()) turn(event.shiftKey ? -1 : 1);
    else if (name === "Escape" && free && putBackByKey()) event.stopPropagation();
    else if ((name === "l" || name === "L") && target.matches(".tile-pick")) return pieceUnder(target)?.focus();
    else if (choice && free && (name === "Enter" || name === " ")) choose(choice, true);
    else return undefined;
    event.preventDefault();
    return undefined;
  },
  true,
);

function putBackByKey() {
  const source = draft?.source;
  if (draft?.answered) return false;
  const held = putBack();
  if (held) source?.focus();
  return held;
}

// Only a focus by key moves the board: a press that moved it would miss what it was meant for.
document.addEventListener("focusin", ({ target }) => {
  const choice = /** @type {SVGElement | null} */ (target instanceof Element ? target.closest(".board-map [data-choice]") : null);
  if (!choice?.matches(":focus-visible") || fingers.size || !table) return;
  const [x, y] = (choice.dataset.choice ?? "0,0").split(",").map(Number);
  include(x, y);
  showCamera();
  say(where(x, y).replace(/^./, (letter) => letter.toUpperCase()));
});

document.addEventListener("focusout", ({ target }) => {
  if (table && target instanceof Element && target.closest(".board-map [data-choice]")) say("");
});

// --- The table, drawn anew -----------------------------------------------------------------------

/** @param {HTMLElement} next */
function prepare(next) {
  table = next;
  draft = null;
  aimed = null;
  hovered = null;
  board = read(next);
  if (document.contains(next)) {
    measure();
    watchSize();
  }
  goBack();
  if (camera.own) for (const { x, y } of board.last) include(x, y);
  else seeUnasked();
  listOnDemand();
  if (document.contains(next)) showShelf(); // until then the list stands where the shelves are
  showChoices();
  goOn();
  showCamera();
}

/** On a phone, the part of the tray that is asked for. */
function showShelf() {
  const wanted = kind() === "draw-tile" && asked() ? "row" : "hand";
  const shelf = /** @type {HTMLElement | null} */ (table.querySelector(`[data-shelf-of="${wanted}"]`));
  const shelves = table.querySelector("[data-shelves]");
  if (shelf && shelves) shelves.scrollLeft = shelf.offsetLeft - /** @type {HTMLElement} */ (shelves).offsetLeft;
}

/** The answers as a list open on demand: the board asks for them. */
function listOnDemand() {
  const list = /** @type {HTMLElement | null} */ (table.querySelector("#as-list[data-as-list]"));
  if (!list) return;
  list.popover = "auto";
  list.classList.add("paper-panel", "sheet");
  list.querySelector(".paper-panel-head")?.removeAttribute("hidden");
  // On a phone it stands beside the tray's tabs, where the question has no room for it.
  for (const [home, look] of [["#ask", "button button-small button-quiet"], [".shelf-tabs", "shelf-tab"]]) {
    const opener = document.createElement("button");
    opener.type = "button";
    opener.className = `${look} open-list`;
    opener.setAttribute("popovertarget", "as-list");
    opener.textContent = "All answers";
    table.querySelector(home)?.append(opener);
  }
}

/** Where the server asks for a part of a placement, the draft goes on from there. */
function goOn() {
  const { draft: outlook } = board;
  if (!asked() || !outlook || outlook.picked === null || outlook.picked === undefined) return;
  const source = /** @type {HTMLElement | null} */ (table.querySelector(`.tray [data-card="${outlook.picked}"]`));
  const answered = ["place-tile", "place-cell", "place-rotation", "play-token"].indexOf(kind());
  if (answered < 1) return;
  const chosen = outlook.cell;
  const same = (/** @type {Place} */ { x, y }) => x === chosen?.x && y === chosen.y;
  const cell = chosen ? (outlook.cells.find(same) ?? { ...chosen, tile: "", tower: "", tokens: [] }) : null;
  if (source) draft = { ...drafted(source), answered, cell };
  else if (cell) {
    // It lies on the board already: only a token may still go with it.
    const units = board.units.get(key(cell.x, cell.y)) ?? [0, 0, 0, 0];
    draft = {
      card: outlook.picked, name: "", kind: "field", temple: false, units, value: 0, flag: "", source: null, piece: null,
      notation: "", answered, cell, turn: 0, token: null,
    };
  }
  showChoices();
  showDraft();
  showGhost();
}

document.addEventListener("table:prepared", (event) => {
  const { table: next } = /** @type {CustomEvent<Prepared>} */ (event).detail;
  prepare(next);
});

/** Fit the board into its room, unless somebody has moved it or looks at a placement from nearby. */
function fit() {
  if (!camera.own && !farther) seeUnasked();
}

/** @type {ResizeObserver | null} */
let watching = null;

function watchSize() {
  watching?.disconnect();
  watching = new ResizeObserver(() => {
    const before = { ...size };
    measure();
    if (before.width === size.width && before.height === size.height) return;
    const [wider, higher] = [size.width - before.width, size.height - before.height];
    // The tray grows a little with what is chosen: the pieces stay where they are on the screen.
    if ((draft?.cell || aimed) && !wider && Math.abs(higher) <= 2 * MARGIN.y) camera.y += higher / 2 / camera.scale;
    else fit();
    showCamera();
    showGhost();
  });
  watching.observe(place());
}

// --- What happens --------------------------------------------------------------------------------

const POP = [{ opacity: 0 }, { opacity: 1, offset: 0.3 }, { opacity: 1, offset: 0.85 }, { opacity: 0 }];

/**
 * Show the sums at a corner for a while, or a light round a cell.
 * @param {Element} mark
 * @param {number} pace
 */
async function flash(mark, pace) {
  table.querySelector(".layer-ghost")?.append(mark);
  await mark.animate(POP, { duration: 900 * pace }).finished;
  mark.remove();
}

/** What closed cells for a turn goes out. @param {Element} zone @param {number} pace */
async function fade(zone, pace) {
  await zone.animate([{ opacity: 1 }, { opacity: 0 }], { duration: 600 * pace, fill: "forwards" }).finished;
}

const TURNED_AWAY = { transform: "rotate(-180deg) scale(0.1)", opacity: 0 };
const AS_IT_LIES = { transform: "none", opacity: 1 };

/**
 * The Magic Circle opens round a tile, which is turned away.
 * @param {number} x
 * @param {number} y
 * @param {number} pace
 */
async function spirit(x, y, pace) {
  const duration = 900 * pace;
  const ring = draw("g", { class: "swap", transform: `translate(${x * CELL} ${y * CELL})` }, draw("circle", { cx: 50, cy: 50, r: 46 }), drawn("circle", 50, 50, 76));
  const tile = table.querySelector(`[data-cell="${key(x, y)}"] > .drop`);
  const gone = tile?.animate([AS_IT_LIES, TURNED_AWAY], { duration, easing: "ease-in", fill: "forwards" }).finished;
  await Promise.all([gone, flash(ring, pace)]);
}

document.addEventListener("table:happened", (event) => {
  const { kind: name, event: what, pace, wait } = /** @type {CustomEvent<Happened>} */ (event).detail;
  if (typeof what.x !== "number" || !table) return;
  const far = camera.x + camera.y;
  include(what.x, what.y);
  if (far !== camera.x + camera.y) showCamera();
  if (reducedMotion()) return;
  if (/^corner_/.test(name) && what.result) {
    const sums = { x: what.x, y: what.y, corner: what.corner, orcs: what.sums[0], knights: what.sums[1], missing: 0, result: what.result };
    wait(flash(pill(sums, within(0.95 / camera.scale, 0.9, 2.4)), pace));
  } else if (/^tower_/.test(name)) {
    const side = name === "tower_lost" ? "" : board.sides[what.seat];
    wait(flash(takeover({ x: what.x, y: what.y, owner: side }), pace));
  } else if (name === "halberd_live") {
    const zone = draw("rect", { class: "zone", x: (what.x - 1) * CELL, y: (what.y - 1) * CELL, width: 3 * CELL, height: 3 * CELL, rx: 14 });
    wait(flash(zone, pace));
  } else if (name === "halberd_over") {
    for (const zone of table.querySelectorAll(".layer-zones > .zone")) wait(fade(zone, pace));
  } else if (name === "tile_removed" && what.by === "circle") {
    wait(spirit(what.x, what.y, pace));
  } else if (name === "tile_removed") {
    const hole = draw("g", { class: "crater", transform: `translate(${what.x * CELL} ${what.y * CELL})` }, drawn("crater", 50, 50, 80));
    wait(flash(hole, pace));
  }
});

document.addEventListener("table:drawn", (event) => {
  const { news } = /** @type {CustomEvent<Shown>} */ (event).detail;
  measure();
  fit();
  showCamera();
  showGhost();
  watchSize();
  showShelf();
  if (reducedMotion()) return;
  for (const { kind: name, event: what } of news) {
    if (name === "tile_placed") {
      const tile = table.querySelector(`[data-cell="${key(what.x, what.y)}"] > *`);
      if (what.source === "extra") tile?.animate([TURNED_AWAY, AS_IT_LIES], { duration: 500, easing: "ease-out" });
      else tile?.animate([{ transform: "scale(1.5)", opacity: 0 }, AS_IT_LIES], { duration: 240, easing: "ease-out" });
    }
    if (/^tower_/.test(name)) {
      for (const score of table.querySelectorAll(".score-number")) {
        score.animate([{ transform: "scale(1.6)" }, { transform: "none" }], { duration: 300, easing: "ease-out" });
      }
    }
  }
});

// A replay tells of its later tables, but not of the first.
const first = document.getElementById("table");
if (isReplay() && first) prepare(first);
