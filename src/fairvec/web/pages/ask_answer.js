// What the view Ask shows below the lists.
// The answer: a sentence, the effect with its interval, p and power, each word, and the linter.
import { element, svg } from "./dom.js";
import { axisFor, axisNumbers, cssPercent, effectAxis, effectRow, formatNumber, formatSigned, zeroLine } from "./draw.js";

export class AnswerPlace {
  constructor(app, { drop }) {
    this.app = app;
    this.sentence = element("p", { class: "verdict said" });
    this.sober = element("p", { class: "sober", hidden: true });
    this.figures = element("div", { class: "ask-figures" });
    this.strip = new WordStrip({ drop, focus: (word) => this.focus(word) });
    this.focused = element("p", { class: "focused note" });
    this.influence = element("p", { class: "note" });
    this.findings = element("ul", { class: "ask-findings" });
    this.table = element("details", { class: "words-table", ontoggle: () => this.fillTable() }, element("summary"));
    this.bar = element("p", { class: "ask-bar", "aria-hidden": "true" });
    this.element = element("section", { class: "ask-answer", "aria-label": "The answer" }, this.sentence, this.sober, this.figures, this.strip.element, this.focused, this.influence, this.findings, this.table);
  }

  waiting(is = true) { this.element.classList.toggle("waiting", is); }

  invite(sentence) {
    this.show({ stage: "unasked", reason: sentence, quick: { effect: null, words: [], coverage: [] }, readings: {}, findings: [] }, {}, null);
  }

  show(answer, titles, trial) {
    this.waiting(false);
    const { record, readings } = answer, figures = record ?? answer.quick;
    const measured = figures.effect !== null && figures.effect !== undefined;
    const effect = measured ? figures.effect : null, kind = record?.verdict?.kind ?? "";
    Object.assign(this, { words: measured ? figures.words.map((word, place) => ({ ...word, label: answer.labels[place] })) : [], effect, measured });
    const first = measured ? (record ? readings.sentence : "Counting the regroupings of so many words…") : readings.sentence || answer.reason;
    const mark = element("span", { class: `mark ${kind || (record ? "skipped" : "no-verdict")} ${effect > 0 ? "positive" : "negative"} ${record && record.test.kind !== "bias" ? "harmless" : ""}`, "aria-hidden": "true" });
    this.sentence.replaceChildren(...(measured ? [mark] : []), element("span", {}, trial ? element("em", {}, `With ${trial.word}: `) : "", first));
    this.sober.hidden = !readings.sensitive;
    this.sober.textContent = readings.sensitive ?? "";
    this.draw(answer);
    this.strip.element.lang = readings.language ?? "";
    this.strip.show(this.words, titles);
    // A focused word stays so when the rest of its answer comes.
    this.focus(this.words.find((word) => word.word === this.at?.word && word.role === this.at?.role));
    this.influence.textContent = record && measured ? `${readings.influence} p is of these lists alone: it does not know how many others you tried.`.trim() : "";
    this.findings.replaceChildren(...answer.findings.slice(0, 8).map((one) => element("li", {}, one.message)), ...(answer.findings.length > 8 ? [element("li", {}, `and ${answer.findings.length - 8} more remarks.`)] : []));
    this.bar.textContent = measured ? `d ${formatSigned(effect)}${readings.p ? ` · p ${readings.p}` : ""}` : "";
    this.table.hidden = !measured;
    this.table.firstChild.textContent = measured ? `All ${this.words.length} words as a table` : "";
    this.fillTable();
    this.app.announce(measured ? `d ${formatSigned(effect)}${readings.p ? `, p ${readings.p}. ${readings.sentence}` : ""}` : first);
  }

