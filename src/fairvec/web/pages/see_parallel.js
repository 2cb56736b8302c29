// Words over several concepts at once; what is brushed here is chosen on the map too.
import { element } from "./dom.js";
import { pageColours } from "./see_canvas.js";
import { bindBrush, Brushes } from "./see_select.js";

// Gender first, as most lists are about it; then axes between two lists, whose ends have names.
export const axisRank = (axis) => (axis.about === "gender" ? 0 : axis.id.includes(":") ? 1 : 2) + (axis.usual ? 0 : 3);

const SCALES = { z: "deviations from the mean", rank: "rank", raw: "leaning as it is" };

export class Parallel {
  // `choose(indices)` takes the indices of the words that lie in every range.
  constructor(app, choose) {
    this.app = app;
    this.choose = choose;
    this.canvas = element("canvas", { class: "see-parallel", role: "img", "aria-label": "Parallel coordinates" });
    this.chart = new ParallelChart(this.canvas);
    bindBrush(this.canvas, this.chart, () => { this.fields(); this.brushed(); });
    this.scale = element("select", { onchange: () => this.ask() }, ...Object.entries(SCALES).map(([value, text]) => element("option", { value }, text)));
    this.which = element("fieldset", { class: "see-which" });
    this.ranges = element("div", { class: "see-ranges" });
    this.note = element("p", { class: "note" });
    this.place = element("section", { class: "see-concepts", "aria-label": "Words over concepts" }, element("h3", {}, "The same words over several concepts"),
      element("label", {}, "Scale ", this.scale), this.which, this.canvas, this.note, this.ranges);
  }

  // Lines of a model that is no longer the chosen one are not shown, nor are those still to come.
  leave() {
    this.asking?.abort();
    this.question = this.answer = null;
    this.place.hidden = true;
  }

  offer(axes) {
    this.place.hidden = !axes.some((axis) => !axis.trouble);
    const usual = axes.filter((axis) => axis.usual && !axis.trouble), spare = axes.filter((axis) => !axis.usual && !axis.trouble && axis.id.includes(":"));
    const shown = new Set(usual.length > 1 ? usual : [...usual, ...spare.slice(0, 3)]);
    const box = (axis) => element("label", { title: axis.title }, element("input", { type: "checkbox", value: axis.id, checked: shown.has(axis), onchange: () => this.ask() }), ` ${axis.usual ? axis.about : `${axis.about}: ${axis.title}`}`);
    const can = axes.filter((axis) => !axis.trouble).sort((one, other) => axisRank(one) - axisRank(other)), more = can.filter((axis) => !shown.has(axis));
    this.which.replaceChildren(element("legend", {}, "Axes"), ...can.filter((axis) => shown.has(axis)).map(box), element("details", {}, element("summary", {}, `${more.length} more`), ...more.map(box)));
  }

  // Ask for the words of a map: the same question without its layout.
  async ask(question = this.question) {
    this.question = question;
    if (!question || this.place.hidden) return;
    const axes = [...this.which.querySelectorAll("input:checked")].map((one) => one.value).slice(0, 12);
    if (!axes.length) { this.note.textContent = "Choose an axis to see the words on it."; return; }
    const { model, first, words } = question;
    this.asking?.abort();
    this.asking = new AbortController();
    const answer = await this.app.post("concept-scores", { model, first, words, axes, scale: this.scale.value }, this.asking.signal);
    if (!answer) return;
    this.answer = answer;
    this.chart.show(answer);
    this.canvas.setAttribute("aria-label", `${answer.words.length} words over ${answer.axes.map((axis) => axis.about).join(", ")}; the ranges below choose among them.`);
    this.note.textContent = `A line is a word; its height is its ${answer.means}. Drag along an axis to choose the words there; a click takes the range away.${answer.words.length > MOST_LINES ? ` ${MOST_LINES.toLocaleString("en")} of ${answer.words.length.toLocaleString("en")} lines are drawn, evenly spread; ranges look at all.` : ""}`;
    this.fields();
  }

  show(chosen) { this.chart.chosen = chosen; this.chart.draw(); }

  brushed() { this.choose(this.chart.brushes.within(this.chart.columns)); }

