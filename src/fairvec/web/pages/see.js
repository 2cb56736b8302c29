// See: where the words of a model lie, on axes that mean something.
import { element, pluralize } from "./dom.js";
import { formatNumber } from "./draw.js";
import { emptyMap, median, onTheme, Picture } from "./see_canvas.js";
import { axisRank, Parallel } from "./see_parallel.js";
import { bindPointer, Chosen, enclosed, FocusedWord, rectangle, searchBox } from "./see_select.js";

const SEARCH = "search", AXES = "axes"; // parts of the page that may go wrong
const KEYS = "Arrow keys go from word to word, with Shift they move the map; plus and minus zoom, 0 shows all, Enter chooses, Escape clears.";

export const view = { id: "see", title: "See", mount(place, app) { new SeeView(place, app).start(); } };

class SeeView {
  constructor(place, app) {
    this.app = app;
    this.mode = "move";
    this.near = [];
    this.index = new Map();
    this.searched = []; // words that were searched for and are not among the first
    this.canvas = element("canvas", { class: "see-map", tabindex: "0", role: "application", "aria-roledescription": "map of words", "aria-describedby": "see-keys" });
    this.picture = new Picture(this.canvas);
    const does = { point: (index, fly) => this.point(index, fly), toggle: (index = this.picture.focus) => this.toggle(index), clear: () => this.choose([]), find: (word) => this.find(word), enclose: (outline, more) => this.choose(enclosed(outline, this.picture.map.x, this.picture.map.y), more), mode: () => this.mode };
    this.controls = new Controls(app, () => this.ask());
    this.chosen = new Chosen(app, does);
    this.word = new FocusedWord(app, does);
    this.parallel = new Parallel(app, (indices) => this.choose(indices.map((index) => this.index.get(this.parallel.answer.words[index])).filter((index) => index !== undefined)));
    this.meaning = element("div", { class: "see-meaning" });
    bindPointer(this.picture, does);
    place.append(this.controls.place, this.meaning, element("div", { class: "see-beside" },
      element("figure", {}, mapTools(this), this.canvas, element("p", { id: "see-keys", class: "note" }, KEYS)), element("div", {}, this.word.place, this.chosen.place)), this.parallel.place);
  }

  async start() {
    this.app.listeners.add((what) => { if (what === "model") this.open(); else this.ask(true); });
    onTheme(this.canvas, () => { this.picture.recolour(); this.parallel.chart.draw(); });
    await this.open();
  }

  open() { return (this.pending = this.loadModel()); }

  // Of the model before nothing stays but the lists: its words may lie elsewhere, or not exist.
  async loadModel() {
    this.asking?.abort();
    this.parallel.leave();
    this.point(-1);
    this.choose([]);
    this.index = new Map();
    this.picture.show(emptyMap);
    this.canvas.setAttribute("aria-busy", "true");
    const { model } = this.app, answer = await this.app.get("axes", { model: model.name });
    this.canvas.removeAttribute("aria-busy");
    if (!answer || model !== this.app.model) return;
    this.searched = [];
    this.controls.offer(answer.axes);
    this.parallel.offer(answer.axes);
    await this.loadMap();
  }

  ask(keepView) { return (this.pending = this.loadMap(keepView)); }

  // Ask for the map; what is chosen or focused stays, by its word.
  async loadMap(keepView = false) {
    const question = this.controls.question([...new Set([...Object.values(this.app.lists).flat(), ...this.searched])].slice(0, 500));
    if (!question) return;
    this.asking?.abort();
    this.asking = new AbortController();
    const map = await this.app.post("map", question, this.asking.signal);
    if (!map) return;
    const before = this.picture.map, chosen = [...this.picture.chosen].map((index) => before.words[index]), focused = before.words[this.picture.focus];
    this.index = new Map(map.words.map((word, index) => [word, index]));
    this.picture.show(map, keepView);
    this.mark(map);
    this.canvas.setAttribute("aria-label", `${pluralize(map.words.length, "word")} of ${this.app.model.name}`);
    showMeaning(this.meaning, map);
    this.choose(chosen.map((word) => this.index.get(word)).filter((index) => index !== undefined));
    this.restoreFocus(focused);
    await this.parallel.ask(question);
  }

  // A word of the lists carries its list's shape; in two lists, that of the first.
  mark(map) {
    this.picture.marks = new Map();
    for (const role of ["b", "a", "y", "x"]) for (const word of this.app.lists[role]) {
      const index = this.index.get(map.reached[word] ?? word);
      if (index !== undefined) this.picture.marks.set(index, role);
    }
    this.picture.draw();
  }

  // Keep a word focused on a new map; its neighbours are the same ones.
  restoreFocus(word) {
    this.picture.focus = this.index.get(word) ?? -1;
    if (this.picture.focus >= 0) this.word.update(this.picture.map, this.picture.focus);
    else if (word) this.word.none();
    this.link();
  }