  draw({ record, readings, evident }) {
    if (!this.measured) { this.figures.replaceChildren(); return; }
    this.scale = effectAxis([this.effect]);
    this.track = effectRow(this.scale, { effect: this.effect, interval: record?.interval, filled: evident, title: `d ${formatSigned(this.effect)}${readings.interval ? `, ${readings.level} interval ${readings.interval}` : ""}` });
    const figure = (name, value, ...about) => element("div", { class: "figure" }, element("span", { class: "name" }, name), element("span", { class: "value", "data-figure": name }, value), ...about.filter(Boolean).map((one) => element("small", {}, one)));
    const power = record && (readings.detectable ? [`|d| ≥ ${readings.detectable}`, "is what so many words show with 80 % power"] : ["none", "so few words show no effect with 80 % power"]);
    this.figures.replaceChildren(
      element("div", { class: `figure effect ${this.effect > 0 ? "positive" : "negative"}` },
        element("span", { class: "name" }, "d"), element("span", { class: "value", "data-figure": "d", "data-exact": this.effect }, formatSigned(this.effect)),
        element("small", {}, record ? [readings.size, readings.interval ? `${readings.level} interval ${readings.interval}` : "no interval"].filter(Boolean).join("; ") : "its interval follows"),
        element("div", { class: "scale" }, this.track, axisNumbers(this.scale))),
      figure("p", record ? readings.p : "…", record ? readings.how_p : "p follows", record && `never below ${readings.smallest_p} with these sizes`),
      figure("power", ...(power || ["…"])));
  }

  // Show what is known of one word under the strip, and mark on the scale what d becomes without it.
  focus(word) {
    this.at = word ?? null;
    this.ghost?.remove();
    this.focused.textContent = word ? `${word.label} · click to drop it` : this.measured ? "Point at a word to see what d is without it; click to drop it." : "";
    if (!word || word.without == null || !this.track) return;
    this.ghost = svg("circle", { class: "ghost", cx: cssPercent(this.scale.at(word.without)), cy: 15, r: 4 });
    this.track.append(this.ghost);
  }

  fillTable() {
    if (!this.table.open || !this.measured) { this.table.querySelector("table")?.remove(); return; }
    const rows = [...this.words].sort(byScore).reverse().map((word) => element("tr", {},
      element("th", { scope: "row" }, word.word, " ", element("small", {}, [word.transliteration, word.gloss && `“${word.gloss}”`].filter(Boolean).join(" "))),
      element("td", {}, word.role.toUpperCase()), element("td", {}, formatSigned(word.score, 3)), element("td", {}, word.without == null ? "" : formatNumber(word.without))));
    const table = element("table", { class: "plain" }, element("thead", {}, element("tr", {}, ...["Word", "List", "Leans", "d without it"].map((name) => element("th", { scope: "col" }, name)))), element("tbody", {}, ...rows));
    this.table.querySelector("table")?.remove();
    this.table.append(table);
  }
}

// --- Where each word leans: X's words above Y's, as in the report; a word is dropped by a click ---

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

class WordStrip {
  constructor({ drop, focus }) {
    Object.assign(this, { drop, focusWord: focus });
    this.drawing = element("div", { role: "group", "aria-label": "Words of both lists by where they lean; arrow keys move, Delete drops a word" });
    this.caption = element("figcaption", { lang: "en" });
    this.ends = element("p", { class: "ends", lang: "en" });
    this.rest = element("p", { class: "note", lang: "en" });
    this.element = element("figure", { class: "strip", hidden: true }, this.caption, this.drawing, this.ends, this.rest);
    new ResizeObserver(() => this.words && this.draw()).observe(this.drawing);
    this.drawing.addEventListener("keydown", (event) => this.key(event));
  }

  show(words, titles) {
    this.words = words;
    this.element.hidden = !words.length;
    if (!words.length) return;
    const legend = (shape, title) => element("span", { class: "list" }, element("i", { class: shape }), title);
    this.caption.replaceChildren("Where each word leans ", element("small", {}, legend("dot-x", titles.x), legend("dot-y", titles.y), element("span", { class: "list" }, "bar: from one mean to the other")));
    this.ends.replaceChildren(element("span", {}, `← ${titles.b}`), element("span", {}, `${titles.a} →`));
    const long = ["x", "y"].some((role) => words.filter((word) => word.role === role).length > MOST_DRAWN);
    this.rest.textContent = long ? `Of a long list only the ${MOST_DRAWN} words that lean most to either side are drawn; the table has all.` : "";
    this.draw();
  }

