// Labels that do not lie on one another: the most wanted come first, and what has no room is left out.
const CELL = 12;

// Rectangles that are taken, on a coarse grid of the screen.
export class Room {
  constructor(width, height) {
    this.columns = Math.ceil(width / CELL) + 1;
    this.rows = Math.ceil(height / CELL) + 1;
    this.width = width;
    this.height = height;
    this.taken = new Uint8Array(this.columns * this.rows);
  }

  // Keep a rectangle free of labels, as much of it as is on the screen.
  keep([left, top, wide, high]) {
    const [c0, c1, r0, r1] = [Math.max(left, 0), Math.min(left + wide, this.width), Math.max(top, 0), Math.min(top + high, this.height)].map((edge) => Math.floor(edge / CELL));
    for (let row = r0; row <= r1; row++) this.taken.fill(1, row * this.columns + c0, row * this.columns + c1 + 1);
  }

  // Take a rectangle if all of it is on the screen and free.
  take(left, top, wide, high) {
    if (left < 0 || top < 0 || left + wide > this.width || top + high > this.height) return false;
    const [c0, c1, r0, r1] = [left, left + wide, top, top + high].map((edge) => Math.floor(edge / CELL));
    for (let row = r0; row <= r1; row++) for (let c = c0; c <= c1; c++) if (this.taken[row * this.columns + c]) return false;
    for (let row = r0; row <= r1; row++) this.taken.fill(1, row * this.columns + c0, row * this.columns + c1 + 1);
    return true;
  }
}

// Write words beside their points until `most` stand; `order` has the indices, the most wanted first.
export function writeLabels(context, page, map, camera, order, width, height, widths, kept, most = 90, tries = 1500) {
  const room = new Room(width, height);
  for (const place of kept) room.keep(place);
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
