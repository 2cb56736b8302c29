// Parallel coordinates: an axis a concept, a line a word. It draws what it is given.
import { Brushes } from "./see_brush.js";
import { colours } from "./see_points.js";

// Lines of words that are not chosen: more of them make one grey sheet, and cost a second.
export const MOST_LINES = 2000;
const NAMED = 12;
const TOP = 42, BOTTOM = 26, SIDE = 64;

export class ParallelChart {
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

  draw() { this.asked ||= requestAnimationFrame(() => { this.asked = 0; this.drawNow(); }); }

  drawNow() {
    const ratio = devicePixelRatio || 1, { canvas, context } = this;
    [this.width, this.height] = [canvas.clientWidth, canvas.clientHeight];
    if (!this.width || !this.axes.length) return;
    [canvas.width, canvas.height] = [Math.round(this.width * ratio), Math.round(this.height * ratio)];
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const page = this.page = colours(canvas);
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
    if (now.some((part, i) => part !== this.shown?.[i])) {
      this.shown = now;
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
    let held = 0;
    context.beginPath();
    for (const index of indices) {
      for (let axis = 0; axis < across.length; axis++) {
        const sy = foot - (this.axes[axis].scores[index] - low) * stretch;
        if (axis) context.lineTo(across[axis], sy); else context.moveTo(across[axis], sy);
        if (across.length === 1) { context.moveTo(across[0] - 14, sy); context.lineTo(across[0] + 14, sy); }
      }
      if (++held % 64 === 0) { context.stroke(); context.beginPath(); }
    }
    context.stroke();
  }

  axis(axis, i) {
    const { context, page } = this, sx = this.across(i), room = Math.min(170, (this.width - 2 * SIDE) / Math.max(this.axes.length - 1, 1) - 8);
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
      context.textAlign = ["left", "center", "right"][i ? (i === this.axes.length - 1 ? 2 : 1) : 0];
      context.textBaseline = baseline;
      context.fillStyle = colour;
      context.fillText(text, i ? (i === this.axes.length - 1 ? this.width - 6 : sx) : 6, y, room);
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