  draw() {
    const width = this.drawing.clientWidth;
    if (!width) return;
    pen.font = `12px ${getComputedStyle(this.drawing).fontFamily}`;
    const here = this.dots?.findIndex((dot) => dot === document.activeElement) ?? -1;
    const scale = axisFor([0, ...this.words.map((word) => word.score)]);
    this.dots = [];
    const [x, y] = ["x", "y"].map((role) => this.words.filter((word) => word.role === role));
    this.drawing.replaceChildren(this.row(outermost(x), scale, "up", width), this.step(x, y, scale), this.row(outermost(y), scale, "down", width), axisNumbers(scale));
    this.dots[0]?.setAttribute("tabindex", "0");
    if (here >= 0) this.focus(here);
  }

  row(words, scale, way, width) {
    const { reach, count } = lanes(words, scale, width);
    const places = reach.map(({ word, lane }) => {
      const x = cssPercent(scale.at(word.score)), bare = lane === undefined ? ["bare-on-phone", "bare-on-screen"] : [];
      return (mark) => { mark.setAttribute("x", x); mark.setAttribute("y", ROW / 2); mark.classList.add(...bare); return setLane(mark, lane ?? 0); };
    });
    const leaders = reach.flatMap(({ lane }, index) => (lane ? [places[index](svg("svg", {}, svg("line", { y2: 1 })))] : []));
    const dots = reach.map((label, index) => places[index](this.dot(label, way)));
    const row = svg("svg", { class: `words ${way}`, width: "100%", height: ROW }, zeroLine(scale, ROW), ...leaders, ...dots);
    return setLane(row, count);
  }

  dot({ word, anchor }) {
    const focus = (event) => { if (event.type === "focus") for (const one of this.dots) one.setAttribute("tabindex", one === dot ? "0" : "-1"); this.focusWord(word); };
    const leave = () => this.focusWord(this.dots.find((one) => one === document.activeElement)?.word ?? null);
    // A finger does not hover: what lies below it after the page has moved is not what it pressed.
    const byMouse = (then) => (event) => { if (event.pointerType !== "touch") then(event); };
    // A circle without ink makes the mark as large as a finger.
    const dot = svg("svg", { class: "word", tabindex: "-1", role: "button", "aria-label": `${word.label}; drop it`, onclick: (event) => this.press(event, word), onpointerenter: byMouse(focus), onfocus: focus, onpointerleave: byMouse(leave), onblur: leave },
      svg("circle", { class: "touch", r: 11 }), svg("circle", { r: 4.5 }), svg("text", { "text-anchor": anchor }, word.word));
    dot.word = word;
    this.dots.push(dot);
    return dot;
  }

  // A finger cannot point without pressing: its first press shows the word, the second drops it.
  press(event, word) {
    const drops = event.pointerType !== "touch" || this.touched === word.word;
    this.touched = drops ? null : word.word;
    if (drops) this.drop(word); else this.focusWord(word);
  }

