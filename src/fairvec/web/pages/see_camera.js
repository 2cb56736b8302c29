// Which part of a plane the canvas shows; x to the right and y upwards.
export class Camera {
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
export function bounds(x, y) {
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
