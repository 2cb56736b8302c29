// The picture: frame or disc, words, lines to neighbours, labels. It draws what it is given and knows no server.

export const emptyMap = { words: [], x: [], y: [], layout: "axes", axes: [], leanings: null };

export class Picture {
  constructor(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
    this.camera = new Camera();
    this.points = new PointLayer();
    this.widths = new Map();
    this.map = emptyMap;
    this.marks = new Map(); // index -> role of app.lists
    this.chosen = new Set();
    this.near = [];
    this.focus = -1;
    this.outline = [];
    this.frameRequest = 0;
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
    this.recolour();
  }

  // Take the colours of the page again, as after a change to dark.
  recolour() {
    this.page = pageColours(this.canvas);
    this.size = this.map.words.length > 8000 ? 3 : this.map.words.length > 1500 ? 4.5 : 6;
    this.stamped = stamps(this.page, this.ratio, this.size);
    this.draw();
  }

  // Draw before the next frame, however often that is asked.
  draw() { this.frameRequest ||= requestAnimationFrame(() => { this.frameRequest = 0; this.drawNow(); }); }

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

  // Who is labelled first: the focused word, its neighbours, the lists, what is chosen, then the commonest.
  *order() {
    const first = new Set([...(this.focus >= 0 ? [this.focus] : []), ...this.near, ...this.marks.keys(), ...[...this.chosen].slice(0, 200)]);
    yield* first;
    for (let i = 0; i < this.map.words.length; i++) if (!first.has(i)) yield i;
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
      if (map.layout === "disc") addGeodesic(context, camera, point(this.focus), point(index));
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

// --- Which part of a plane the canvas shows; x to the right and y upwards ---

class Camera {
  constructor() { this.kx = this.ky = 1; this.ox = this.oy = 0; }

  // Show everything, with a margin; `square` keeps circles round.
  fit([left, right, bottom, top], width, height, square = false, margin = 28) {
    const wide = Math.max(right - left, 1e-12), high = Math.max(top - bottom, 1e-12);
    this.kx = Math.max(width - 2 * margin, 1) / wide;
    this.ky = Math.max(height - 2 * margin, 1) / high;
    if (square) this.kx = this.ky = Math.min(this.kx, this.ky);
    this.ox = width / 2 - this.kx * (left + right) / 2;
    this.oy = height / 2 + this.ky * (bottom + top) / 2;
    this.whole = this.kx;
  }

  toScreen(x, y) { return [this.ox + this.kx * x, this.oy - this.ky * y]; }

  toWorld(sx, sy) { return [(sx - this.ox) / this.kx, (this.oy - sy) / this.ky]; }

  pan(dx, dy) { this.ox += dx; this.oy += dy; }

  // Zoom about a point of the screen, which stays where it is; neither to nothing nor to rounding.
  zoom(factor, sx, sy) {
    const bounded = Math.min(Math.max(this.kx * factor, this.whole / 4), this.whole * 4000) / this.kx;
    this.ox = sx + (this.ox - sx) * bounded;
    this.oy = sy + (this.oy - sy) * bounded;
    this.kx *= bounded;
    this.ky *= bounded;
  }

  // Bring a point of the plane to the middle, near enough to read what is around it.
  flyTo(x, y, width, height, nearness = 3) {
    if (this.kx < this.whole * nearness) this.zoom(this.whole * nearness / this.kx, 0, 0);
    const [sx, sy] = this.toScreen(x, y);
    this.pan(width / 2 - sx, height / 2 - sy);
  }
}

// The smallest and largest of two lists; a plane without spread is given some.
function bounds(x, y) {
  const box = [Infinity, -Infinity, Infinity, -Infinity];
  for (let i = 0; i < x.length; i++) {
    if (x[i] < box[0]) box[0] = x[i];
    if (x[i] > box[1]) box[1] = x[i];
    if (y[i] < box[2]) box[2] = y[i];
    if (y[i] > box[3]) box[3] = y[i];
  }
  if (!x.length) return [-1, 1, -1, 1];
  for (const side of [0, 2]) if (box[side + 1] - box[side] < 1e-9) { box[side] -= 1; box[side + 1] += 1; }
  return box;
}

// --- Points as small squares of pixels that are stamped: the side by shape as well as by colour, and how far by strength ---

const STEPS = [["--negative-6", "--negative-5", "--negative-4"], ["--positive-6", "--positive-5", "--positive-4"]];
export const LIST_SHAPES = { x: "▲", y: "▼", a: "■", b: "◆" };
const LIST_COLOURS = { x: "--positive", y: "--negative", a: "--positive", b: "--negative" };

// The colours of the page as it is now, light or dark.
export function pageColours(place) {
  const style = getComputedStyle(place);
  const of = (name) => style.getPropertyValue(name).trim();
  return { of, ink: of("--ink"), soft: of("--soft"), line: of("--line"), faint: of("--faint"), paper: of("--paper"), sans: of("--sans") };
}

// Draw again whenever the page turns light or dark, as long as a canvas is shown.
export function onTheme(canvas, recolour) {
  const night = matchMedia("(prefers-color-scheme: dark)"), change = () => {
    if (canvas.isConnected) { recolour(); return; }
    watch.disconnect();
    night.removeEventListener("change", change);
  };
  const watch = new MutationObserver(change);
  watch.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  night.addEventListener("change", change);
}

// Seven stamps: away (squares, three strengths), neither (a dot), towards (circles, three strengths).
// Each is a small square of pixels, `side` wide, with the softness of its edge in the alpha of its colour.
function stamps(page, ratio, size) {
  const side = Math.ceil((size + 1) * ratio);
  const shape = (name, draw) => {
    const one = document.createElement("canvas");
    one.width = one.height = side;
    const context = one.getContext("2d");
    context.scale(ratio, ratio);
    context.fillStyle = page.of(name);
    draw(context, side / ratio / 2);
    return new Uint32Array(context.getImageData(0, 0, side, side).data.buffer);
  };
  const square = (context, middle) => context.fillRect(middle - size * 0.42, middle - size * 0.42, size * 0.84, size * 0.84);
  const circle = (radius) => (context, middle) => { context.beginPath(); context.arc(middle, middle, radius, 0, 7); context.fill(); };
  const away = STEPS[0].map((name) => shape(name, square));
  const towards = STEPS[1].map((name) => shape(name, circle(size / 2)));
  return { side, shapes: [...away, shape("--grey-4", circle(size / 2.6)), ...towards.reverse()] };
}

// The leaning of the word in the middle: lists may be nearer to all words than others are, and only the rest tells.
export const median = (leanings) => Float64Array.from(leanings).sort()[leanings.length >> 1] ?? 0;

// Which stamp each word has: how much more it leans than the middle word, measured against what a twentieth pass.
function shades(leanings, count) {
  const chosen = new Uint8Array(count).fill(3);
  if (!leanings) return chosen;
  const middle = median(leanings);
  const sizes = Float64Array.from(leanings, (lean) => Math.abs(lean - middle)).sort();
  const large = sizes[Math.floor(sizes.length * 0.95)] || 1;
  for (let i = 0; i < count; i++) {
    const strength = Math.abs(leanings[i] - middle) / large;
    const step = strength < 0.2 ? 0 : strength < 0.5 ? 1 : strength < 1 ? 2 : 3;
    chosen[i] = leanings[i] < middle ? 3 - step : 3 + step;
  }
  return chosen;
}

// Points drawn pixel by pixel into a layer of their own: twenty thousand in a few milliseconds, where as many
// calls of the canvas take ten times as long.
class PointLayer {
  constructor() { this.canvas = document.createElement("canvas"); }

  // Where two points meet the later one is seen; a soft edge gives way to what is fuller.
  draw({ side, shapes }, shade, camera, x, y, ratio, wide, high) {
    if (this.canvas.width !== wide || this.canvas.height !== high || !this.image) {
      [this.canvas.width, this.canvas.height] = [wide, high];
      this.image = new ImageData(wide, high);
      this.pixels = new Uint32Array(this.image.data.buffer);
    }
    const { pixels } = this, half = side / 2;
    pixels.fill(0);
    // The grey ones first, so that what leans lies on top.
    for (const grey of [true, false]) {
      for (let i = 0; i < x.length; i++) {
        if ((shade[i] === 3) !== grey) continue;
        const left = Math.round((camera.ox + camera.kx * x[i]) * ratio - half), top = Math.round((camera.oy - camera.ky * y[i]) * ratio - half);
        if (!(left >= 0 && top >= 0 && left + side <= wide && top + side <= high)) continue;
        const shape = shapes[shade[i]];
        for (let row = 0, from = 0, to = top * wide + left; row < side; row++, to += wide - side) {
          for (let column = 0; column < side; column++, from++, to++) if (shape[from] >>> 24 >= pixels[to] >>> 24) pixels[to] = shape[from] || pixels[to];
        }
      }
    }
    this.canvas.getContext("2d").putImageData(this.image, 0, 0);
    return this.canvas;
  }
}

// A word of the four lists: its own shape, outlined so that it stands out of any heap.
function markPoint(context, page, role, sx, sy) {
  context.font = `16px ${page.sans}`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.lineWidth = 4;
  context.strokeStyle = page.paper;
  context.strokeText(LIST_SHAPES[role], sx, sy);
  context.fillStyle = page.of(LIST_COLOURS[role]);
  context.fillText(LIST_SHAPES[role], sx, sy);
}

// --- Labels that do not lie on one another: the most wanted come first, and what has no room is left out ---

const CELL = 12;

// Rectangles that are occupied, on a coarse grid of the screen.
class Room {
  constructor(width, height) {
    this.columns = Math.ceil(width / CELL) + 1;
    this.rows = Math.ceil(height / CELL) + 1;
    this.width = width;
    this.height = height;
    this.occupied = new Uint8Array(this.columns * this.rows);
  }

  // Keep a rectangle free of labels, as much of it as is on the screen.
  reserve([left, top, wide, high]) {
    const [c0, c1, r0, r1] = [Math.max(left, 0), Math.min(left + wide, this.width), Math.max(top, 0), Math.min(top + high, this.height)].map((edge) => Math.floor(edge / CELL));
    for (let row = r0; row <= r1; row++) this.occupied.fill(1, row * this.columns + c0, row * this.columns + c1 + 1);
  }

  // Take a rectangle if all of it is on the screen and free.
  take(left, top, wide, high) {
    if (left < 0 || top < 0 || left + wide > this.width || top + high > this.height) return false;
    const [c0, c1, r0, r1] = [left, left + wide, top, top + high].map((edge) => Math.floor(edge / CELL));
    for (let row = r0; row <= r1; row++) for (let c = c0; c <= c1; c++) if (this.occupied[row * this.columns + c]) return false;
    for (let row = r0; row <= r1; row++) this.occupied.fill(1, row * this.columns + c0, row * this.columns + c1 + 1);
    return true;
  }
}

// Write words beside their points until `most` stand; `order` has the indices, the most wanted first.
function writeLabels(context, page, map, camera, order, width, height, widths, reserved, most = 90, tries = 1500) {
  const room = new Room(width, height);
  for (const place of reserved) room.reserve(place);
  context.font = `12px ${page.sans}`;
  context.textAlign = "left";
  context.textBaseline = "middle";
  context.lineWidth = 3;
  context.lineJoin = "round";
  context.strokeStyle = page.paper;
  context.fillStyle = page.ink;
  const written = [];
  for (const index of order) {
    if (written.length >= most || tries-- < 0) break;
    const [sx, sy] = camera.toScreen(map.x[index], map.y[index]);
    if (sx < 0 || sy < 0 || sx > width || sy > height) { tries += 0.9; continue; }
    const word = map.words[index];
    const text = word.length > 40 ? `${word.slice(0, 39)}…` : word;
    let wide = widths.get(text);
    if (wide === undefined) widths.set(text, wide = context.measureText(text).width);
    const place = [[sx + 7, sy - 7], [sx - 7 - wide, sy - 7], [sx - wide / 2, sy - 22], [sx - wide / 2, sy + 8]].find(([left, top]) => room.take(left, top, wide, 14));
    if (!place) continue;
    context.strokeText(text, place[0], place[1] + 7);
    context.fillText(text, place[0], place[1] + 7);
    written.push(index);
  }
  return written;
}

// --- What stands around the words: the cross of two axes or the disc, the ends' names, the line drawn by hand ---

// The rim, and circles at whole distances from the centre.
function drawDisc({ context, camera, page, map }) {
  const [sx, sy] = camera.toScreen(0, 0);
  const reach = (far) => (far ? radiusAt(far, map.curvature) : 1) * camera.kx;
  for (let far = 0; far <= 12 && (far < 2 || reach(far) - reach(far - 1) > 8); far++) {
    context.beginPath();
    context.arc(sx, sy, reach(far), 0, 7);
    context.lineWidth = far ? 1 : 2;
    context.strokeStyle = far ? page.line : page.soft;
    context.stroke();
  }
}

function drawCross({ context, camera, page, width, height }) {
  const [sx, sy] = camera.toScreen(0, 0);
  context.beginPath();
  context.moveTo(0, sy);
  context.lineTo(width, sy);
  context.moveTo(sx, 0);
  context.lineTo(sx, height);
  context.lineWidth = 1;
  context.strokeStyle = page.line;
  context.stroke();
}

// What stands at the ends of the axes, along the edges; the rectangles that it takes come back.
function writeEnds({ context, page, width, height, map }) {
  if (!map.axes.length) return [];
  const most = width / 2 - 12, [across, up] = map.axes;
  context.font = `600 12px ${page.sans}`;
  context.textBaseline = "top";
  context.lineWidth = 5;
  context.lineJoin = "round";
  context.strokeStyle = page.paper;
  context.fillStyle = page.soft;
  const write = (text, x, y, align) => {
    const wide = Math.min(context.measureText(text).width, most);
    context.textAlign = align;
    context.strokeText(text, x, y, most);
    context.fillText(text, x, y, most);
    return [{ left: x, right: x - wide, center: x - wide / 2 }[align], y - 2, wide, 15];
  };
  return [
    write(`← ${across.away}`, 6, height - 19, "left"),
    write(`${across.towards} →`, width - 6, height - 19, "right"),
    write(`↑ ${up.towards}`, width / 2, 5, "center"),
    write(`↓ ${up.away}`, width / 2, height - 38, "center"),
  ];
}

function drawOutline({ context, page, outline }) {
  if (outline.length < 2) return;
  context.beginPath();
  outline.forEach((point, i) => (i ? context.lineTo(...point) : context.moveTo(...point)));
  context.closePath();
  context.globalAlpha = 0.12;
  context.fillStyle = page.ink;
  context.fill();
  context.globalAlpha = 1;
  context.lineWidth = 1.5;
  context.setLineDash([4, 3]);
  context.strokeStyle = page.ink;
  context.stroke();
  context.setLineDash([]);
}

// --- The Poincaré disc of radius one: its straight lines are arcs of circles that meet the rim at right angles ---

// The geodesic from p to q: {line: true}, or the circle it runs on and the angles at which it starts and ends.
// A circle about c of radius r meets the rim at right angles when |c|^2 = 1 + r^2, so that every point p on it
// has c.p = (1 + |p|^2) / 2; two points give two such equations. Through the centre the line is straight.
export function geodesic([px, py], [qx, qy]) {
  const cross = px * qy - py * qx;
  const p = (1 + px * px + py * py) / 2, q = (1 + qx * qx + qy * qy) / 2;
  const cx = (p * qy - q * py) / cross, cy = (q * px - p * qx) / cross;
  const r = Math.sqrt(cx * cx + cy * cy - 1);
  if (!(r < 1e4)) return { line: true };
  const from = Math.atan2(py - cy, px - cx), to = Math.atan2(qy - cy, qx - cx);
  const turn = Math.atan2(Math.sin(to - from), Math.cos(to - from));
  return { line: false, cx, cy, r, from, to: from + turn };
}

// The distance of two points of the disc, d = 2/sqrt(c) asinh(|p - q| / sqrt((1 - |p|^2)(1 - |q|^2))).
export function distance([px, py], [qx, qy], curvature = 1) {
  const gap = (1 - px * px - py * py) * (1 - qx * qx - qy * qy);
  return 2 / Math.sqrt(curvature) * Math.asinh(Math.hypot(px - qx, py - qy) / Math.sqrt(gap));
}

// The radius on the disc of the circle at a distance from the centre.
const radiusAt = (far, curvature = 1) => Math.tanh(Math.sqrt(curvature) * far / 2);

// Add the geodesic to a path of the canvas; y grows downwards there, so that angles turn the other way.
function addGeodesic(context, camera, p, q) {
  const arc = geodesic(p, q);
  context.moveTo(...camera.toScreen(...p));
  if (arc.line) context.lineTo(...camera.toScreen(...q));
  else context.arc(...camera.toScreen(arc.cx, arc.cy), arc.r * camera.kx, -arc.from, -arc.to, arc.to > arc.from);
}