  // The same ranges as numbers, for the keyboard and small screens.
  fields() {
    const { brushes } = this.chart;
    const field = (i, end, range) => element("input", {
      type: "number", step: "0.1", value: range ? range[end].toFixed(2) : "", placeholder: end ? "most" : "least", "aria-label": `${this.axisName(i)}: ${end ? "at most" : "at least"}`,
      onchange: (event) => this.typed(i, event.target.closest("span")),
    });
    this.ranges.replaceChildren(...this.answer.axes.map((_, i) => element("span", {}, `${this.axisName(i)} `, field(i, 0, brushes.ranges.get(i)), " to ", field(i, 1, brushes.ranges.get(i)))));
  }

  // What an axis is called: its category, or its lists where two have the same.
  axisName(i) {
    const { axes } = this.answer, { about, title } = axes[i];
    return axes.filter((axis) => axis.about === about).length > 1 ? title : about;
  }

  typed(axis, place) {
    const [low, high] = [...place.querySelectorAll("input")].map((one) => one.value), { range, brushes } = this.chart;
    if (low === "" && high === "") brushes.clear(axis);
    else brushes.set(axis, low === "" ? range[0] : Number(low), high === "" ? range[1] : Number(high));
    this.chart.draw();
    this.brushed();
  }
}

// --- Parallel coordinates: an axis a concept, a line a word. It draws what it is given ---

// Lines of words that are not chosen: more of them make one grey sheet, and cost a second.
const MOST_LINES = 2000;
const NAMED = 12;
const TOP = 42, BOTTOM = 26, SIDE = 64;

// As much of a text as there is room for; letters are never squeezed.
function shorten(context, text, room) {
  let shown = text;
  for (let end = text.length - 1; end > 0 && context.measureText(shown).width > room; end--) shown = `${text.slice(0, end).trimEnd()}…`;
  return shown;
}

class ParallelChart {
  constructor(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
    this.axes = [];
    this.words = [];
    this.chosen = new Set();
    this.brushes = new Brushes();
    this.range = [-3, 3];
    this.behind = document.createElement("canvas");
    canvas.chart = this; // for whoever measures it
    new ResizeObserver(() => this.draw()).observe(canvas);
  }

  show({ words, axes, scale }) {
    [this.words, this.axes, this.scale] = [words, axes, scale];
    const all = axes.flatMap((axis) => axis.scores), ends = (found, value) => [Math.min(found[0], value), Math.max(found[1], value)];
    const [low, high] = all.reduce(ends, [Infinity, -Infinity]);
    const far = Math.max(Math.abs(low), Math.abs(high)) || 1;
    this.range = scale === "rank" ? [0, 1] : [-far, far];
    this.brushes.clear();
    this.draw();
  }

  get columns() { return this.axes.map((axis) => axis.scores); }

  across(axis) { return this.axes.length < 2 ? this.width / 2 : SIDE + axis * (this.width - 2 * SIDE) / (this.axes.length - 1); }

  down(value) { return TOP + (this.range[1] - value) / (this.range[1] - this.range[0]) * (this.height - TOP - BOTTOM); }

  valueAt(sy) { return this.range[1] - (sy - TOP) / (this.height - TOP - BOTTOM) * (this.range[1] - this.range[0]); }

  axisNear(sx) {
    const away = this.axes.map((_, axis) => Math.abs(this.across(axis) - sx));
    const least = Math.min(...away);
    return least < 28 ? away.indexOf(least) : -1;
  }

  draw() { this.frameRequest ||= requestAnimationFrame(() => { this.frameRequest = 0; this.drawNow(); }); }

  drawNow() {
    const ratio = devicePixelRatio || 1, { canvas, context } = this;
    [this.width, this.height] = [canvas.clientWidth, canvas.clientHeight];
    if (!this.width || !this.axes.length) return;
    [canvas.width, canvas.height] = [Math.round(this.width * ratio), Math.round(this.height * ratio)];
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const page = this.page = pageColours(canvas);
    context.drawImage(this.background(ratio), 0, 0, this.width, this.height);
    context.globalAlpha = this.chosen.size > 60 ? 0.5 : 0.9;
    this.strokes(context, this.lines(this.chosen), page.of("--positive"), 1.5);
    context.globalAlpha = 1;
    this.axes.forEach((axis, i) => this.axis(axis, i));
    if (this.chosen.size <= NAMED) this.names();
  }

