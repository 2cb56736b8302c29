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

// What stands at the ends of the axes, along the edges; the rectangles that it takes come back.
export function writeEnds({ context, page, width, height, map }) {
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
