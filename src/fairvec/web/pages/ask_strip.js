// Where each word leans: X's words above Y's, as in the report; a word is dropped by a click.
import { made } from "./made.js";
import { axisOf, drawn, number, numbersOf, percent, signed, zeroOf } from "./ask_drawing.js";

const MOST_DRAWN = 120, MOST_LANES = 10, ROW = 14, STEP = 18, GAP = 6;
const pen = document.createElement("canvas").getContext("2d");

const byScore = (one, other) => one.score - other.score;

// Of a very long list the words at both ends.
function outermost(words) {
  const ordered = [...words].sort(byScore);
  return ordered.length <= MOST_DRAWN ? ordered : [...ordered.slice(0, MOST_DRAWN / 2), ...ordered.slice(-MOST_DRAWN / 2)];
}

// The lowest lane in which each label touches no other; none where all are full.
function lanes(words, scale, width) {
  const ends = [];
  const reach = words.map((word) => {
    const long = pen.measureText(word.word).width + 2, here = (scale.at(word.score) / 100) * width;
    const anchor = here < long / 2 ? "start" : here > width - long / 2 ? "end" : "middle";
    const left = here - { start: 0, middle: long / 2, end: long }[anchor];
    return { word, left, right: left + long, anchor };
  });
  for (const label of [...reach].sort((one, other) => one.left - other.left)) {
    let lane = ends.findIndex((end) => end + GAP <= label.left);
    if (lane < 0) lane = ends.length;
    if (lane >= MOST_LANES) continue;
    ends[lane] = label.right;
    label.lane = lane;
  }
  return { reach, count: ends.length };
}

export class WordStrip {
  constructor({ drop, look }) {
    this.drop = drop;
    this.look = look;
    this.drawing = made("div", { role: "group", "aria-label": "Words of both lists by where they lean; arrow keys move, Delete drops a word" });
    this.caption = made("figcaption", { lang: "en" });
    this.ends = made("p", { class: "ends", lang: "en" });
    this.rest = made("p", { class: "note", lang: "en" });
    this.element = made("figure", { class: "strip", hidden: true }, this.caption, this.drawing, this.ends, this.rest);
    new ResizeObserver(() => this.words && this.draw()).observe(this.drawing);
    this.drawing.addEventListener("keydown", (event) => this.key(event));
  }

  show(words, titles, effect) {
    Object.assign(this, { words, effect });
    this.element.hidden = !words.length;
    if (!words.length) return;
    const named = (shape, title) => made("span", { class: "list" }, made("i", { class: shape }), title);
    this.caption.replaceChildren("Where each word leans ", made("small", {}, named("dot-x", titles.x), named("dot-y", titles.y), made("span", { class: "list" }, "bar: from one mean to the other")));
    this.ends.replaceChildren(made("span", {}, `← ${titles.b}`), made("span", {}, `${titles.a} →`));
    const long = ["x", "y"].some((role) => words.filter((word) => word.role === role).length > MOST_DRAWN);
    this.rest.textContent = long ? `Of a long list the ${MOST_DRAWN} words that lean most to either side are drawn; the table has all.` : "";
    this.draw();
  }

  draw() {
    const width = this.drawing.clientWidth;
    if (!width) return;
    pen.font = `12px ${getComputedStyle(this.drawing).fontFamily}`;
    const here = this.dots?.findIndex((dot) => dot === document.activeElement) ?? -1;
    const scale = axisOf([0, ...this.words.map((word) => word.score)]);
    this.dots = [];
    const [x, y] = ["x", "y"].map((role) => this.words.filter((word) => word.role === role));
    this.drawing.replaceChildren(this.row(outermost(x), scale, "up", width), this.step(x, y, scale), this.row(outermost(y), scale, "down", width), numbersOf(scale));
    this.dots[0]?.setAttribute("tabindex", "0");
    if (here >= 0) this.focus(here);
  }