  // Draw lines to those neighbours of the focused word that are on the map.
  link() {
    this.picture.near = this.near.map((word) => this.index.get(word)).filter((found) => found !== undefined);
    this.picture.draw();
  }

  point(index, fly = false) {
    if (index === this.picture.focus && index >= 0 && !fly) return;
    if (index < 0 && this.picture.focus < 0) return;
    this.picture.focus = index;
    this.near = [];
    this.link();
    this.canvas.dataset.focus = this.picture.map.words[index] ?? "";
    this.word.show(this.picture.map, index, (words) => {
      this.near = words;
      this.link();
      // The neighbours of a word that was searched for are brought onto the map.
      const absent = words.filter((word) => !this.index.has(word));
      if (fly && absent.length) { this.searched = [...this.searched, ...absent].slice(-300); this.ask(true); }
    }, fly);
  }

  // Fly to a word; one that is not on the map is asked for first.
  async find(word) {
    this.app.trouble("", null, SEARCH);
    await this.pending;
    if (!this.index.has(word) && !this.searched.includes(word)) { this.searched = [...this.searched.slice(-50), word]; await this.ask(true); }
    const { map, camera, width, height } = this.picture, index = this.index.get(map.reached[word] ?? word);
    if (index === undefined) { this.app.trouble(`${word} is not in ${this.app.model.name}; try another spelling.`, null, SEARCH); return; }
    camera.flyTo(map.x[index], map.y[index], width, height);
    this.point(index, true);
  }

  toggle(index) {
    const { chosen } = this.picture;
    this.choose(chosen.has(index) ? [...chosen].filter((one) => one !== index) : [...chosen, index]);
  }

  chooseView() {
    const { camera, width, height, map } = this.picture;
    this.choose(enclosed(rectangle(camera.toWorld(0, 0), camera.toWorld(width, height)), map.x, map.y));
  }

  choose(indices, more = false) {
    this.picture.chosen = new Set(more ? [...this.picture.chosen, ...indices] : indices);
    this.chosen.show(this.picture.map, this.picture.chosen);
    this.app.announce(`${pluralize(this.picture.chosen.size, "word")} chosen.`);
    const { answer } = this.parallel, place = answer && new Map(answer.words.map((word, index) => [word, index]));
    if (place) this.parallel.show(new Set([...this.picture.chosen].map((index) => place.get(this.picture.map.words[index])).filter((index) => index !== undefined)));
    this.picture.draw();
  }
}

// --- What is shown: the layout, the axes, the colour and how many words ---

const LAYOUTS = { axes: "two axes", components: "principal components", disc: "Poincaré disc", "disc-axes": "Poincaré disc on two axes" };
const COUNTS = [500, 1000, 3000, 10000, 20000];
const OWN = { ab: ["a", "b"], xy: ["x", "y"] };

class Controls {
  constructor(app, changed) {
    this.app = app;
    this.changed = changed;
    const select = (options = []) => element("select", { onchange: () => { this.showFields(); changed(); } }, ...options);
    this.layout = select();
    [this.across, this.up, this.shade] = [select(), select(), select()];
    this.first = select(COUNTS.map((count) => element("option", { value: count }, count.toLocaleString("en"))));
    this.first.value = "3000";
    this.ball = element("input", { type: "number", min: "1", value: "1", onchange: () => changed() });
    const label = (text, field) => element("label", {}, `${text} `, field);
    this.labels = { across: label("Across", this.across), up: label("Up", this.up), ball: label("Ball", this.ball) };
    this.place = element("div", { class: "see-controls", role: "group", "aria-label": "What the map shows" },
      label("Layout", this.layout), this.labels.across, this.labels.up, this.labels.ball, label("Colour", this.shade), label("Words", this.first));
  }

  // Take the axes that the model has, and choose usual ones.
  offer(axes) {
    this.axes = axes.filter((axis) => !axis.trouble);
    const curved = this.app.model.curved;
    const usual = this.axes.filter((axis) => axis.usual).sort((one, other) => axisRank(one) - axisRank(other));
    // A language with one category has the lists of its tests for the other axis.
    const first = usual[0] ?? this.axes[0], second = usual[1] ?? this.axes.find((axis) => axis !== first && axis.id.includes(":")) ?? this.axes.find((axis) => axis !== first);
    const layouts = Object.keys(LAYOUTS).filter((name) => curved || !name.startsWith("disc"));
    this.layout.replaceChildren(...layouts.map((name) => element("option", { value: name }, LAYOUTS[name])));
    this.layout.value = curved ? "disc" : second ? "axes" : "components";
    this.fill(this.across, first?.id);
    this.fill(this.up, second?.id);
    this.fill(this.shade, first?.id, true);
    this.showFields();
  }

