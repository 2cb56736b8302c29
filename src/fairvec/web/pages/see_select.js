// How words are pointed at and selected: the pointer and keys on a map, outlines, ranges, search, and what is selected.
import { MOST_WORDS } from "./ask_state.js";
import { element, pluralize } from "./dom.js";
import { formatNumber } from "./draw.js";
import { distance, LIST_SHAPES } from "./see_canvas.js";

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

// Where an event lies on a canvas, within its border.
function pointOf(canvas, event) {
  const box = canvas.getBoundingClientRect();
  return [event.clientX - box.left - canvas.clientLeft, event.clientY - box.top - canvas.clientTop];
}

// `does` has: mode() -> "move" | "lasso" | "rectangle"; point(index); enclose(outline, more); toggle(index); clear().
export function bindPointer(picture, does) {
  const { canvas, camera } = picture;
  const fingers = new Map();
  let began = null;
  const middle = () => { const [a, b = a] = [...fingers.values()]; return [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, Math.hypot(a[0] - b[0], a[1] - b[1])]; };

  // A word is focused where the mouse rests, not on its way to the list of neighbours.
  let resting = 0;
  const hover = (event, at) => {
    clearTimeout(resting);
    const index = event.pointerType === "mouse" ? picture.nearestTo(...at) : -1;
    if (index >= 0) resting = setTimeout(() => does.point(index), 40);
  };
  canvas.addEventListener("pointerleave", () => clearTimeout(resting));

  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, pointOf(canvas, event));
    began = fingers.size === 1 ? { at: pointOf(canvas, event), far: 0, drawing: does.mode() !== "move" } : null;
    picture.outline = [];
  });

  canvas.addEventListener("pointermove", (event) => {
    const at = pointOf(canvas, event);
    if (!fingers.has(event.pointerId)) { hover(event, at); return; }
    const before = middle();
    fingers.set(event.pointerId, at);
    if (began) began.far = Math.max(began.far, Math.hypot(at[0] - began.at[0], at[1] - began.at[1]));
    if (began?.drawing) picture.outline = does.mode() === "rectangle" ? rectangle(began.at, at) : [...(picture.outline.length ? picture.outline : [began.at]), at];
    else {
      const now = middle();
      camera.pan(now[0] - before[0], now[1] - before[1]);
      if (fingers.size > 1 && before[2]) camera.zoom(now[2] / before[2], now[0], now[1]);
    }
    picture.draw();
  });

  const end = (event) => {
    if (!fingers.delete(event.pointerId)) return;
    const outline = picture.outline;
    picture.outline = [];
    if (began && event.type === "pointerup") {
      const index = picture.nearestTo(...pointOf(canvas, event), event.pointerType === "touch" ? 24 : 14);
      if (began.far >= 4 && began.drawing) does.enclose(outline.map(([sx, sy]) => camera.toWorld(sx, sy)), event.shiftKey);
      else if (began.far < 4 && event.pointerType === "mouse" && index >= 0) does.toggle(index);
      else if (began.far < 4) does.point(index);
    }
    began = null;
    picture.draw();
  };
  canvas.addEventListener("pointerup", end);
  canvas.addEventListener("pointercancel", end);

  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    const lines = event.deltaMode === 1 ? 16 : 1;
    camera.zoom(Math.exp(-event.deltaY * lines / 400), ...pointOf(canvas, event));
    picture.draw();
  }, { passive: false });

  canvas.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const [sx, sy] = [picture.width / 2, picture.height / 2], arrow = ARROWS[event.key];
    if (arrow && event.shiftKey) camera.pan(-60 * arrow[0], -60 * arrow[1]);
    else if (arrow) step(picture, arrow, does);
    else if (event.key === "+" || event.key === "=") camera.zoom(1.4, sx, sy);
    else if (event.key === "-") camera.zoom(1 / 1.4, sx, sy);
    else if (event.key === "0") picture.fit();
    else if ((event.key === "Enter" || event.key === " ") && picture.focus >= 0) does.toggle(picture.focus);
    else if (event.key === "Escape") does.clear();
    else return;
    event.preventDefault();
    picture.draw();
  });
}

// Go from the focused word to the nearest labelled one that way; from the middle if none is focused.
function step(picture, [dx, dy], does) {
  const [sx, sy] = picture.focus >= 0 ? picture.at(picture.focus) : [picture.width / 2, picture.height / 2];
  let best = -1, least = Infinity;
  for (const index of picture.labelled ?? []) {
    const [x, y] = picture.at(index), along = (x - sx) * dx + (y - sy) * dy, aside = Math.abs((x - sx) * dy) + Math.abs((y - sy) * dx);
    const cost = along + 2 * aside;
    if (index !== picture.focus && along > 1 && aside <= 2 * along && cost < least) { least = cost; best = index; }
  }
  if (best >= 0) does.point(best, true);
}

// --- What lies inside a line that was drawn by hand, or inside a rectangle ---

