// How numbers are written, as in core/format.py, and what drawings share: axes, and rows of a forest.
import { svg } from "./dom.js";

const EXACT = 25; // so many further digits tell a tie from every other number

// 1.23 or −0.40; what rounds to zero has no sign. A tie goes to the even digit, where toFixed takes the larger.
export function formatNumber(value, digits = 2) {
  const size = Math.abs(value), exact = size.toFixed(digits + EXACT), rounded = size.toFixed(digits);
  const tie = /^50*$/.test(exact.slice(-EXACT)) && "13579".includes(rounded.at(-1));
  const [whole, decimals] = (tie ? (Number(rounded) - 10 ** -digits).toFixed(digits) : rounded).split(".");
  const text = [whole.replace(/\B(?=(\d{3})+$)/g, ","), decimals].filter(Boolean).join(".");
  return value < 0 && /[1-9]/.test(text) ? `−${text}` : text;
}

// +1.23 or −0.40, for numbers whose direction is the message.
export function formatSigned(value, digits = 2) {
  const text = formatNumber(value, digits);
  return value > 0 && /[1-9]/.test(text) ? `+${text}` : text;
}

export const cssPercent = (share) => `${Math.min(Math.max(share, 0), 100).toFixed(2)}%`;

// An axis that holds all values, with about `ticks` steps of 1, 2 or 5 times a power of ten.
export function axisFor(values, ticks = 6) {
  let low = Math.min(...values), high = Math.max(...values);
  if (high - low < 1e-12) { low -= 0.5; high += 0.5; }
  const rough = (high - low) / ticks, power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((nice) => nice * power).find((one) => one >= rough * (1 - 1e-9));
  const margin = 0.04 * (high - low);
  return makeAxis(low - margin, high + margin, step);
}

function makeAxis(low, high, step) {
  const first = Math.ceil(low / step - 1e-9), last = Math.floor(high / step + 1e-9);
  const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  return {
    at: (value) => (100 * (value - low)) / (high - low),
    ticks: Array.from({ length: last - first + 1 }, (_, place) => (first + place) * step),
    label: (tick) => formatNumber(tick, digits),
  };
}

// The axis of effects: symmetrical, and to 2 at least.
export function effectAxis(effects) {
  const reach = Math.max(2, ...effects.map((value) => Math.ceil(Math.abs(value ?? 0))));
  return makeAxis(-reach, reach, 1);
}

export function axisNumbers(scale) {
  const texts = scale.ticks.map((tick) => {
    const place = scale.at(tick);
    return svg("text", { x: cssPercent(place), y: 14, "text-anchor": place < 3 ? "start" : place > 97 ? "end" : "middle" }, scale.label(tick));
  });
  return svg("svg", { class: "axis", width: "100%", height: 20, "aria-hidden": "true" }, ...texts);
}

export function zeroLine(scale, height) {
  return svg("line", { class: "zero", x1: cssPercent(scale.at(0)), x2: cssPercent(scale.at(0)), y2: height });
}

// A line at each tick, and a stronger one at zero.
export function gridLines(scale, height) {
  return scale.ticks.map((tick) => svg("line", { class: Math.abs(tick) < 1e-9 ? "zero" : "grid", x1: cssPercent(scale.at(tick)), x2: cssPercent(scale.at(tick)), y2: height }));
}

// An effect as a dot on the line of its interval, as the report's forest has it.
export function effectRow(scale, { effect, interval, filled, height = 30, title = "" }) {
  const middle = height / 2;
  const marks = gridLines(scale, height);
  if (interval) marks.push(svg("line", { class: "interval", x1: cssPercent(scale.at(interval.low)), x2: cssPercent(scale.at(interval.high)), y1: middle, y2: middle }));
  marks.push(svg("circle", { class: `dot ${filled ? "filled" : "hollow"}`, cx: cssPercent(scale.at(effect)), cy: middle, r: 5.5 }));
  return svg("svg", { class: `track ${effect > 0 ? "positive" : "negative"}`, width: "100%", height, role: "img", "aria-label": title }, ...marks);
}
