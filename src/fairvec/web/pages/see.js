// See: where the words of a model lie, on axes that mean something.
import { counted, made } from "./made.js";
import { nothing, Picture } from "./see_canvas.js";
import { Chosen } from "./see_chosen.js";
import { Controls } from "./see_controls.js";
import { enclosed, rectangle } from "./see_lasso.js";
import { meaning } from "./see_meaning.js";
import { moves } from "./see_moves.js";
import { Parallel } from "./see_parallel.js";
import { tools } from "./see_tools.js";
import { WordInHand } from "./see_word.js";

const KEYS = "Arrow keys go from word to word, with Shift they move the map; plus and minus zoom, 0 shows all, Enter chooses, Escape clears.";

export const view = { id: "see", title: "See", mount(place, app) { new SeeView(place, app).start(); } };

class SeeView {
  constructor(place, app) {
    this.app = app;
    this.mode = "move";
    this.near = [];
    this.index = new Map();
    this.sought = []; // words that were looked for and are not among the first
    this.canvas = made("canvas", { class: "see-map", tabindex: "0", role: "application", "aria-roledescription": "map of words", "aria-describedby": "see-keys" });
    this.picture = new Picture(this.canvas);
    const does = { point: (index, fly) => this.point(index, fly), toggle: (index = this.picture.focus) => this.toggle(index), clear: () => this.choose([]), find: (word) => this.find(word), enclose: (outline, more) => this.choose(enclosed(outline, this.picture.map.x, this.picture.map.y), more), mode: () => this.mode };
    this.controls = new Controls(app, () => this.ask());
    this.chosen = new Chosen(app, does);
    this.word = new WordInHand(app, does);
    this.parallel = new Parallel(app, (indices) => this.choose(indices.map((index) => this.index.get(this.parallel.answer.words[index])).filter((index) => index !== undefined)));
    this.meaning = made("div", { class: "see-meaning" });
    moves(this.picture, does);
    place.append(this.controls.place, this.meaning, made("div", { class: "see-beside" },
      made("figure", {}, tools(this), this.canvas, made("p", { id: "see-keys", class: "note" }, KEYS)), made("div", {}, this.word.place, this.chosen.place)), this.parallel.place);
  }

  async start() {
    this.app.listeners.add((what) => { if (what === "model") this.open(); else this.ask(true); });
    // Colours are the page's: a view that is no longer shown stops to look.
    const night = matchMedia("(prefers-color-scheme: dark)"), dressed = () => {
      if (!this.canvas.isConnected) { watch.disconnect(); night.removeEventListener("change", dressed); return; }
      this.picture.dressed();
      this.parallel.chart.draw();
    };
    const watch = new MutationObserver(dressed);
    watch.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    night.addEventListener("change", dressed);
    await this.open();
  }

  open() { return (this.pending = this.opened()); }

  // Of the model before nothing is kept but the lists: its words may lie elsewhere, or not exist.
  async opened() {
    this.asking?.abort();
    this.parallel.leave();
    this.point(-1);
    this.choose([]);
    this.index = new Map();
    this.picture.show(nothing);
    this.canvas.setAttribute("aria-busy", "true");
    const { model } = this.app, told = await this.app.get("axes", { model: model.name });
    this.canvas.removeAttribute("aria-busy");
    if (!told || model !== this.app.model) return;
    this.sought = [];
    this.controls.offer(told.axes);
    this.parallel.offer(told.axes);
    await this.asked();
  }

  ask(keepView) { return (this.pending = this.asked(keepView)); }

  // Ask for the map; what is chosen and in hand stays, by its word.
  async asked(keepView = false) {
    const question = this.controls.question([...new Set([...Object.values(this.app.lists).flat(), ...this.sought])].slice(0, 500));
    if (!question) return;
    this.asking?.abort();
    this.asking = new AbortController();
    const map = await this.app.post("map", question, this.asking.signal);
    if (!map) return;
    const before = this.picture.map, kept = [...this.picture.chosen].map((index) => before.words[index]), inHand = before.words[this.picture.focus];
    this.index = new Map(map.words.map((word, index) => [word, index]));
    this.picture.show(map, keepView);
    this.mark(map);
    this.canvas.setAttribute("aria-label", `${counted(map.words.length, "word")} of ${this.app.model.name}`);
    meaning(this.meaning, map);
    this.choose(kept.map((word) => this.index.get(word)).filter((index) => index !== undefined));
    this.hold(inHand);
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

  // Keep a word in hand on a new map; its neighbours are the same ones.
  hold(word) {
    this.picture.focus = this.index.get(word) ?? -1;
    if (this.picture.focus >= 0) this.word.again(this.picture.map, this.picture.focus);
    else if (word) this.word.none();
    this.link();
  }

  // Draw lines to those neighbours of the word in hand that are on the map.
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
      // The neighbours of a word that was looked for are brought onto the map.
      const absent = words.filter((word) => !this.index.has(word));
      if (fly && absent.length) { this.sought = [...this.sought, ...absent].slice(-300); this.ask(true); }
    }, fly);
  }

  // Fly to a word; one that is not on the map is asked for first.
  async find(word) {
    await this.pending;
    if (!this.index.has(word) && !this.sought.includes(word)) { this.sought = [...this.sought.slice(-50), word]; await this.ask(true); }
    const { map, camera, width, height } = this.picture, index = this.index.get(map.reached[word] ?? word);
    if (index === undefined) { this.app.trouble(`${word} is not in ${this.app.model.name}; try another spelling.`); return; }
    this.app.trouble("");
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
    this.app.tell(`${counted(this.picture.chosen.size, "word")} chosen.`);
    const { answer } = this.parallel, place = answer && new Map(answer.words.map((word, index) => [word, index]));
    if (place) this.parallel.show(new Set([...this.picture.chosen].map((index) => place.get(this.picture.map.words[index])).filter((index) => index !== undefined)));
    this.picture.draw();
  }
}