// Even-odd rule: a ray to the right from a point inside crosses the outline an odd number of times.
function inside(outline, x, y) {
  let within = false;
  for (let i = 0, j = outline.length - 1; i < outline.length; j = i++) {
    const [ax, ay] = outline[i], [bx, by] = outline[j];
    if ((ay > y) !== (by > y) && x < (bx - ax) * (y - ay) / (by - ay) + ax) within = !within;
  }
  return within;
}

// The corners of the rectangle between two points.
export const rectangle = ([ax, ay], [bx, by]) => [[ax, ay], [bx, ay], [bx, by], [ax, by]];

// The indices of the points inside an outline, all in the same plane.
export function enclosed(outline, x, y) {
  if (outline.length < 3) return [];
  const across = outline.map((point) => point[0]), up = outline.map((point) => point[1]);
  const [left, right, low, high] = [Math.min(...across), Math.max(...across), Math.min(...up), Math.max(...up)];
  const found = [];
  for (let i = 0; i < x.length; i++) {
    if (x[i] >= left && x[i] <= right && y[i] >= low && y[i] <= high && inside(outline, x[i], y[i])) found.push(i);
  }
  return found;
}

// --- Ranges on parallel axes, by dragging along an axis or typed: a word is in if it lies in all of them ---

export class Brushes {
  constructor() { this.ranges = new Map(); } // axis -> [low, high]

  set(axis, low, high) { this.ranges.set(axis, low <= high ? [low, high] : [high, low]); }

  clear(axis) { if (axis === undefined) this.ranges.clear(); else this.ranges.delete(axis); }

  get any() { return this.ranges.size > 0; }

  // The indices of the words that lie in every range.
  within(columns) {
    if (!this.any) return [];
    const found = [];
    for (let i = 0; i < (columns[0]?.length ?? 0); i++) {
      let all = true;
      for (const [axis, [low, high]] of this.ranges) if (columns[axis][i] < low || columns[axis][i] > high) { all = false; break; }
      if (all) found.push(i);
    }
    return found;
  }
}

// Let a pointer drag ranges on a canvas of parallel axes; a click without a drag takes the range away.
export function bindBrush(canvas, chart, changed) {
  let at = null;
  canvas.addEventListener("pointerdown", (event) => {
    const [sx, sy] = pointOf(canvas, event), axis = chart.axisNear(sx);
    if (axis < 0) return;
    canvas.setPointerCapture(event.pointerId);
    at = { axis, from: sy, moved: false };
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!at) return;
    const [, sy] = pointOf(canvas, event);
    at.moved ||= Math.abs(sy - at.from) > 3;
    if (at.moved) { chart.brushes.set(at.axis, chart.valueAt(at.from), chart.valueAt(sy)); chart.draw(); }
  });
  const end = () => {
    if (!at) return;
    if (!at.moved) chart.brushes.clear(at.axis);
    at = null;
    changed();
  };
  canvas.addEventListener("pointerup", end);
  canvas.addEventListener("pointercancel", end);
}

// --- A box that finds a word of the model, with proposals from its vocabulary ---

let boxes = 0;

// `found(word)` is called with what was typed, on Enter or when a proposal is taken.
export function searchBox(app, found) {
  const id = `see-words-${++boxes}`, proposals = element("datalist", { id });
  const input = element("input", { type: "search", list: id, autocomplete: "off", spellcheck: "false", placeholder: "a word", "aria-label": "Find a word on the map" });
  let last = 0;
  const propose = async () => {
    const turn = ++last;
    const answer = await app.get("words", { model: app.model.name, beginning: input.value });
    // The latest question wins, whichever answer comes first.
    if (answer && turn === last) proposals.replaceChildren(...answer.words.map((word) => element("option", { value: word })));
  };
  input.addEventListener("input", (event) => {
    const taken = !event.inputType || event.inputType === "insertReplacementText";
    if (taken && input.value) found(input.value.trim());
    else propose();
  });
  input.addEventListener("keydown", (event) => { if (event.key === "Enter" && input.value.trim()) { event.preventDefault(); found(input.value.trim()); } });
  return element("label", { class: "see-search" }, "Find ", input, proposals);
}

// --- The words that were chosen on the map: a table that can be read without seeing, and ways into the four lists ---

const MOST = 100;
const figure = (value) => (value == null ? "" : formatNumber(value, 3));

// Short heads: what an axis is about, unless both are about the same.
const axisNames = ([across, up]) => (across.about === up.about ? [across.title, up.title] : [across.about, up.about]);

export class Chosen {
  constructor(app, does) {
    this.app = app;
    this.does = does;
    this.note = element("p", { class: "note" });
    this.place = element("section", { class: "see-chosen", "aria-label": "Chosen words" });
  }

