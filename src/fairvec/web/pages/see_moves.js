// How a map is moved and pointed at: mouse, pen, fingers, wheel and keys.
import { rectangle } from "./see_lasso.js";

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

// `does` has: mode() -> "move" | "lasso" | "rectangle"; point(index); enclose(outline, more); toggle(index); clear().
export function moves(picture, does) {
  const { canvas, camera } = picture;
  const fingers = new Map();
  let began = null;
  const place = (event) => { const box = canvas.getBoundingClientRect(); return [event.clientX - box.left - canvas.clientLeft, event.clientY - box.top - canvas.clientTop]; };
  const middle = () => { const [a, b = a] = [...fingers.values()]; return [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, Math.hypot(a[0] - b[0], a[1] - b[1])]; };

  // A word is taken in hand where the mouse rests, not on its way to the list of neighbours.
  let resting = 0;
  const hover = (event, at) => {
    clearTimeout(resting);
    const index = event.pointerType === "mouse" ? picture.nearestTo(...at) : -1;
    if (index >= 0) resting = setTimeout(() => does.point(index), 40);
  };
  canvas.addEventListener("pointerleave", () => clearTimeout(resting));

  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, place(event));
    began = fingers.size === 1 ? { at: place(event), far: 0, drawing: does.mode() !== "move" } : null;
    picture.outline = [];
  });

  canvas.addEventListener("pointermove", (event) => {
    const at = place(event);
    if (!fingers.has(event.pointerId)) { hover(event, at); return; }
    const before = middle();
    fingers.set(event.pointerId, at);
    if (began) began.far = Math.max(began.far, Math.hypot(at[0] - began.at[0], at[1] - began.at[1]));
    if (began?.drawing) picture.outline = does.mode() === "rectangle" ? rectangle(began.at, at) : [...(picture.outline.length ? picture.outline : [began.at]), at];
    else {
      const now = middle();
      camera.pan(now[0] - before[0], now[1] - before[1]);
      if (fingers.size > 1 && before[2]) camera.zoom(now[2] / before[2], now[0], now[1]);
    }
    picture.draw();
  });

  const ended = (event) => {
    if (!fingers.delete(event.pointerId)) return;
    const outline = picture.outline;
    picture.outline = [];
    if (began && event.type === "pointerup") {
      const index = picture.nearestTo(...place(event), event.pointerType === "touch" ? 24 : 14);
      if (began.far >= 4 && began.drawing) does.enclose(outline.map(([sx, sy]) => camera.toWorld(sx, sy)), event.shiftKey);
      else if (began.far < 4 && event.pointerType === "mouse" && index >= 0) does.toggle(index);
      else if (began.far < 4) does.point(index);
    }
    began = null;
    picture.draw();
  };
  canvas.addEventListener("pointerup", ended);
  canvas.addEventListener("pointercancel", ended);

  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    const lines = event.deltaMode === 1 ? 16 : 1;
    camera.zoom(Math.exp(-event.deltaY * lines / 400), ...place(event));
    picture.draw();
  }, { passive: false });

  canvas.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const [sx, sy] = [picture.width / 2, picture.height / 2], arrow = ARROWS[event.key];
    if (arrow && event.shiftKey) camera.pan(-60 * arrow[0], -60 * arrow[1]);
    else if (arrow) step(picture, arrow, does);
    else if (event.key === "+" || event.key === "=") camera.zoom(1.4, sx, sy);
    else if (event.key === "-") camera.zoom(1 / 1.4, sx, sy);
    else if (event.key === "0") picture.fit();
    else if ((event.key === "Enter" || event.key === " ") && picture.focus >= 0) does.toggle(picture.focus);
    else if (event.key === "Escape") does.clear();
    else return;
    event.preventDefault();
    picture.draw();
  });
}

// Go from the word in hand to the nearest labelled one that way; from the middle if none is in hand.
function step(picture, [dx, dy], does) {
  const [sx, sy] = picture.focus >= 0 ? picture.at(picture.focus) : [picture.width / 2, picture.height / 2];
  let best = -1, least = Infinity;
  for (const index of picture.labelled ?? []) {
    const [x, y] = picture.at(index), along = (x - sx) * dx + (y - sy) * dy, aside = Math.abs((x - sx) * dy) + Math.abs((y - sy) * dx);
    const cost = along + 2 * aside;
    if (index !== picture.focus && along > 1 && aside <= 2 * along && cost < least) { least = cost; best = index; }
  }
  if (best >= 0) does.point(best, true);
}
