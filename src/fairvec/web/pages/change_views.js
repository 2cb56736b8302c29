// What the view Change shows: tests, words and a map before and after, neighbours, and the change as code.
import { element, svg } from "./dom.js";
import { axisFor, axisNumbers, cssPercent, effectAxis, formatNumber, formatSigned, gridLines, zeroLine } from "./draw.js";
import { onTheme, Picture } from "./see_canvas.js";

// --- Every test before and after, as the report's dumbbells: a small grey dot, and a large one that moves ---

const HEIGHT = 26;
const KINDS = { bias: "Bias", "meaningful-encoding": "What should stay", baseline: "Harmless baselines" };

const effectOf = (record) => (record.status === "measured" ? record.effect : null);

export class Forest {
  constructor(choose) {
    this.choose = choose;
    this.rows = new Map();
    this.element = element("section", { class: "change-forest", "aria-label": "Tests before and after" });
  }

  show({ before, after, rows }) {
    this.scale = effectAxis([...before, ...after].map(effectOf));
    const ids = rows.map((row) => row.test).join();
    if (ids !== this.ids) this.build(rows);
    this.ids = ids;
    this.before = new Map(before.map((record) => [record.test.id, record]));
    this.move({ after, rows });
    for (const row of rows) this.judge(row);
  }

  build(rows) {
    this.rows.clear();
    const parts = [element("div", { class: "row head" }, element("span"), axisNumbers(this.scale), element("span", { class: "value" }, "before → after"), element("span", {}, "change"))];
    for (const [kind, title] of Object.entries(KINDS)) {
      const own = rows.filter((row) => row.kind === kind);
      if (own.length) parts.push(element("p", { class: "category" }, title), ...own.map((row) => this.row(row)));
    }
    this.element.replaceChildren(element("div", { class: "forest" }, ...parts), element("p", { class: "note" }, "Grey: before; filled: there is evidence. Choose a test to see its words below."));
    this.pick(rows[0].test);
  }

  row(row) {
    const line = svg("line", { class: "interval", y1: HEIGHT / 2, y2: HEIGHT / 2 });
    const was = svg("circle", { class: "was", cy: HEIGHT / 2, r: 4 }), dot = svg("circle", { class: "dot", cy: HEIGHT / 2, r: 5.5 });
    const drawing = svg("svg", { class: "track", width: "100%", height: HEIGHT, role: "img" }, ...gridLines(this.scale, HEIGHT), line, was, dot);
    const value = element("span", { class: "value" }), became = element("span", { class: "became" });
    const name = element("button", { type: "button", class: "label", "aria-pressed": "false", onclick: () => { this.pick(row.test); this.choose(row.test); } }, row.title, element("small", {}, row.test));
    const node = element("div", { class: "row", "data-test": row.test }, name, drawing, value, became);
    this.rows.set(row.test, { element: node, name, drawing, line, was, dot, value, became });
    return node;
  }

  pick(test) { for (const [id, row] of this.rows) row.name.setAttribute("aria-pressed", String(id === test)); }

  // The dots go where the effects are; what that means is said when it has been tested.
  move({ after, rows }) {
    for (const record of after) {
      const row = this.rows.get(record.test.id), before = this.before.get(record.test.id);
      if (!row) continue;
      const [from, to] = [effectOf(before), effectOf(record)];
      const here = cssPercent(this.scale.at(to ?? 0)), there = cssPercent(this.scale.at(from ?? 0));
      row.dot.style.cx = here;
      row.was.style.cx = there;
      for (const [name, value] of [["x1", there], ["x2", here]]) row.line.setAttribute(name, value);
      row.was.classList.toggle("absent", from === null);
      row.dot.classList.toggle("absent", to === null && record.cause !== "no-spread");
      row.line.classList.toggle("absent", from === null || (to === null && record.cause !== "no-spread"));
      row.drawing.classList.toggle("positive", (to ?? 0) > 0);
      row.drawing.classList.toggle("negative", (to ?? 0) <= 0);
      const entry = rows.find((one) => one.test === record.test.id);
      row.before = entry.was ?? row.before;
      row.value.textContent = `${row.before} → ${entry.is}`;
      row.element.dataset.exact = to === null ? "" : String(to);
      row.became.classList.add("stale");
    }
  }

  judge(entry) {
    const row = this.rows.get(entry.test);
    row.became.replaceChildren(entry.alarming ? element("span", { class: "alarm" }, entry.became) : entry.became, ...(entry.fitted_words.length ? [element("small", {}, ` fitted on ${entry.fitted_words.length} of its words`)] : []));
    row.became.classList.remove("stale");
    row.drawing.setAttribute("aria-label", entry.sentence);
    row.element.title = entry.sentence;
    row.was.classList.toggle("filled", entry.evident_before === true);
    row.was.classList.toggle("hollow", entry.evident_before !== true);
    row.dot.classList.toggle("filled", entry.evident_after === true);
    row.dot.classList.toggle("hollow", entry.evident_after !== true);
  }
}

