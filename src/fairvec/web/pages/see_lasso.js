// What lies inside a line that was drawn by hand, or inside a rectangle.

// Even-odd rule: a ray to the right from a point inside crosses the outline an odd number of times.
export function inside(outline, x, y) {
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