  // Words that are not chosen do not move while a range is dragged: they are drawn once.
  background(ratio) {
    const { canvas, behind, page } = this, now = [this.axes, canvas.width, canvas.height, page.paper];
    if (now.some((part, i) => part !== this.backgroundOf?.[i])) {
      this.backgroundOf = now;
      [behind.width, behind.height] = [canvas.width, canvas.height];
      const context = behind.getContext("2d");
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      const drawn = this.lines(this.words.keys());
      context.globalAlpha = Math.min(0.5, 2.2 / Math.sqrt(drawn.length));
      this.strokes(context, drawn, page.of("--grey-5"), 0.75);
    }
    return behind;
  }

  // Not more of them than can be told apart, evenly spread.
  lines(indices) {
    const all = [...indices], step = Math.max(1, all.length / MOST_LINES);
    return Array.from({ length: Math.min(all.length, MOST_LINES) }, (_, i) => all[Math.floor(i * step)]);
  }

  // One path for some lines at a time: a very long one takes a browser longer than its parts.
  strokes(context, indices, colour, wide) {
    context.strokeStyle = colour;
    context.lineWidth = wide;
    const across = this.axes.map((_, axis) => this.across(axis));
    const low = this.range[0], stretch = (this.height - TOP - BOTTOM) / (this.range[1] - low), foot = this.height - BOTTOM;
    let count = 0;
    context.beginPath();
    for (const index of indices) {
      for (let axis = 0; axis < across.length; axis++) {
        const sy = foot - (this.axes[axis].scores[index] - low) * stretch;
        if (axis) context.lineTo(across[axis], sy); else context.moveTo(across[axis], sy);
        if (across.length === 1) { context.moveTo(across[0] - 14, sy); context.lineTo(across[0] + 14, sy); }
      }
      if (++count % 64 === 0) { context.stroke(); context.beginPath(); }
    }
    context.stroke();
  }

  axis(axis, i) {
    const { context, page } = this, sx = this.across(i), last = this.axes.length - 1, gap = (this.width - 2 * SIDE) / Math.max(last, 1);
    const outer = i === 0 || i === last, room = Math.min(170, outer ? SIDE + gap / 2 - 10 : gap - 8);
    context.strokeStyle = page.ink;
    context.lineWidth = 1;
    context.beginPath();
    context.moveTo(sx, TOP);
    context.lineTo(sx, this.height - BOTTOM);
    context.stroke();
    const range = this.brushes.ranges.get(i);
    if (range) {
      context.globalAlpha = 0.3;
      context.fillStyle = page.of("--positive");
      context.fillRect(sx - 9, this.down(range[1]), 18, this.down(range[0]) - this.down(range[1]));
      context.globalAlpha = 1;
    }
    const write = (text, y, weight, colour, baseline) => {
      context.font = `${weight} 12px ${page.sans}`;
      context.textAlign = outer ? (i ? "right" : "left") : "center";
      context.textBaseline = baseline;
      context.fillStyle = colour;
      context.fillText(shorten(context, text, room), outer ? (i ? this.width - 6 : 6) : sx, y);
    };
    write(axis.about, 4, 600, page.ink, "top");
    write(axis.towards, 22, 400, page.soft, "top");
    write(axis.away, this.height - 4, 400, page.soft, "bottom");
  }

  // Names at the last axis, from above; one that would lie on another moves down.
  names() {
    const { context, page } = this, last = this.axes.length - 1, sx = this.across(last) + 5;
    const named = [...this.chosen].map((index) => [this.down(this.axes[last].scores[index]), this.words[index]]).sort(([one], [other]) => one - other);
    context.font = `12px ${page.sans}`;
    context.textAlign = "left";
    context.textBaseline = "middle";
    context.lineWidth = 3;
    context.strokeStyle = page.paper;
    context.fillStyle = page.ink;
    let free = -Infinity;
    for (const [at, word] of named) {
      const sy = Math.max(at, free);
      free = sy + 13;
      context.strokeText(word, sx, sy, SIDE - 6);
      context.fillText(word, sx, sy, SIDE - 6);
    }
  }
}