// --- The words of one test before and after: a ring where each leaned, and a mark that moves away from it ---

const WORD_HEIGHT = 20;

export class MovedWords {
  constructor() {
    this.caption = element("h3", {});
    this.why = element("p", { class: "note" });
    this.place = element("div", { class: "pair" });
    this.ends = element("p", { class: "ends" });
    this.element = element("section", { class: "change-words", "aria-label": "Words before and after" }, this.caption, this.why, this.place, this.ends);
  }

  choose(test) { this.test = test; this.draw(); }

  show({ before, after, reasons }) {
    Object.assign(this, { before, after, reasons });
    if (!before.some((record) => record.test.id === this.test)) this.test = before[0]?.test.id;
    this.draw();
  }

  move({ after }) { this.after = after; this.placeMarks(); }

  of(records) { return records?.find((record) => record.test.id === this.test); }

  draw() {
    const was = this.of(this.before);
    if (!was) return;
    const words = was.words ?? [], titles = Object.fromEntries((was.coverage ?? []).map((group) => [group.role, group.title]));
    this.caption.textContent = was.test.title;
    this.why.textContent = this.reasons[this.test] ?? "";
    this.element.hidden = false;
    const key = `${this.test} ${was.model.sha256}`;
    if (key !== this.key) this.build(words, titles);
    this.key = key;
    this.placeMarks();
  }

  build(words, titles) {
    this.marks = new Map();
    this.scale = axisFor([0, ...words.map((word) => word.score)], window.innerWidth < 720 ? 3 : 6);
    const column = (role) => {
      const own = words.filter((word) => word.role === role).sort((one, other) => other.score - one.score);
      return element("div", {}, element("p", { class: "category" }, element("i", { class: `dot-${role}` }), titles[role] ?? role), element("div", { class: "row head" }, element("span"), axisNumbers(this.scale), element("span")), ...own.map((word) => this.row(word)));
    };
    this.place.replaceChildren(...(words.length ? [column("x"), column("y")] : []));
    this.ends.replaceChildren(element("span", {}, words.length ? `← ${titles.b ?? "B"}` : ""), element("span", {}, words.length ? `${titles.a ?? "A"} →` : ""));
  }

  row(word) {
    const at = cssPercent(this.scale.at(word.score));
    const way = svg("line", { class: "way", x1: at, y1: WORD_HEIGHT / 2, y2: WORD_HEIGHT / 2 });
    const ring = svg("circle", { class: "was hollow", cx: at, cy: WORD_HEIGHT / 2, r: 4 });
    const mark = svg("circle", { class: `is ${word.role}`, cy: WORD_HEIGHT / 2, r: 4.5 });
    const value = element("span", { class: "value" });
    const facts = [word.word, word.transliteration, word.gloss && `“${word.gloss}”`].filter(Boolean).join(" · ");
    const drawing = svg("svg", { class: "track", width: "100%", height: WORD_HEIGHT, role: "img" }, zeroLine(this.scale, WORD_HEIGHT), way, ring, mark);
    this.marks.set(`${word.role} ${word.word}`, { way, mark, value, from: word.score, facts, drawing });
    return element("div", { class: "row", title: facts }, element("span", { class: "label" }, word.word), drawing, value);
  }

  placeMarks() {
    const record = this.of(this.after);
    if (!record || !this.marks) return;
    for (const word of record.words ?? []) {
      const one = this.marks.get(`${word.role} ${word.word}`);
      if (!one) continue;
      const here = cssPercent(this.scale.at(word.score));
      one.mark.style.cx = here;
      one.way.setAttribute("x2", here);
      one.value.textContent = formatSigned(word.score, 3);
      one.drawing.setAttribute("aria-label", `${one.facts}: from ${formatSigned(one.from, 3)} to ${formatSigned(word.score, 3)}`);
    }
  }
}

// --- The map of Change: words between the concept's ends and a test's targets, going where the strength takes them ---

const STILL = matchMedia("(prefers-reduced-motion: reduce)");
const STEP = 120; // milliseconds in which words go from one strength to the next

export class MovingMap {
  constructor(app) {
    this.app = app;
    this.canvas = element("canvas", { class: "see-map change-map", role: "img", "aria-label": "Map of words after the change" });
    this.picture = new Picture(this.canvas);
    this.note = element("p", { class: "note" });
    this.element = element("section", { class: "change-mapped", "aria-label": "Map", hidden: true }, element("h3", {}, "Where words lie"), this.canvas, this.note);
    onTheme(this.canvas, () => this.picture.recolour());
  }