  show(map, chosen) {
    if (!chosen.size) this.note.textContent = "";
    const rows = [...chosen].sort((one, other) => one - other);
    const words = rows.map((index) => map.words[index]);
    const into = Object.entries(LIST_SHAPES).map(([role, shape]) => element("button", { type: "button", "data-into": role, onclick: () => this.into(role, words) }, `${shape} into ${role.toUpperCase()}`));
    const head = element("p", { class: "see-into" }, element("strong", {}, `${pluralize(words.length, "word")} chosen`), " ", ...into, element("button", { type: "button", onclick: () => this.does.clear() }, "Clear"));
    if (!words.length) {
      this.place.replaceChildren(element("p", { class: "note" }, "Click words, or draw around them with Lasso or Rectangle; what is chosen is listed here and can go into the lists X, Y, A and B."));
      return;
    }
    const names = map.layout === "axes" ? axisNames(map.axes) : ["across", "up"];
    const heads = ["word", ...names, ...(map.leanings && map.layout !== "axes" ? [map.shade.about] : [])];
    const body = rows.slice(0, MOST).map((index) => element("tr", {},
      element("th", { scope: "row" }, element("button", { type: "button", class: "see-word", onclick: () => this.does.point(index) }, map.words[index])),
      ...[map.x[index], map.y[index], ...(heads.length > 3 ? [map.leanings[index]] : [])].map((value) => element("td", {}, figure(value)))));
    const more = words.length > MOST ? [element("p", { class: "note" }, `The first ${MOST} of them are listed; the buttons take all.`)] : [];
    this.place.replaceChildren(head, this.note, element("div", { class: "see-table", tabindex: "0", role: "region", "aria-label": "Table of the chosen words" },
      element("table", { class: "plain" }, element("thead", {}, element("tr", {}, ...heads.map((name) => element("th", { scope: "col" }, name)))), element("tbody", {}, ...body))), ...more);
  }

  // A word stands in a list once; what is there already stays where it is.
  into(role, words) {
    const list = this.app.lists[role], fresh = words.filter((word) => !list.includes(word)), room = fresh.slice(0, MOST_WORDS - list.length);
    this.app.lists[role] = [...list, ...room];
    this.app.changed("lists");
    const done = `${pluralize(room.length, "word")} put into ${role.toUpperCase()}, which now has ${this.app.lists[role].length}.`;
    const full = room.length < fresh.length ? ` A list has ${MOST_WORDS} words at most; ${pluralize(fresh.length - room.length, "was", "were")} left out.` : "";
    this.note.textContent = done + full;
    this.app.announce(done + full);
  }
}

// --- The focused word: where it leans, and which words are nearest to it in the whole model ---

const WAIT = 60;

export class FocusedWord {
  constructor(app, does) {
    this.app = app;
    this.does = does;
    this.place = element("section", { class: "see-focused-word", "aria-label": "The focused word" });
    this.asking = null;
    this.none();
  }

  none() {
    this.place.replaceChildren(element("p", { class: "note" }, "Point at a word, or go through them with the arrow keys; here you see where it leans and its nearest words."));
  }

  // Say where a word lies at once, and its neighbours as soon as they are known; `near` gets their words.
  show(map, index, near, announce = false) {
    this.asking?.abort();
    clearTimeout(this.waiting);
    if (index < 0) { this.none(); return; }
    const word = map.words[index], list = element("ol", { class: "see-near" });
    this.figures = element("dl");
    this.place.replaceChildren(element("div", { class: "see-head" }, element("h3", {}, word), element("button", { type: "button", onclick: () => this.does.toggle() }, "Choose")), this.figures, list);
    this.update(map, index);
    if (announce) this.app.announce(`${word}: ${this.facts(map, index).map((pair) => pair.join(" ")).join("; ")}.`);
    // A pointer that passes over words asks for none of them.
    this.waiting = setTimeout(async () => {
      this.asking = new AbortController();
      const answer = await this.app.post("neighbours", { model: this.app.model.name, word, count: 10 }, this.asking.signal);
      if (!answer || !list.isConnected) return;
      list.replaceChildren(...answer.near.map((other, i) => element("li", {}, element("button", { type: "button", class: "see-word", onclick: () => this.does.find(other) }, other), ` ${answer.figures[i]}`)));
      list.before(element("p", { class: "note" }, `Nearest by ${answer.measure}:`));
      near(answer.near);
    }, WAIT);
  }

  // Say where the same word lies on another map.
  update(map, index) {
    this.figures.replaceChildren(...this.facts(map, index).flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]));
  }

  facts(map, index) {
    const lines = map.layout === "axes" ? map.axes.map((axis, i) => [axis.title, figure([map.x, map.y][i][index])]) : [];
    const known = lines.some(([title]) => title === map.shade?.title);
    if (map.leanings && !known) lines.push([map.shade.title, figure(map.leanings[index])]);
    if (map.layout === "disc") lines.push(["distance from the origin", figure(distance([0, 0], [map.x[index], map.y[index]], map.curvature))]);
    if (map.in_plane) lines.push(["of its direction in the plane", `${Math.round(100 * map.in_plane[index])} %`]);
    if (map.layout === "components") lines.push(["place", `${figure(map.x[index])}, ${figure(map.y[index])}`]);
    return lines;
  }
}