  step(x, y, scale) {
    const mean = (words) => words.reduce((sum, word) => sum + word.score, 0) / words.length;
    const [above, below] = [mean(x), mean(y)], [here, there] = [cssPercent(scale.at(above)), cssPercent(scale.at(below))];
    const line = (name, x1, x2, y1, y2) => svg("line", { class: name, x1, x2, y1, y2 });
    return svg("svg", { class: `track ${above > below ? "positive" : "negative"}`, width: "100%", height: STEP, "aria-hidden": "true" },
      zeroLine(scale, STEP), line("mean", here, here, 0, STEP / 2), line("mean", there, there, STEP / 2, STEP), line("step", there, here, STEP / 2, STEP / 2));
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
function setLane(mark, lane) {
  for (const name of ["--phone", "--screen"]) mark.style.setProperty(name, lane);
  return mark;
}

// --- The same question with other published lists, and the same figures in a file, a shell or Python ---

export class OtherLists {
  constructor(app, state) {
    Object.assign(this, { app, state });
    this.list = element("div", { class: "looks" });
    this.element = element("details", { class: "fold", ontoggle: () => this.show() }, element("summary", {}, element("h2", {}, "The same with another published list")), this.list);
  }

  async show() {
    this.abort?.abort();
    if (!this.element.open) return;
    if (!Object.keys(this.state.sources).length) { this.showNote("Lists of your own stand for no published concept; take a published pair of lists, and others for the same idea are tried in its place."); return; }
    const { signal } = (this.abort = new AbortController());
    const { stage, ...question } = this.state.question();
    const answer = await this.app.post("swaps", question, signal);
    if (signal.aborted) return;
    if (!answer) { this.list.replaceChildren(); return; }
    if (!answer.swaps.length) { this.showNote("No other published lists stand for the same concepts."); return; }
    const scale = effectAxis(answer.swaps.map((swap) => swap.effect));
    this.list.replaceChildren(element("div", { class: "row head" }, element("span"), axisNumbers(scale), element("span", { class: "value" }, "d")), ...answer.swaps.map((swap) => this.row(swap, scale)));
  }

  row(swap, scale) {
    const titles = swap.roles.map((role) => swap.titles[role]).join(", ");
    const use = element("button", { type: "button", class: "plain-link", "aria-label": `Use ${titles} of ${swap.source}`, onclick: () => this.state.fill(swap, swap.roles) }, titles);
    const drawing = swap.effect === null ? element("small", {}, swap.label) : effectRow(scale, { effect: swap.effect, filled: swap.significant, height: 26, title: swap.label });
    return element("div", { class: "row" }, element("span", { class: "label" }, use, element("small", {}, swap.effect === null ? swap.source : `${swap.source} · p ${swap.p_text}`)), drawing, element("span", { class: "value" }, swap.effect === null ? "" : formatSigned(swap.effect)));
  }

  showNote(sentence) { this.list.replaceChildren(element("p", { class: "note" }, sentence)); }
}

export class Snippets {
  constructor(app, state) {
    Object.assign(this, { app, state });
    this.text = element("div", { class: "written" });
    const button = (name, what) => element("button", { type: "button", onclick: () => this.give(what) }, name);
    this.element = element("section", { class: "elsewhere", "aria-label": "The same figures elsewhere" },
      element("p", { class: "buttons" }, button("Save as a suite (TOML)", "toml"), button("Copy the command line", "command"), button("Copy the Python", "python")), this.text);
  }

  async give(what) {
    const { stage, ...question } = this.state.question(), mine = (this.turn = {});
    const texts = await this.app.post("written", question);
    if (!texts || mine !== this.turn) return; // other lists or another model by now
    const message = what === "toml" ? this.save(texts) : await this.copy(texts[what], what);
    this.text.replaceChildren(element("p", { class: "note", role: "status" }, message), element("pre", { tabindex: "0" }, texts[what]));
    this.app.announce(message);
  }

  save(texts) {
    const address = URL.createObjectURL(new Blob([texts.toml], { type: "application/toml" }));
    element("a", { href: address, download: texts.name }).click();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
    return `Saved as ${texts.name}.`;
  }

  async copy(text, what) {
    const needs = what === "command" ? "; it reads the suite that is saved here, from the folder it lies in" : "";
    try { await navigator.clipboard.writeText(text); return `Copied${needs}.`; } catch { return `The browser does not let this page copy; take it from here${needs}.`; }
  }

  clear() { this.turn = null; this.text.replaceChildren(); }
}