  async ask(question, about, signal) {
    const { stage, ...rest } = question, mine = (this.turn = (this.turn ?? 0) + 1);
    const answer = await this.app.post("change/map", { ...rest, about: question.tests?.includes(about) ? about : "" }, signal);
    if (answer && mine === this.turn && this.element.isConnected && !signal?.aborted) this.show(answer, JSON.stringify([question.model, question.concept, about, question.lists]));
  }

  leave() { this.turn = (this.turn ?? 0) + 1; this.element.hidden = true; }

  show(answer, frame) {
    const [x, y] = answer.after;
    this.element.hidden = false;
    if (frame !== this.frame) this.begin(answer);
    this.frame = frame;
    this.canvas.setAttribute("aria-label", `Map of ${answer.words.length.toLocaleString("en")} words after the change; the tables below have those of the test`);
    this.go(x, y);
  }

  // The frame is that of the model as it is, so that what is taken out is seen to go.
  begin({ words, before, axes, reached }) {
    const [x, y] = before;
    this.picture.show({ words, x: [...x], y: [...y], layout: "axes", axes, leanings: x }, false);
    const places = new Map(words.map((word, index) => [word, index]));
    this.picture.chosen = new Set(Object.values(reached).map((key) => places.get(key)).filter((index) => index !== undefined));
    this.note.textContent = `Across: ${axes[0].away} to ${axes[0].towards}, by the direction before the change. Up: ${axes[1].away} to ${axes[1].towards}. Ringed: the words of the chosen test. Colour and shape are where a word leaned before.`;
  }

  go(x, y) {
    const { map } = this.picture, from = [map.x, map.y], began = performance.now();
    cancelAnimationFrame(this.animation);
    const draw = (now) => {
      const share = STILL.matches ? 1 : Math.min(1, (now - began) / STEP);
      const between = (one, other) => one.map((value, place) => value + share * (other[place] - value));
      this.picture.map = { ...map, x: between(from[0], x), y: between(from[1], y) };
      this.picture.draw();
      if (share < 1) this.animation = requestAnimationFrame(draw);
    };
    draw(began + (STILL.matches ? STEP : 0));
  }
}

// --- What else a change moves: the neighbours of a word, and the similarity of words to people ---

const typedWords = {}; // by language, so that a word is still there when one comes back

export class Around {
  constructor(app, question) {
    Object.assign(this, { app, question });
    this.input = element("input", { type: "text", id: "change-word", autocomplete: "off", autocapitalize: "off", spellcheck: "false", maxlength: 200, list: "change-words" });
    this.proposed = element("datalist", { id: "change-words" });
    this.near = element("div", { class: "pair" });
    this.note = element("p", { class: "note" });
    this.use = element("div", {});
    this.input.addEventListener("input", () => this.typed());
    this.input.addEventListener("change", () => this.neighbours());
    this.element = element("div", { class: "change-around" },
      element("section", {}, element("h3", {}, element("label", { for: "change-word" }, "Nearest words of "), this.input), this.proposed, this.near, this.note),
      element("section", {}, element("h3", {}, "Similarity of words, as people see it"), this.use));
  }

  ask() { this.neighbours(); this.usefulness("quick"); }

  leave() {
    this.looking?.abort();
    this.rating?.abort();
    this.near.replaceChildren();
    this.use.replaceChildren();
    this.note.textContent = "";
  }

  get language() { return this.app.model.languages[0] ?? ""; }

  async typed() {
    typedWords[this.language] = this.input.value.trim();
    const answer = this.input.value.trim() && await this.app.get("words", { model: this.app.model.name, beginning: this.input.value.trim(), most: 8 });
    this.proposed.replaceChildren(...(answer?.words ?? []).map((one) => element("option", { value: one })));
    if (answer?.known) this.neighbours();
  }

  async neighbours() {
    if (document.activeElement !== this.input) this.input.value = typedWords[this.language] ?? this.app.model.example_word;
    const question = this.question(), term = this.input.value.trim();
    if (!question) return;
    if (!term) { this.near.replaceChildren(); this.note.textContent = "Write a word to see its neighbours before and after."; return; }
    this.looking?.abort();
    const { signal } = (this.looking = new AbortController());
    const { stage, ...rest } = question;
    this.note.textContent = this.app.model.words > 20000 ? "Looking …" : this.note.textContent;
    const answer = await this.app.post("change/neighbours", { ...rest, word: term, count: 10 }, signal);
    if (signal.aborted) return;
    // Neighbours of another word would be taken for those of this one.
    if (!answer) { this.near.replaceChildren(); this.note.textContent = `There are no neighbours of ${term} to show.`; return; }
    const [before, after] = [answer.before, answer.after].map((side) => new Set(side.map((one) => one.word)));
    const column = (title, side, others, note) => element("div", {}, element("p", { class: "category" }, title), element("ol", { class: "near" }, ...side.map((one) => element("li", { class: others.has(one.word) ? null : "other" }, element("span", {}, one.word), others.has(one.word) ? "" : element("small", {}, ` ${note}`), element("span", { class: "value" }, one.figure)))));
    this.near.replaceChildren(column("Before", answer.before, after, "− leaves"), column("After", answer.after, before, "+ new"));
    const among = answer.among < answer.of ? `Among the first ${answer.among.toLocaleString("en")} of ${answer.of.toLocaleString("en")} words. ` : "";
    this.note.textContent = among + answer.remarks.join(" ");
  }