  fill(field, chosen, none = false) {
    const abouts = [...new Set(this.axes.map((axis) => axis.about))];
    const groups = abouts.map((about) => element("optgroup", { label: about }, ...this.axes.filter((axis) => axis.about === about).map((axis) => element("option", { value: axis.id }, axis.title))));
    const own = element("optgroup", { label: "your lists" }, ...Object.entries(OWN).map(([id, roles]) => element("option", { value: id }, `${roles[0].toUpperCase()} – ${roles[1].toUpperCase()}`)));
    field.replaceChildren(...(none ? [element("option", { value: "" }, "none")] : []), ...groups, own);
    if (chosen) field.value = chosen;
  }

  // Show what the layout needs and emptyMap else.
  showFields() {
    const { balls } = this.app.model;
    this.labels.across.hidden = this.labels.up.hidden = !this.layout.value.endsWith("axes");
    // The directions of two axes are those of the whole space, and not of one of its balls.
    for (const option of this.layout.options) option.hidden = option.disabled = Boolean(balls) && option.value === "disc-axes";
    this.labels.ball.hidden = !(balls && this.layout.value === "disc");
    if (balls) this.ball.max = balls;
  }

  axis(id) {
    const roles = OWN[id];
    return roles ? { a: this.app.lists[roles[0]], b: this.app.lists[roles[1]], title: `your ${roles[0].toUpperCase()} – ${roles[1].toUpperCase()}` } : id;
  }

  // The question as the server takes it; null if a list that it needs is empty.
  question(words) {
    const onAxes = this.layout.value.endsWith("axes"), named = [...(onAxes ? [this.across.value, this.up.value] : []), ...(this.shade.value ? [this.shade.value] : [])];
    this.app.trouble("", null, AXES);
    const empty = named.filter((id) => OWN[id]).flatMap((id) => OWN[id]).filter((role) => !this.app.lists[role].length);
    if (empty.length) {
      this.app.trouble(`The list ${empty[0].toUpperCase()} is empty; choose words on the map and put them into it, or choose another axis.`, null, AXES);
      return null;
    }
    return {
      model: this.app.model.name,
      layout: this.layout.value.replace("-axes", ""),
      axes: onAxes ? [this.across, this.up].map((field) => this.axis(field.value)) : [],
      shade: this.shade.value ? this.axis(this.shade.value) : null,
      first: Number(this.first.value),
      words,
      ball: this.labels.ball.hidden ? null : Number(this.ball.value),
    };
  }
}

// --- The tools above the map: find a word, what dragging does, zoom, and choosing what is in view ---

const MODES = { move: "Move", lasso: "Lasso", rectangle: "Rectangle" };

function mapTools(view) {
  const mode = ([id, text]) => element("label", {}, element("input", { type: "radio", name: "see-mode", value: id, checked: id === "move", onchange: () => { view.mode = id; } }), ` ${text}`);
  const zoom = (factor) => () => { view.picture.camera.zoom(factor, view.picture.width / 2, view.picture.height / 2); view.picture.draw(); };
  const button = (text, title, onclick) => element("button", { type: "button", title, "aria-label": title, onclick }, text);
  return element("div", { class: "see-tools", role: "group", "aria-label": "Map" },
    searchBox(view.app, (word) => view.find(word)),
    ...Object.entries(MODES).map(mode),
    button("+", "Zoom in", zoom(1.5)), button("−", "Zoom out", zoom(1 / 1.5)), button("All", "Show the whole map", () => view.picture.fit()),
    button("Choose what is in view", "Choose what is in view", () => view.chooseView()));
}

// --- What the map means, in words: its axes, where they come from, and what the picture does not keep ---

function showMeaning(place, map) {
  const axes = [...map.axes, ...(map.shade && !map.axes.some((axis) => axis.id === map.shade.id) ? [map.shade] : [])];
  const sensitive = [...new Set(axes.map((axis) => axis.sensitive).filter(Boolean))];
  const legend = map.shade ? element("p", { class: "legend" }, element("span", { class: "see-towards" }, "●"), ` ${map.shade.towards} `, element("span", { class: "see-away" }, "■"), ` ${map.shade.away} `, element("span", { class: "see-neither" }, "·"), ` neither; the stronger the colour, the farther from the middle of the shown words (${formatNumber(median(map.leanings), 3)})`) : "";
  const about = (axis) => [element("dt", {}, axis.title), element("dd", {}, `${axis.towards} (+) against ${axis.away} (−): ${axis.formula}. Taken from ${axis.words.join(", ")}${axis.missing.length ? `; not in the model: ${axis.missing.join(", ")}` : ""}. ${axis.source}`)];
  const lost = map.left_out ? ` ${pluralize(map.left_out, "word has", "words have")} a vector of length zero and ${map.left_out === 1 ? "is" : "are"} not drawn.` : "";
  place.replaceChildren(
    ...sensitive.map((reason) => element("p", { class: "sober" }, reason)), legend,
    element("details", {}, element("summary", {}, "What this map shows"), element("p", { class: "note" }, map.keeps + lost), element("dl", {}, ...axes.flatMap(about))));
}