  row(words, scale, way, width) {
    const { reach, count } = lanes(words, scale, width);
    const places = reach.map(({ word, lane }) => {
      const x = percent(scale.at(word.score)), bare = lane === undefined ? ["bare-on-phone", "bare-on-screen"] : [];
      return (element) => { element.setAttribute("x", x); element.setAttribute("y", ROW / 2); element.classList.add(...bare); return raised(element, lane ?? 0); };
    });
    const leaders = reach.flatMap(({ lane }, index) => (lane ? [places[index](drawn("svg", {}, drawn("line", { y2: 1 })))] : []));
    const dots = reach.map((label, index) => places[index](this.dot(label, way)));
    const row = drawn("svg", { class: `words ${way}`, width: "100%", height: ROW }, zeroOf(scale, ROW), ...leaders, ...dots);
    return raised(row, count);
  }

  about(word) {
    const told = [word.word, word.transliteration, word.gloss && `“${word.gloss}”`, word.key !== word.word && `found as ${word.key}`, `leans ${signed(word.score, 3)}`, word.without != null && `without it d = ${number(word.without)}`];
    return told.filter(Boolean).join(" · ");
  }

  dot({ word, anchor }) {
    const sentence = this.about(word);
    const looked = (event) => { if (event.type === "focus") for (const one of this.dots) one.setAttribute("tabindex", one === dot ? "0" : "-1"); this.look(word); };
    const left = () => this.look(this.dots.find((one) => one === document.activeElement)?.word ?? null);
    // A finger does not hover: what lies below it after the page has moved is not what it pressed.
    const hovering = (then) => (event) => { if (event.pointerType !== "touch") then(event); };
    // A circle without ink makes the mark as large as a finger.
    const dot = drawn("svg", { class: "word", tabindex: "-1", role: "button", "aria-label": `${sentence}; drop it`, onclick: (event) => this.pressed(event, word), onpointerenter: hovering(looked), onfocus: looked, onpointerleave: hovering(left), onblur: left },
      drawn("circle", { class: "touch", r: 11 }), drawn("circle", { r: 4.5 }), drawn("text", { "text-anchor": anchor }, word.word));
    dot.word = word;
    this.dots.push(dot);
    return dot;
  }

  // A finger cannot point without pressing: its first press looks, the second drops.
  pressed(event, word) {
    const looked = event.pointerType !== "touch" || this.touched === word.word;
    this.touched = looked ? null : word.word;
    if (looked) this.drop(word); else this.look(word);
  }

  step(x, y, scale) {
    const mean = (words) => words.reduce((sum, word) => sum + word.score, 0) / words.length;
    const [above, below] = [mean(x), mean(y)], [here, there] = [percent(scale.at(above)), percent(scale.at(below))];
    const line = (name, x1, x2, y1, y2) => drawn("line", { class: name, x1, x2, y1, y2 });
    return drawn("svg", { class: `track ${above > below ? "positive" : "negative"}`, width: "100%", height: STEP, "aria-hidden": "true" },
      zeroOf(scale, STEP), line("mean", here, here, 0, STEP / 2), line("mean", there, there, STEP / 2, STEP), line("step", there, here, STEP / 2, STEP / 2));
  }

  key(event) {
    const here = this.dots.findIndex((dot) => dot === document.activeElement);
    if (here < 0) return;
    const there = { ArrowRight: here + 1, ArrowDown: here + 1, ArrowLeft: here - 1, ArrowUp: here - 1, Home: 0, End: this.dots.length - 1 }[event.key];
    if (there !== undefined) { event.preventDefault(); this.focus(there); }
    if (["Enter", " ", "Delete", "Backspace"].includes(event.key)) { event.preventDefault(); this.drop(this.dots[here].word); }
  }

  focus(place) { this.dots[Math.min(Math.max(place, 0), this.dots.length - 1)]?.focus(); }
}

// The style sheet reads a lane from two variables, one for each width; here both are the true one.
function raised(element, lane) {
  for (const name of ["--phone", "--screen"]) element.style.setProperty(name, lane);
  return element;
}