  async usefulness(stage) {
    const question = this.question();
    if (!question) return;
    this.rating?.abort();
    const { signal } = (this.rating = new AbortController());
    if (stage === "full") this.use.append(element("p", { class: "note", role: "status" }, "Testing each benchmark, pair by pair; this takes some seconds …"));
    const answer = await this.app.post("change/usefulness", { ...question, stage }, signal);
    if (!answer || signal.aborted) return;
    const figure = (value) => (value === null ? "none" : formatNumber(value, 3));
    const row = (one) => element("tr", {}, element("th", { scope: "row" }, one.title), element("td", { class: "value" }, figure(one.was)), element("td", { class: "value" }, figure(one.is)), element("td", { class: "value" }, one.was === null || one.is === null ? "" : formatSigned(one.is - one.was, 3)), element("td", { title: one.sentence }, one.became ?? ""));
    const head = ["", "before", "after", "difference", stage === "full" ? "change" : ""].map((text) => element("th", { scope: "col" }, text));
    const table = element("table", { class: "plain" }, element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...answer.rows.map(row)));
    const more = element("button", { type: "button", onclick: () => this.usefulness("full") }, "Test these changes, and longer benchmarks");
    this.use.replaceChildren(...(answer.rows.length ? [table, ...(stage === "quick" ? [element("p", {}, more)] : [])] : []), element("p", { class: "note" }, answer.remark));
  }
}

// --- The same change by the shell or Python, and as a file where the server may write one ---

export class Elsewhere {
  constructor(app, question) {
    Object.assign(this, { app, question });
    this.command = element("pre", { tabindex: "0", "aria-label": "Command line" });
    this.python = element("pre", { tabindex: "0", "aria-label": "Python" });
    this.note = element("p", { class: "note", role: "status" });
    this.file = element("input", { type: "text", id: "change-file", value: "debiased.fairvec", maxlength: 100, spellcheck: "false", autocomplete: "off" });
    this.button = element("button", { type: "button", onclick: () => this.write() }, "Write it");
    this.writing = element("p", { class: "change-write", hidden: true }, element("label", { for: "change-file" }, "Write as "), this.file, " ", this.button);
    const copy = (name, place) => element("button", { type: "button", onclick: () => this.copy(place.textContent, name) }, `Copy the ${name}`);
    this.ownFile = element("p", { class: "note", hidden: true });
    this.element = element("section", { class: "change-elsewhere written", "aria-label": "Write the model" }, element("h3", {}, "Write the model"),
      this.ownFile, this.command, element("p", { class: "buttons" }, copy("command line", this.command), " ", copy("Python", this.python)), element("details", {}, element("summary", {}, "Python"), this.python), this.writing, this.note);
  }

  show(answer) {
    this.command.textContent = answer.command;
    this.python.textContent = answer.python;
    this.writing.hidden = !answer.may_write;
    this.ownFile.hidden = !answer.own_file;
    this.ownFile.textContent = `In Ask, save the lists as a suite and call the file ${answer.own_file}: the command reads it.`;
    for (const button of this.element.querySelectorAll("button")) button.disabled = false;
  }

  // While the slider moves the command is of an earlier strength.
  wait() { for (const button of this.element.querySelectorAll("button")) button.disabled = true; }

  async copy(text, name) {
    try { await navigator.clipboard.writeText(text); this.report(`The ${name} is copied.`); } catch { this.report(`The browser does not let the ${name} be copied; select it above.`); }
  }

  async write() {
    const question = this.question();
    if (!question) return;
    this.button.disabled = true;
    this.report("Writing …");
    const { stage, ...rest } = question;
    const answer = await this.app.post("write", { ...rest, file: this.file.value.trim() });
    this.button.disabled = false;
    this.report(answer ? `Written: ${answer.folder}/${answer.model}, and ${answer.run} with the transform, the results and a report.` : "Nothing was written.");
  }

  report(sentence) { this.note.textContent = sentence; this.app.announce(sentence); }
}
