// The Poincaré disc of radius one: its straight lines are arcs of circles that meet the rim at right angles.

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
export const radiusAt = (far, curvature = 1) => Math.tanh(Math.sqrt(curvature) * far / 2);

// Add the geodesic to a path of the canvas; y grows downwards there, so that angles turn the other way.
export function traced(context, camera, p, q) {
  const arc = geodesic(p, q);
  context.moveTo(...camera.toScreen(...p));
  if (arc.line) context.lineTo(...camera.toScreen(...q));
  else context.arc(...camera.toScreen(arc.cx, arc.cy), arc.r * camera.kx, -arc.from, -arc.to, arc.to > arc.from);
}
