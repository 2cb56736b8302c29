// Ranges on parallel axes, by dragging along an axis or typed: a word is in if it lies in all of them.

export class Brushes {
  constructor() { this.ranges = new Map(); } // axis -> [low, high]

  set(axis, low, high) { this.ranges.set(axis, low <= high ? [low, high] : [high, low]); }

  clear(axis) { if (axis === undefined) this.ranges.clear(); else this.ranges.delete(axis); }

  get any() { return this.ranges.size > 0; }

  // The indices of the words that lie in every range.
  within(columns) {
    if (!this.any) return [];
    const found = [];
    for (let i = 0; i < (columns[0]?.length ?? 0); i++) {
      let all = true;
      for (const [axis, [low, high]] of this.ranges) if (columns[axis][i] < low || columns[axis][i] > high) { all = false; break; }
      if (all) found.push(i);
    }
    return found;
  }
}

// Let a pointer drag ranges on a canvas of parallel axes; a click without a drag takes the range away.
export function brushing(canvas, chart, changed) {
  let at = null;
  const place = (event) => { const box = canvas.getBoundingClientRect(); return [event.clientX - box.left - canvas.clientLeft, event.clientY - box.top - canvas.clientTop]; };
  canvas.addEventListener("pointerdown", (event) => {
    const [sx, sy] = place(event), axis = chart.axisNear(sx);
    if (axis < 0) return;
    canvas.setPointerCapture(event.pointerId);
    at = { axis, from: sy, moved: false };
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!at) return;
    const [, sy] = place(event);
    at.moved ||= Math.abs(sy - at.from) > 3;
    if (at.moved) { chart.brushes.set(at.axis, chart.valueAt(at.from), chart.valueAt(sy)); chart.draw(); }
  });
  const ended = () => {
    if (!at) return;
    if (!at.moved) chart.brushes.clear(at.axis);
    at = null;
    changed();
  };
  canvas.addEventListener("pointerup", ended);
  canvas.addEventListener("pointercancel", ended);
}
