// The picture: frame or disc, words, lines to neighbours, labels. It draws what it is given and knows no server.
import { bounds, Camera } from "./see_camera.js";
import { traced } from "./see_disc.js";
import { drawCross, drawDisc, drawOutline, writeEnds } from "./see_frame.js";
import { writeLabels } from "./see_labels.js";
import { colours, markPoint, PointLayer, shades, stamps } from "./see_points.js";

export const nothing = { words: [], x: [], y: [], layout: "axes", axes: [], leanings: null };

export class Picture {
  constructor(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
    this.camera = new Camera();
    this.points = new PointLayer();
    this.widths = new Map();
    this.map = nothing;
    this.marks = new Map(); // index -> role of app.lists
    this.chosen = new Set();
    this.near = [];
    this.focus = -1;
    this.outline = [];
    this.asked = 0;
    canvas.picture = this; // for whoever measures it
    new ResizeObserver(() => this.resized()).observe(canvas);
  }

  show(map, keepView) {
    this.map = map;
    // Indices are of one map: what was chosen on another is chosen again by its word.
    [this.marks, this.chosen, this.near, this.focus] = [new Map(), new Set(), [], -1];
    this.shade = shades(map.leanings, map.words.length);
    this.resized();
    if (!keepView) this.fit();
  }

  fit() {
    const disc = this.map.layout === "disc";
    this.camera.fit(disc ? [-1, 1, -1, 1] : bounds(this.map.x, this.map.y), this.width, this.height, this.map.layout !== "axes", disc ? 12 : 34);
    this.draw();
  }

  resized() {
    const ratio = devicePixelRatio || 1, { clientWidth: width, clientHeight: height } = this.canvas;
    if (!width || !height) return;
    const first = !this.width, same = width === this.width && height === this.height && ratio === this.ratio;
    if (!same) {
      if (!first) this.camera.pan((width - this.width) / 2, (height - this.height) / 2);
      [this.width, this.height, this.ratio] = [width, height, ratio];
      this.canvas.width = Math.round(width * ratio);
      this.canvas.height = Math.round(height * ratio);
      if (first) this.fit();
    }
    this.dressed();
  }

  // Take the colours of the page again, as after a change to dark.
  dressed() {
    this.page = colours(this.canvas);
    this.size = this.map.words.length > 8000 ? 3 : this.map.words.length > 1500 ? 4.5 : 6;
    this.stamped = stamps(this.page, this.ratio, this.size);
    this.draw();
  }

  // Draw before the next frame, however often that is asked.
  draw() { this.asked ||= requestAnimationFrame(() => { this.asked = 0; this.drawNow(); }); }

  drawNow() {
    if (!this.width || !this.page) return;
    const { context, camera, map, page, width, height } = this;
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    (map.layout === "disc" ? drawDisc : drawCross)(this);
    context.drawImage(this.points.draw(this.stamped, this.shade, camera, map.x, map.y, this.ratio, this.canvas.width, this.canvas.height), 0, 0, width, height);
    this.lines();
    for (const index of this.chosen) this.ring(index, 5, page.ink, 1.5);
    for (const [index, role] of this.marks) markPoint(context, page, role, ...this.at(index));
    if (this.focus >= 0) this.ring(this.focus, 8, page.ink, 2.5);
    this.labelled = writeLabels(context, page, map, camera, this.order(), width, height, this.widths, writeEnds(this));
    drawOutline(this);
    this.canvas.dataset.view = JSON.stringify([camera.kx, camera.ky, camera.ox, camera.oy]);
  }

  at(index) { return this.camera.toScreen(this.map.x[index], this.map.y[index]); }

  // Who is labelled first: the word in hand, its neighbours, the lists, what is chosen, then the commonest.
  *order() {
    const told = new Set([...(this.focus >= 0 ? [this.focus] : []), ...this.near, ...this.marks.keys(), ...[...this.chosen].slice(0, 200)]);
    yield* told;
    for (let i = 0; i < this.map.words.length; i++) if (!told.has(i)) yield i;
  }

  ring(index, radius, colour, wide) {
    this.context.beginPath();
    this.context.arc(...this.at(index), radius, 0, 7);
    this.context.lineWidth = wide;
    this.context.strokeStyle = colour;
    this.context.stroke();
  }

  lines() {
    if (this.focus < 0 || !this.near.length) return;
    const { context, camera, map } = this, point = (index) => [map.x[index], map.y[index]];
    context.beginPath();
    for (const index of this.near) {
      if (map.layout === "disc") traced(context, camera, point(this.focus), point(index));
      else { context.moveTo(...this.at(this.focus)); context.lineTo(...this.at(index)); }
    }
    context.lineWidth = 1.2;
    context.strokeStyle = this.page.soft;
    context.stroke();
  }

  // The word nearest to a point of the screen, if one is in reach.
  nearestTo(sx, sy, reach = 14) {
    let best = -1, least = reach * reach + 1e-9;
    for (let i = 0; i < this.map.words.length; i++) {
      const [x, y] = this.at(i), away = (x - sx) ** 2 + (y - sy) ** 2;
      if (away < least) { least = away; best = i; }
    }
    return best;
  }
}
