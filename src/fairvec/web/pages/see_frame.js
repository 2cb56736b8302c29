// What stands around the words: the cross of two axes or the disc, the ends' names, the line drawn by hand.
import { radiusAt } from "./see_disc.js";

// The rim, and circles at whole distances from the centre.
export function drawDisc({ context, camera, page, map }) {
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

export function drawCross({ context, camera, page, width, height }) {
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

// What stands at the ends of the axes, along the edges.
export function writeEnds({ context, page, width, height, map }) {
  if (!map.axes.length) return;
  const write = (text, x, y, align, baseline) => {
    context.textAlign = align;
    context.textBaseline = baseline;
    context.strokeText(text, x, y, width / 2 - 12);
    context.fillText(text, x, y, width / 2 - 12);
  };
  context.font = `600 12px ${page.sans}`;
  context.lineWidth = 5;
  context.lineJoin = "round";
  context.strokeStyle = page.paper;
  context.fillStyle = page.soft;
  write(`← ${map.axes[0].away}`, 6, height - 6, "left", "bottom");
  write(`${map.axes[0].towards} →`, width - 6, height - 6, "right", "bottom");
  write(`↑ ${map.axes[1].towards}`, width / 2, 5, "center", "top");
  write(`↓ ${map.axes[1].away}`, width / 2, height - 24, "center", "bottom");
}

export function drawOutline({ context, page, outline }) {
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
