// What drawings share: elements of SVG, an axis, and numbers as the report writes them.
const NS = "http://www.w3.org/2000/svg";

export function drawn(name, attributes = {}, ...children) {
  const one = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) one.addEventListener(key.slice(2), value);
    else if (value !== false && value != null) one.setAttribute(key, value);
  }
  one.append(...children);
  return one;
}

export function number(value, digits = 2) {
  const text = Math.abs(value).toFixed(digits);
  return value < 0 && Number(text) !== 0 ? `−${text}` : text;
}

export function signed(value, digits = 2) {
  const text = number(value, digits);
  return Number(text) > 0 ? `+${text}` : text;
}

export const percent = (share) => `${Math.min(Math.max(share, 0), 100).toFixed(2)}%`;

// An axis that holds all values, with about `ticks` steps of 1, 2 or 5 times a power of ten.
export function axisOf(values, ticks = 6) {
  let low = Math.min(...values), high = Math.max(...values);
  if (high - low < 1e-12) { low -= 0.5; high += 0.5; }
  const rough = (high - low) / ticks, power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((nice) => nice * power).find((one) => one >= rough * (1 - 1e-9));
  const margin = 0.04 * (high - low);
  return axis(low - margin, high + margin, step);
}

export function axis(low, high, step) {
  const first = Math.ceil(low / step - 1e-9), last = Math.floor(high / step + 1e-9);
  const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  return {
    at: (value) => (100 * (value - low)) / (high - low),
    ticks: Array.from({ length: last - first + 1 }, (_, place) => (first + place) * step),
    label: (tick) => number(tick, digits),
  };
}

export function numbersOf(scale) {
  const texts = scale.ticks.map((tick) => {
    const place = scale.at(tick);
    return drawn("text", { x: percent(place), y: 14, "text-anchor": place < 3 ? "start" : place > 97 ? "end" : "middle" }, scale.label(tick));
  });
  return drawn("svg", { class: "axis", width: "100%", height: 20, "aria-hidden": "true" }, ...texts);
}

export function zeroOf(scale, height) {
  return drawn("line", { class: "zero", x1: percent(scale.at(0)), x2: percent(scale.at(0)), y2: height });
}

// An effect as a dot on the line of its interval, as the report's forest has it.
export function effectRow(scale, { effect, interval, claimed, height = 30, title = "" }) {
  const middle = height / 2;
  const marks = scale.ticks.map((tick) => drawn("line", { class: Math.abs(tick) < 1e-9 ? "zero" : "grid", x1: percent(scale.at(tick)), x2: percent(scale.at(tick)), y2: height }));
  if (interval) marks.push(drawn("line", { class: "interval", x1: percent(scale.at(interval.low)), x2: percent(scale.at(interval.high)), y1: middle, y2: middle }));
  marks.push(drawn("circle", { class: `dot ${claimed ? "filled" : "hollow"}`, cx: percent(scale.at(effect)), cy: middle, r: 5.5 }));
  return drawn("svg", { class: `track ${effect > 0 ? "positive" : "negative"}`, width: "100%", height, role: "img", "aria-label": title }, ...marks);
}
